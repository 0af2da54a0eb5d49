public import MeshWire

extension GeoPoint {
    /// Throws `outOfRange` with the first coordinate that does not exist.
    package func check(_ operation: StackError.Operation) throws(StackError) {
        guard !isValid else { return }
        let isLatitude = !GeoPoint.latitudes.contains(latitude)
        throw StackError(operation, .outOfRange(field: isLatitude ? "latitude" : "longitude"))
    }
}

/// A source of the host's location. There is none unless the app sets one.
public protocol LocationSource: Sendable {
    /// `nil` while it does not know.
    func currentLocation() async -> GeoPoint?
}
