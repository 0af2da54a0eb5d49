import Glibc
import MeshFiles

/// Serial lines on USB, by the serial numbers of their devices, as the kernel lists them.
package struct USBLines: Sendable {
    /// The folders of the kernel, each with lines by their names.
    private let classes: String
    private let devices: String

    /// - Parameters:
    ///   - classes: The kernel's folder of terminals.
    ///   - devices: The folder in which lines are opened.
    package init(classes: String = "/sys/class/tty", devices: String = "/dev") {
        self.classes = classes
        self.devices = devices
    }

    /// The names that lines on USB have.
    private static let prefixes = ["ttyUSB", "ttyACM"]
    /// Folders between a line and its device: the port, the interface, the device.
    private static let depth = 4
    /// The longest serial number, in bytes.
    package static let longestSerial = 126

    /// The serial number of the device behind a line; `nil` where it has none, or the line is not on USB.
    package func serial(of path: String) -> String? {
        guard let name = Self.resolved(path)?.split(separator: "/").last else { return nil }
        return serial(named: String(name))
    }

    /// The lines of the device with a serial number, in the order of their names.
    package func lines(of serial: String) -> [String] {
        let names = (try? FileSystem.names(in: classes)) ?? []
        return names.filter { self.serial(named: $0) == serial }.map { "\(devices)/\($0)" }
    }

    /// The path behind all links; `nil` where there is none.
    package static func resolved(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    private func serial(named name: String) -> String? {
        guard Self.prefixes.contains(where: name.hasPrefix),
            var folder = Self.resolved("\(classes)/\(name)/device")
        else { return nil }
        for _ in 0..<Self.depth {
            if let bytes = try? FileSystem.read(folder + "/serial", atMost: 2 * Self.longestSerial),
                let text = String(validating: bytes, as: UTF8.self)
            {
                let serial = text.prefix { $0 != "\n" && $0 != "\0" }
                return serial.isEmpty ? nil : String(serial)
            }
            guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { return nil }
            folder = String(folder[..<slash])
        }
        return nil
    }
}
