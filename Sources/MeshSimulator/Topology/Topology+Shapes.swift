public import MeshFirmware
import MeshWire

// Regular shapes: every link alike, distances only for drawing.
extension Topology {
    /// Metres between neighbours in a regular shape; only pictures depend on it.
    static let spacingMetres: Int32 = 1000

    /// Nodes in a row, each hearing the next: alice, r1, r2, …, bob.
    ///
    /// - Parameter count: all nodes, at least 2.
    public static func line(_ count: Int, signal: Signal = .benchmark) -> Topology {
        precondition(count >= 2, "a line has two ends")
        var line = Topology(name: "line:\(count)")
        for index in 0..<count {
            let place = Place(eastMetres: Int32(index) * spacingMetres, northMetres: 0)
            line.nodes.append(end(index, of: count, second: count - 1, at: place))
            if index > 0 { line.links.append(Link(index - 1, index, signal)) }
        }
        return line
    }

    /// Nodes in a circle, each hearing its two neighbours; bob stands opposite alice.
    ///
    /// - Parameter count: all nodes, at least 3.
    public static func ring(_ count: Int, signal: Signal = .benchmark) -> Topology {
        precondition(count >= 3, "a ring has at least three nodes")
        var ring = Topology(name: "ring:\(count)")
        for index in 0..<count {
            let place = circle(index, of: count, radius: Double(count * Int(spacingMetres)) / 6.283)
            ring.nodes.append(end(index, of: count, second: count / 2, at: place))
            ring.links.append(Link(index, (index + 1) % count, signal))
        }
        return ring
    }

    /// A repeater in the middle and companions around it that do not receive each other: the hidden-node shape.
    ///
    /// - Parameter count: all nodes, at least 3.
    public static func star(_ count: Int, signal: Signal = .benchmark) -> Topology {
        precondition(count >= 3, "a star has a middle and at least two tips")
        var star = Topology(name: "star:\(count)")
        let middle = Place(eastMetres: spacingMetres, northMetres: spacingMetres)
        star.nodes.append(Node("r1", .repeater, at: middle))
        for tip in 1..<count {
            let label = tip == 1 ? "alice" : tip == 2 ? "bob" : "c\(tip - 2)"
            let place = circle(tip - 1, of: count - 1, radius: Double(spacingMetres))
            star.nodes.append(Node(label, .companion, at: place))
            star.links.append(Link(0, tip, signal))
        }
        return star
    }

    /// A grid in which each node receives its four neighbours: alice in the first corner, bob in the last.
    public static func grid(_ columns: Int, _ rows: Int, signal: Signal = .benchmark) -> Topology {
        grid(columns, rows, hearsDiagonals: false, signal)
    }

    /// A grid in which each node receives its eight neighbours.
    public static func denseGrid(_ columns: Int, _ rows: Int, signal: Signal = .benchmark) -> Topology {
        grid(columns, rows, hearsDiagonals: true, signal)
    }

    private static func grid(_ columns: Int, _ rows: Int, hearsDiagonals: Bool, _ signal: Signal) -> Topology {
        precondition(columns >= 1 && rows >= 1 && columns * rows >= 2, "a grid has at least two nodes")
        let count = columns * rows
        var grid = Topology(name: "\(hearsDiagonals ? "dense" : "grid"):\(columns)x\(rows)")
        grid.nodes.reserveCapacity(count)
        for index in 0..<count {
            let place = Place(
                eastMetres: Int32(index % columns) * spacingMetres, northMetres: Int32(index / columns) * spacingMetres)
            grid.nodes.append(end(index, of: count, second: count - 1, at: place))
        }
        for row in 0..<rows {
            for column in 0..<columns {
                let index = row * columns + column
                let hasEast = column + 1 < columns
                let hasNorth = row + 1 < rows
                if hasEast { grid.links.append(Link(index, index + 1, signal)) }
                if hasNorth { grid.links.append(Link(index, index + columns, signal)) }
                guard hearsDiagonals, hasNorth else { continue }
                if hasEast { grid.links.append(Link(index, index + columns + 1, signal)) }
                if column > 0 { grid.links.append(Link(index, index + columns - 1, signal)) }
            }
        }
        return grid
    }

    /// The node at a place of a row: alice first, bob at `second`, repeaters numbered in order otherwise.
    static func end(_ index: Int, of count: Int, second: Int, at place: Place) -> Node {
        switch index {
        case 0: Node("alice", .companion, at: place)
        case second: Node("bob", .companion, at: place)
        default: Node("r\(index < second ? index : index - 1)", .repeater, at: place)
        }
    }

    /// A place on a circle that touches both axes of the map.
    private static func circle(_ index: Int, of count: Int, radius: Double) -> Place {
        let (cosine, sine) = Circle.point(turns: Double(index) / Double(count))
        return Place(
            eastMetres: Int32(nearest: radius * (1 + cosine)),
            northMetres: Int32(nearest: radius * (1 + sine)))
    }
}
