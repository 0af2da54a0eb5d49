import MeshCapture
import MeshFirmware
import MeshSimulator

/// Place of a node's client in a driver: how its link stands, and what it has done that the node has not read yet.
struct ClientSeat {
    let client: ClientID
    /// Kind of link that recordings name; `nil` where nothing is recorded.
    let link: RecordingLink?
    /// Tells whether a client on a terminal stays when its board shuts it out.
    let isLine: Bool
    var state = LinkState()
    var inbox = ClientInbox()
    /// Tells whether people know that it does not read, and that time passes without it.
    var isNoted = false
    /// Tells whether something was written to it that has left with the next state of its link.
    var isTold = false

    var node: NodeID { client.node }

    /// Tells whether the link has a client; a terminal cannot tell.
    var isPresentByLink: Bool { state.hasClient || isLine }

    /// Tells whether a client is there, or its last bytes still are.
    var isPresent: Bool { state.hasClient || inbox.hasBytes }
}

/// Actions of a client that its node has not read yet, oldest first.
struct ClientInbox {
    private var events: [NodeInput.App] = []

    var isEmpty: Bool { events.isEmpty }

    var hasBytes: Bool {
        events.contains { event in
            if case .bytes = event { true } else { false }
        }
    }

    mutating func add(_ event: NodeInput.App) { events.append(event) }

    mutating func removeAll() { events = [] }

    /// Removes bytes, and keeps that a client came or went.
    mutating func removeBytes() {
        events.removeAll { event in
            if case .bytes = event { true } else { false }
        }
    }

    /// Removes and returns the next action; of bytes at most `window`, `nil` when that is zero.
    mutating func next(window: Int) -> NodeInput.App? {
        guard case .bytes(let bytes)? = events.first else { return events.isEmpty ? nil : events.removeFirst() }
        guard window > 0 else { return nil }
        guard window < bytes.count else { return events.removeFirst() }
        events[0] = .bytes(Array(bytes[window...]))
        return .bytes(Array(bytes[..<window]))
    }
}
