package import MeshSimulator
package import MeshTime

/// Decides whether a world whose time waits for its clients goes on: in lockstep, and while a stepped world is
/// advanced.
///
/// It has neither a clock nor clients: whoever has them says what the clock shows and how the clients' ports stand.
///
/// A client is at rest when it has had all bytes of its node, when its node has taken all of its own, and when nothing
/// has passed either way for `Rules.quiet`. Time passes while enough clients are there and all of them are at rest. So
/// a client that answers within that span is heard at the moment of what it answers, however fast the machine is.
///
/// What several clients have sent at one moment goes into the world node by node. So input waits until every client
/// that was told something since it last spoke has answered, or is at rest.
package struct ClientGate: Hashable, Sendable {
    /// Limits of waiting, on the clock.
    package struct Rules: Hashable, Sendable {
        /// The time in which a silent client may still be about to answer.
        ///
        /// 50 ms unless told otherwise: an answer of a client on the same machine takes some milliseconds, and a
        /// machine with more to do than processors gives a process its turn within a few tens of them.
        package var quiet = TimeSpan.milliseconds(50)
        /// The time for which a client that does not read is waited for.
        package var patience = TimeSpan.seconds(5)
        /// In lockstep, time stands still while fewer clients are connected.
        package var clients = 1

        package init() {}
    }

    private struct Client: Hashable {
        var isPresent = false
        /// Tells whether its board takes no client: it restarts, or has no power.
        var isDown = false
        /// The clock when a byte passed last, in either direction.
        var lastByte = TimeSpan.zero
        /// Tells whether it was told something since it last spoke, or came and has said nothing.
        var owesAnswer = false
        /// Tells whether it has sent what the node has not taken.
        var hasInput = false
        /// Tells whether the node has room for some of that.
        var hasRoom = true
        /// Since when bytes wait in this process that it does not read.
        var isBehindSince: TimeSpan?
        /// Tells whether time has passed since something passed last.
        var hasSeenTimePass = false

        /// Tells whether what it has sent can go into the world now.
        var isHeard: Bool { hasInput && hasRoom }
    }

    package private(set) var rules: Rules
    private var clients: [Client]
    /// The number of times that a client spoke, came or went while time was passing, or that the run was interrupted
    /// then.
    ///
    /// The moment is not the world's doing, and a repetition may take another course from there.
    package private(set) var unpromptedInputs = 0

    /// For so many ports, in the order of their nodes.
    package init(_ rules: Rules = Rules(), ports: Int = 0) {
        self.rules = rules
        clients = Array(repeating: Client(), count: ports)
    }

    /// The gate for a pace; `nil` for the clock, which waits for nobody.
    ///
    /// Whoever steps a world need not wait for clients to come.
    package init?(_ rules: Rules, for pace: Pace) {
        guard pace.waitsForClients else { return nil }
        self.init(rules)
        if pace == .stepped { self.rules.clients = 0 }
    }

    /// A port more, at its place among the others.
    package mutating func addPort(at place: Int) { clients.insert(Client(), at: place) }

    // MARK: What happens

    /// Notes how a port stands. Input for which a node has no room waits until time has passed.
    package mutating func look(
        _ index: Int, isPresent: Bool, hasInput: Bool, hasRoom: Bool = true, isBehind: Bool, isDown: Bool = false,
        at clock: TimeSpan
    ) {
        if isPresent != clients[index].isPresent || hasInput && !clients[index].hasInput {
            if clients[index].hasSeenTimePass { unpromptedInputs += 1 }
            clients[index].hasSeenTimePass = false
        }
        if isPresent, !clients[index].isPresent {
            clients[index].lastByte = clock
            clients[index].owesAnswer = true
        }
        clients[index].isPresent = isPresent
        clients[index].isDown = isDown
        clients[index].hasInput = hasInput
        clients[index].hasRoom = hasRoom
        if !isBehind || !isPresent {
            clients[index].isBehindSince = nil
        } else if clients[index].isBehindSince == nil {
            clients[index].isBehindSince = clock
        }
        if !isComplete { standStill() }
    }

    /// Bytes of the node are on their way to its client.
    package mutating func sent(_ index: Int, at clock: TimeSpan) {
        clients[index].lastByte = clock
        clients[index].owesAnswer = true
        clients[index].hasSeenTimePass = false
    }

    /// The node has taken what its client did.
    package mutating func took(_ index: Int, at clock: TimeSpan) {
        clients[index].lastByte = clock
        clients[index].owesAnswer = false
        clients[index].hasInput = false
        clients[index].hasSeenTimePass = false
    }

    /// The run is ended from outside: in the middle of what passes by itself, that is nobody's answer either.
    package mutating func interrupted(at clock: TimeSpan) {
        if letsTimePass(at: clock) { unpromptedInputs += 1 }
    }

    /// The world has gone on.
    package mutating func timePassed() {
        for index in clients.indices { clients[index].hasSeenTimePass = true }
    }

    /// The world goes no further until somebody says so: what clients do meanwhile happens at a moment that is known.
    package mutating func standStill() {
        for index in clients.indices { clients[index].hasSeenTimePass = false }
    }

    // MARK: What follows

    /// Tells whether all clients are there. One that cannot connect is not waited for: only time brings its board back.
    private var isComplete: Bool { clients.count { $0.isPresent || $0.isDown } >= rules.clients }

    /// Tells whether a client has sent what its node could take.
    package var hasInput: Bool { clients.contains(where: \.isHeard) }

    /// Tells whether what clients have sent goes into the world now.
    package func takesInputs(at clock: TimeSpan) -> Bool {
        clients.contains(where: \.isHeard)
            && clients.allSatisfy { $0.hasInput || !$0.isPresent || !$0.owesAnswer || isAtRest($0, at: clock) }
    }

    /// Tells whether the world may go on.
    package func letsTimePass(at clock: TimeSpan) -> Bool {
        isComplete && clients.allSatisfy { !$0.isHeard && (!$0.isPresent || isAtRest($0, at: clock)) }
    }

    /// Tells whether a client has had all its bytes, or will be waited for no more.
    package func hasBytes(_ index: Int, at clock: TimeSpan) -> Bool {
        !clients[index].isPresent || !isWaitedFor(clients[index], at: clock)
    }

    /// Tells whether all clients have had all their bytes, but for those that are waited for no more.
    package func allHaveBytes(at clock: TimeSpan) -> Bool {
        clients.indices.allSatisfy { hasBytes($0, at: clock) }
    }

    /// Tells whether a client does not read, and time passes without it.
    package func isGivenUp(_ index: Int, at clock: TimeSpan) -> Bool {
        clients[index].isBehindSince.map { clock - $0 >= rules.patience } ?? false
    }

    /// Returns the clock at which to look again without an event; `nil` when only an event changes the answers.
    package func deadline(after clock: TimeSpan) -> TimeSpan? {
        var deadline: TimeSpan?
        for client in clients where client.isPresent {
            let times = [client.lastByte + rules.quiet, client.isBehindSince.map { $0 + rules.patience }]
            for case let time? in times where time > clock { deadline = min(deadline ?? time, time) }
        }
        return deadline
    }

    private func isAtRest(_ client: Client, at clock: TimeSpan) -> Bool {
        !client.isHeard && !isWaitedFor(client, at: clock) && clock - client.lastByte >= rules.quiet
    }

    private func isWaitedFor(_ client: Client, at clock: TimeSpan) -> Bool {
        client.isBehindSince.map { clock - $0 < rules.patience } ?? false
    }
}
