import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshRadio
import MeshTime

/// The setup of a node before a statement begins.
struct RoleSetup: Sendable {
    /// Left as it has booted: its boot advert is still to come, and its clock shows the time of power-on.
    var isUntouched = false
    /// Just restarted: what the statement sees must not be left in memory from before. A node that is made for the
    /// statement is.
    var isRestarted = false
    /// Changes to the board of a node that is made for the statement.
    var board: (@Sendable (inout BoardProfile) -> Void)?
    /// Changes to what such a node can measure.
    var environment: (@Sendable (inout Environment) -> Void)?
}

/// A repeater, room server or sensor under test, as a tester has it: a console, and an antenna beside it.
///
/// Calls block until they are done. A target on virtual time lets time pass only inside `transmission` and `wait`. What
/// its `abilities` do not promise is never called.
protocol RoleTarget: AnyObject {
    /// The name in reports.
    var title: String { get }
    var abilities: Abilities { get }
    /// The time by the clock that all measured times come from.
    var now: Instant { get }
    /// The largest error of a measured time.
    var precision: TimeSpan { get }
    /// The clock of the node when a statement began, in seconds since 1970.
    var clock: UInt32 { get }
    /// The settings of the node's radio.
    var radio: LoRaParameters { get }
    /// The version that the node tells, as in `v1.17.1`; `nil` where it runs the version that was asked for.
    var versionText: String? { get }
    /// True for a node of somebody's, which is put back at the end.
    ///
    /// It keeps what statements leave, and others may be on its air.
    var keepsState: Bool { get }

    /// Reaches the node; nothing is changed yet.
    func reach() throws(TargetError)
    /// Refuses what cannot be judged, learns what will have to be put back, and sets the node up.
    func takeOver(_ role: ServerRole) throws(ComplianceRun.Problem)
    /// Puts back what the run has changed; what was not put back, a line each.
    func restore() -> [String]
    /// Brings the node to where a statement begins.
    func prepare(_ setup: RoleSetup) throws(TargetError)
    /// Types a line at the console; everything that is printed upon it, echo included.
    func type(_ line: String) throws(TargetError) -> [UInt8]
    /// Puts a frame with a good checksum on the air, after the node's own transmission unless stated otherwise.
    func hear(_ frame: [UInt8], snr: Double, isWaiting: Bool) throws(TargetError)
    /// The next frame that the node has begun to send, as soon as there is one; `nil` when none came in that time.
    func transmission(within span: TimeSpan) throws(TargetError) -> AntennaFrame?
    /// Lets time pass.
    func wait(_ span: TimeSpan) throws(TargetError)
    /// Cuts the power and restores it.
    func cyclePower() throws(TargetError)
    /// While set, another transmitter is on the air, and the node has to wait.
    func holdChannel(_ isBusy: Bool) throws(TargetError)
    /// While set, the chip tells the end of no transmission.
    func holdTransmitter(_ isHeld: Bool) throws(TargetError)
    /// Sets the voltage of the battery.
    func setBattery(millivolts: UInt16) throws(TargetError)
    /// The bytes of a file of the node; `nil` when there is none.
    func file(_ path: String) throws(TargetError) -> [UInt8]?
}

extension RoleTarget {
    var versionText: String? { nil }
    var keepsState: Bool { false }

    func reach() throws(TargetError) {}
    func takeOver(_ role: ServerRole) throws(ComplianceRun.Problem) {}
    func restore() -> [String] { [] }
    func holdTransmitter(_ isHeld: Bool) throws(TargetError) { throw .unsupported("hold its transmitter") }

    /// The reason why something that needs `needs` cannot be done here, with advice; `nil` when it can.
    func reason(against needs: Abilities) -> String? {
        keepsState ? abilities.reasonOnNode(against: needs) : abilities.reasonAgainst(needs)
    }
}

extension Abilities {
    /// The same for a node of somebody's, with advice for that.
    func reasonOnNode(against needs: Abilities) -> String? {
        let others = Self.advice.reduce(self) { $0.union($1.ability) }
        return others.reasonAgainst(needs)
            ?? Self.advice.first { needs.contains($0.ability) && !contains($0.ability) }?.reason
    }

    /// The reasons that are others for a node of somebody's than for a companion radio.
    private static var advice: [(ability: Abilities, reason: String)] {
        [
            (
                .packets,
                "needs packets of the suite's making on the air; name an antenna beside the node with --antenna"
            ),
            (
                .frames,
                "needs frames that are no packets, or longer ones than a companion radio passes on; a KISS modem as "
                    + "--antenna sends them"
            ),
            (.emptyContacts, "needs an empty table of clients; --destructive clears it and puts the clients back"),
            (.restart, "needs a node that has just restarted; run it with --destructive"),
        ]
    }
}

/// A frame that the tester's antenna has received.
struct AntennaFrame: Hashable, Sendable {
    /// The time at which its first symbol was on the air.
    let begin: Instant
    let bytes: [UInt8]
}
