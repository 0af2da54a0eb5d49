import Glibc
import MeshSimulator
import MeshWire

/// Lays places in degrees on a flat map, counted from their south-west corner.
struct DegreePlaces {
    private static let metresPerDegree = 111_320.0
    private var degrees: [(node: Int, latitude: Double, longitude: Double)] = []

    mutating func add(_ node: Int, _ latitude: Double, _ longitude: Double) {
        degrees.append((node, latitude, longitude))
    }

    func settle(_ network: inout ObservedNetwork) {
        let latitudes = degrees.map(\.latitude)
        guard let south = latitudes.min(), let north = latitudes.max(), let west = degrees.map(\.longitude).min()
        else { return }
        let cosine = cos((south + north) / 2 * .pi / 180)
        for entry in degrees {
            network.nodes[entry.node].place = Place(
                eastMetres: Int32(nearest: (entry.longitude - west) * Self.metresPerDegree * cosine),
                northMetres: Int32(nearest: (entry.latitude - south) * Self.metresPerDegree))
        }
    }
}
