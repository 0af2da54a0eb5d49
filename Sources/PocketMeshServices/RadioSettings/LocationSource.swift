/// A place on Earth, in degrees; north and east are positive.
public struct GeoPoint: Hashable, Sendable {
    /// North positive.
    public var latitude: Double
    /// East positive.
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// True when radios accept it: finite, between the poles, once round.
    public var isValid: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }
}

/// A source of the host's location. There is none unless the app sets one.
public protocol LocationSource: Sendable {
    /// `nil` while it does not know.
    func currentLocation() async -> GeoPoint?
}
