import MeshBoards
import MeshFirmware
import MeshSimulator
import MeshTime

/// The setup of the radio before a statement begins.
struct Setup: Sendable {
    /// The interface that the statement is about; the target picks one when `nil`.
    var interface: AppLink?
    /// A second interface that the radio has at the same time, for another app.
    var further: AppLink?
    /// Changes to the board of a radio that is made for the statement.
    var board: (@Sendable (inout BoardProfile) -> Void)?
    /// The chip family that the statement is about: a radio that is made for it has that, and another one may.
    var platform: BoardPlatform?

    /// True when the client leaves: a radio that is made for the statement has a link whose end it notices.
    var isAboutLeaving = false

    /// The board that the statement wants, made from what the target has.
    func board(from base: BoardProfile) -> BoardProfile {
        var board =
            switch platform {
            case .nrf52: Target.Modelled.bluetoothNRF52.board
            case .esp32: Target.Modelled.bluetoothESP32.board
            case .other, nil: base
            }
        board.firmware = base.firmware
        self.board?(&board)
        return board
    }
}

/// A radio under test, as one client sees it: bytes in, bytes out, one thing after the other.
///
/// Calls block until they are done; a target on virtual time lets time pass only inside `read` and `wait`. The second
/// half of the requirements is for targets whose `abilities` promise it, and is never called on others.
protocol ComplianceTarget: AnyObject {
    /// The name in reports.
    var title: String { get }
    var abilities: Abilities { get }
    /// The interface that the client uses at the moment.
    var interface: AppLink { get }
    /// The build of a radio that is made for the run: capacities and parts that a board may choose.
    var board: BoardProfile? { get }
    /// The time that an answer may need.
    var patience: TimeSpan { get }
    /// The time without a frame that counts as silence.
    var silence: TimeSpan { get }
    /// The reason why nothing comes, where the target knows one other than a silent radio.
    var linkProblem: String? { get }
    /// Tells whether the radio may not be told to send: it has no antenna, or the air is another's.
    var isSilent: Bool { get }
    /// Tells whether the radio has restarted and the statement did not wait for it.
    var hasRestarted: Bool { get }
    /// The reason why a statement that seems broken was not shown: the link hides its subject.
    var hidden: String? { get }
    /// The radio's time; `nil` where it is the time of the world.
    var virtualTime: Instant? { get }
    /// All packets that the radio sent since `prepare`, looked at or not, where they are known.
    var airLog: [HeldRadio.Transmission] { get }

    /// Brings radio and link to where a statement starts.
    func prepare(_ setup: Setup) throws(TargetError)
    /// Ends the link for good.
    func close()

    func write(_ bytes: [UInt8]) throws(TargetError)
    /// Bytes of the radio as soon as there are any; `nil` when nothing came in that time.
    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]?
    /// Lets time pass without reading.
    func wait(_ span: TimeSpan) throws(TargetError)

    // MARK: Link and power

    func connect() throws(TargetError)
    func disconnect() throws(TargetError)
    /// Waits until the radio has restarted by itself, and connects again.
    func reconnectAfterRestart() throws(TargetError)
    /// Cuts the power, restores it, and connects again.
    func powerCycle() throws(TargetError)
    /// Opens a second connection; true when the first one is closed by that.
    func connectSecondClient() throws(TargetError) -> Bool
    /// The second interface of the radio as a target of its own, with an app connected.
    func secondApp() throws(TargetError) -> any ComplianceTarget

    // MARK: Bluetooth

    /// The suite as the radio's Bluetooth central, not yet connected. From then on `write` and `read` go over its link.
    func central() throws(TargetError) -> TestCentral

    // MARK: Air and storage

    /// Has the radio receive a frame with a good checksum.
    func hear(_ frame: [UInt8], snr: Double, rssi: Double) throws(TargetError)
    /// The next frame that the radio has begun to send, as soon as there is one.
    func transmission(within span: TimeSpan) throws(TargetError) -> [UInt8]?
    func failStorage(writing: Bool, formatting: Bool) throws(TargetError)
}

extension ComplianceTarget {
    var board: BoardProfile? { nil }
    var linkProblem: String? { nil }
    var isSilent: Bool { false }
    var hasRestarted: Bool { false }
    var hidden: String? { nil }
    var virtualTime: Instant? { nil }
    var airLog: [HeldRadio.Transmission] { [] }

    func reconnectAfterRestart() throws(TargetError) { throw .unsupported("restart the radio") }
    func powerCycle() throws(TargetError) { throw .unsupported("cut the power") }
    func connectSecondClient() throws(TargetError) -> Bool { throw .unsupported("connect twice") }
    func secondApp() throws(TargetError) -> any ComplianceTarget { throw .unsupported("reach two interfaces at once") }
    func central() throws(TargetError) -> TestCentral { throw .unsupported("speak Bluetooth") }
    func hear(_ frame: [UInt8], snr: Double, rssi: Double) throws(TargetError) { throw .unsupported("reach the air") }
    func transmission(within span: TimeSpan) throws(TargetError) -> [UInt8]? { throw .unsupported("watch the air") }
    func failStorage(writing: Bool, formatting: Bool) throws(TargetError) { throw .unsupported("reach the storage") }
}
