import MeshBoards
import MeshCompliance
import MeshRadio
import MeshTime
import MeshTransports

/// An antenna beside a node: it puts frames on the air, and reports those that it hears.
protocol RoleAntenna: AnyObject {
    /// The name in reports.
    var title: String { get }
    /// The packets and frames that it can send.
    var abilities: Abilities { get }
    /// The largest error of a time that is measured by it.
    var precision: TimeSpan { get }

    /// Reaches the antenna; nothing is changed yet. Returns its radio's settings, or `nil` for one that is tuned.
    func reach() throws(ComplianceRun.Problem) -> LoRaParameters?
    /// Sets it up for a node with such settings.
    func prepare(for radio: LoRaParameters) throws(TargetError)
    /// Sends a frame, and returns when it has left.
    func send(_ frame: [UInt8]) throws(TargetError)
    /// The next frame that it has heard; `nil` when none waits.
    func heard() throws(TargetError) -> AntennaFrame?
    /// Puts everything back; what was not put back, a line each.
    func restore() -> [String]
}

extension BenchClock {
    /// The largest error of a measured time, where both ends of it are told over a link.
    ///
    /// Some of it is the radio's, and some the wall's.
    var antennaPrecision: TimeSpan { .milliseconds(40) + nodes(.milliseconds(15)) }

    /// The beginning of a frame that was reported when it had ended.
    func begin(of frame: [UInt8], endingAt time: ContinuousClock.Instant, _ airtime: Airtime) -> Instant {
        instant(of: time) - .microseconds(airtime.microseconds(bytes: frame.count))
    }
}

/// A companion radio as antenna.
final class LinkedCompanion: RoleAntenna {
    private let radio: CompanionAntenna
    private let clock: BenchClock
    private var airtime = Airtime(LoRaParameters())

    init(_ address: LinkAddress, _ clock: BenchClock) {
        radio = CompanionAntenna(address)
        self.clock = clock
    }

    var title: String { radio.title }
    var abilities: Abilities { .packets }
    var precision: TimeSpan { clock.antennaPrecision }

    func reach() throws(ComplianceRun.Problem) -> LoRaParameters? { try radio.reach() }

    func prepare(for settings: LoRaParameters) throws(TargetError) {
        airtime = Airtime(settings)
        try radio.prepare()
    }

    func send(_ frame: [UInt8]) throws(TargetError) {
        // It waits for its turn, and then the frame takes its time.
        let span = TimeSpan.seconds(20) + .microseconds(airtime.microseconds(bytes: frame.count))
        try radio.send(frame, within: max(.seconds(5), clock.wall(span)))
    }

    func heard() throws(TargetError) -> AntennaFrame? {
        guard let report = try radio.heard(within: .milliseconds(1)) else { return nil }
        return AntennaFrame(
            begin: clock.begin(of: report.packet, endingAt: report.time, airtime), bytes: report.packet)
    }

    func restore() -> [String] { radio.restore() }
}
