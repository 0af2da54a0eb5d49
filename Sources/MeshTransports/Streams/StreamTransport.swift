import MeshCompanion
public import MeshCore
import NIOCore
import NIOPosix
import Synchronization

/// A radio at the other end of a stream of bytes, on the real clock.
///
/// The stream is a TCP connection, a serial line or a Bluetooth link.
public actor StreamTransport: MeshTransport {
    /// The time within which the link must accept a frame.
    static let writeLimit = TimeAmount.seconds(5)

    private let address: LinkAddress
    private var inbox = FrameInbox()
    private var isConnecting = false
    /// The connection that is up, in a lock, for callers that do not wait for the actor.
    private nonisolated let link = Mutex<(any NIOCore.Channel)?>(nil)
    /// The event loop on which the link is read.
    nonisolated let eventLoop: any EventLoop

    /// Makes a transport to the radio at this address; one at a terminal is reached like one on a serial line.
    ///
    /// The link is read on the executor's thread. Without an executor it is one of the threads that the links of this
    /// process share.
    public init(_ address: LinkAddress, on executor: StackExecutor? = nil) {
        self.address = address
        eventLoop = executor?.eventLoop ?? MultiThreadedEventLoopGroup.singleton.any()
    }

    /// A radio on Wi-Fi or Ethernet; without a port it is that of all boards.
    public init(host: String, port: UInt16 = LinkAddress.defaultPort, on executor: StackExecutor? = nil) {
        self.init(.tcp(host: host, port: port), on: executor)
    }

    /// A radio on USB. Without a baud rate it is the one of all boards.
    public init(serial path: String, baud: Int = SerialLine.defaultBaud, on executor: StackExecutor? = nil) {
        self.init(.serial(path: path, baud: baud), on: executor)
    }

    private var channel: (any NIOCore.Channel)? { link.withLock { $0 } }

    public var receivedData: AsyncStream<[UInt8]> { inbox.stream }

    public var connectionState: ConnectionState {
        if isConnecting { return .connecting }
        return channel?.isActive == true ? .connected : .disconnected
    }

    public func connect() async throws {
        if connectionState == .connected { return }
        guard !isConnecting else { throw MeshTransportError.connectionFailed("the link is being opened already") }
        isConnecting = true
        defer { isConnecting = false }
        let inbox = FrameInbox()
        let channel = try await open(inbox)
        link.withLock { $0 = channel }
        self.inbox = inbox
    }

    public func disconnect() async {
        guard let channel else { return }
        link.withLock { $0 = nil }
        inbox.finish()
        try? await channel.close()
    }

    public func send(_ frame: [UInt8]) async throws {
        guard let channel, channel.isActive else { throw MeshTransportError.notConnected }
        try Self.check(frame)
        // A link that takes nothing any more is none.
        let limit = channel.eventLoop.scheduleTask(in: Self.writeLimit) { channel.close(promise: nil) }
        let written = channel.eventLoop.makePromise(of: Void.self)
        // On the link's own thread: a program that is too busy to go on here must not lose a link that is well.
        written.futureResult.whenComplete { _ in limit.cancel() }
        channel.writeAndFlush(ByteBuffer(bytes: StreamFraming.encode(toRadio: frame)), promise: written)
        do {
            try await written.futureResult.get()
        } catch {
            throw MeshTransportError.sendFailed("\(error)")
        }
    }

    public nonisolated func sendAtOnce(_ frame: [UInt8]) throws -> Bool {
        guard let channel = link.withLock({ $0 }), channel.isActive else { throw MeshTransportError.notConnected }
        try Self.check(frame)
        guard channel.isWritable else { return false }
        channel.writeAndFlush(ByteBuffer(bytes: StreamFraming.encode(toRadio: frame)), promise: nil)
        return true
    }

    /// Checks the length of a frame, as every transport does before it accepts one.
    package static func check(_ frame: [UInt8]) throws(MeshTransportError) {
        guard (1...CompanionLimits.frame).contains(frame.count) else {
            throw .sendFailed("a frame of \(frame.count) bytes; 1 to \(CompanionLimits.frame) are possible")
        }
    }

    private func open(_ inbox: FrameInbox) async throws(MeshTransportError) -> any NIOCore.Channel {
        do {
            return try await LinkDialer.channel(to: address, on: eventLoop) { channel in
                try channel.pipeline.syncOperations.addHandler(FrameReader(inbox))
            }.get()
        } catch LinkError.noLine(let path) {
            throw .deviceNotFound(path)
        } catch let error as LinkError where error.isFinal {
            throw .connectionImpossible("\(error)")
        } catch {
            throw .connectionFailed("\(error)")
        }
    }
}

/// Reads frames from the bytes of a channel. Without a reader it closes the channel before memory fills.
private final class FrameReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var receiver = ClientReceiver()
    private let inbox: FrameInbox

    init(_ inbox: FrameInbox) {
        self.inbox = inbox
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        while bytes.readableBytes > 0 {
            let taken = bytes.withUnsafeReadableBytes { receiver.append($0) }
            bytes.moveReaderIndex(forwardBy: taken)
            while let frame = receiver.nextFrame() {
                guard inbox.deliver(frame) else {
                    context.close(promise: nil)
                    return
                }
            }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        inbox.finish()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
