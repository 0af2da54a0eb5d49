import Glibc

/// System calls on files that must be whole after a power cut, with errors as text and paths as given.
///
/// Foundation would hide `fsync`, on which every promise about a state directory or a file of passwords rests.
package enum FileSystem {
    package struct Failure: Error, CustomStringConvertible {
        package let path: String
        package let reason: String
        /// The system's number for the reason; `EINVAL` for reasons of our own.
        package let code: Int32

        /// Reads the reason of the last failed call.
        package init(_ path: String) {
            self.init(path, code: errno)
        }

        package init(_ path: String, code: Int32) {
            self.init(path, reason: String(cString: strerror(code)), code: code)
        }

        package init(_ path: String, reason: String, code: Int32 = EINVAL) {
            self.path = path
            self.reason = reason
            self.code = code
        }

        package var description: String { "\(path): \(reason)" }
    }

    package enum Kind {
        case file
        case directory
        case link
        case other
    }

    /// The kind of the file at a path, without following a link; `nil` where there is none.
    package static func kind(of path: String) throws(Failure) -> Kind? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw Failure(path)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .directory
        case S_IFLNK: return .link
        default: return .other
        }
    }

    /// Makes a directory and those above it, for the user alone.
    package static func makeDirectory(_ path: String) throws(Failure) {
        if mkdir(path, 0o700) == 0 { return }
        switch errno {
        case EEXIST:
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw Failure(path, reason: "is not a directory", code: ENOTDIR)
            }
        case ENOENT:
            guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw Failure(path) }
            try makeDirectory(String(path[..<slash]))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Failure(path) }
        default: throw Failure(path)
        }
    }

    /// Tells whether a file or directory is the user's own and closed to all others. A link never is.
    package static func isPrivate(_ path: String) throws(Failure) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw Failure(path) }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        return !isLink && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
    }

    /// Runs some work while no other process works under the same lock, a file that is made for it.
    ///
    /// A lock of another process is not awaited, which would block the thread without a bound: it is the failure
    /// `EBUSY`.
    package static func locking<T>(_ path: String, _ work: () throws -> T) throws -> T {
        let lock: FileLock
        do throws(FileLock.Refusal) {
            lock = try FileLock(path, holder: "", isRemoved: false)
        } catch {
            switch error {
            case .held: throw Failure(path, code: EBUSY)
            case .impossible(let failure): throw failure
            }
        }
        defer { lock.release() }
        return try work()
    }

    /// Names in a directory, sorted, without `.` and `..`.
    package static func names(in path: String) throws(Failure) -> [String] {
        guard let directory = opendir(path) else { throw Failure(path) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The content of a file of at most `limit` bytes.
    package static func read(_ path: String, atMost limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Failure(path) }
        defer { close(descriptor) }
        return try read(descriptor, path, atMost: limit)
    }

    /// Reads a user's file, pipe or device of at most `limit` bytes; links are followed, and `-` is standard input.
    ///
    /// - Parameter looks: the number of looks at a named pipe without a writer, a tenth of a second apart. After that
    ///   it is the failure `EPIPE`.
    package static func readInput(_ path: String, atMost limit: Int, looks: Int = 30) throws(Failure) -> [UInt8] {
        if path == "-" { return try read(STDIN_FILENO, "standard input", atMost: limit) }
        // Opening a pipe that nobody writes into would wait for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(path) }
        defer { close(descriptor) }
        let start = try firstBytes(descriptor, path, looks)
        return start.isEmpty ? start : try read(descriptor, path, after: start, atMost: limit)
    }

    /// The first bytes of an input; its writer may be slow with the others.
    private static func firstBytes(_ descriptor: Int32, _ path: String, _ looks: Int) throws(Failure) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(path) }
        var looks = status.st_mode & S_IFMT == S_IFIFO ? max(looks, 1) : 0
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count < 0 && errno == EINTR { continue }
            if count == 0 && looks > 0 {
                looks -= 1
                guard looks > 0 else { throw Failure(path, reason: "is a pipe that nobody writes into", code: EPIPE) }
                poll(nil, 0, 100)
                continue
            }
            guard count >= 0 || errno == EAGAIN, fcntl(descriptor, F_SETFL, 0) == 0 else { throw Failure(path) }
            if count >= 0 { return Array(bytes[..<count]) }
            // Somebody has opened it to write: an end without a byte is one.
            looks = 0
        }
    }

    /// Reads a file that is open up to its end, after the bytes that were read already.
    static func read(
        _ descriptor: Int32, _ path: String, after start: [UInt8] = [], atMost limit: Int
    ) throws(Failure) -> [UInt8] {
        var content = start
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Failure(path) }
            if count == 0 { return content }
            content.append(contentsOf: chunk[..<count])
            guard content.count <= limit else {
                throw Failure(path, reason: "is larger than \(limit) bytes", code: EFBIG)
            }
        }
    }

    /// Writes an output at the user's path: over a file that is there, through a link, into a device or a pipe.
    ///
    /// Links, devices and pipes stay what they are.
    package static func writeOutput(
        _ path: String, over existing: OutputFile.Existing = .emptied, _ content: [UInt8]
    ) throws(Failure) {
        let file = try OutputFile(path, over: existing)
        try file.write(content)
        try file.end()
    }

    /// Replaces a file in one step: a reader, also after a power cut, finds the old content or the new.
    ///
    /// It is the user's alone, unless it is an output, which others may read as the user's mask permits.
    package static func replace(_ path: String, with content: [UInt8], isOutput: Bool = false) throws(Failure) {
        let temporary = path + temporarySuffix
        let descriptor = try openAlone(temporary, mode: isOutput ? 0o666 : 0o600)
        var failure = write(content, to: descriptor, path: temporary)
        if failure == nil && fsync(descriptor) != 0 { failure = Failure(temporary) }
        // Others may write it as soon as it is closed.
        if failure == nil && rename(temporary, path) != 0 { failure = Failure(path) }
        if failure != nil { unlink(temporary) }
        close(descriptor)
        if let failure { throw failure }
        try syncDirectory(of: path)
    }

    /// Opens a file and empties it, as long as no other process writes it: two writers would mix their content.
    private static func openAlone(_ path: String, mode: mode_t) throws(Failure) -> Int32 {
        // A file of many megabytes is written in less than a second.
        for _ in 0..<500 {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
            guard descriptor >= 0 else { throw Failure(path) }
            var (own, there) = (stat(), stat())
            // Some file systems have no locks.
            let isOurs = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
            // The one before may have put its file in its place meanwhile: then this is that file.
            if isOurs, fstat(descriptor, &own) == 0, lstat(path, &there) == 0,
                own.st_dev == there.st_dev, own.st_ino == there.st_ino, ftruncate(descriptor, 0) == 0
            {
                return descriptor
            }
            close(descriptor)
            poll(nil, 0, 10)
        }
        throw Failure(path, code: EBUSY)
    }

    package static let temporarySuffix = ".new"

    /// Writes all of it; returns the first failure.
    package static func write(_ content: [UInt8], to descriptor: Int32, path: String) -> Failure? {
        var written = 0
        while written < content.count {
            let count = content.withUnsafeBytes { memory in
                Glibc.write(descriptor, memory.baseAddress.map { $0 + written }, memory.count - written)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return Failure(path) }
            written += count
        }
        return nil
    }

    package static func remove(_ path: String) throws(Failure) {
        guard unlink(path) == 0 else {
            if errno == ENOENT { return }
            throw Failure(path)
        }
        try syncDirectory(of: path)
    }

    package static func move(_ path: String, to target: String) throws(Failure) {
        guard rename(path, target) == 0 else { throw Failure(path) }
        try syncDirectory(of: path)
    }

    /// Makes names in a directory durable; a rename is durable only after this.
    package static func syncDirectory(of path: String) throws(Failure) {
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(parent.isEmpty ? "/" : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(parent) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure(parent) }
    }
}
