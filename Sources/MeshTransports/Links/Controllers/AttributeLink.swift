import CBluetooth
import Glibc
package import MeshBluetoothHost
package import NIOCore

/// The channel of attributes to one Bluetooth central, on a socket of the kernel.
///
/// One packet is one read or one write.
package final class AttributeLink: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    package enum Event {
        /// A whole packet, and how well the connection was protected when it was read.
        case received([UInt8], SecurityLevel)
        /// The kernel has accepted one packet more.
        case sent
        case closed
    }

    /// The longest packet of the attribute protocol, and a byte more, which shows a longer one.
    private static let readSize = 518
    /// `POLLRDHUP`, which the header shows to programs in C alone: the other side sends no more.
    private static let hangUp: Int16 = 0x2000

    /// The socket itself; the channel has copies of it.
    private let descriptor: Int32
    private let report: (Event) -> Void
    private var channel: (any NIOCore.Channel)?
    private var isClosed = false

    /// Makes a link from a connected socket, which is its own from now on. `report` is called on the event loop.
    package init(_ descriptor: Int32, report: @escaping (Event) -> Void) {
        self.descriptor = descriptor
        self.report = report
    }

    deinit { Glibc.close(descriptor) }

    /// Reads from now on; `closed` follows where that cannot be.
    package func begin(on eventLoop: any EventLoop) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return end() }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        PipeLink.channel(over: copy, flow: LinkFlow(readSize: Self.readSize), on: eventLoop) { channel in
            this.value.channel = channel
            try channel.pipeline.syncOperations.addHandlers(PacketWrites(), this.value)
        }.whenFailure { _ in this.value.end() }
    }

    /// Sends one packet; `sent` follows when the kernel has it.
    package func send(_ packet: [UInt8]) {
        guard let channel, !isClosed else { return }
        channel.writeAndFlush(ByteBuffer(bytes: packet)).assumeIsolated().whenSuccess { [weak self] in
            self?.report(.sent)
        }
    }

    /// Ends the channel; `closed` follows. The connection below it ends with its last channel.
    package func close() {
        // The copies would keep it.
        shutdown(descriptor, Int32(SHUT_RDWR))
        channel?.close(promise: nil)
    }

    private func end() {
        guard !isClosed else { return }
        isClosed = true
        channel = nil
        shutdown(descriptor, Int32(SHUT_RDWR))
        report(.closed)
    }

    /// The present protection of the connection.
    private var protection: SecurityLevel {
        var (level, keySize): (UInt8, UInt8) = (0, 0)
        guard bluetooth_read_security(descriptor, &level, &keySize) == 0 else { return .none }
        var state = pollfd(fd: descriptor, events: Self.hangUp, revents: 0)
        guard poll(&state, 1, 0) >= 0 else { return .none }
        let isOpen = state.revents & (Int16(POLLHUP | POLLERR | POLLNVAL) | Self.hangUp) == 0
        return SecurityLevel(ofSocket: level, keySize: keySize, isOpen: isOpen)
    }

    // MARK: Channel

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { context.read() }
    }

    package func channelActive(context: ChannelHandlerContext) { context.read() }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        report(.received([UInt8](unwrapInboundIn(data).readableBytesView), protection))
    }

    package func channelReadComplete(context: ChannelHandlerContext) { context.read() }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A central that sends no more has gone.
        if case .some(.inputClosed) = event as? ChannelEvent { context.close(promise: nil) }
    }

    package func channelInactive(context: ChannelHandlerContext) { end() }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
