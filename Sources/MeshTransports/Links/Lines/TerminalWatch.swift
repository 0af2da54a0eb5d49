import Glibc
import NIOCore

/// Counts the clients that have a terminal open, by the kernel's notices of opening and closing.
///
/// A pseudo-terminal whose client side is held open by us never reports that a client has gone.
final class TerminalWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private(set) var openCount = 0
    /// True when notices were lost; a client counts as present from now on.
    private(set) var isBlind = false
    private let changed: () -> Void
    private var context: ChannelHandlerContext?
    private var hasEnded = false

    /// `changed` is called for every notice.
    init(changed: @escaping () -> Void) {
        self.changed = changed
    }

    /// Reports events of `path` from now on, on the event loop, on which this is called.
    func begin(_ path: String, on eventLoop: any EventLoop) throws(LinkError) -> EventLoopFuture<Void> {
        let descriptor = try Self.descriptor(watching: path)
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        return PipeLink.channel(over: descriptor, isInputAlone: true, on: eventLoop) { channel in
            try channel.pipeline.syncOperations.addHandler(this.value)
        }.map { _ in }
    }

    /// Returns a descriptor that becomes readable when a process opens or closes `path`.
    private static func descriptor(watching path: String) throws(LinkError) -> Int32 {
        // The header's names of these two are enumerations; the values are O_NONBLOCK and O_CLOEXEC.
        let descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        let wanted = UInt32(IN_OPEN | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)
        guard descriptor >= 0, inotify_add_watch(descriptor, path, wanted) >= 0 else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw .noTerminal(path: path, reason: "cannot watch it: \(reason)")
        }
        return descriptor
    }

    /// Ends the reports.
    func end() {
        hasEnded = true
        context?.close(promise: nil)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var notices = unwrapInboundIn(data)
        // Descriptor of the watch, mask, cookie, length of a name that follows.
        while let _ = notices.readInteger(endianness: .host, as: Int32.self),
            let mask = notices.readInteger(endianness: .host, as: UInt32.self),
            let _ = notices.readInteger(endianness: .host, as: UInt32.self),
            let length = notices.readInteger(endianness: .host, as: UInt32.self),
            notices.readableBytes >= Int(length)
        {
            notices.moveReaderIndex(forwardBy: Int(length))
            count(mask)
            if !hasEnded { changed() }
        }
    }

    private func count(_ mask: UInt32) {
        if mask & UInt32(IN_OPEN) != 0 { openCount += 1 }
        if mask & UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE) != 0 { openCount = max(0, openCount - 1) }
        if mask & UInt32(IN_Q_OVERFLOW) != 0 { isBlind = true }
    }
}
