import MeshBoards
import MeshCompliance
import MeshFirmware
import MeshRadio
import MeshTime
import MeshWire

@testable import MeshRoleCompliance

/// An emulated node of somebody's, behind a console and with an antenna beside it, both in memory and on virtual time.
final class NodeInMemory: ConsoleLink, RoleAntenna {
    let node: EmulatedRoleTarget
    let title = "memory"
    let slice = TimeSpan.seconds(3600)
    let quiet = TimeSpan.milliseconds(5)
    var abilities: Abilities = .packets
    let precision = TimeSpan.milliseconds(2)

    /// The settings of the antenna's radio; `nil` for one that is tuned.
    var settings: LoRaParameters? = LoRaParameters()
    /// False for an antenna out of the node's range.
    var isInRange = true
    /// Lines after which nobody answers any more.
    var linesLeft = Int.max
    /// Frames after which the antenna is gone.
    var framesLeft = Int.max
    /// An answer to somebody else's line, which comes when the link is opened, after a while.
    var staleAnswer = ""
    /// Text that the node prints between echo and answer, and behind each answer.
    var noise = ""
    /// The lines that were typed.
    private(set) var typed: [String] = []
    private(set) var isAntennaPrepared = false
    private(set) var isAntennaRestored = false
    private var line: [UInt8] = []
    private var output: [UInt8] = []
    private var stale: [UInt8] = []
    private var frames: [AntennaFrame] = []
    private var isOpen = false

    /// A node that has booted and was then told some lines by its owner.
    init(_ role: ServerRole, told lines: [String] = []) throws {
        node = EmulatedRoleTarget(role)
        try node.prepare(RoleSetup(isUntouched: true))
        for line in lines { _ = try node.type(line) }
        try node.wait(.seconds(30))
        while try node.transmission(within: .zero) != nil {}
    }

    /// The answer of the node to its owner.
    func answer(_ line: String) throws -> String { ConsoleText.answer(in: try node.type(line)) }

    /// The node as a target of the suite.
    func target(password: String = "password", allowing allowed: Abilities = []) -> LinkedRoleTarget {
        LinkedRoleTarget(self, antenna: self, password: password, allowing: allowed)
    }

    // MARK: Console

    var now: Instant { node.now }

    func open() throws(TargetError) {
        guard linesLeft > 0 else { throw .unreachable("nobody is there") }
        isOpen = true
        output = []
        stale = [UInt8](staleAnswer.utf8)
    }

    func close() { isOpen = false }

    func pause() { try? node.wait(.milliseconds(200)) }

    func write(_ bytes: [UInt8]) throws(TargetError) {
        guard isOpen else { throw .linkLost("not connected") }
        for byte in bytes {
            guard byte == UInt8(ascii: "\r") else {
                line.append(byte)
                continue
            }
            let text = line.text
            line = []
            guard linesLeft > 0 else { continue }
            linesLeft -= 1
            typed.append(text)
            output += try printed(by: text)
        }
    }

    private func printed(by line: String) throws(TargetError) -> [UInt8] {
        let bytes = try node.type(line)
        guard !noise.isEmpty, let place = bytes.text.firstRange(of: ConsoleText.mark) else { return bytes }
        let text = bytes.text
        return [UInt8]((text[..<place.lowerBound] + noise + text[place.lowerBound...] + noise).utf8)
    }

    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        guard isOpen else { throw .linkLost("not connected") }
        if span > .zero, !stale.isEmpty {
            defer { stale = [] }
            return stale
        }
        if output.isEmpty, let frame = try node.transmission(within: max(span, .zero)) { frames.append(frame) }
        defer { output = [] }
        return output.isEmpty ? nil : output
    }

    // MARK: Antenna

    func reach() throws(ComplianceRun.Problem) -> LoRaParameters? { settings }

    func prepare(for radio: LoRaParameters) throws(TargetError) { isAntennaPrepared = true }

    func send(_ frame: [UInt8]) throws(TargetError) {
        guard framesLeft > 0 else { throw .peerLost("the antenna has no power") }
        framesLeft -= 1
        if isInRange { try node.hear(frame, snr: 8, isWaiting: true) }
    }

    func heard() throws(TargetError) -> AntennaFrame? {
        // One that is not set up, or has gone, cannot be listened to.
        guard isAntennaPrepared, framesLeft > 0 else { throw .peerLost("the antenna has no power") }
        defer { if !isInRange { frames = [] } }
        return frames.isEmpty || !isInRange ? nil : frames.removeFirst()
    }

    func restore() -> [String] {
        isAntennaRestored = true
        return []
    }
}
