import Glibc
package import NIOCore

/// A pseudo-terminal in raw mode with a symbolic link to it; both end with the value's owner calling `close`.
///
/// It keeps the client's side open itself: clients may come and go without the terminal hanging up.
package final class Terminal {
    private let master: Int32
    private let slave: Int32
    package let slavePath: String
    package let linkPath: String
    private var isOpen = true

    package init(linkPath: String) throws(LinkError) {
        self.linkPath = linkPath
        try Self.clear(linkPath)
        var sides: (master: Int32, slave: Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard openpty(&sides.master, &sides.slave, &name, nil, nil) == 0 else { throw Self.failed(linkPath) }
        (master, slave) = sides
        slavePath = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        guard fcntl(master, F_SETFD, FD_CLOEXEC) == 0, fcntl(slave, F_SETFD, FD_CLOEXEC) == 0,
            fcntl(master, F_SETFL, O_NONBLOCK) == 0, symlink(slavePath, linkPath) == 0
        else {
            let error: LinkError = errno == EEXIST ? .pathOccupied(path: linkPath) : Self.failed(linkPath)
            Glibc.close(master)
            Glibc.close(slave)
            throw error
        }
        makeRaw()
    }

    private static func failed(_ path: String) -> LinkError {
        .noTerminal(path: path, reason: String(cString: strerror(errno)))
    }

    /// Removes what a program that was killed has left: a link to a terminal that is no more.
    private static func clear(_ path: String) throws(LinkError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFLNK, let target = target(of: path), target.hasPrefix("/dev/pts/"),
            access(target, F_OK) != 0
        else { throw .pathOccupied(path: path) }
        unlink(path)
    }

    private static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// A client may have left it otherwise.
    package func makeRaw() {
        SerialLine.makeRaw(slave, baud: SerialLine.defaultBaud)
    }

    /// A channel with what clients write, and for what they are to read unless it is for input alone.
    package func channel(
        isInputAlone: Bool = false, flow: LinkFlow, on group: any EventLoopGroup,
        initializer: @escaping @Sendable (any Channel) throws -> Void
    ) -> EventLoopFuture<any Channel> {
        let descriptor = dup(master)
        guard descriptor >= 0 else { return group.any().makeFailedFuture(Self.failed(linkPath)) }
        return PipeLink.channel(
            over: descriptor, isInputAlone: isInputAlone, flow: flow, on: group, initializer: initializer)
    }

    /// Bytes written that no client has read.
    package var unread: Int {
        var count: Int32 = 0
        return ioctl(slave, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Bytes that clients wrote and nobody has read.
    package var waiting: Int {
        var count: Int32 = 0
        return ioctl(master, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Forgets what no client has read.
    package func forgetUnread() {
        tcflush(slave, TCIFLUSH)
    }

    /// Writes what the terminal takes now; says how many bytes that was.
    package func write(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { memory in max(0, Glibc.write(master, memory.baseAddress, memory.count)) }
    }

    /// Removes the link, if it is still ours, and closes both sides; closed once more it does nothing, as the numbers of
    /// its descriptors may be somebody else's by then.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        if Self.target(of: linkPath) == slavePath { unlink(linkPath) }
        Glibc.close(slave)
        Glibc.close(master)
    }
}
