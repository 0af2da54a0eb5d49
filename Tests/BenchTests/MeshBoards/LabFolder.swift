import Foundation
import MeshTransports

@testable import MeshBoards

/// A folder of a test, which goes with the value.
final class LabFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "lab-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var boards: BoardFolders { BoardFolders(locks: path + "/locks", records: path + "/boards") }

    func write(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
        return path + "/" + name
    }

    /// The files below the folder, sorted.
    var files: [String] {
        let found = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return found.filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    /// The kernel's folders for a line `ttyACM0` of a device with a serial number, as they are for boards on USB.
    func lines(_ serials: [String: String]) throws -> USBLines {
        for (name, serial) in serials.sorted(by: { $0.key < $1.key }) {
            let device = "\(path)/devices/\(serial)"
            try FileManager.default.createDirectory(atPath: "\(device)/1-1:1.0", withIntermediateDirectories: true)
            try "\(serial)\n".write(toFile: device + "/serial", atomically: false, encoding: .utf8)
            try FileManager.default.createDirectory(atPath: "\(path)/tty/\(name)", withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: "\(path)/tty/\(name)/device", withDestinationPath: "\(device)/1-1:1.0")
            try FileManager.default.createDirectory(atPath: path + "/dev", withIntermediateDirectories: true)
            try "".write(toFile: "\(path)/dev/\(name)", atomically: false, encoding: .utf8)
        }
        return USBLines(classes: path + "/tty", devices: path + "/dev")
    }
}
