public import MeshTime

/// A breach of a rule that must never be broken.
public struct Violation: Hashable, Sendable {
    /// A rule that every run keeps, whatever the seed, the traffic and the faults.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// A node began to transmit while it was transmitting.
        case transmitsTwice = "transmits-twice"
        /// A node received a frame while it was transmitting.
        case hearsWhileSending = "hears-while-sending"
        /// A node flooded a packet of others again without having forgotten it.
        case relaysTwice = "relays-twice"
        /// A node transmitted more than its share of airtime and its savings.
        case airtimeBudget = "airtime-budget"
        /// A node sent a frame that no node would accept as a packet, or a path that does not fit.
        case pathBounds = "path-bounds"
        /// The packets in a node's queues are not those that are missing in its pool.
        case queueAccounting = "queue-accounting"
        /// A node considered a message delivered that no other node had acknowledged.
        case ackWithoutDelivery = "ack-without-delivery"
    }

    /// The time of the violation.
    public let time: Instant
    /// The node that broke the rule.
    public let node: NodeID
    /// The rule that was broken.
    public let rule: Rule
}

/// Watches a run all the time and keeps what breaks a rule.
public struct InvariantWatch: Sendable {
    /// Later violations are counted and not kept.
    public static let keptViolations = 1000
    /// Packets per node that are remembered as relayed; fewer than a node itself remembers.
    static let relayMemory = 8

    /// True when the run is watched; if not, nothing is counted.
    public let isOn: Bool
    /// The first ones, in order.
    public private(set) var violations: [Violation] = []
    /// The number of violations, those not kept included.
    public private(set) var violationCount = 0

    /// By node and place: hashes of the floods that it relayed last.
    private var relayed: [UInt64] = []
    private var relayedNext: [UInt8] = []
    /// Acknowledgements that some node has made; asked, never walked.
    private var acknowledged: Set<UInt32> = []
    /// The smallest airtime factor that a node has had.
    private var airtimeFactors: [Float] = []

    init(isOn: Bool) {
        self.isOn = isOn
    }

    mutating func add(_ violation: Violation) {
        violationCount += 1
        if violations.count < Self.keptViolations { violations.append(violation) }
    }

    /// Remembers a relayed flood; `false` when the node has relayed it before.
    mutating func noteRelay(_ hash: UInt64, by node: Int) -> Bool {
        while relayedNext.count <= node {
            relayedNext.append(0)
            relayed.append(contentsOf: repeatElement(0, count: Self.relayMemory))
        }
        let start = node * Self.relayMemory
        for place in start..<(start + Self.relayMemory) where relayed[place] == hash { return false }
        relayed[start + Int(relayedNext[node])] = hash
        relayedNext[node] = (relayedNext[node] + 1) % UInt8(Self.relayMemory)
        return true
    }

    /// Forgets a node's history: one that has started knows nothing of it.
    mutating func forget(_ node: Int) {
        guard node < relayedNext.count else { return }
        for place in 0..<Self.relayMemory { relayed[node * Self.relayMemory + place] = 0 }
    }

    mutating func noteAcknowledgement(_ ack: UInt32) { acknowledged.insert(ack) }
    func knowsAcknowledgement(_ ack: UInt32) -> Bool { acknowledged.contains(ack) }

    /// The smallest airtime factor of a node so far, which may have saved up the most.
    mutating func leastAirtimeFactor(of node: Int, now factor: Float) -> Float {
        while airtimeFactors.count <= node { airtimeFactors.append(.infinity) }
        airtimeFactors[node] = min(airtimeFactors[node], factor)
        return airtimeFactors[node]
    }
}
