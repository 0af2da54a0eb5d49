import Glibc
import MeshFirmware
import MeshLinks
import NIOCore

/// The TCP port of a board: one client, and the newest wins. All that is framing and queueing is the node's.
final class TCPPort: AppPort {
    /// Bytes that may wait in this process for a client that does not read, beside the kernel's own buffers.
    static let pendingLimit = 64 * 1024
    /// `SO_MEMINFO`, whose first number is what the receive queue of a socket takes: nothing when all has been read.
    private static let receiveMemory = NIOBSDSocket.Option(rawValue: 55)
    /// A small board's receive window; also what a client can make us keep when it sends and goes.
    static let receiveBuffer = 8 * 1024

    private let listener: LinkListener
    private let owner: any PortOwner
    private let label: String
    private var client: ByteSource?
    private var hasArrived = false
    private var hasLeft = false
    /// Whether the node is to wait for a client that does not read.
    var reportsRoom = false
    /// Writes that the kernel has not taken yet.
    private var unsent = 0
    private var isSending = false

    private init(_ listener: LinkListener, owner: any PortOwner, label: String) {
        self.listener = listener
        self.owner = owner
        self.label = label
    }

    var address: LinkAddress { listener.address }

    // MARK: Listening

    /// Opens the port. What connects before the world runs waits.
    static func open(
        host: String, port: UInt16, label: String, owner: NIOLoopBound<any PortOwner>
    ) -> EventLoopFuture<NIOLoopBound<TCPPort>> {
        let place = NIOLoopBoundBox<TCPPort?>.makeEmptyBox(valueType: TCPPort.self, eventLoop: owner.eventLoop)
        let flow = LinkFlow(
            readSize: ByteSource.readSize, receiveBuffer: receiveBuffer, pendingLimit: pendingLimit)
        return LinkListener.open(host: host, port: port, flow: flow, on: owner.eventLoop) { channel in
            let source = ByteSource { source, event in place.value?.happened(event, at: source) }
            try channel.pipeline.syncOperations.addHandler(source)
        }.map { listener in
            let opened = TCPPort(listener, owner: owner.value, label: label)
            place.value = opened
            return NIOLoopBound(opened, eventLoop: owner.eventLoop)
        }
    }

    private func happened(_ event: ByteSource.Event, at source: ByteSource) {
        switch event {
        case .active: arrived(source)
        case .received: if source === client { owner.advance() }
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
            owner.note("\(label): \(address) takes the place of the client before it")
        } else {
            owner.note("\(label): \(address) connected")
        }
        client = source
        hasArrived = true
        hasLeft = false
        owner.advance()
    }

    private func left() {
        client = nil
        // A client that came and went unseen has still put the node's connection to an end.
        hasLeft = true
        owner.note("\(label): client disconnected")
        owner.advance()
    }

    private func inputEnded(_ source: ByteSource) {
        let bound = NIOLoopBound(source, eventLoop: owner.eventLoop)
        owner.eventLoop.scheduleTask(in: owner.halfClosedGrace) { bound.value.channel?.close(promise: nil) }
    }

    // MARK: AppPort

    var hasClient: Bool { client != nil }
    var hasInput: Bool? { hasArrived || hasLeft || client?.isEmpty == false }
    var hasUnread: Bool { hasUnreadBytes || hasUnacceptedClient }

    private var hasUnreadBytes: Bool {
        guard let client, client.isEmpty else { return false }
        let queued = try? client.channel?.syncOptions?.getOption(.socketOption(Self.receiveMemory))
        // The option has numbers of 32 bits, of which there is room for two.
        return UInt32(truncatingIfNeeded: queued ?? 0) > 0
    }

    /// Whether a client is connected as far as the system and it know, and this process has not taken the connection yet. It may
    /// have sent something already.
    private var hasUnacceptedClient: Bool {
        guard let listener = listener.channel as? any SocketOptionProvider else { return false }
        var isWaiting = false
        // Of a listening socket it is how many connections wait.
        listener.getTCPInfo().assumeIsolated().whenSuccess { isWaiting = $0.tcpi_unacked > 0 }
        return isWaiting
    }

    var isBehind: Bool { client != nil && unsent > 0 }

    var hasRoom: Bool? { reportsRoom ? client?.channel?.isWritable ?? true : nil }

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

    func send(_ bytes: [UInt8]) -> Bool {
        guard let channel = client?.channel, channel.isWritable else { return false }
        let port = NIOLoopBound(self, eventLoop: owner.eventLoop)
        unsent += 1
        isSending = true
        defer { isSending = false }
        channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenComplete { _ in port.value.wrote() }
        return true
    }

    /// Most writes are done when `send` returns; whoever was not waited for has to learn of the others.
    private func wrote() {
        unsent -= 1
        if unsent == 0, !isSending { owner.advance() }
    }

    func shutOut() -> Int {
        guard let old = client else { return 0 }
        client = nil
        hasArrived = false
        old.channel?.close(promise: nil)
        owner.note("\(label): the board has closed the connection")
        // What was written lies with the kernel by now, but for a client that does not read.
        return 0
    }

    func reset() {
        client?.channel?.close(promise: nil)
        client = nil
        hasArrived = false
        hasLeft = false
    }

    func stop() -> EventLoopFuture<Void> {
        client?.channel?.close(promise: nil)
        client = nil
        return listener.channel.close().recover { _ in }
    }
}
