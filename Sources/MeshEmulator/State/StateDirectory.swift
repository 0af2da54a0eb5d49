import Glibc
import MeshFiles
package import MeshFirmware

/// The flash of every node of a world as files under one directory: `DIR/<label>/<path in the node's flash>`.
///
/// A change is durable when the call that makes it returns; no later output of a node leaves the emulator before that.
/// One emulator at a time works on a directory; its lock ends with the process.
package final class StateDirectory: Sendable {
    /// Larger than any file a node writes; what is larger was not written by one.
    static let fileLimit = 16 << 20
    static let depthLimit = 8

    /// The directory, as it was given.
    package let path: String
    private let lock: Int32

    /// Opens or makes the directory, and claims it.
    package init(path: String) throws(EmulatorError) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        do throws(FileSystem.Failure) {
            try FileSystem.makeDirectory(self.path)
        } catch {
            throw Self.unusable(error)
        }
        let lockPath = self.path + "/.lock"
        lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw Self.unusable(FileSystem.Failure(lockPath)) }
        // All properties are set by now, so `deinit` closes the lock of a directory that is in use.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw .stateInUse(path: self.path) }
    }

    deinit {
        close(lock)
    }

    private static func unusable(_ failure: FileSystem.Failure) -> EmulatorError {
        .stateUnusable(path: failure.path, reason: failure.reason)
    }

    /// The directory of one node.
    package func directory(of label: String) -> String { path + "/" + label }

    /// The path on disk of a file in a node's flash.
    package func file(_ flashPath: String, of label: String) -> String {
        directory(of: label) + (flashPath.hasPrefix("/") ? "" : "/") + flashPath
    }

    /// The file of the peers that a node has paired with over Bluetooth; it is not among the files of its flash.
    func bonds(of label: String) -> String { "\(path)/.bonds/\(label)" }

    // MARK: Loading

    /// The flash of a node as it was left, empty for a node that has never run here.
    package func load(_ label: String) throws(EmulatorError) -> Flash {
        var files: [(path: String, bytes: [UInt8])] = []
        do throws(FileSystem.Failure) {
            guard try FileSystem.kind(of: directory(of: label)) != nil else { return Flash() }
            try collect(directory(of: label), as: "", depth: 0, into: &files)
        } catch {
            throw Self.unusable(error)
        }
        return Flash(files: files)
    }

    private func collect(
        _ directory: String, as prefix: String, depth: Int, into files: inout [(path: String, bytes: [UInt8])]
    ) throws(FileSystem.Failure) {
        guard depth <= Self.depthLimit else { throw FileSystem.Failure(directory, reason: "is nested too deeply") }
        for name in try FileSystem.names(in: directory) {
            let path = directory + "/" + name
            switch try FileSystem.kind(of: path) {
            case .directory: try collect(path, as: prefix + "/" + name, depth: depth + 1, into: &files)
            // Left by a power cut in the middle of a change that was never acknowledged.
            case .file where name.hasSuffix(FileSystem.temporarySuffix): continue
            case .file:
                files.append((prefix + "/" + name, try FileSystem.read(path, atMost: Self.fileLimit)))
            case .link, .other: throw FileSystem.Failure(path, reason: "is not a regular file")
            case nil: continue
            }
        }
    }

    // MARK: Changing

    /// Makes a change of a node's flash durable.
    func apply(_ change: FlashChange, of label: String) throws(EmulatorError) {
        do throws(FileSystem.Failure) {
            switch change {
            case .wrote(let path, let bytes): try write(bytes, to: try safe(path, label), label)
            case .removed(let path): try FileSystem.remove(try safe(path, label))
            case .formatted: try erase(directory(of: label))
            }
        } catch {
            throw .stateNotWritten(path: error.path, reason: error.reason)
        }
    }

    /// Brings the files of a node to the content of `flash`, for what changed before anyone was listening.
    func store(_ flash: Flash, of label: String) throws(EmulatorError) {
        let stored = try load(label)
        for file in flash.files where stored[file.path] != file.bytes {
            try apply(.wrote(path: file.path, bytes: file.bytes), of: label)
        }
        for file in stored.files where flash[file.path] == nil {
            try apply(.removed(path: file.path), of: label)
        }
    }

    private func write(_ bytes: [UInt8], to path: String, _ label: String) throws(FileSystem.Failure) {
        if let slash = path.lastIndex(of: "/") {
            let directory = String(path[..<slash])
            if try FileSystem.kind(of: directory) == nil {
                try FileSystem.makeDirectory(directory)
                try FileSystem.syncDirectory(of: directory)
            }
        }
        try FileSystem.replace(path, with: bytes)
    }

    /// A path that stays inside the node's directory and collides with nothing of ours.
    private func safe(_ flashPath: String, _ label: String) throws(FileSystem.Failure) -> String {
        let path = file(flashPath, of: label)
        for part in flashPath.split(separator: "/") where part == ".." || part.hasSuffix(FileSystem.temporarySuffix) {
            throw FileSystem.Failure(path, reason: "is not a name for a file in flash")
        }
        return path
    }

    private func erase(_ directory: String) throws(FileSystem.Failure) {
        guard try FileSystem.kind(of: directory) == .directory else { return }
        for name in try FileSystem.names(in: directory) {
            let path = directory + "/" + name
            if try FileSystem.kind(of: path) == .directory {
                try erase(path)
                guard rmdir(path) == 0 else { throw FileSystem.Failure(path) }
            } else {
                try FileSystem.remove(path)
            }
        }
    }

    // MARK: Starting afresh

    /// Moves the files of a node aside, so that it starts from factory settings; says where they are now.
    package func setAside(_ label: String) throws(EmulatorError) -> String? {
        do throws(FileSystem.Failure) {
            guard try FileSystem.kind(of: directory(of: label)) != nil else { return nil }
            var number = 1
            while try FileSystem.kind(of: asidePath(label, number)) != nil { number += 1 }
            try FileSystem.move(directory(of: label), to: asidePath(label, number))
            if try FileSystem.kind(of: bonds(of: label)) != nil {
                try FileSystem.move(bonds(of: label), to: "\(bonds(of: label)).old-\(number)")
            }
            return asidePath(label, number)
        } catch {
            throw Self.unusable(error)
        }
    }

    private func asidePath(_ label: String, _ number: Int) -> String {
        directory(of: label) + ".old-\(number)"
    }
}
