import MeshFirmware
import NIOCore

/// Who runs the node behind a port; lives on the same event loop.
protocol PortOwner: AnyObject {
    var eventLoop: any EventLoop { get }
    /// How long a client that has ended its own side is served, so that it gets the answers to what it sent.
    var halfClosedGrace: TimeAmount { get }
    /// A client has done something: there may be input, or somebody to talk to.
    func advance()
    /// A line for people.
    func note(_ text: String)
    /// A port has ended by itself and is of no use any more.
    func portFailed(_ error: EmulatorError)
}

extension PortOwner {
    func portFailed(_ error: EmulatorError) { note("\(error)") }
}

/// The way from a node to its client; lives on the emulator's event loop.
///
/// Input is pulled: the owner asks when the node can take some, and what it does not ask for stays with the client.
protocol AppPort: AnyObject {
    /// Whether somebody is there to read.
    var hasClient: Bool { get }
    /// Whether the link has room for a further frame of the node; `nil` for a link that is never busy.
    var hasRoom: Bool? { get }
    /// The next thing that the client has done; of its bytes at most `window`.
    func nextInput(window: Int) -> NodeInput?
    /// One write of the node; false when it is lost: a client that does not keep up loses it, as with the board's
    /// full queue.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool
    /// The node shuts its client out; says how many bytes that it had sent are lost with that.
    @discardableResult
    func shutOut() -> Int
    /// Forgets the client and everything that was said to it or by it.
    func reset()
    /// The node restarts: its client is shut out, and finds nobody before `booted`.
    func restarts()
    /// The node has started anew, and what its Bluetooth shows may be other than before.
    func booted(as radio: RadioIdentity)
    /// Ends the port for good.
    func stop() -> EventLoopFuture<Void>
}

extension AppPort {
    var hasRoom: Bool? { nil }
    func restarts() { shutOut() }
    func booted(as radio: RadioIdentity) {}
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

    /// Forgets what was read and not taken.
    func discard() {
        _ = take(held.count)
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
