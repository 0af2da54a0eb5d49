public import MeshTime
import MeshWire

/// The equipment and the physical environment of a node: battery, processor, GPS and sensor parts.
///
/// It is the same for companion radios, repeaters, room servers and sensors. Every measured value is a ``Course``,
/// a function of the time since the run began. So reading changes nothing, and reading twice gives the same. The
/// driver of the world may set any of it at any time. A new course counts for the whole run, as if it had always
/// been there.
///
/// ```swift
/// var environment = Environment(board: .heltecV3)
/// environment.battery = .cell(BatteryCell(capacity: 2000, panel: 90_000))
/// environment.parts = [.bme280, .ina219]
/// environment.temperature = .day(minimum: -4, maximum: 11, maximumAtHour: 15)
/// environment[.current1] = .constant(-0.25)
/// ```
///
/// A node without parts and GPS holds nothing but its battery and the temperature of its processor. Source:
/// InfrastructureNodes, "Telemetry" and "Telemetry types"; firmware, `SensorManager` and `EnvironmentSensorManager`.
public struct Environment: Hashable, Sendable {
    /// A board's own voltage unless it is steered, in millivolts.
    public var battery: Battery
    /// Of the processor, in degrees Celsius; `nil` where the board cannot measure it.
    public var processorTemperature: Course?
    /// The resolution at which the processor measures its temperature; by the board's platform unless it is changed.
    public var thermometer: Thermometer
    private var box = Box.empty

    /// Makes the environment of a board of this kind: its battery, processor and GPS, and no sensors.
    public init(board: BoardProfile) {
        battery = .millivolts(board.batteryMillivolts)
        processorTemperature = board.mcuTemperatureTenths.map { .constant(Double($0) / 10) }
        thermometer = Thermometer(of: board.platform)
        if board.hasGPS { gps = GPSSignal() }
    }

    // MARK: Steering

    /// The parts found on the sensor bus at boot; none by default.
    public var parts: SensorParts {
        get { fittings.parts }
        set { fittings.parts = newValue }
    }

    /// The course of a quantity, or `nil` for its initial or derived value.
    public subscript(quantity: Quantity) -> Course? {
        get {
            let courses = fittings.courses
            return courses.isEmpty ? nil : courses[Int(quantity.rawValue)]
        }
        set {
            if fittings.courses.isEmpty {
                fittings.courses = Array(repeating: nil, count: Quantity.allCases.count)
            }
            fittings.courses[Int(quantity.rawValue)] = newValue
        }
    }

    /// Of the air, in degrees Celsius, −40 to 85; 20 unless steered.
    public var temperature: Course {
        get { course(of: .temperature) }
        set { self[.temperature] = newValue }
    }

    /// Relative humidity in percent, 0 to 100; 50 unless steered.
    public var humidity: Course {
        get { course(of: .humidity) }
        set { self[.humidity] = newValue }
    }

    /// Of the air, in hectopascals, 300 to 1100; 1013.25 unless steered.
    public var pressure: Course {
        get { course(of: .pressure) }
        set { self[.pressure] = newValue }
    }

    /// The signal at the GPS antenna; `nil` when the node has no receiver. A receiver is found at boot only.
    public var gps: GPSSignal? {
        get { fittings.signal }
        set { fittings.signal = newValue }
    }

    /// True while the board has a supply beside its battery, as a USB cable; an ESP32 cannot tell.
    ///
    /// A cell is charged by it, and feeds nothing.
    public internal(set) var isExternallyPowered: Bool {
        get { box == .empty ? false : fittings.isExternallyPowered }
        set { if newValue != isExternallyPowered { fittings.isExternallyPowered = newValue } }
    }

    /// Connects or disconnects an external supply, from a moment on.
    public mutating func setExternalPower(_ isOn: Bool, at time: Instant) {
        isExternallyPowered = isOn
        battery.withCell { $0.serve($0.demand, isSupplied: isOn, from: time) }
    }

    private func course(of quantity: Quantity) -> Course { self[quantity] ?? .constant(quantity.row.initial ?? 0) }

    // MARK: Reading

    /// Returns the reading of the battery gauge, in millivolts.
    public func batteryMillivolts(at time: Instant) -> UInt16 {
        let reading = battery.millivolts(at: time)
        let scale = gaugeScale
        return scale == 1 ? reading : UInt16(wholePart: Double(reading) * scale)
    }

    /// The gauge's reading for one volt: 1 unless a factor other than the board's own was set (`set adc.multiplier`).
    var gaugeScale: Double {
        get { box == .empty ? 1 : fittings.gaugeScale }
        set { fittings.gaugeScale = newValue }
    }

    /// Returns the processor's reading of its temperature, in degrees Celsius; `nil` when it has no thermometer.
    public func processorDegrees(at time: Instant) -> Double? {
        processorTemperature.map { thermometer.reading(of: $0.value(at: time)) }
    }

    /// Returns the value that a sensor of this quantity measures, in the quantity's unit and within its range.
    public func value(of quantity: Quantity, at time: Instant) -> Double {
        let row = quantity.row
        let value = self[quantity]?.value(at: time) ?? row.initial ?? derived(quantity, at: time)
        // A ranging sensor out of reach says that there is no distance.
        if quantity == .distance, value > row.range.upperBound { return 0 }
        return row.clamped(value)
    }

    private func derived(_ quantity: Quantity, at time: Instant) -> Double {
        switch quantity {
        case .power1: value(of: .voltage1, at: time) * value(of: .current1, at: time)
        case .power2: value(of: .voltage2, at: time) * value(of: .current2, at: time)
        case .power3: value(of: .voltage3, at: time) * value(of: .current3, at: time)
        default: Barometry.altitude(hectopascals: value(of: .pressure, at: time))
        }
    }

    // MARK: GPS

    /// The firmware's side of the receiver.
    var receiver: GPSReceiver {
        get { fittings.receiver }
        set { fittings.receiver = newValue }
    }

    /// Boots the sensor manager: looks for the receiver, and starts it when the settings ask for it.
    ///
    /// - Parameters:
    ///   - interval: seconds between two looks at it, 0 for the firmware's own of one; only companion radios have a
    ///     setting for it that counts.
    ///   - place: the node's position until then.
    mutating func startGPS(isOn: Bool, interval: UInt32 = 0, place: GPSPosition = GPSPosition(), at now: Instant) {
        // Ten thousand repeaters without a receiver need no room for one.
        if gps == nil, place == GPSPosition(), box == .empty { return }
        receiver = GPSReceiver(found: gps != nil, isOn: isOn, interval: interval, place: place, at: now)
    }

    /// Returns the position that the node believes in (`node_lat`, `node_lon`, `node_altitude`).
    public func position(at time: Instant) -> GPSPosition {
        fittings.receiver.place(signal: gps, at: time)
    }

    /// Returns whether the receiver reports a fix; a stopped one keeps reporting what it reported last.
    package func hasFix(at time: Instant) -> Bool { fittings.receiver.hasFix(signal: gps, at: time) }

    /// Overwrites where the node believes to be, until the GPS knows better.
    mutating func setPosition(_ place: GPSPosition, at now: Instant) {
        receiver.setPlace(place, at: now)
    }

    /// The moment at which the GPS wants to set the node's clock; `.never` for a node without one.
    ///
    /// It is held ready, because the node asks after every event.
    public private(set) var gpsClockDue = Instant.never

    /// The Unix time that the GPS sets the clock to, when it is due.
    mutating func takeGPSClock(at now: Instant) -> UInt32? {
        guard now >= gpsClockDue else { return nil }
        return receiver.takeClock(signal: gps, at: now)
    }

    // MARK: Storage

    /// The equipment that most nodes do not have.
    private struct Fittings: Hashable, Sendable {
        var parts = SensorParts()
        /// One for each quantity, or none at all.
        var courses: [Course?] = []
        var signal: GPSSignal?
        var receiver = GPSReceiver()
        var gaugeScale = 1.0
        var isExternallyPowered = false
    }

    /// Keeps it out of the node until there is any.
    private indirect enum Box: Hashable, Sendable {
        case empty
        case full(Fittings)
    }

    private var fittings: Fittings {
        get {
            guard case .full(let fittings) = box else { return Fittings() }
            return fittings
        }
        set {
            box = .full(newValue)
            gpsClockDue = newValue.receiver.clockDue(signal: newValue.signal)
        }
    }
}
