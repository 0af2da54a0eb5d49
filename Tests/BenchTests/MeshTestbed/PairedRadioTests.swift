import MeshBoards
import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

@testable import MeshCompliance

/// A radio of an owner that is reached over Bluetooth alone, on virtual time: only its central side can be seen.
private final class PairedRadio: ComplianceTarget {
    private let board: EmulatorTarget
    private let link: EmulatedController
    private var phone: TestCentral?
    private var phones = 0

    let title = "ble:MeshCore-alice?via=hci0"
    let abilities: Abilities = [.link, .bluetooth, .restart, .emptyContacts]
    let interface = AppLink.bluetooth
    let patience = TimeSpan.seconds(5)
    let silence = TimeSpan.milliseconds(250)
    var virtualTime: Instant? { board.virtualTime }

    init(_ family: Target.Modelled, mutant: Mutant? = nil) throws {
        board = EmulatorTarget(mutant: mutant)
        try board.prepare(Setup(interface: .bluetooth, platform: family.board.platform))
        link = try EmulatedController(
            board, faults: mutant?.bluetoothFaults ?? [], renamesAtOnce: mutant?.renamesAtOnce ?? false, seed: Seed(1))
    }

    func prepare(_ setup: Setup) throws(TargetError) {
        close()
        if setup.interface != .bluetooth { return try connect() }
        if let platform = setup.platform { try central().require(platform) }
    }

    func close() {
        try? phone?.disconnect()
        phone = nil
    }

    /// Another one after each end of a link, which knows no keys.
    func central() throws(TargetError) -> TestCentral {
        if let phone { return phone }
        phones += 1
        let phone = try TestCentral(link, random: .drawn(Seed(1).stream("phone", "\(phones)")))
        self.phone = phone
        return phone
    }

    func connect() throws(TargetError) { try central().begin() }
    func disconnect() { close() }
    func write(_ bytes: [UInt8]) throws(TargetError) { try central().write(framed: bytes) }
    func wait(_ span: TimeSpan) throws(TargetError) { try central().rest(span) }

    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        try central().framedNotification(within: span)
    }

    func reconnectAfterRestart() throws(TargetError) {
        try central().rest(.seconds(10)) { self.board.radio.hasRestarted }
        board.radio.noteRestart()
    }
}

/// The statements on Bluetooth over a link like a real radio's, where nothing but the link can be reached.
struct PairedRadioTests {
    private static func report(
        _ family: Target.Modelled, _ only: String = "19-32", mutant: Mutant? = nil
    ) throws -> ComplianceReport {
        var run = ComplianceRun(target: .emulator, only: Selection(only))
        run.target.allowed = .destructive
        return try run.perform(on: try PairedRadio(family, mutant: mutant))
    }

    @Test(arguments: Target.Modelled.allCases)
    func `a central shows all that is about the radio's chip family, and says of the rest why not`(
        family: Target.Modelled
    ) throws {
        let report = try Self.report(family)
        var reasons: [String: String] = [:]
        for entry in report.entries { if case .notRun(let reason) = entry.verdict { reasons[entry.id] = reason } }

        let (own, others) = family == .bluetoothESP32 ? ("ESP32", "nRF52") : ("nRF52", "ESP32")
        let ofOthers =
            "is about radios with an \(others), and this one advertises like one with an \(own); "
            + "run it with --target emulator"
        #expect(report.broken == 0, "\(report.text(isVerbose: true))")
        #expect(report.entries.allSatisfy { if case .notApplicable = $0.verdict { false } else { true } })
        if family == .bluetoothESP32 {
            #expect(reasons.keys.sorted() == ["CMP-023", "CMP-026", "CMP-028", "CMP-029"])
            #expect(["CMP-023", "CMP-026", "CMP-029"].allSatisfy { reasons[$0] == ofOthers }, "\(reasons)")
        } else {
            #expect(reasons.keys.sorted() == ["CMP-024", "CMP-027", "CMP-028", "CMP-029", "CMP-032"])
            #expect(["CMP-024", "CMP-027", "CMP-032"].allSatisfy { reasons[$0] == ofOthers }, "\(reasons)")
            #expect(reasons["CMP-029"]?.hasPrefix("its listing pauses as it should") == true)
        }
        #expect(reasons["CMP-028"]?.hasPrefix("needs control over time") == true)
    }

    /// Mutants that need several frames at one moment, which this radio does not show.
    private static let unseen = ["ble-queue-unbounded", "ble-queue-of-two"]

    @Test(arguments: Mutant.bluetooth.filter { !unseen.contains($0.name) })
    func `a central notices the fault`(_ mutant: Mutant) throws {
        let only = mutant.statementIDs.joined(separator: ",")
        let isNoticed = Target.Modelled.allCases.contains { family in
            // With some nobody can talk at all, which the run says before it begins.
            guard let report = try? Self.report(family, only, mutant: mutant) else { return true }
            return report.broken > 0
        }

        #expect(isNoticed)
    }
}
