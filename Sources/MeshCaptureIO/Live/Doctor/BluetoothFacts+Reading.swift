import Glibc
import MeshFiles

extension BluetoothFacts {
    /// Reads the facts of this machine, or of a tree that looks like one.
    ///
    /// - Parameters:
    ///   - root: Where `/sys`, `/proc`, `/lib` and `/usr` begin.
    ///   - daemon: The state of bluetoothd on the system's bus, which no file shows.
    ///   - adapters: The kernel's list of adapters; `nil` where it has no sockets for Bluetooth.
    package init(below root: String, daemon: Daemon, adapters: [Adapter]?) {
        self.init()
        self.daemon = daemon
        kernel = Self.text(root + "/proc/sys/kernel/osrelease") ?? ""
        hasSockets = adapters != nil
        self.adapters = adapters ?? []
        hasModules = Self.exists("\(root)/lib/modules/\(kernel)/kernel/net/bluetooth")
        hasDaemonProgram = [
            "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd",
        ]
        .contains { Self.exists(root + $0) }
        block = Self.block(below: root)
        let capabilities = Self.capabilities(Self.text(root + "/proc/self/status") ?? "")
        mayHaveAlone = capabilities & 1 << 12 != 0
        mayCapture = capabilities & 1 << 13 != 0
    }

    private static func block(below root: String) -> Block? {
        let directory = root + "/sys/class/rfkill"
        let switches = names(directory).map { "\(directory)/\($0)/" }.filter { text($0 + "type") == "bluetooth" }
        if switches.contains(where: { text($0 + "hard") == "1" }) { return .byHardware }
        return switches.contains { text($0 + "soft") == "1" } ? .bySoftware : nil
    }

    /// The capabilities that hold now, a bit each.
    private static func capabilities(_ status: String) -> UInt64 {
        for line in status.split(separator: "\n") where line.hasPrefix("CapEff:") {
            return UInt64(line.dropFirst("CapEff:".count).filter { !$0.isWhitespace }, radix: 16) ?? 0
        }
        return 0
    }

    // What cannot be read is not there.

    private static func names(_ directory: String) -> [String] {
        (try? FileSystem.names(in: directory)) ?? []
    }

    private static func exists(_ path: String) -> Bool {
        (try? FileSystem.kind(of: path)) ?? nil != nil
    }

    private static func text(_ path: String) -> String? {
        guard let bytes = try? FileSystem.read(path, atMost: 16_384) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.last == "\n" ? String(text.dropLast()) : text
    }
}
