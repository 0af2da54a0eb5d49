import MeshFirmware
import NIOCore

/// The way from a node to its client; lives on the emulator's event loop.
///
/// Input is pulled: the runner asks when the node can take some, and what it does not ask for stays with the client.
protocol AppPort: AnyObject {
    /// The next thing that the client has done; of its bytes at most `window`.
    func nextInput(window: Int) -> NodeInput?
    /// One write of the node. A client that does not keep up loses it, as with the board's full queue.
    func send(_ bytes: [UInt8])
    /// The node shuts its client out.
    func shutOut()
    /// Ends the port for good.
    func stop() -> EventLoopFuture<Void>
}

/// Bytes read from a channel and not yet taken by the node. It reads on only when all are taken.
final class ByteSource: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// What it tells its port.
    enum Event {
        case active
        case received
        /// The other side will send no more, and may still listen.
        case inputEnded
        case closed
    }

    /// Bytes of one read; the kernel keeps the rest.
    static let readSize = 2048
    /// More than all reads that a closing connection can bring at once; beyond this it is cut.
    static let heldLimit = 256 * 1024

    private var held: [UInt8] = []
    private var context: ChannelHandlerContext?
    private let report: (ByteSource, Event) -> Void

    init(report: @escaping (ByteSource, Event) -> Void) {
        self.report = report
    }

    var channel: (any NIOCore.Channel)? { context?.channel }
    var isEmpty: Bool { held.isEmpty }

    /// At most `window` bytes; reads on when none are left.
    func take(_ window: Int) -> [UInt8] {
        guard window > 0, !held.isEmpty else { return [] }
        let taken = [UInt8](held.prefix(window))
        held.removeFirst(taken.count)
        if held.isEmpty { context?.read() }
        return taken
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { begin(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
    }

    private func begin(_ context: ChannelHandlerContext) {
        report(self, .active)
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        held.append(contentsOf: unwrapInboundIn(data).readableBytesView)
        guard held.count <= Self.heldLimit else {
            context.close(promise: nil)
            return
        }
        report(self, .received)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if held.isEmpty { context.read() }
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
