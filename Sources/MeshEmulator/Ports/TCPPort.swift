import Glibc
import MeshFirmware
import MeshTransports
import NIOCore

/// The TCP port of a board: one client, and the newest wins. Framing and queueing are the node's.
///
/// A board without power accepts no client and answers none of its connections. Once it has booted it resets each at
/// the client's first segment, as it does not know them. The system acknowledges and keeps the client's bytes in the
/// meantime. A board that is back answers those with a reset too, in place of the client's repetition.
final class TCPPort: AppPort {
    /// Connections from before the last losses of power that are kept; the oldest of more is reset at once.
    private static let orphanLimit = 8
    /// Bytes that may wait in this process for a client that does not read, beside the kernel's own buffers.
    static let pendingLimit = 64 * 1024
    /// `SO_MEMINFO`, of which the first number is the size of a socket's receive queue: 0 when all has been read.
    private static let receiveMemory = NIOBSDSocket.Option(rawValue: 55)
    /// A small board's receive window; also what a client can make us keep when it sends and goes.
    static let receiveBuffer = 8 * 1024

    private let listener: LinkListener
    private let owner: any PortOwner
    private let label: String
    private var client: ByteSource?
    /// Connections that the board does not know: it has lost its power since they came.
    private var orphans: [ByteSource] = []
    /// The board is without power, or has not booted yet.
    private var isDown = false
    private var hasArrived = false
    private var hasLeft = false
    /// True when the node has to wait for a client that does not read.
    var reportsRoom = false
    /// Writes that the kernel has not accepted yet.
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
        guard !orphans.contains(where: { $0 === source }) else { return happened(event, atOrphan: source) }
        switch event {
        case .active: arrived(source)
        case .received: if source === client { owner.advance() }
        case .inputEnded: if source === client { inputEnded(source) }
        case .closed: if source === client { left() }
        }
    }

    private func arrived(_ source: ByteSource) {
        // The system had it when the board went down.
        guard !isDown else { return reset(source) }
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
        guard let grace = owner.halfClosedGrace else { return owner.advance() }
        let bound = NIOLoopBound((port: self, source: source), eventLoop: owner.eventLoop)
        owner.eventLoop.scheduleTask(in: grace) {
            let (port, source) = bound.value
            // A board that has lost its power meanwhile closes nothing.
            if !port.orphans.contains(where: { $0 === source }) { source.channel?.close(promise: nil) }
        }
    }

    // MARK: Power

    private func happened(_ event: ByteSource.Event, atOrphan source: ByteSource) {
        switch event {
        case .active: break
        case .received, .inputEnded:
            // Without power it hears nothing; what came is found when it boots.
            guard !isDown else { return }
            reset(source)
            owner.note("\(label): the board knows nothing of a connection from before, and has reset it")
            owner.advance()
        case .closed: orphans.removeAll { $0 === source }
        }
    }

    /// Answers a client with a reset, where others would end the connection in good order.
    private func reset(_ source: ByteSource) {
        orphans.removeAll { $0 === source }
        guard let channel = source.channel else { return }
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        channel.close(promise: nil)
    }

    func losesPower() -> Bool {
        goesDown()
        guard let old = client else { return false }
        client = nil
        (hasArrived, hasLeft) = (false, false)
        // What it had sent is lost with the board, and no segment of later on.
        old.discard()
        orphans.append(old)
        if orphans.count > Self.orphanLimit { reset(orphans[0]) }
        return false
    }

    func restarts() {
        goesDown()
        _ = shutOut()
    }

    private func goesDown() {
        isDown = true
        listener.switchOff()
    }

    func booted(as radio: RadioIdentity?) -> Bool {
        guard isDown else { return false }
        isDown = false
        let (listening, owner) = (listener.switchOn(), NIOLoopBound(owner, eventLoop: owner.eventLoop))
        listening.whenFailure { owner.value.portFailed(EmulatorError(opening: $0)) }
        let speaking = orphans.filter { !$0.isEmpty || $0.hasEnded || hasUnreadBytes(of: $0) }
        for source in speaking { reset(source) }
        return !speaking.isEmpty
    }

    // MARK: AppPort

    var hasClient: Bool { client != nil && !isLeaving }

    /// True when the client has ended its side, is not served beyond that, and all its bytes were read.
    private var isLeaving: Bool { client?.hasEnded == true && client?.isEmpty == true && owner.halfClosedGrace == nil }

    /// True when there are unread bytes; a board without power reads none.
    var hasUnread: Bool {
        guard !isDown else { return false }
        return hasUnreadBytes(of: client) || hasUnseenEnd || orphans.contains(where: hasUnreadBytes)
            || listener.hasUnaccepted
    }

    /// Tells whether the client is gone for the system, but not yet for this process.
    private var hasUnseenEnd: Bool {
        guard let client, client.isEmpty, !client.hasEnded, let channel = client.channel as? any SocketOptionProvider
        else { return false }
        var isThere = true
        channel.getTCPInfo().assumeIsolated().whenSuccess { isThere = $0.tcpi_state == TCP_ESTABLISHED }
        return !isThere
    }

    private func hasUnreadBytes(of source: ByteSource?) -> Bool {
        guard let source, source.isEmpty else { return false }
        let queued = try? source.channel?.syncOptions?.getOption(.socketOption(Self.receiveMemory))
        // The option has numbers of 32 bits, of which there is room for two.
        return UInt32(truncatingIfNeeded: queued ?? 0) > 0
    }

    var hasNewClient: Bool { hasArrived }
    var isBehind: Bool { client != nil && unsent > 0 }
    var isWritable: Bool { client?.channel?.isWritable ?? false }

    var hasRoom: Bool? { reportsRoom ? client?.channel?.isWritable ?? true : nil }

    func nextInput(window: Int) -> NodeInput? {
        if hasArrived {
            hasArrived = false
            return .appConnected
        }
        if let bytes = client?.take(window), !bytes.isEmpty { return .appBytes(bytes) }
        if isLeaving {
            client?.channel?.close(promise: nil)
            client = nil
            hasLeft = true
            owner.note("\(label): client disconnected")
        }
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

    /// Counts a finished write. Most are done when `send` returns; the owner learns of the others here.
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
        closeOrphans()
        hasArrived = false
        hasLeft = false
    }

    private func closeOrphans() {
        let old = orphans
        orphans = []
        for source in old { source.channel?.close(promise: nil) }
    }

    func stop() -> EventLoopFuture<Void> {
        client?.channel?.close(promise: nil)
        client = nil
        closeOrphans()
        return listener.close()
    }
}
