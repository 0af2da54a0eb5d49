/// A place on the earth, in degrees; north and east are positive.
///
/// The judgement of coordinates stands here alone: `isValid` for those that somebody enters, `init(stated:_:)` for
/// those that a node states. The distance of two places does, too.
public struct GeoPoint: Hashable, Sendable {
    /// Degrees north of the equator, −90 to 90.
    public var latitude: Double
    /// Degrees east of Greenwich, −180 to 180.
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The latitudes that exist, in degrees.
    package static let latitudes = -90.0...90.0
    /// The longitudes that exist, in degrees.
    package static let longitudes = -180.0...180.0
    /// The latitudes that exist, in millionths of a degree, as radios send them.
    @usableFromInline package static let latitudeMicrodegrees: ClosedRange<Int32> = -90_000_000...90_000_000
    /// The longitudes that exist, in millionths of a degree.
    @usableFromInline package static let longitudeMicrodegrees: ClosedRange<Int32> = -180_000_000...180_000_000
    /// A degree of latitude, or of longitude at the equator.
    package static let metresPerDegree = 111_320.0

    /// True when radios accept it: both numbers are finite and exist on the earth.
    public var isValid: Bool { Self.latitudes.contains(latitude) && Self.longitudes.contains(longitude) }

    /// The place that a node states; `nil` for coordinates that are no place, and for 0, 0.
    package init?(stated latitude: Double, _ longitude: Double) {
        self.init(latitude: latitude, longitude: longitude)
        guard isValid, latitude != 0 || longitude != 0 else { return nil }
    }

    /// The same from millionths of a degree, as radios send them.
    package init?(microdegrees latitude: Int32, _ longitude: Int32) {
        self.init(stated: Double(latitude) / 1e6, Double(longitude) / 1e6)
    }

    /// Latitude and longitude in millionths of a degree; `nil` for coordinates that are no place.
    package var microdegrees: (latitude: Int32, longitude: Int32)? {
        isValid ? (Int32(nearest: latitude * 1e6), Int32(nearest: longitude * 1e6)) : nil
    }

    /// The same longitude, or difference of longitudes, within −180 to 180 degrees; in millionths, off by one turn at
    /// most.
    package static func turned(microdegrees: Int64) -> Int64 {
        let half = Int64(longitudeMicrodegrees.upperBound)
        return microdegrees > half
            ? microdegrees - 2 * half : microdegrees < -half ? microdegrees + 2 * half : microdegrees
    }

    /// The distance in metres on a sphere, the shorter way round.
    package func metres(to other: GeoPoint) -> Double {
        func half(_ degrees: Double) -> Double {
            let sine = Circle.point(turns: degrees / 720).sine
            return sine * sine
        }
        func cosine(_ degrees: Double) -> Double { Circle.point(turns: degrees / 360).cosine }
        let wanted =
            half(other.latitude - latitude)
            + cosine(latitude) * cosine(other.latitude) * half(other.longitude - longitude)
        // The angle whose half has this square of a sine. Halving finds it without a root or an inverse, which the
        // layers below the worlds do not have.
        var (low, high) = (0.0, 180.0)
        for _ in 0..<56 {
            let middle = (low + high) / 2
            if half(middle) < wanted { low = middle } else { high = middle }
        }
        return low * Self.metresPerDegree
    }
}
