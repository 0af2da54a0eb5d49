import MeshSimulator
import MeshWire

extension MeshDrawing {
    /// The frames of each node and each link, counted from a trace.
    public struct Overlay: Sendable {
        /// Frames that went between two nodes, both ways together.
        struct Load: Sendable {
            var received = 0
            var lost = 0
            var all: Int { received + lost }
            /// The share of frames that were lost, 0 to 1.
            var loss: Double { all == 0 ? 0 : Double(lost) / Double(all) }
        }

        /// Frames at each node's antenna.
        var nodes: [Load]
        var sent: [Int]
        /// Frames between two nodes, by the smaller and the larger number of both.
        private var links: [[Int]: Load] = [:]
        var reasons: [(name: String, count: Int)] = []

        /// Counts what a trace says of each node and each link.
        public init(_ trace: TraceFile) {
            let count = trace.topology.nodes.count
            nodes = [Load](repeating: Load(), count: count)
            sent = [Int](repeating: 0, count: count)
            var senders: [Int: Int] = [:]
            for line in trace.lines {
                switch line.content {
                case .txBegin(let frame, _, _):
                    senders[frame] = line.node
                    sent[line.node] += 1
                case .rxEnd(let frame, _, _):
                    nodes[line.node].received += 1
                    if let sender = senders[frame] { links[Self.key(sender, line.node), default: Load()].received += 1 }
                case .rxDrop(let frame, let reason, _):
                    nodes[line.node].lost += 1
                    if let sender = senders[frame] { links[Self.key(sender, line.node), default: Load()].lost += 1 }
                    if let place = reasons.firstIndex(where: { $0.name == reason }) {
                        reasons[place].count += 1
                    } else {
                        reasons.append((reason, 1))
                    }
                default: break
                }
            }
            reasons.sort { ($1.count, $0.name) < ($0.count, $1.name) }
        }

        private static func key(_ one: Int, _ other: Int) -> [Int] { [min(one, other), max(one, other)] }

        func load(between one: Int, _ other: Int) -> Load { links[Self.key(one, other)] ?? Load() }
    }

    /// The step of the scale of losses for a share: 0 for none, then five steps of 20 %.
    ///
    /// Thus only a link or a node that loses nearly everything has the last one.
    static func lossStep(_ share: Double) -> Int {
        share <= 0 ? 0 : Int(wholePart: 1 + share * Double(lossSteps), in: 0...lossSteps)
    }

    static let lossSteps = 5
}
