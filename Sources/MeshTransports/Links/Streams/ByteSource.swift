package import NIOCore

/// Bytes read from a channel and not yet removed. It reads on only when all are removed.
package final class ByteSource: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    /// An event for the maker of the source.
    package enum Event {
        case active
        case received
        /// The other side will send no more, and may still listen.
        case inputEnded
        case closed
    }

    /// Bytes of one read; the kernel keeps the rest.
    package static let readSize = 2048
    /// More than all reads that a closing connection can bring at once; beyond this it is cut.
    static let heldLimit = 256 * 1024

    private var held: [UInt8] = []
    private var context: ChannelHandlerContext?
    private let report: (ByteSource, Event) -> Void

    package init(report: @escaping (ByteSource, Event) -> Void) {
        self.report = report
    }

    package var channel: (any NIOCore.Channel)? { context?.channel }
    package var isEmpty: Bool { held.isEmpty }
    /// True when the other side will send no more.
    package private(set) var hasEnded = false

    /// Removes and returns at most `window` bytes; reads on when none are left.
    package func take(_ window: Int) -> [UInt8] {
        guard window > 0, !held.isEmpty else { return [] }
        let taken = [UInt8](held.prefix(window))
        held.removeFirst(taken.count)
        if held.isEmpty { context?.read() }
        return taken
    }

    /// Forgets bytes that were read and not removed.
    package func discard() {
        _ = take(held.count)
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { begin(context) }
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    package func channelActive(context: ChannelHandlerContext) {
        begin(context)
    }

    private func begin(_ context: ChannelHandlerContext) {
        report(self, .active)
        context.read()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        held.append(contentsOf: unwrapInboundIn(data).readableBytesView)
        guard held.count <= Self.heldLimit else {
            context.close(promise: nil)
            return
        }
        report(self, .received)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        if held.isEmpty { context.read() }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.inputClosed) = event as? ChannelEvent {
            hasEnded = true
            report(self, .inputEnded)
        }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        report(self, .closed)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
