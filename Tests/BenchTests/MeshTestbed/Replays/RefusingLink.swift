import MeshCore
import Synchronization

/// A link in this process that fails in one way or another, and answers every command with the same frame.
final class RefusingLink: MeshTransport {
    struct State: Sendable {
        /// Attempts to open it that fail, from now on.
        var refusals = 0
        var takesNothing = false
        /// The radio goes away instead of answering.
        var endsAtSend = false
        /// The stream of a connection ends only when the next one has been used.
        var endsOldStreamLate = false
        var connects = 0
        var disconnects = 0
        fileprivate var isOpen = false
        fileprivate var inbox = FrameInbox()
        fileprivate var old: FrameInbox?
    }

    private let answer: [UInt8]?
    private let held = Mutex(State())

    init(answer: [UInt8]?) {
        self.answer = answer
    }

    var state: State { held.withLock { $0 } }
    func change(_ change: (inout State) -> Void) { held.withLock { change(&$0) } }

    var receivedData: AsyncStream<[UInt8]> { state.inbox.stream }
    var connectionState: ConnectionState { state.isOpen ? .connected : .disconnected }

    func connect() async throws {
        try held.withLock { state in
            state.connects += 1
            guard state.refusals == 0 else {
                state.refusals -= 1
                throw MeshTransportError.notConnected
            }
            state.isOpen = true
        }
    }

    func disconnect() async {
        held.withLock { state in
            state.disconnects += 1
            state.isOpen = false
            if state.endsOldStreamLate { state.old = state.inbox } else { state.inbox.finish() }
            state.inbox = FrameInbox()
        }
    }

    func send(_ frame: [UInt8]) async throws {
        try held.withLock { state in
            guard state.isOpen, !state.takesNothing else { throw MeshTransportError.notConnected }
            state.old?.finish()
            state.old = nil
            if let answer { _ = state.inbox.deliver(answer) }
            if state.endsAtSend { state.inbox.finish() }
        }
    }
}
