import Glibc

/// A file that one process holds at a time, with words about its holder.
///
/// The lock ends with the process at the latest, also when that is killed.
package final class FileLock {
    /// The reason why the lock is not held.
    package enum Refusal: Error, CustomStringConvertible {
        /// Another process, or another value of this one, holds it; with the words in the file, which anybody may
        /// write.
        case held(by: String)
        /// The system refuses.
        case impossible(FileSystem.Failure)

        package var description: String {
            switch self {
            case .held(let holder): holder.isEmpty ? "is held by another process" : "is held by \(holder)"
            case .impossible(let failure): failure.description
            }
        }
    }

    /// Bytes that a holder may say of itself.
    private static let longestHolder = 512

    private let path: String
    private let descriptor: Int32
    private let isRemoved: Bool
    private var isHeld = true

    /// Takes the lock at once, or says who has it.
    ///
    /// - Parameters:
    ///   - holder: One line that others read while they cannot have the lock.
    ///   - isShared: Whether other users of the machine may take it as well.
    ///   - isRemoved: Whether the file goes when the lock is given back.
    package init(
        _ path: String, holder: String, isShared: Bool = false, isRemoved: Bool = true
    ) throws(Refusal) {
        self.path = path
        self.isRemoved = isRemoved
        var taken: Int32?
        // The holder may remove the file between our opening and our lock; each time there is a new one.
        for _ in 0..<100 where taken == nil { taken = try Self.attempt(path, isShared) }
        guard let taken else { throw .impossible(FileSystem.Failure(path, code: EBUSY)) }
        descriptor = taken
        // Words about the holder are a help for others; the lock holds without them.
        _ = ftruncate(descriptor, 0)
        _ = FileSystem.write(Array(holder.utf8.prefix(Self.longestHolder)), to: descriptor, path: path)
    }

    deinit { release() }

    /// Gives the lock back.
    package func release() {
        guard isHeld else { return }
        isHeld = false
        if isRemoved { unlink(path) }
        close(descriptor)
    }

    /// A descriptor with the lock; `nil` when the file was removed meanwhile.
    private static func attempt(_ path: String, _ isShared: Bool) throws(Refusal) -> Int32? {
        guard let descriptor = try opened(path, isShared) else { return nil }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            defer { close(descriptor) }
            guard code == EWOULDBLOCK else { throw .impossible(FileSystem.Failure(path, code: code)) }
            throw .held(by: holder(descriptor))
        }
        var (own, there) = (stat(), stat())
        if fstat(descriptor, &own) == 0, lstat(path, &there) == 0, own.st_dev == there.st_dev,
            own.st_ino == there.st_ino
        {
            return descriptor
        }
        close(descriptor)
        return nil
    }

    /// Opens the file, or makes it. One in a folder of all users is not opened and made with one call, which the system
    /// refuses there.
    private static func opened(_ path: String, _ isShared: Bool) throws(Refusal) -> Int32? {
        let there = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        if there >= 0 { return there }
        guard errno == ENOENT else { throw .impossible(FileSystem.Failure(path)) }
        let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, isShared ? 0o666 : 0o600)
        if made < 0 {
            if errno == EEXIST { return nil }
            throw .impossible(FileSystem.Failure(path))
        }
        // The mask of the user would close it to others.
        if isShared { fchmod(made, 0o666) }
        return made
    }

    private static func holder(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: longestHolder)
        let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
