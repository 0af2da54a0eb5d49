import MeshFiles
import MeshSimulator
import MeshWire
import MeshWorlds

/// The places of nodes in a foreign file, and the names of nodes whose coordinates are no place.
///
/// Such files are collected from what radios send, so a few coordinates are junk in most of them: they cost a node its
/// place and nobody else anything.
struct ImportedPlaces {
    private enum Stated {
        case place(Double, Double)
        case nothing
        case junk
    }

    private var globe = Globe()
    /// The names of nodes whose coordinates are no place, in the order of the file.
    private(set) var misplaced: [String] = []

    /// Adds the place of a node in degrees; returns false when it has none.
    mutating func addDegrees(
        _ node: Int, _ name: String, of fields: JSONFields, _ latitude: String, _ longitude: String
    ) -> Bool {
        switch Self.numbers(fields, latitude, longitude) {
        case .nothing, .place(0, 0): return false
        case .junk: break
        case .place(let north, let east):
            guard let point = GeoPoint(stated: north, east) else { break }
            globe.add(node, point)
            return true
        }
        misplaced.append(name)
        return false
    }

    /// Returns the place of a node in metres; `nil` when it has none.
    mutating func metres(_ name: String, of fields: JSONFields) -> Place? {
        switch Self.numbers(fields, "x", "y") {
        case .nothing: return nil
        case .place(let x, let y) where Globe.metres.contains(x) && Globe.metres.contains(y):
            return Place(eastMetres: Int32(nearest: x), northMetres: Int32(nearest: y))
        case .place, .junk:
            misplaced.append(name)
            return nil
        }
    }

    /// Lays the places in degrees on a flat map.
    func settle(_ network: inout ObservedNetwork) { globe.settle { network.nodes[$0].place = $1 } }

    /// Two members that belong together: both numbers, both absent, or something else.
    private static func numbers(_ fields: JSONFields, _ one: String, _ other: String) -> Stated {
        switch (fields.member(one)?.content, fields.member(other)?.content) {
        case (nil, nil): .nothing
        case (.number(let first), .number(let second)): .place(first, second)
        default: .junk
        }
    }
}
