public import MeshFirmware
public import MeshTime

/// The body of a node: what feeds it, what it measures, where it is, and how noisy its place is.
///
/// A node without one has the battery and the temperature of its board, and the noise floor of the air. What a body
/// does not state is the same.
public struct NodeBody: Hashable, Sendable {
    /// An external supply that is connected or disconnected.
    public struct SupplyTurn: Hashable, Sendable {
        /// The moment from which it holds.
        public var time: Instant
        /// True when there is a supply from then on.
        public var isOn: Bool

        public init(_ time: Instant = .start, isOn: Bool) {
            self.time = time
            self.isOn = isOn
        }
    }

    /// A quantity around the node, with its course.
    public struct Measured: Hashable, Sendable {
        /// The quantity that sensors measure.
        public var quantity: Quantity
        /// Its values, in the quantity's unit.
        public var course: Course

        public init(_ quantity: Quantity, _ course: Course) {
            self.quantity = quantity
            self.course = course
        }
    }

    /// The battery; a voltage that stays, the board's own, when `nil`.
    public var battery: Battery?
    /// Below this voltage of the battery the board has no power, in millivolts; a cell has none when it is empty, too.
    ///
    /// The firmware knows nothing of it: regulators and the circuit that protects a cell decide. 3000 is an
    /// assumption.
    public var cutoffMillivolts: UInt16 = 3000
    /// From this voltage on a board that had no power has it again, in millivolts.
    ///
    /// A cell that is charged recovers before it can feed a board. 3500 is an assumption, some 7 % of a cell.
    public var recoveryMillivolts: UInt16 = 3500
    /// Voltage below which a companion radio switches itself off, in millivolts; 0 for a build that does not, and the
    /// board's own when `nil`.
    public var autoShutdownMillivolts: UInt16?
    /// The external supply over the run, in the order of time; there is none before the first.
    public var supply: [SupplyTurn] = []
    /// The signal at the GPS antenna; `nil` for the board's own, which has a receiver without a fix, or none.
    public var gps: GPSSignal?
    /// The settings of the GPS that the node has from its owner; those of the factory when `nil`.
    public var gpsSettings: GPSSettings?
    /// The sensor parts that are found at boot.
    public var parts = SensorParts()
    /// The quantities that have a course; no quantity twice.
    public var measured: [Measured] = []
    /// The temperature of the processor, in degrees Celsius; the board's own when `nil`.
    public var boardTemperature: Course?
    /// The noise floor at the antenna, in dBm; that of the air when `nil`.
    ///
    /// The node reports it, and the signal-to-noise ratio of what it receives is lower by as much as it is above that
    /// of the air.
    public var noiseFloor: Course?

    /// A body that states nothing.
    public init() {}

    /// The environment of a board with this body.
    func environment(of board: BoardProfile) -> Environment {
        var environment = Environment(board: board)
        apply(to: &environment)
        return environment
    }

    /// Gives an environment what the body states; the rest stays.
    func apply(to environment: inout Environment) {
        if let battery { environment.battery = battery }
        if let gps { environment.gps = gps }
        if let boardTemperature { environment.processorTemperature = boardTemperature }
        if !parts.isEmpty || !environment.parts.isEmpty { environment.parts = parts }
        for entry in measured { environment[entry.quantity] = entry.course }
    }

    /// Returns whether there is an external supply at a moment.
    func isSupplied(at time: Instant) -> Bool { supply.last { $0.time <= time }?.isOn ?? false }

    /// True for a battery that feeds no board at this moment.
    func isExhausted(_ battery: Battery, at time: Instant) -> Bool {
        if let cell = battery.ofCell, cell.chargeMillionths(at: time) == 0 { return true }
        return battery.millivolts(at: time) < cutoffMillivolts
    }

    /// True for a battery that feeds a board again.
    func hasRecovered(_ battery: Battery, at time: Instant) -> Bool {
        !isExhausted(battery, at: time) && battery.millivolts(at: time) >= recoveryMillivolts
    }

    /// The voltage above which the battery is not exhausted: that of a cell with next to nothing in it.
    func safeMillivolts(_ battery: Battery) -> UInt16 {
        battery.ofCell == nil ? cutoffMillivolts : max(cutoffMillivolts, BatteryCell.emptyMillivolts + 1)
    }
}

/// The reason for which a board with a body is without power.
public enum PowerOutage: String, Hashable, Sendable {
    /// The battery is empty, and there is no external supply.
    case emptyBattery = "battery empty"
    /// The board has found its battery too low for a start (`PWRMGT_VOLTAGE_BOOTLOCK`), and sleeps until it is charged.
    case bootLock = "voltage too low to start"
    /// The firmware has switched the board off: at a low battery, or by a command.
    case switchedOff = "switched off"
}

extension NodeDescription {
    /// The node with the settings that its body brings.
    func embodied() -> NodeDescription {
        guard let body else { return self }
        var node = self
        if let lowest = body.autoShutdownMillivolts { node.board.autoShutdownMillivolts = lowest > 0 ? lowest : nil }
        if case .server(let role) = node.role {
            var setup = node.setup ?? ServerSetup(role, board: node.board)
            body.apply(to: &setup.environment)
            if let gps = body.gpsSettings { setup.set(gps) }
            node.setup = setup
        }
        return node
    }
}
