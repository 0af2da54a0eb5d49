import MeshFirmware
import MeshTransports
import NIOCore

/// The serial port of a board, as a pseudo-terminal.
///
/// The board does not know whether a client listens. While there is none, the driver keeps a little and drops the rest;
/// a client that does not read loses what is beyond a larger bound.
///
/// A board without power is one that was unplugged: the terminal hangs up on its client, and its link is gone. When the
/// board has booted there is another terminal at the link.
final class TerminalPort: AppPort {
    /// Bytes that a USB serial driver keeps while no host reads.
    static let idleBuffer = 256
    /// Bytes that wait for a client that reads slowly, beside the kernel's own buffer.
    static let pendingLimit = 64 * 1024
    /// The first wait before a full terminal is tried again.
    ///
    /// The wait doubles while the client does not read: a client that has stopped must not keep the machine busy.
    static let firstRetryDelay = TimeAmount.milliseconds(2)
    static let longestRetryDelay = TimeAmount.milliseconds(64)

    /// `nil` while the board has no power.
    private var terminal: Terminal?
    private let path: String
    private let owner: any PortOwner
    private let label: String
    private var source: ByteSource?
    private var pending: [UInt8] = []
    private var pendingHead = 0
    private var isRetrying = false
    private var retryDelay = TerminalPort.firstRetryDelay
    private var hadListener = false
    /// Bytes written that no client has read. The kernel's own count of them lags behind on a busy machine.
    private var unheard = 0
    /// True when the node has to wait for a client that does not read.
    var reportsRoom = false

    private init(path: String, owner: any PortOwner, label: String) {
        self.path = path
        self.owner = owner
        self.label = label
    }

    // MARK: Opening

    /// Makes the terminal and its link.
    static func open(
        path: String, label: String, owner: NIOLoopBound<any PortOwner>
    ) -> EventLoopFuture<NIOLoopBound<TerminalPort>> {
        owner.eventLoop.submit {
            NIOLoopBound(TerminalPort(path: path, owner: owner.value, label: label), eventLoop: owner.eventLoop)
        }.flatMap { (port: NIOLoopBound<TerminalPort>) in
            port.value.connect().map { port }.flatMapError { error in
                port.value.stop().flatMapThrowing { throw error }
            }
        }
    }

    /// Makes a terminal, which clients can open from now on; later events go to the owner.
    private func connect() -> EventLoopFuture<Void> {
        let port = NIOLoopBound(self, eventLoop: owner.eventLoop)
        let (terminal, watching): (Terminal, EventLoopFuture<Void>)
        do {
            terminal = try Terminal(linkPath: path)
            self.terminal = terminal
            watching = try terminal.watchClients(on: owner.eventLoop) { port.value.listenersChanged() }
        } catch {
            return owner.eventLoop.makeFailedFuture(error)
        }
        let flow = LinkFlow(readSize: ByteSource.readSize)
        let reading = terminal.channel(isInputAlone: true, flow: flow, on: owner.eventLoop) { channel in
            let source = ByteSource { port.value.happened($1, at: $0) }
            port.value.source = source
            try channel.pipeline.syncOperations.addHandler(source)
        }
        return reading.and(watching).map { _ in }
    }

    private func happened(_ event: ByteSource.Event, at source: ByteSource) {
        if source === self.source, case .received = event { owner.advance() }
    }

    private var hasListener: Bool { terminal?.hasClient ?? false }

    private func listenersChanged() {
        guard hasListener != hadListener else { return }
        hadListener = hasListener
        unheard = 0
        if hasListener {
            owner.note("\(label): terminal opened")
            owner.advance()
            return
        }
        owner.note("\(label): terminal closed")
        guard let terminal else { return }
        if waiting > 0 || terminal.unread > Self.idleBuffer {
            pending = []
            pendingHead = 0
            terminal.forgetUnread()
        }
        unheard = terminal.unread
        terminal.makeRaw()
        owner.advance()
    }

    // MARK: AppPort

    var hasClient: Bool { hasListener }
    var isBehind: Bool { hasListener && waiting > 0 }
    var isWritable: Bool { waiting < Self.pendingLimit }

    /// True when all written bytes are read; without a client there is always room, as the driver drops bytes.
    var hasRoom: Bool? { reportsRoom ? !hasListener || waiting == 0 : nil }

    func nextInput(window: Int) -> NodeInput? {
        guard let bytes = source?.take(window), !bytes.isEmpty else { return nil }
        return .appBytes(bytes)
    }

    private var waiting: Int { pending.count - pendingHead }

    func send(_ bytes: [UInt8]) -> Bool {
        guard terminal != nil else { return false }
        let room = hasListener ? Self.pendingLimit - waiting : Self.idleBuffer - unheard - waiting
        guard bytes.count <= room else { return false }
        if pendingHead > 0 {
            pending.removeFirst(pendingHead)
            pendingHead = 0
        }
        pending.append(contentsOf: bytes)
        flush()
        return true
    }

    private func flush() {
        guard !isRetrying, let terminal else { return }
        while waiting > 0 {
            let written = terminal.write(pending[pendingHead...])
            guard written > 0 else {
                retryLater()
                return
            }
            pendingHead += written
            if !hasListener { unheard += written }
            retryDelay = Self.firstRetryDelay
        }
        pending.removeAll(keepingCapacity: true)
        pendingHead = 0
    }

    private func retryLater() {
        isRetrying = true
        owner.eventLoop.assumeIsolated().scheduleTask(in: retryDelay) { [weak self] in
            self?.isRetrying = false
            self?.flush()
            if self?.waiting == 0 { self?.owner.advance() }
        }
        retryDelay = min(retryDelay * 2, Self.longestRetryDelay)
    }

    /// Drops what waits, and keeps the client: on a serial line it stays, as the chip that makes it USB has power all
    /// the while.
    func shutOut() -> Int {
        defer { forget() }
        return waiting
    }

    private func forget() {
        pending = []
        pendingHead = 0
    }

    func losesPower() -> Bool {
        defer { hangUp() }
        return hasListener
    }

    private func hangUp() {
        forget()
        unheard = 0
        hadListener = false
        source?.channel?.close(promise: nil)
        source = nil
        terminal?.close()
        terminal = nil
    }

    func booted(as radio: RadioIdentity?) -> Bool {
        guard terminal == nil else { return false }
        let owner = NIOLoopBound(owner, eventLoop: owner.eventLoop)
        connect().whenFailure { owner.value.portFailed(EmulatorError(opening: $0)) }
        return false
    }

    func reset() {
        forget()
        source?.discard()
        terminal?.forgetUnread()
        unheard = 0
    }

    func stop() -> EventLoopFuture<Void> {
        hangUp()
        return owner.eventLoop.makeSucceededVoidFuture()
    }
}
