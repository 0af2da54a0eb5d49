/// The results of a run: counts, losses by reason, deliveries, latencies, airtime. None of them depends on the machine.
public struct MeshSummary: Hashable, Sendable, Encodable {
    /// A count with its name, in a fixed order.
    public struct Count: Hashable, Sendable, Encodable {
        /// The name of what is counted.
        public let name: String
        /// The number of times that it was counted.
        public var count: Int
    }

    /// One kind of message.
    public struct Delivery: Hashable, Sendable, Encodable {
        /// The kind of message.
        public let kind: String
        /// Messages that were given to a radio.
        public var sent = 0
        /// Messages that the radio refused.
        public var refused = 0
        /// Attempts that the radio accepted: more than the messages where apps send again.
        public var attempts = 0
        /// Recipients that there are, over all messages.
        public var expected = 0
        /// Recipients that got it.
        public var delivered = 0
        /// Messages that were acknowledged to their sender; direct texts only.
        public var acknowledged = 0
        /// From the app's command to each delivery, in milliseconds.
        public var latencyMilliseconds = Percentiles([])
        /// From the app's command to the acknowledgement.
        public var roundTripMilliseconds = Percentiles([])
    }

    /// The distribution of a list of spans; all zero when it is empty.
    public struct Percentiles: Hashable, Sendable, Encodable {
        /// The number of spans.
        public let count: Int
        /// The span that half of them do not exceed, in milliseconds.
        public let p50: Int64
        /// The span that nine of ten do not exceed, in milliseconds.
        public let p90: Int64
        /// The span that 99 of 100 do not exceed, in milliseconds.
        public let p99: Int64
        /// The longest span, in milliseconds.
        public let longest: Int64

        init(_ milliseconds: [Int64]) {
            let sorted = milliseconds.sorted()
            func at(_ percent: Int) -> Int64 {
                sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, (sorted.count * percent + 99) / 100 - 1)]
            }
            count = sorted.count
            p50 = at(50)
            p90 = at(90)
            p99 = at(99)
            longest = sorted.last ?? 0
        }
    }

    /// The share of one node in the traffic on the air.
    public struct NodeShare: Hashable, Sendable, Encodable {
        /// The node's label.
        public let name: String
        /// The node's role.
        public let role: String
        /// Packets it has sent.
        public var transmissions = 0
        /// Time it has spent sending.
        public var airtimeMilliseconds: Int64 = 0
        /// Frames that it received whole.
        public var received = 0
        /// Frames that reached its antenna and were lost there.
        public var lost = 0
    }

    /// The name of the world.
    public var world = ""
    /// The model of the air.
    public var air = ""
    /// The seed that repeats the run.
    public var seed: UInt64 = 0
    /// The length of the run in its own time.
    public var simulatedMilliseconds: Int64 = 0
    /// The nodes, in order.
    public var nodes: [NodeShare] = []
    /// The number of pairs of nodes that reach each other.
    public var links = 0
    /// Packets sent by all nodes.
    public var transmissions = 0
    /// Time that all nodes have spent sending.
    public var airtimeMilliseconds: Int64 = 0
    /// Frames received whole, each listener for itself.
    public var receptions = 0
    /// Frames lost at a listener's antenna, by reason.
    public var losses: [Count] = []
    /// Received frames that the firmware went no further with, by reason.
    public var discards: [Count] = []
    /// Frames that were queued for forwarding.
    public var forwards = 0
    /// The deliveries of messages, kind by kind.
    public var deliveries: [Delivery] = []
    /// The faults, each with what it did.
    public var faults: [String] = []
    /// The reasons why the run proves nothing: faults that did nothing and had to. Empty for a valid run.
    public var invalid: [String] = []
    /// Violations of the invariants that watch every run; anything but 0 is a defect of the simulator.
    public var violations = 0
    /// A digest of the whole trace, as hex.
    public var digest = ""
    /// One last draw of each random stream, as hex: runs that drew differently differ here.
    public var unseed = ""

    /// Frames lost at antennas, all reasons together.
    public var lost: Int { losses.reduce(0) { $0 + $1.count } }
}
