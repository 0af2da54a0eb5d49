import Glibc
package import NIOCore

/// A pseudo-terminal in raw mode with a symbolic link to it; both end with the value's owner calling `close`.
///
/// It keeps the client's side open itself: clients may come and go without the terminal hanging up. `watchClients`
/// reports opens and closes.
package final class Terminal {
    private let master: Int32
    private let slave: Int32
    package let slavePath: String
    package let linkPath: String
    /// The watch of opens and closes by clients; `nil` until it is requested.
    private var watch: TerminalWatch?
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

    /// Removes the link of a program that was killed: one to a terminal that is no more.
    private static func clear(_ path: String) throws(LinkError) {
        guard let target = target(of: path) else {
            // Of what is there and is no link, the system says that the argument is invalid.
            if errno == EINVAL { throw .pathOccupied(path: path) }
            return
        }
        guard target.hasPrefix("/dev/pts/"), access(target, F_OK) != 0 else { throw .pathOccupied(path: path) }
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

    /// Returns a channel with the bytes that clients write, and for bytes to them unless it is for input alone.
    package func channel(
        isInputAlone: Bool = false, flow: LinkFlow, on eventLoop: any EventLoop,
        initializer: @escaping @Sendable (any Channel) throws -> Void
    ) -> EventLoopFuture<any Channel> {
        let descriptor = fcntl(master, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return eventLoop.makeFailedFuture(Self.failed(linkPath)) }
        return PipeLink.channel(
            over: descriptor, isInputAlone: isInputAlone, flow: flow, on: eventLoop, initializer: initializer)
    }

    // MARK: Clients

    /// Calls `changed` whenever a client opens or closes the terminal, from now until `close`; for calls on the event
    /// loop.
    package func watchClients(
        on eventLoop: any EventLoop, changed: @escaping () -> Void
    ) throws(LinkError) -> EventLoopFuture<Void> {
        let watch = TerminalWatch(changed: changed)
        self.watch = watch
        return try watch.begin(slavePath, on: eventLoop)
    }

    /// True when a client has it open; `true` also without a watch, and after notices were lost.
    package var hasClient: Bool { watch.map { $0.openCount > 0 || $0.isBlind } ?? true }

    /// True when there are bytes that clients wrote and that were not read.
    ///
    /// After a client has closed the terminal, `false` says that all its bytes were read.
    package var hasInput: Bool { Self.hasInput(master) }

    /// Returns whether one side has bytes to read.
    ///
    /// Bytes written to one side reach the other through a queue of the kernel, which `FIONREAD` does not count. `poll`
    /// waits for that queue before it says that there is nothing.
    private static func hasInput(_ side: Int32) -> Bool {
        var question = pollfd(fd: side, events: Int16(POLLIN), revents: 0)
        return poll(&question, 1, 0) > 0 && question.revents & Int16(POLLIN) != 0
    }

    /// Bytes written that no client has read. Zero is exact; other counts lag behind on a busy machine.
    package var unread: Int {
        var count: Int32 = 0
        return Self.hasInput(slave) && ioctl(slave, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Forgets bytes that no client has read.
    package func forgetUnread() {
        tcflush(slave, TCIFLUSH)
    }

    /// Writes the bytes that the terminal accepts now; returns their number.
    package func write(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { memory in max(0, Glibc.write(master, memory.baseAddress, memory.count)) }
    }

    /// Removes the link, if it is still ours, and closes both sides.
    ///
    /// Closed once more it does nothing: the numbers of its descriptors may belong to another file by then.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        watch?.end()
        watch = nil
        if Self.target(of: linkPath) == slavePath { unlink(linkPath) }
        Glibc.close(slave)
        Glibc.close(master)
    }
}
