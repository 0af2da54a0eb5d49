import MeshWire

/// The places of the names in a picture of a mesh: no name lies on another one.
///
/// A name stands below its node, or beside or above it where that is taken; in a cluster farther out, with a thin line
/// to its node. Signs of other nodes are avoided where there is room. A name without any room is left out.
struct MeshNames {
    /// A name that has a place.
    struct Name {
        let node: Int
        let words: String
        /// The middle of the words.
        let x: Double
        /// The line that the words stand on.
        let y: Double
        /// The end of the line to the node; `nil` for a name beside it.
        let lead: (x: Double, y: Double)?
    }

    /// The names with a place, by node.
    private(set) var names: [Name] = []
    /// The number of names without a place.
    private(set) var leftOut = 0

    private let radius: Double
    private let width: Double
    private let height: Double
    private var signs = TakenAreas()
    private var taken = TakenAreas()

    /// Places names one after the other: the first in the list have the most room.
    ///
    /// - Parameters:
    ///   - words: the names, each with the place of its node in `points`.
    ///   - height: the lower edge of the map, where the legend begins.
    init(
        _ words: [(node: Int, words: String)], points: [(x: Double, y: Double)], radius: Double, width: Double,
        height: Double
    ) {
        (self.radius, self.width, self.height) = (radius, width, height)
        for (node, point) in points.enumerated() {
            signs.add(Area(point.x - radius, point.y - radius, point.x + radius, point.y + radius), of: node)
        }
        for entry in words { place(entry.words, entry.node, at: points[entry.node]) }
        names.sort { $0.node < $1.node }
    }

    private mutating func place(_ words: String, _ node: Int, at point: (x: Double, y: Double)) {
        let half = Double(TextWidth.units(words)) / 2 + 2
        let candidates = candidates(point, half)
        let free = candidates.filter { isInside($0.area(half)) && !taken.intersects($0.area(half)) }
        guard let best = free.first(where: { !signs.intersects($0.area(half), exceptOf: node) }) ?? free.first else {
            leftOut += 1
            return
        }
        taken.add(best.area(half), of: node)
        names.append(Name(node: node, words: words, x: best.x, y: best.y, lead: best.lead))
    }

    private func isInside(_ area: Area) -> Bool {
        area.left >= 0 && area.right <= width && area.top >= 0 && area.bottom <= height
    }

    /// The places that a name may have, the best first.
    private func candidates(_ point: (x: Double, y: Double), _ half: Double) -> [Candidate] {
        // A name at the edge moves inwards rather than out of the picture.
        let x = min(max(point.x, half + 2), max(half + 2, width - half - 2))
        let (side, slope) = (radius + 2 + half, radius * 0.5 + half)
        var places = [
            Candidate(x, point.y + radius + 13), Candidate(point.x + side, point.y + 4),
            Candidate(point.x - side, point.y + 4), Candidate(x, point.y - radius - 6),
            Candidate(point.x + slope, point.y + radius + 10), Candidate(point.x - slope, point.y + radius + 10),
            Candidate(point.x + slope, point.y - radius - 3), Candidate(point.x - slope, point.y - radius - 3),
        ]
        for step in [20.0, 32, 44, 60, 80] {
            let diagonal = step * 0.7
            for (right, down) in [
                (0, step + radius + 13), (side + step, 4), (-side - step, 4), (0, -step - radius - 6),
                (side + diagonal, diagonal + 4), (-side - diagonal, diagonal + 4), (side + diagonal, 4 - diagonal),
                (-side - diagonal, 4 - diagonal),
            ] {
                let (x, y) = (point.x + right, point.y + down)
                // To the nearest point of the words, from where they begin or end, or from their middle.
                let end = right > 0 ? x - half + 2 : right < 0 ? x + half - 2 : x
                let line = right == 0 ? (down > 0 ? y - Candidate.ascent : y + Candidate.descent) : y - 4
                places.append(Candidate(x, y, lead: (end, line)))
            }
        }
        return places
    }

    /// A place that a name may have.
    private struct Candidate {
        /// The height of letters above their line, and their depth below it.
        static let ascent = 10.0
        static let descent = 3.0

        let x: Double
        let y: Double
        let lead: (x: Double, y: Double)?

        init(_ x: Double, _ y: Double, lead: (x: Double, y: Double)? = nil) {
            (self.x, self.y, self.lead) = (x, y, lead)
        }

        func area(_ half: Double) -> Area { Area(x - half, y - Self.ascent, x + half, y + Self.descent) }
    }
}

/// A rectangle of a picture.
private struct Area {
    let left: Double
    let top: Double
    let right: Double
    let bottom: Double

    init(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    func intersects(_ other: Area) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
}

/// The occupied areas in cells of a grid, because pictures have thousands of nodes.
private struct TakenAreas {
    private static let side = 32.0
    private var cells: [[Int]: [(area: Area, owner: Int)]] = [:]

    mutating func add(_ area: Area, of owner: Int) {
        for cell in Self.cells(of: area) { cells[cell, default: []].append((area, owner)) }
    }

    /// Tells whether an area meets one that is taken by another owner.
    func intersects(_ area: Area, exceptOf owner: Int = -1) -> Bool {
        Self.cells(of: area).contains { cell in
            cells[cell]?.contains { $0.owner != owner && $0.area.intersects(area) } ?? false
        }
    }

    private static func cells(of area: Area) -> [[Int]] {
        func range(_ low: Double, _ high: Double) -> ClosedRange<Int> {
            let first = Int(wholePart: low / side)
            return first...max(first, Int(wholePart: high / side))
        }
        return range(area.left, area.right).flatMap { column in
            range(area.top, area.bottom).map { [column, $0] }
        }
    }
}
