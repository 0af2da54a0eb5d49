import MeshFiles
import MeshFirmware
package import MeshSimulator
import MeshTime
import MeshWire

/// A body as JSON, in the words that a world file has for it.
///
/// Read again it is the same body, apart from the seed of its noise, which belongs to the run.
package struct BodyRecord: Encodable, Sendable {
    private let battery: BatteryRecord?
    private let cutoff: Double?
    private let recovery: Double?
    private let autoShutdown: Double?
    private let supply: SupplyRecord?
    private let gps: GPSRecord?
    private let sensors: [String: [String: CourseRecord]]?
    private let boardTemperature: CourseRecord?
    private let noiseFloor: CourseRecord?

    private enum CodingKeys: String, CodingKey {
        case battery, gps, sensors
        case cutoff = "cutoff_v"
        case recovery = "recovery_v"
        case autoShutdown = "auto_shutdown_v"
        case supply = "external_power"
        case boardTemperature = "board_temperature"
        case noiseFloor = "noise_floor_dbm"
    }

    package init(_ body: NodeBody) {
        let plain = NodeBody()
        battery = body.battery.map(BatteryRecord.init)
        cutoff = body.cutoffMillivolts == plain.cutoffMillivolts ? nil : Double(body.cutoffMillivolts) / 1000
        recovery = body.recoveryMillivolts == plain.recoveryMillivolts ? nil : Double(body.recoveryMillivolts) / 1000
        autoShutdown = body.autoShutdownMillivolts.map { Double($0) / 1000 }
        supply = SupplyRecord(body.supply)
        gps = body.gps.map { GPSRecord($0, body.gpsSettings ?? GPSSettings()) }
        sensors = body.parts.isEmpty ? nil : Self.sensors(body)
        boardTemperature = body.boardTemperature.map { CourseRecord($0) }
        noiseFloor = body.noiseFloor.map { CourseRecord($0) }
    }

    /// Each part with the courses that it is the first to measure.
    private static func sensors(_ body: NodeBody) -> [String: [String: CourseRecord]] {
        var records: [String: [String: CourseRecord]] = [:]
        var left = body.measured
        for part in SensorPart.all where body.parts.isSuperset(of: part.parts) {
            var readings: [String: CourseRecord] = [:]
            for reading in part.readings {
                guard let place = left.firstIndex(where: { $0.quantity == reading.quantity }) else { continue }
                readings[reading.word] = CourseRecord(left.remove(at: place).course)
            }
            records[part.name] = readings
        }
        return records
    }
}

extension NodeBody {
    /// The body as JSON in one line, as a world file has it.
    package var json: String {
        // Numbers and short texts: nothing of it can fail to be encoded.
        (try? BodyRecord(self).jsonText(inOneLine: true)) ?? "{}"
    }
}

/// A value and its course.
private enum CourseRecord: Encodable, Sendable {
    case number(Double)
    case members(Members)

    struct Point: Encodable, Sendable {
        let at: String
        let value: Double

        init(_ point: Course.Point, _ divisor: Double) {
            at = point.time.spelled
            value = point.value / divisor
        }
    }

    struct Members: Encodable, Sendable {
        var value: Double?
        var points: [Point]?
        var steps: [Point]?
        var minimum: Double?
        var maximum: Double?
        var hour: Double?
        var hours: [Double]?
        var noise: Double?
        var noiseInterval: String?

        enum CodingKeys: String, CodingKey {
            case value, points, steps, noise
            case minimum = "min"
            case maximum = "max"
            case hour = "max_at_hour"
            case hours = "by_hour"
            case noiseInterval = "noise_every"
        }
    }

    init(_ course: Course, dividedBy divisor: Double = 1) {
        if case .constant(let value) = course {
            self = .number(value / divisor)
        } else {
            self = .members(Self.members(of: course, divisor))
        }
    }

    private static func members(of course: Course, _ divisor: Double) -> Members {
        var members = Members()
        switch course {
        case .constant(let value): members.value = value / divisor
        case .line(let points): members.points = points.map { Point($0, divisor) }
        case .steps(let first, let points):
            let isStated = points.first?.value == first
            let before = isStated ? [] : [Course.Point(.start, first)]
            members.steps = (before + points).map { Point($0, divisor) }
        case .day(let minimum, let maximum, let hour):
            (members.minimum, members.maximum, members.hour) = (minimum / divisor, maximum / divisor, hour)
        case .hours(let values): members.hours = values.map { $0 / divisor }
        case .noisy(let inner, let amplitude, let interval, _):
            members = Self.members(of: inner, divisor)
            members.noise = (members.noise ?? 0) + amplitude / divisor
            members.noiseInterval = interval.spelled
        }
        return members
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .members(let members): try container.encode(members)
        }
    }
}

private enum BatteryRecord: Encodable, Sendable {
    case voltage(CourseRecord)
    case cell(Cell)

    struct Cell: Encodable, Sendable {
        let capacity: Int
        let charge: Int
        let load: Double
        let sleep: Double?
        let transmit: Double
        let solar: Double
        let sun: [Double]?
        let charger: Double

        enum CodingKeys: String, CodingKey {
            case charge
            case capacity = "capacity_mah"
            case load = "load_ma"
            case sleep = "sleep_ma"
            case transmit = "transmit_ma"
            case solar = "solar_ma"
            case sun = "sun_by_hour"
            case charger = "charger_ma"
        }
    }

    init(_ battery: Battery) {
        switch battery {
        case .voltage(let course): self = .voltage(CourseRecord(course, dividedBy: 1000))
        case .cell(let cell):
            self = .cell(
                Cell(
                    capacity: cell.capacity, charge: cell.chargeMillionths(at: cell.since) / 10_000,
                    load: Double(cell.load) / 1000, sleep: cell.sleepLoad.map { Double($0) / 1000 },
                    transmit: Double(cell.transmitLoad) / 1000, solar: Double(cell.panel) / 1000,
                    sun: cell.sun?.map { Double($0) / 1000 }, charger: Double(cell.charger) / 1000))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .voltage(let course): try container.encode(course)
        case .cell(let cell): try container.encode(cell)
        }
    }
}

private enum SupplyRecord: Encodable, Sendable {
    case always(Bool)
    case turns([Turn])

    struct Turn: Encodable, Sendable {
        let at: String
        let on: Bool
    }

    init?(_ turns: [NodeBody.SupplyTurn]) {
        guard let first = turns.first else { return nil }
        if turns.count == 1, first.time <= .start {
            self = .always(first.isOn)
        } else {
            self = .turns(turns.map { Turn(at: $0.time.spelled, on: $0.isOn) })
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .always(let isOn): try container.encode(isOn)
        case .turns(let turns): try container.encode(turns)
        }
    }
}

private struct GPSRecord: Encodable, Sendable {
    struct Leg: Encodable, Sendable {
        let at: String
        let lat: Double
        let lon: Double
        let altitude: Double

        init(_ point: WayPoint) {
            at = point.time.spelled
            (lat, lon) = (Double(point.latitude) / 1e6, Double(point.longitude) / 1e6)
            altitude = Double(point.millimetres) / 1000
        }
    }

    struct Outage: Encodable, Sendable {
        let at: String
        let length: String?

        enum CodingKeys: String, CodingKey {
            case at
            case length = "for"
        }
    }

    struct Jump: Encodable, Sendable {
        let at: String
        let seconds: Int32
    }

    let way: [Leg]
    let satellites: UInt8
    let acquisition: String
    let outages: [Outage]?
    let drift: Double?
    let driftInterval: String?
    let clock: UInt32?
    let jumps: [Jump]?
    let isOn: Bool
    let advert: String?

    enum CodingKeys: String, CodingKey {
        case way, satellites, acquisition, clock, advert
        case outages = "no_fix"
        case drift = "drift_m"
        case driftInterval = "drift_every"
        case jumps = "clock_jumps"
        case isOn = "on"
    }

    init(_ signal: GPSSignal, _ settings: GPSSettings) {
        way = signal.way.map(Leg.init)
        satellites = signal.satellites
        acquisition = signal.acquisition.spelled
        outages =
            signal.outages.isEmpty
            ? nil
            : signal.outages.map { outage in
                let isOpen = outage.upperBound == .never
                return Outage(
                    at: outage.lowerBound.spelled,
                    length: isOpen ? nil : (outage.upperBound - outage.lowerBound).spelled)
            }
        drift = signal.drift.map { Double($0.millimetres) / 1000 }
        driftInterval = signal.drift?.interval.spelled
        clock = signal.unixSecondsAtStart
        jumps =
            signal.clockJumps.isEmpty
            ? nil : signal.clockJumps.map { Jump(at: $0.time.spelled, seconds: $0.seconds) }
        isOn = settings.isOn
        advert = settings.advertises?.word
    }
}

extension TimeSpan {
    /// As files have it: whole seconds or milliseconds, the nearest ones.
    fileprivate var spelled: String {
        let milliseconds = (max(microseconds, 0) + 500) / 1000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}

extension Instant {
    /// The time since the run began, as files have it.
    fileprivate var spelled: String { (self - .start).spelled }
}
