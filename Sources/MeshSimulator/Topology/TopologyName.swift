public import MeshTime

/// A topology as users type it: a shape, and its size where it has one.
///
/// `pair`, `village`, `town`, `line:10`, `ring:12`, `star:8`, `grid:10x10`, `dense:10x10`, `random:50`, `city:300`.
public struct TopologyName: Hashable, Sendable {
    /// The shapes, in the order in which a list shows them.
    public enum Shape: String, Hashable, Sendable, CaseIterable {
        case solo
        case desk
        case pair
        case village
        case town
        case line
        case ring
        case star
        case grid
        case dense
        case random
        case city

        /// The form of the size in a name; empty for a shape that has none.
        public var sizeForm: String {
            switch self {
            case .solo, .desk, .pair, .village, .town: ""
            case .grid, .dense: "COLUMNSxROWS"
            case .line, .ring, .star, .random, .city: "NODES"
            }
        }

        /// A size worth trying first.
        public var exampleSize: String {
            switch self {
            case .solo, .desk, .pair, .village, .town: ""
            case .grid, .dense: "10x10"
            case .line: "10"
            case .ring: "12"
            case .star: "8"
            case .random: "50"
            case .city: "300"
            }
        }

        /// One line for a list.
        public var summary: String {
            switch self {
            case .solo: WorldDescription.solo.summary
            case .desk: WorldDescription.desk.summary
            case .pair: WorldDescription.pair.summary
            case .village: WorldDescription.village.summary
            case .town: WorldDescription.town.summary
            case .line: "alice, repeaters in a row, bob; each hears the next one only"
            case .ring: "nodes in a circle, alice and bob on opposite sides, two ways between them"
            case .star: "a repeater in the middle, companions around it that do not hear each other"
            case .grid: "alice and bob in opposite corners, repeaters between, four neighbours each"
            case .dense: "the same with eight neighbours each"
            case .random: "nodes strewn over a square by the seed, a fifth of them companions"
            case .city: "a town by the seed: quarters with a repeater on a roof, and repeaters on hills"
            }
        }

        /// The world of this name, which the emulator runs on the real clock.
        public var world: WorldDescription? {
            switch self {
            case .solo: .solo
            case .desk: .desk
            case .pair: .pair
            case .village: .village
            case .town: .town
            default: nil
            }
        }

        /// The fewest nodes that make the shape.
        var fewestNodes: Int {
            switch self {
            case .solo, .desk, .pair, .village, .town: 1
            case .ring, .star: 3
            case .line, .grid, .dense, .random, .city: 2
            }
        }
    }

    /// The shape that was named.
    public let shape: Shape
    /// Columns of a grid, all nodes of another shape.
    public let columns: Int
    /// 1 for all shapes but grids.
    public let rows: Int

    /// No larger mesh is made from a name.
    public static let mostNodes = 1_000_000

    /// Reads a name as users type it; throws when there is no such shape, or its size is missing, needless or out of
    /// range.
    public init(_ text: String) throws(TopologyNameError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let shape = Shape(rawValue: String(parts.first ?? "")) else { throw .unknownShape(text) }
        self.shape = shape
        let size = parts.count > 1 ? String(parts[1]) : nil
        switch shape.sizeForm {
        case "":
            guard size == nil else { throw .badSize(text, shape) }
            (columns, rows) = (shape.world?.nodes.count ?? 0, 1)
        case "NODES":
            guard let count = size.flatMap({ Int($0) }) else { throw .badSize(text, shape) }
            (columns, rows) = (count, 1)
        default:
            let numbers = (size ?? "").split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1] else {
                throw .badSize(text, shape)
            }
            (self.columns, self.rows) = (columns, rows)
        }
        guard columns > 0, rows > 0 else { throw .badSize(text, shape) }
        let product = columns.multipliedReportingOverflow(by: rows)
        let count = product.overflow ? Int.max : product.partialValue
        guard (shape.fewestNodes...Self.mostNodes).contains(count) else {
            throw .outOfRange(text, shape.fewestNodes...Self.mostNodes)
        }
    }

    /// The number of nodes that it will have.
    public var nodeCount: Int { columns * rows }

    /// The topology with its equipment: that of the world of this name, else factory settings.
    public func plan(seed: Seed) -> WorldPlan { shape.world?.plan ?? WorldPlan(topology(seed: seed)) }

    /// The topology; the seed matters to `random` and `city` only.
    public func topology(seed: Seed) -> Topology {
        switch shape {
        case .solo: WorldDescription.solo.plan.topology
        case .desk: WorldDescription.desk.plan.topology
        case .pair: WorldDescription.pair.plan.topology
        case .village: WorldDescription.village.plan.topology
        case .town: WorldDescription.town.plan.topology
        case .line: .line(columns)
        case .ring: .ring(columns)
        case .star: .star(columns)
        case .grid: .grid(columns, rows)
        case .dense: .denseGrid(columns, rows)
        case .random: .random(columns, seed: seed)
        case .city: .city(columns, seed: seed)
        }
    }
}

/// The reason for which a text names no topology.
public enum TopologyNameError: Error, Hashable, Sendable {
    /// There is no shape of this name.
    case unknownShape(String)
    /// The size is no number of the kind that the shape wants, or is missing.
    case badSize(String, TopologyName.Shape)
    /// The size is a number out of this range.
    case outOfRange(String, ClosedRange<Int>)
}

extension TopologyNameError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownShape(let text):
            let shapes = TopologyName.Shape.allCases.map(\.rawValue).joined(separator: ", ")
            return "\"\(text)\" is no shape of a mesh; known are \(shapes)"
        case .badSize(let text, let shape) where shape.sizeForm.isEmpty:
            return "\"\(text)\": \(shape.rawValue) has no size"
        case .badSize(let text, let shape):
            return "\"\(text)\" needs a size: \(shape.rawValue):\(shape.sizeForm), "
                + "for example \(shape.rawValue):\(shape.exampleSize)"
        case .outOfRange(let text, let range):
            return "\"\(text)\" must have \(range.lowerBound) to \(range.upperBound) nodes"
        }
    }
}
