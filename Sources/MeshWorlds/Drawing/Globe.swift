import MeshFiles
import MeshSimulator
import MeshWire

/// Collects places in degrees or metres and lays them on one flat map.
struct Globe {
    /// Microdegrees of the nodes that have any, by node.
    private var degrees: [(node: Int, latitude: Double, longitude: Double)] = []
    private var metresLine: Int?
    private var degreesLine: Int?
    /// A degree of latitude.
    private static let metresPerDegree = 111_320.0

    /// The place of a node in metres; one in degrees is remembered until all are known.
    mutating func place(_ fields: JSONFields, _ node: Int) throws(FileProblem) -> Place? {
        let x = try fields.number("x", in: -2e7...2e7)
        let y = try fields.number("y", in: -2e7...2e7)
        let latitude = try fields.number("lat", in: -90...90)
        let longitude = try fields.number("lon", in: -180...180)
        guard (x == nil) == (y == nil) else {
            throw fields.missing(x == nil ? "x" : "y", "is missing beside the other")
        }
        guard (latitude == nil) == (longitude == nil) else {
            throw fields.missing(latitude == nil ? "lat" : "lon", "is missing beside the other")
        }
        if let latitude, let longitude {
            guard x == nil else { throw fields.problem("x", "a place is in degrees or in metres, not in both") }
            degreesLine = degreesLine ?? fields.line
            add(node, latitude: latitude, longitude: longitude)
        }
        if x != nil { metresLine = metresLine ?? fields.line }
        if let metresLine, let degreesLine {
            throw FileProblem(
                line: fields.line, field: fields.path,
                reason: "places in metres (line \(metresLine)) and in degrees (line \(degreesLine)) do not mix")
        }
        guard let x, let y else { return nil }
        return Place(eastMetres: Int32(nearest: x), northMetres: Int32(nearest: y))
    }

    mutating func add(_ node: Int, latitude: Double, longitude: Double) {
        degrees.append((node, latitude, longitude))
    }

    /// Gives the nodes with degrees their places, counted from the south-west corner of them all.
    ///
    /// The map is flat: east-west distances are right in its middle. That is well for a region, not for a continent.
    func settle(_ topology: inout Topology) {
        guard let south = degrees.map(\.latitude).min(), let north = degrees.map(\.latitude).max(),
            let west = degrees.map(\.longitude).min()
        else { return }
        let cosine = Circle.point(turns: (south + north) / 2 / 360).cosine
        for entry in degrees {
            topology.nodes[entry.node].place = Place(
                eastMetres: Int32(nearest: (entry.longitude - west) * Self.metresPerDegree * cosine),
                northMetres: Int32(nearest: (entry.latitude - south) * Self.metresPerDegree))
        }
    }
}
