import MeshBoards
import MeshCompanion
import MeshSimulator
import MeshTime
import MeshTransports
import Testing

@testable import MeshCompliance

/// Checks that a radio with an owner is spared unless `--destructive` is given.
struct DestructiveTests {
    @Test func `these are destructive`() {
        let ids = Check.all.filter { !$0.needs.isDisjoint(with: .destructive) }.map(\.id).filter {
            !$0.hasPrefix("conversation/")
        }

        #expect(
            ids == [
                "CMP-031", "CMP-037", "CMP-057", "CMP-067", "CMP-081", "CMP-103", "CMP-157", "CMP-196", "CMP-198",
                "CMP-204", "CMP-205", "CMP-206", "CMP-217", "CMP-233", "CMP-243", "MATRIX-13-longest",
                "MATRIX-33-longest", "MATRIX-03-cut",
            ])
    }

    /// Checks that a radio gets without `--destructive`, whichever way it is reached.
    static let harmless = Check.all.filter { check in
        let addresses: [LinkAddress] = [
            .tcp(host: "radio", port: 5000), .serial(path: "/dev/radio", baud: 115_200),
        ]
        return addresses.contains { address in
            let target = StreamTarget(address)
            target.noteEmptyContacts()
            if check.verdictUntried(on: target) == nil { return true }
            // With a second radio there is more to do.
            let more = target.abilities.union(.packets)
            return check.needs.contains(.packets) && more.reasonAgainst(check.needs) == nil
        }
    }

    /// Looks at the bytes that go to the radio: no list can forget a statement.
    @Test(arguments: harmless)
    func `without being allowed to, nothing restarts, erases or may crash a radio`(_ check: Check) throws {
        let target = SparedTarget(EmulatorTarget())

        let report = try ComplianceRun.onSpared(target, check.id)

        #expect(report.kept == 1, "\(report.text(isVerbose: true))")
        #expect(target.harm == [])
    }

    @Test(arguments: ["CMP-204", "CMP-205", "CMP-196", "CMP-057", "MATRIX-03-cut"])
    func `the one who watches sees harm`(_ id: String) throws {
        let target = SparedTarget(EmulatorTarget())

        _ = try ComplianceRun.onSpared(target, id)

        #expect(!target.harm.isEmpty)
    }
}

extension ComplianceRun {
    static func onSpared(_ target: SparedTarget, _ id: String) throws -> ComplianceReport {
        return try ComplianceRun(target: .emulator, only: Selection(id)).perform(on: target)
    }
}

/// The emulator, and a list of the frames that a user would mind.
final class SparedTarget: ComplianceTarget {
    private let inner: EmulatorTarget
    private var receiver = SerialReceiver()
    private var answers = StreamReader()
    private var keyIsOffered = false
    private(set) var harm: [String] = []

    init(_ inner: EmulatorTarget) {
        self.inner = inner
    }

    var title: String { inner.title }
    var abilities: Abilities { inner.abilities }
    var interface: AppLink { inner.interface }
    var patience: TimeSpan { inner.patience }
    var silence: TimeSpan { inner.silence }

    func write(_ bytes: [UInt8]) throws(TargetError) {
        _ = receiver.append(bytes)
        while let frame = receiver.nextFrame() { look(at: frame) }
        try inner.write(bytes)
    }

    private func look(at frame: [UInt8]) {
        guard let code = frame.first.flatMap(CommandCode.init) else { return }
        let text = [UInt8](frame.dropFirst())
        keyIsOffered = code == .importPrivateKey && frame.count >= 65
        switch code {
        case .reboot where text.starts(with: "reboot".utf8) || text.isEmpty: harm.append("restarts")
        case .factoryReset where text.starts(with: "reset".utf8) || text.isEmpty: harm.append("erases")
        case .setDeviceTime where text.littleEndian > 0xF000_0000: harm.append("sets the clock far ahead")
        case .sendChannelTxtMsg where frame.count < 7: harm.append("may crash")
        default: break
        }
    }

    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        let bytes = try inner.read(within: span)
        answers.append(bytes ?? [])
        while let frame = answers.next() {
            if keyIsOffered, frame == [0] { harm.append("replaces the identity") }
        }
        return bytes
    }

    func prepare(_ setup: Setup) throws(TargetError) { try inner.prepare(setup) }
    func close() { inner.close() }
    func wait(_ span: TimeSpan) throws(TargetError) { try inner.wait(span) }
    func connect() throws(TargetError) { try inner.connect() }
    func disconnect() throws(TargetError) { try inner.disconnect() }
    func reconnectAfterRestart() throws(TargetError) { try inner.reconnectAfterRestart() }
    func powerCycle() throws(TargetError) { try inner.powerCycle() }
    func connectSecondClient() throws(TargetError) -> Bool { try inner.connectSecondClient() }
    func hear(_ frame: [UInt8], snr: Double, rssi: Double) { inner.hear(frame, snr: snr, rssi: rssi) }
    func transmission(within span: TimeSpan) -> [UInt8]? { inner.transmission(within: span) }
    func failStorage(writing: Bool, formatting: Bool) { inner.failStorage(writing: writing, formatting: formatting) }
}
