import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshTime

/// The setup of a node before a statement begins.
struct RoleSetup: Sendable {
    /// Left as it has booted: its boot advert is still to come, and its clock shows the time of power-on.
    var isUntouched = false
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
    /// Sets the voltage of the battery.
    func setBattery(millivolts: UInt16) throws(TargetError)
    /// The bytes of a file of the node; `nil` when there is none.
    func file(_ path: String) throws(TargetError) -> [UInt8]?
}

/// A frame that the tester's antenna has received.
struct AntennaFrame: Hashable, Sendable {
    /// The time at which its first symbol was on the air.
    let begin: Instant
    let bytes: [UInt8]
}
