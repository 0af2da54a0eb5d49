import MeshPacket
import MeshWire
import PocketMeshServices

/// Numbers as people read them.
public enum Measures {
    /// A signal-to-noise ratio in decibels.
    public static func snr(_ decibels: Double) -> String { "\(Texts.number(decibels.fixed(atMost: 2))) dB" }

    /// A time, of milliseconds.
    static func seconds(milliseconds: UInt32) -> String {
        milliseconds < 1000 ? "\(milliseconds) ms" : "\(units(ofThousandths: Int(milliseconds), digits: 1)) s"
    }

    /// A time in its two largest units.
    public static func duration(seconds: UInt32) -> String {
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60)
        if days > 0 { return "\(days) d \(hours) h" }
        if hours > 0 { return "\(hours) h \(minutes) min" }
        return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
    }

    /// A span of time in its largest unit, rounded down: minutes, hours, days or years.
    public static func span(seconds: Int) -> String {
        let (minutes, hours, days, years) = (seconds / 60, seconds / 3600, seconds / 86_400, seconds / 31_556_952)
        if years > 0 { return Texts.counted(years, .spanYears) }
        if days > 0 { return Texts.counted(days, .spanDays) }
        return hours > 0 ? Texts.string(.spanHours, "\(hours)") : Texts.string(.spanMinutes, "\(minutes)")
    }

    /// The sentence about a node's clock that is wrong; `nil` for a lead within the tolerance of two minutes.
    static func clock(lead seconds: Int) -> String? {
        guard abs(seconds) > 120 else { return nil }
        return Texts.string(seconds < 0 ? .clockBehind : .clockAhead, span(seconds: abs(seconds)))
    }

    /// A voltage, of millivolts.
    static func volts(_ millivolts: Int) -> String { "\(units(ofThousandths: millivolts, digits: 2)) V" }

    /// Returns the charge of a lithium cell, in percent: 3.0 V is empty and 4.2 V full.
    ///
    /// A straight line, as the firmware's own display draws it; nothing better follows from the voltage alone.
    public static func batteryPercent(millivolts: Int) -> Int { min(100, max(0, (millivolts - 3000) * 100 / 1200)) }

    /// Bytes in hex.
    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns the text about a message's route: direct, over some hops, or flooded.
    public static func route(pathLength: UInt8) -> String {
        guard pathLength != 0xFF else { return Texts.string(.routeDirect) }
        return Texts.counted(PathLength(rawValue: pathLength).hopCount, .routeHops)
    }

    /// The way to a contact.
    package static func route(to contact: ContactDTO) -> String {
        switch contact.routing {
        case .unknown: Texts.string(.routeFlood)
        case .path(_, let hops):
            switch hops {
            case 0: Texts.string(.routeDirect)
            default: Texts.counted(hops, .routeHops)
            }
        }
    }

    /// Thousandths as a number of whole units with one or two digits after the point at most, half to even.
    private static func units(ofThousandths number: Int, digits: Int) -> String {
        let step = digits == 1 ? 100 : 10
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: step)
        let isUp = 2 * abs(rest) > step || 2 * abs(rest) == step && quotient % 2 != 0
        return Texts.number(
            (Double(quotient + (isUp ? number.signum() : 0)) * Double(step) / 1000).fixed(atMost: digits))
    }
}
