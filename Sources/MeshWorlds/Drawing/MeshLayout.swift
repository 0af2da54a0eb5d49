package import MeshSimulator
import MeshWire

/// The places of a mesh's nodes in a picture, in units of the picture from its upper left corner.
package struct MeshLayout {
    package let points: [(x: Double, y: Double)]
    package let width: Double
    package let height: Double
    package let metresPerUnit: Double?

    static let longestSide = 800.0

    package init(_ topology: Topology) {
        let places = topology.nodes.map(\.place)
        let hasPlaces = !places.isEmpty && places.allSatisfy { $0 != nil }
        let raw: [(x: Double, y: Double)] =
            hasPlaces
            ? places.map { (Double($0?.eastMetres ?? 0), -Double($0?.northMetres ?? 0)) } : Self.spread(topology)
        let (left, right) = (raw.map(\.x).min() ?? 0, raw.map(\.x).max() ?? 0)
        let (top, bottom) = (raw.map(\.y).min() ?? 0, raw.map(\.y).max() ?? 0)
        let extent = max(right - left, bottom - top, 1)
        // Larger meshes get larger pictures, as long as their text can be read on a screen that shows all of it.
        let side = min(Self.longestSide, max(360, 90 * Double(topology.nodes.count).squareRoot() + 100))
        let scale = side / extent
        points = raw.map { (($0.x - left) * scale, ($0.y - top) * scale) }
        width = (right - left) * scale
        height = (bottom - top) * scale
        metresPerUnit = hasPlaces ? 1 / scale : nil
    }

    /// Places for a mesh of which only links are known: linked nodes pull, all others push (Fruchterman, Reingold
    /// 1991).
    ///
    /// Nodes begin on a circle and the steps shrink, so the picture is the same every time. Beyond some hundred nodes
    /// the circle stays, since every step costs the square of their number.
    private static func spread(_ topology: Topology) -> [(x: Double, y: Double)] {
        let count = topology.nodes.count
        var points = (0..<count).map { index in
            let (cosine, sine) = Circle.point(turns: Double(index) / Double(max(1, count)))
            return (x: cosine, y: sine)
        }
        guard (3...400).contains(count) else { return points }
        let wanted = 2 / Double(count).squareRoot()
        for step in 0..<150 {
            var moves = [(x: Double, y: Double)](repeating: (0, 0), count: count)
            func pull(_ one: Int, _ other: Int, _ force: (Double) -> Double) {
                let (dx, dy) = (points[one].x - points[other].x, points[one].y - points[other].y)
                let distance = max(1e-6, (dx * dx + dy * dy).squareRoot())
                let size = force(distance) / distance
                moves[one].x -= dx * size
                moves[one].y -= dy * size
                moves[other].x += dx * size
                moves[other].y += dy * size
            }
            for one in 0..<count { for other in 0..<one { pull(one, other) { -wanted * wanted / $0 } } }
            for link in topology.links { pull(link.from, link.to) { $0 * $0 / wanted } }
            let longest = 0.2 * (1 - Double(step) / 150)
            for index in 0..<count {
                let length = max(1e-9, (moves[index].x * moves[index].x + moves[index].y * moves[index].y).squareRoot())
                let size = min(longest, length) / length
                points[index].x += moves[index].x * size
                points[index].y += moves[index].y * size
            }
        }
        return points
    }
}
