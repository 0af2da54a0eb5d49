public import MeshFiles
import MeshSimulator
public import MeshTime

/// The first place where two traces differ.
public struct TraceDifference: Hashable, Sendable {
    /// The time of the difference, by the earlier trace; `nil` for a difference of the heads.
    public let time: Instant?
    /// The name of the node.
    public let node: String?
    /// Number of the line in each file.
    public let lines: [Int]
    /// The line of the first trace; `nil` when it has ended.
    public let first: String?
    /// The line of the second trace; nil when it has ended.
    public let second: String?

    /// Compares line by line, with what runs left behind as they went back; `nil` when both say the same.
    public static func first(in one: [UInt8], _ other: [UInt8]) throws(TraceDifferenceProblem) -> TraceDifference? {
        var a = TraceCursor(one)
        var b = TraceCursor(other)
        let heads = (
            try side(1) { () throws(FileProblem) in try a.head() },
            try side(2) { () throws(FileProblem) in try b.head() }
        )
        if let difference = difference(heads.0, heads.1) { return difference }
        while true {
            let x = try side(1) { () throws(FileProblem) in try a.next() }
            let y = try side(2) { () throws(FileProblem) in try b.next() }
            if x == nil, y == nil {
                guard a.digest != b.digest else { return nil }
                return TraceDifference(
                    time: nil, node: nil, lines: [a.number, b.number], first: "digest \(a.digest ?? "missing")",
                    second: "digest \(b.digest ?? "missing")")
            }
            guard x != y else { continue }
            let earlier = [x, y].compactMap { $0 }.min { $0.time < $1.time }
            let nodes = heads.0.topology.nodes
            return TraceDifference(
                time: earlier?.time, node: earlier?.node.map { nodes[$0].label }, lines: [a.number, b.number],
                first: x.map { spelled($0, nodes.map(\.label)) }, second: y.map { spelled($0, nodes.map(\.label)) })
        }
    }

    private static func side<R>(
        _ file: Int, _ body: () throws(FileProblem) -> R
    ) throws(TraceDifferenceProblem) -> R {
        do {
            return try body()
        } catch {
            throw TraceDifferenceProblem(file: file, problem: error)
        }
    }

    private static func difference(_ a: TraceCursor.Head, _ b: TraceCursor.Head) -> TraceDifference? {
        func heads(_ one: String, _ other: String) -> TraceDifference {
            TraceDifference(time: nil, node: nil, lines: [1, 1], first: one, second: other)
        }
        if a.topology != b.topology {
            return heads("world \(a.topology.name)", "world \(b.topology.name), or one with other nodes or links")
        }
        if a.seed != b.seed { return heads("seed \(a.seed)", "seed \(b.seed)") }
        if a.span != b.span { return heads("a run of \(a.span)", "a run of \(b.span)") }
        return nil
    }

    /// A line as people read it.
    static func spelled(_ item: TraceCursor.Item, _ labels: [String]) -> String {
        switch item {
        case .line(let line): "\(line.time) \(labels[line.node]): \(line.content)"
        case .turn(let time, let turn): "\(time) \(turn.word) \(turn.name)"
        }
    }
}

/// A trace that cannot be compared, the first or the second.
public struct TraceDifferenceProblem: Error, Hashable, Sendable {
    /// 1 or 2.
    public let file: Int
    /// The problem that was found.
    public let problem: FileProblem
}
