import MeshFiles
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire

/// The member `gps` of a body: where the receiver is, when it has no fix, its drift and its clock.
struct GPSFields {
    /// Altitudes that receivers report, in metres.
    private static let altitudes = -1000.0...50_000.0
    private static let most = CourseFields.mostPoints

    /// The place of the node, where its file states one.
    let place: GeoPoint?
    let start: Instant
    let seed: Seed

    func read(_ body: JSONFields, into result: inout NodeBody) throws(FileProblem) {
        guard let value = body.member("gps") else { return }
        if case .bool(let isThere) = value.content {
            guard isThere else {
                (result.gps, result.gpsSettings) = (nil, nil)
                return
            }
            guard let (latitude, longitude) = place?.microdegrees else {
                throw body.problem("gps", "has no place: give it lat and lon, as the node has none in degrees")
            }
            result.gps = GPSSignal(way: [WayPoint(start, latitude: latitude, longitude: longitude)])
            result.gpsSettings = GPSSettings()
            return
        }
        let fields = try JSONFields(value, at: body.path("gps"))
        try fields.allow([
            "lat", "lon", "altitude", "way", "satellites", "acquisition", "fix", "no_fix", "drift_m", "drift_every",
            "clock", "clock_jumps", "on", "advert",
        ])
        var signal = result.gps ?? GPSSignal()
        try readWay(fields, &signal)
        if let count = try fields.integer("satellites", in: UInt8(0)...99) { signal.satellites = count }
        if let span = try fields.span("acquisition") { signal.acquisition = span }
        try readOutages(fields, &signal)
        try readDrift(fields, &signal)
        try readClock(fields, &signal)
        result.gps = signal
        var settings = result.gpsSettings ?? GPSSettings()
        if let isOn = try fields.bool("on") { settings.isOn = isOn }
        if let word = try fields.string("advert") {
            guard let policy = AdvertLocationPolicy.allCases.first(where: { $0.word == word }) else {
                throw fields.problem("advert", "must be none, share or prefs")
            }
            settings.advertises = policy
        }
        result.gpsSettings = settings
    }

    // MARK: Place

    private func readWay(_ fields: JSONFields, _ signal: inout GPSSignal) throws(FileProblem) {
        let own = try point(fields, at: start)
        if let list = try fields.list("way") {
            guard list.count <= Self.most else { throw fields.problem("way", "has more than \(Self.most) points") }
            signal.way = own.map { [$0] } ?? []
            for (index, value) in list.enumerated() {
                let leg = try JSONFields(value, at: "\(fields.path("way"))[\(index)]")
                try leg.allow(["at", "lat", "lon", "altitude"])
                guard let point = try point(leg, at: start + (try leg.span("at") ?? .zero)) else {
                    throw leg.missing("lat")
                }
                if let last = signal.way.last, point.time <= last.time {
                    throw leg.problem("at", "must be later than that of the point before")
                }
                signal.way.append(point)
            }
        } else if own != nil || signal.way.isEmpty {
            signal.way = try way(at: own, fields)
        }
    }

    /// A way of one point: that of the receiver, else that of the node.
    private func way(at own: WayPoint?, _ fields: JSONFields) throws(FileProblem) -> [WayPoint] {
        if let own { return [own] }
        if let (latitude, longitude) = place?.microdegrees {
            return [WayPoint(start, latitude: latitude, longitude: longitude)]
        }
        guard try fields.bool("fix") == false else {
            throw fields.missing("lat", "is missing: neither the GPS nor the node has a place in degrees")
        }
        return [WayPoint(start, latitude: 0, longitude: 0)]
    }

    private func point(_ fields: JSONFields, at time: Instant) throws(FileProblem) -> WayPoint? {
        let latitude = try fields.number("lat", in: GeoPoint.latitudes)
        let longitude = try fields.number("lon", in: GeoPoint.longitudes)
        let altitude = try fields.number("altitude", in: Self.altitudes) ?? 0
        guard (latitude == nil) == (longitude == nil) else {
            throw fields.missing(latitude == nil ? "lat" : "lon", "is missing beside the other")
        }
        guard let latitude, let longitude else { return nil }
        return WayPoint(
            time, latitude: Int32(nearest: latitude * 1e6), longitude: Int32(nearest: longitude * 1e6),
            millimetres: Int32(nearest: altitude * 1000))
    }

    // MARK: Fix, drift and clock

    private func readOutages(_ fields: JSONFields, _ signal: inout GPSSignal) throws(FileProblem) {
        if let hasFix = try fields.bool("fix") {
            guard fields.member("no_fix") == nil else {
                throw fields.problem("no_fix", "says when there is no fix: leave \"fix\" out")
            }
            signal.outages = hasFix ? [] : [start..<Instant.never]
        }
        guard let list = try fields.list("no_fix") else { return }
        guard list.count <= Self.most else { throw fields.problem("no_fix", "has more than \(Self.most) times") }
        signal.outages = []
        for (index, value) in list.enumerated() {
            let outage = try JSONFields(value, at: "\(fields.path("no_fix"))[\(index)]")
            try outage.allow(["at", "for"])
            let begin = start + (try outage.span("at") ?? .zero)
            let span = try outage.span("for")
            if let span, span <= .zero { throw outage.problem("for", "must be longer than nothing") }
            if let last = signal.outages.last, begin < last.upperBound {
                throw outage.problem("at", "must be later than the end of the time before")
            }
            signal.outages.append(begin..<(span.map { begin + $0 } ?? .never))
        }
    }

    private func readDrift(_ fields: JSONFields, _ signal: inout GPSSignal) throws(FileProblem) {
        let metres = try fields.number("drift_m", in: 0...100_000)
        let interval = try fields.span("drift_every")
        if let interval, interval < .milliseconds(1) {
            throw fields.problem("drift_every", "must be longer than nothing")
        }
        guard metres != nil || signal.drift != nil else {
            if interval != nil { throw fields.missing("drift_m") }
            return
        }
        var drift = signal.drift ?? GPSDrift(millimetres: 0, seed: seed)
        if let metres { drift.millimetres = UInt32(nearest: metres * 1000) }
        if let interval { drift.interval = interval }
        signal.drift = drift.millimetres > 0 ? drift : nil
    }

    private func readClock(_ fields: JSONFields, _ signal: inout GPSSignal) throws(FileProblem) {
        switch fields.member("clock")?.content {
        case nil: break
        case .bool(false): signal.unixSecondsAtStart = nil
        default:
            guard let seconds = try fields.integer("clock", in: UInt32(0)...UInt32.max) else { break }
            // The signal counts from the beginning of the run.
            signal.unixSecondsAtStart = seconds &- UInt32(truncatingIfNeeded: start.milliseconds / 1000)
        }
        guard let list = try fields.list("clock_jumps") else { return }
        guard signal.unixSecondsAtStart != nil else {
            throw fields.problem("clock_jumps", "need a clock: state \"clock\", the Unix seconds of the beginning")
        }
        guard list.count <= Self.most else { throw fields.problem("clock_jumps", "are more than \(Self.most)") }
        signal.clockJumps = []
        for (index, value) in list.enumerated() {
            let jump = try JSONFields(value, at: "\(fields.path("clock_jumps"))[\(index)]")
            try jump.allow(["at", "seconds"])
            guard let seconds = try jump.integer("seconds", in: Int32.min...Int32.max) else {
                throw jump.missing("seconds")
            }
            let time = start + (try jump.span("at") ?? .zero)
            if let last = signal.clockJumps.last, time <= last.time {
                throw jump.problem("at", "must be later than that of the jump before")
            }
            signal.clockJumps.append(GPSClockJump(time, seconds: seconds))
        }
    }
}
