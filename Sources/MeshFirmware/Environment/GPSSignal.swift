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

/// The error of a receiver's position, which wanders evenly within a square around the true place.
public struct GPSDrift: Hashable, Sendable {
    /// The largest error to the north, south, east and west, in millimetres.
    public var millimetres: UInt32
    /// The time from one drawn error to the next; the error goes straight from one to the other.
    public var interval: TimeSpan
    /// The seed of the errors, from which they are hashed: no other numbers change.
    public var seed: Seed

    public init(millimetres: UInt32, interval: TimeSpan = .seconds(60), seed: Seed) {
        self.millimetres = millimetres
        self.interval = interval
        self.seed = seed
    }

    /// The error at a moment as shares of the largest one: to the north and to the east, each −1 to 1.
    fileprivate func shares(at time: Instant) -> (north: Double, east: Double) {
        func share(_ name: String) -> Double {
            let span = max(interval, .milliseconds(1))
            let before = Course.noise(at: time, every: span, seed: seed.part(name))
            let after = Course.noise(at: time + span, every: span, seed: seed.part(name))
            let part = Double(max(time.microseconds, 0) % span.microseconds) / Double(span.microseconds)
            return before + (after - before) * part
        }
        return (share("north"), share("east"))
    }
}

/// A jump of the time that a receiver reports, from a moment on.
public struct GPSClockJump: Hashable, Sendable {
    /// The moment of the jump.
    public var time: Instant
    /// Seconds that the reported time is ahead from then on, beside earlier jumps; below zero for behind.
    public var seconds: Int32

    public init(_ time: Instant, seconds: Int32) {
        self.time = time
        self.seconds = seconds
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
    /// The error of the position; `nil` for none.
    public var drift: GPSDrift?
    /// Jumps of the reported time, in the order of time.
    public var clockJumps: [GPSClockJump] = []

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

    /// Returns the place that the receiver reports: that of the node, and its drift; `nil` without any way point.
    ///
    /// Whole microdegrees and millimetres, truncated from the nearer end.
    public func place(at time: Instant) -> GPSPosition? {
        guard let drift, let place = truePlace(at: time) else { return truePlace(at: time) }
        let shares = drift.shares(at: time)
        let metres = Double(drift.millimetres) / 1000
        let north = metres * shares.north / GeoPoint.metresPerDegree
        // Near a pole a degree of longitude has no length that could be divided by.
        let width = max(Circle.point(turns: place.latitude / 360).cosine, 0.01)
        let east = metres * shares.east / GeoPoint.metresPerDegree / width
        func microdegrees(_ degrees: Double, _ range: ClosedRange<Double>) -> Int32 {
            Int32(nearest: min(max(degrees, range.lowerBound), range.upperBound) * 1_000_000)
        }
        return GPSPosition(
            microdegreesNorth: microdegrees(place.latitude + north, GeoPoint.latitudes),
            east: microdegrees(place.longitude + east, GeoPoint.longitudes),
            millimetres: Int32(nearest: place.altitude * 1000))
    }

    /// Returns the Unix time that the receiver reports; `nil` where it reports none.
    func unixSeconds(at time: Instant) -> UInt32? {
        guard let start = unixSecondsAtStart else { return nil }
        let jumped = clockJumps.reduce(Int32(0)) { $1.time <= time ? $0 &+ $1.seconds : $0 }
        return start &+ UInt32(truncatingIfNeeded: time.milliseconds / 1000) &+ UInt32(bitPattern: jumped)
    }

    private func truePlace(at time: Instant) -> GPSPosition? {
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
