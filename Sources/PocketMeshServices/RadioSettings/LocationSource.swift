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

    /// Whether radios take it: finite, between the poles, once round.
    public var isValid: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }
}

/// Where the host is, from whatever knows it. There is none unless somebody gives one.
public protocol LocationSource: Sendable {
    /// `nil` while it does not know.
    func currentLocation() async -> GeoPoint?
}
