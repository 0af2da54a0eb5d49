package import MeshSimulator
package import MeshTime
import MeshWire

/// The account of the faults of a world: what each of them did, and which of them did nothing.
package struct FaultReport: Sendable {
    /// The words for each fault, in the order of their numbers.
    private let words: [String]
    private let counts: [FaultCount]
    /// The numbers of the faults that did nothing and had to.
    package let idle: [Int]
    private let begins: [Instant]
    private let end: Instant

    /// The account up to the world's present.
    package init(_ world: World) {
        let numbers = 0..<world.faultCount
        words = numbers.map { world.fault($0).kind.words(world.label(of:)) }
        counts = numbers.map(world.effect(ofFault:))
        begins = numbers.map { world.fault($0).begin }
        idle = world.idleFaults
        end = world.now
    }

    /// A line for each fault with what it did.
    package var lines: [String] {
        words.indices.map { "fault \($0), \(words[$0]): " + (counts[$0].hasFired ? counts[$0].text : "nothing") }
    }

    /// A line for each fault that did nothing and had to: the run proves nothing about it.
    package var reasons: [String] {
        idle.map { number in
            let why =
                begins[number] > end
                ? "it begins at \(begins[number]), and the run was over at \(end)"
                : "it never took effect"
            return "fault \(number), \(words[number]): \(why)"
        }
    }
}

extension WorldPlan {
    /// The reason why a fault cannot fire in a run of this length, if one cannot: known before it starts.
    package func unreachedFault(in span: TimeSpan) -> String? {
        let place = faults.firstIndex { !$0.mayNotFire && $0.begin >= .start + span }
        guard let place else { return nil }
        let words = faults[place].kind.words { topology.nodes[$0.index].label }
        return "fault \(place), \(words), begins at \(faults[place].begin), and the run ends at "
            + "\(Instant.start + span): let it begin earlier, run longer, or mark it \"may_not_fire\""
    }
}

extension Fault.Kind {
    /// Nodes that are named one by one; of more, the first of them are.
    private static let namedNodes = 6

    /// The kind and its nodes, as in `crash of hill`; the words for the kind are those of world files.
    package func words(_ label: (NodeID) -> String) -> String {
        func between(_ from: NodeID?, _ to: NodeID?) -> String {
            (from.map { " from \(label($0))" } ?? "") + (to.map { " to \(label($0))" } ?? "")
        }
        func list(_ nodes: [NodeID]) -> String {
            let isWhole = nodes.count <= Self.namedNodes
            let named = nodes.prefix(isWhole ? nodes.count : Self.namedNodes - 1).map(label)
            return named.joined(separator: ", ") + (isWhole ? "" : " and \(nodes.count - named.count) more")
        }
        return switch self {
        case .loss(_, let from, let to): "loss" + between(from, to)
        case .partition(let nodes): "partition of " + list(nodes)
        case .deafness(let node): "deafness of \(label(node))"
        case .crash(let node): "crash of \(label(node))"
        case .reboot(let node, _): "reboot of \(label(node))"
        case .clockJump(let node, _): "clock-jump of \(label(node))"
        case .flashFailure(let node): "flash-failure of \(label(node))"
        case .tornWrite(let node, _, _): "torn-write of \(label(node))"
        case .corruption(_, let from, let to, _): "corruption" + between(from, to)
        case .senderCorruption(_, let node): "sender-corruption" + (node.map { " of \(label($0))" } ?? "")
        case .replay(let node, _, _): "replay near \(label(node))"
        case .link(let from, let to, _): "link" + between(from, to)
        case .stuckPreamble(let node): "stuck-preamble of \(label(node))"
        case .dutyCycle(let node, _, _): "duty-cycle of \(label(node))"
        }
    }
}
