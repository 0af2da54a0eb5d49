public import MeshTime
import MeshWire

/// The power source of a node, which decides what its battery gauge reads, in millivolts from 0 to 65535.
public enum Battery: Hashable, Sendable {
    /// A terminal voltage as given, in millivolts.
    case voltage(Course)
    /// A cell that the node drains and a solar panel charges.
    indirect case cell(BatteryCell)

    /// A voltage that stays.
    public static func millivolts(_ value: UInt16) -> Battery { .voltage(.constant(Double(value))) }

    /// Returns the reading of the gauge at a moment, in millivolts (`getBattMilliVolts`).
    public func millivolts(at time: Instant) -> UInt16 {
        switch self {
        case .voltage(let course):
            return UInt16(wholePart: course.value(at: time))
        case .cell(let cell): return cell.millivolts(at: time)
        }
    }

    /// Returns the earliest moment at which it may read less than that, whatever is sent until then.
    ///
    /// It is `now` where nothing is known, and `.never` for a voltage that stays.
    package func mayFall(below millivolts: UInt16, after now: Instant) -> Instant {
        switch self {
        case .voltage(.constant(let value)): UInt16(wholePart: value) < millivolts ? now : .never
        case .voltage: now
        case .cell(let cell): cell.mayFall(below: millivolts, after: now)
        }
    }

    /// True for a voltage that never changes.
    package var isSteady: Bool { if case .voltage(let course) = self { course.isConstant } else { false } }

    /// Changes the cell; a voltage as given has none.
    package mutating func withCell(_ change: (inout BatteryCell) -> Void) {
        guard case .cell(var cell) = self else { return }
        change(&cell)
        self = .cell(cell)
    }

    /// The cell; `nil` for a voltage as given.
    package var ofCell: BatteryCell? { if case .cell(let cell) = self { cell } else { nil } }
}
