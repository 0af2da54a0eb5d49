import MeshFirmware
import NIOCore
import NIOPosix

/// The TCP port of a board: one client, and the newest wins. All that is framing and queueing is the node's.
final class TCPPort: AppPort {
    /// Bytes that may wait in this process for a client that does not read, beside the kernel's own buffers.
    static let pendingLimit = 64 * 1024
    /// A small board's receive window; also what a client can make us keep when it sends and goes.
    static let receiveBuffer = 8 * 1024
    /// How long a client that has ended its own side is served, so that it gets the answers to what it sent.
    static let halfClosedGrace = TimeAmount.milliseconds(250)

    private let server: any NIOCore.Channel
    private let runner: WorldRunner
    private let label: String
    private var client: ByteSource?
    private var hasArrived = false
    private var hasLeft = false

    private init(server: any NIOCore.Channel, runner: WorldRunner, label: String) {
        self.server = server
        self.runner = runner
        self.label = label
    }

    var localAddress: SocketAddress? { server.localAddress }

    // MARK: Listening

    /// Opens the port. What connects before the world runs waits.
    static func open(
        host: String, port: Int, label: String, runner: NIOLoopBound<WorldRunner>, group: MultiThreadedEventLoopGroup
    ) -> EventLoopFuture<NIOLoopBound<TCPPort>> {
        let place = NIOLoopBoundBox<TCPPort?>.makeEmptyBox(valueType: TCPPort.self, eventLoop: runner.eventLoop)
        return ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.socketOption(.so_rcvbuf), value: receiveBuffer)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: ByteSource.readSize))
            .childChannelOption(.writeBufferWaterMark, value: .init(low: pendingLimit / 2, high: pendingLimit))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let source = ByteSource { source, event in place.value?.happened(event, at: source) }
                    try channel.pipeline.syncOperations.addHandler(source)
                }
            }
            .bind(host: host, port: port)
            .map { server in
                let opened = TCPPort(server: server, runner: runner.value, label: label)
                place.value = opened
                return NIOLoopBound(opened, eventLoop: runner.eventLoop)
            }
    }

    private func happened(_ event: ByteSource.Event, at source: ByteSource) {
        switch event {
        case .active: arrived(source)
        case .received: if source === client { runner.advance() }
        case .inputEnded: if source === client { inputEnded(source) }
        case .closed: if source === client { left() }
        }
    }

    private func arrived(_ source: ByteSource) {
        let peer = source.channel?.remoteAddress
        let address = peer?.ipAddress.map { "\($0) port \(peer?.port ?? 0)" } ?? "a client"
        if let old = client {
            client = nil
            old.channel?.close(promise: nil)
            runner.note("\(label): \(address) takes the place of the client before it")
        } else {
            runner.note("\(label): \(address) connected")
        }
        client = source
        hasArrived = true
        hasLeft = false
        runner.advance()
    }

    private func left() {
        client = nil
        // A client that came and went unseen has still put the node's connection to an end.
        hasLeft = true
        runner.note("\(label): client disconnected")
        runner.advance()
    }

    private func inputEnded(_ source: ByteSource) {
        let bound = NIOLoopBound(source, eventLoop: runner.eventLoop)
        runner.eventLoop.scheduleTask(in: Self.halfClosedGrace) { bound.value.channel?.close(promise: nil) }
    }

    // MARK: AppPort

    func nextInput(window: Int) -> NodeInput? {
        if hasArrived {
            hasArrived = false
            return .appConnected
        }
        if let bytes = client?.take(window), !bytes.isEmpty { return .appBytes(bytes) }
        if hasLeft {
            hasLeft = false
            return .appDisconnected
        }
        return nil
    }

    func send(_ bytes: [UInt8]) {
        guard let channel = client?.channel, channel.isWritable else { return }
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    }

    func shutOut() {
        guard let old = client else { return }
        client = nil
        hasArrived = false
        old.channel?.close(promise: nil)
        runner.note("\(label): the board has closed the connection")
    }

    func stop() -> EventLoopFuture<Void> {
        client?.channel?.close(promise: nil)
        client = nil
        return server.close().recover { _ in }
    }
}
