public import MeshTime
import MeshWire

/// A place on the earth, in the units of the firmware's sensor manager.
public struct GPSPosition: Hashable, Sendable {
    /// In degrees north, −90 to 90.
    public var latitude: Double
    /// In degrees east, −180 to 180.
    public var longitude: Double
    /// In metres.
    public var altitude: Double

    public init(latitude: Double = 0, longitude: Double = 0, altitude: Double = 0) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }

    /// A place from a receiver's whole numbers: microdegrees and millimetres.
    public init(microdegreesNorth latitude: Int32, east longitude: Int32, millimetres: Int32) {
        self.latitude = CompanionPreferences.degrees(fromMicrodegrees: latitude)
        self.longitude = CompanionPreferences.degrees(fromMicrodegrees: longitude)
        altitude = Double(millimetres) / 1000
    }
}

/// A point of a node's way: where it is at a time.
public struct WayPoint: Hashable, Sendable {
    /// The time at which the node is at this place.
    public var time: Instant
    /// In microdegrees north, −90 000 000 to 90 000 000.
    public var latitude: Int32
    /// In microdegrees east, −180 000 000 to 180 000 000.
    public var longitude: Int32
    /// Altitude in millimetres.
    public var millimetres: Int32

    public init(_ time: Instant = .start, latitude: Int32, longitude: Int32, millimetres: Int32 = 0) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.millimetres = millimetres
    }
}

/// The signal at the antenna of a GPS receiver: a way, and the times without a fix.
public struct GPSSignal: Hashable, Sendable {
    /// The places of the node: straight from point to point in the order of time, and still before the first and
    /// after the last.
    ///
    /// Without any point there is never a fix. Between two points it goes the shorter way round the earth.
    public var way: [WayPoint]
    /// Satellites in view while there is a fix, 0 to 99; without one none are reported.
    public var satellites: UInt8
    /// From switching the receiver on to the first fix.
    public var acquisition: TimeSpan
    /// The periods without a fix, in the order of time.
    public var outages: [Range<Instant>]
    /// Unix seconds when the run began, which the receiver sets the node's clock by; `nil` leaves the clock alone.
    public var unixSecondsAtStart: UInt32?

    public init(
        way: [WayPoint] = [], satellites: UInt8 = 8, acquisition: TimeSpan = .seconds(30),
        outages: [Range<Instant>] = [], unixSecondsAtStart: UInt32? = nil
    ) {
        self.way = way
        self.satellites = satellites
        self.acquisition = acquisition
        self.outages = outages
        self.unixSecondsAtStart = unixSecondsAtStart
    }

    /// Returns the place of the node; `nil` without any way point.
    ///
    /// Whole microdegrees and millimetres, truncated from the nearer end.
    public func place(at time: Instant) -> GPSPosition? {
        guard let last = way.last else { return nil }
        guard let next = way.firstIndex(where: { $0.time > time }) else { return last.place }
        guard next > 0 else { return way[0].place }
        let before = way[next - 1]
        let after = way[next]
        let done = (time - before.time).milliseconds
        let whole = max((after.time - before.time).milliseconds, 1)
        func between(_ first: Int32, _ last: Int32, turned: (Int64) -> Int64 = { $0 }) -> Int32 {
            let leg = turned(Int64(last) - Int64(first))
            let (product, isTooLong) = leg.multipliedReportingOverflow(by: done)
            // A leg of more than 500 years ends at once.
            return isTooLong ? last : Int32(clamping: turned(Int64(first) + product / whole))
        }
        return GPSPosition(
            microdegreesNorth: between(before.latitude, after.latitude),
            east: between(before.longitude, after.longitude, turned: GeoPoint.turned),
            millimetres: between(before.millimetres, after.millimetres))
    }

    /// Returns whether the sky permits a fix, however long the receiver has looked.
    func isClear(at time: Instant) -> Bool {
        !way.isEmpty && !outages.contains { $0.contains(time) }
    }
}

extension WayPoint {
    fileprivate var place: GPSPosition {
        GPSPosition(microdegreesNorth: latitude, east: longitude, millimetres: millimetres)
    }
}
