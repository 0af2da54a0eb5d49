import NIOCore

/// One of the two connections of a tap: its bytes go to the other, piece by piece.
///
/// The next piece is read when the other side has accepted the last, so nothing piles up here.
final class TapSide: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    enum Event {
        case opened
        case received(ByteBuffer)
        /// The other end will send no more, and may still listen.
        case inputEnded
        case closed
    }

    /// The sizes of reads, piece by piece; the system's buffer holds what a closing connection can send at once.
    static let flow = LinkFlow(readSize: 4096, receiveBuffer: 64 * 1024)

    /// True when the sending direction alone can be ended: of a socket, not of a terminal or a serial line.
    let endsOutputAlone: Bool
    private let report: (TapSide, Event) -> Void
    private var context: ChannelHandlerContext?
    /// The number of pieces of this side that the other has not accepted.
    private(set) var waiting = 0
    var hasEnded = false

    init(endsOutputAlone: Bool, report: @escaping (TapSide, Event) -> Void) {
        self.endsOutputAlone = endsOutputAlone
        self.report = report
    }

    var channel: (any NIOCore.Channel)? { context?.channel }

    /// Reads the next piece; the channel reads nothing of its own accord.
    func read() {
        context?.read()
    }

    /// Sends a piece to the other side; `then` follows when it has been accepted, or could not be.
    func pass(_ bytes: ByteBuffer, to other: TapSide, then: @escaping (Bool) -> Void) {
        guard let channel = other.channel else { return then(false) }
        waiting += 1
        let this = NIOLoopBound((self, then), eventLoop: channel.eventLoop)
        channel.writeAndFlush(bytes).whenComplete { result in
            let (side, then) = this.value
            side.waiting -= 1
            if case .success = result { then(true) } else { then(false) }
        }
    }

    func close() {
        channel?.close(promise: nil)
    }

    func endOutput() {
        channel?.close(mode: .output, promise: nil)
    }

    // MARK: ChannelInboundHandler

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { report(self, .opened) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        report(self, .opened)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        report(self, .received(unwrapInboundIn(data)))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.inputClosed) = event as? ChannelEvent { report(self, .inputEnded) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        report(self, .closed)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
