import MeshFiles
package import MeshSimulator
package import MeshWire

/// Collects places in degrees or metres and lays them on one flat map.
package struct Globe {
    /// The places of the nodes that have one in degrees, by node.
    private var points: [(node: Int, point: GeoPoint)] = []
    private var metresLine: Int?
    private var degreesLine: Int?
    /// Metres from the corner of a map: once round the earth, either way.
    package static let metres = -4.1e7...4.1e7

    package init() {}

    /// A note for people on nodes whose coordinates are no place; `nil` without any. Long lists are cut.
    package static func note(misplaced names: [String], isNodeLeftOut: Bool = false) -> String? {
        guard !names.isEmpty else { return nil }
        let nodes = names.count.counted("node")
        let list = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? " and \(names.count - 10) more" : "")
        return isNodeLeftOut
            ? "\(nodes) left out, whose coordinates are no place: \(list)"
            : "\(nodes) left without a place, as the coordinates are none: \(list)"
    }

    /// The place of a node in metres; one in degrees is remembered until all are known.
    mutating func place(_ fields: JSONFields, _ node: Int) throws(FileProblem) -> Place? {
        let x = try fields.number("x", in: Self.metres)
        let y = try fields.number("y", in: Self.metres)
        let latitude = try fields.number("lat", in: GeoPoint.latitudes)
        let longitude = try fields.number("lon", in: GeoPoint.longitudes)
        guard (x == nil) == (y == nil) else {
            throw fields.missing(x == nil ? "x" : "y", "is missing beside the other")
        }
        guard (latitude == nil) == (longitude == nil) else {
            throw fields.missing(latitude == nil ? "lat" : "lon", "is missing beside the other")
        }
        if let latitude, let longitude {
            guard x == nil else { throw fields.problem("x", "a place is in degrees or in metres, not in both") }
            degreesLine = degreesLine ?? fields.line
            add(node, GeoPoint(latitude: latitude, longitude: longitude))
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

    package mutating func add(_ node: Int, _ point: GeoPoint) {
        points.append((node, point))
    }

    /// Gives the nodes with degrees their places, counted from the south-west corner of them all.
    ///
    /// The corner is west of all the others the shorter way round, so places on both sides of 180° east are near.
    package func settle(_ give: (_ node: Int, Place) -> Void) {
        guard let bounds = GeoBounds(points.map(\.point)) else { return }
        for (node, point) in points {
            let (east, north) = bounds.metres(to: point)
            give(node, Place(eastMetres: Int32(nearest: east), northMetres: Int32(nearest: north)))
        }
    }
}
