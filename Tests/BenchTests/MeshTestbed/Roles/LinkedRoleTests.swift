import MeshBoards
import MeshCompliance
import MeshFirmware
import MeshRadio
import MeshTime
import MeshWire
import Testing

@testable import MeshRoleCompliance

/// Nodes of somebody's: the suite asks them by console and antenna, and leaves them as they were.
@Suite struct LinkedRoleTests {
    /// The settings of an owner, which no statement expects.
    private static let owned = [
        "set name Hill", "set lat 48.117312", "set lon -0.1278", "set txdelay 0.7", "set advert.interval 120",
        "set flood.advert.interval 12", "set flood.max 20", "set path.hash.mode 2", "set guest.password visitor",
        "set owner.info Ann|ann@example.org", "gps advert none", "password secret",
    ]
    private static let regions = [
        "region put eu", "region put west eu", "region denyf west", "region denyf *", "region home eu",
        "region default eu", "region save",
    ]
    private static let client = "setperm \(Peer(number: 900).key.hex) 3"

    /// The answers by which an owner would see that a node is as it was.
    private func state(of memory: NodeInMemory) throws -> [String] {
        let lines = ConsoleRecord.names.map { "get \($0)" } + ["gps advert", "region", "region home", "region default"]
        let answers = try lines.map { "\($0): " + (try memory.answer($0)) }
        return answers + [try memory.node.type("get acl").text, memory.node.node.server.preferences.password.string]
    }

    private func broken(_ report: ComplianceReport) -> [String] {
        report.entries.compactMap { entry in
            guard case .broken(let lines, let transcript) = entry.verdict else { return nil }
            return "\(entry.id): " + (lines + transcript.suffix(6)).joined(separator: "; ")
        }
    }

    private func reasons(_ report: ComplianceReport) -> Set<String> {
        report.entries.reduce(into: []) { if case .notRun(let reason) = $1.verdict { $0.insert(reason) } }
    }

    private func owned(_ role: ServerRole) throws -> NodeInMemory {
        let memory = try NodeInMemory(role, told: Self.owned + Self.regions + [Self.client])
        try memory.node.wait(.seconds(10))
        return memory
    }

    // MARK: What is shown

    @Test(arguments: [(ServerRole.repeater, 155), (.roomServer, 100), (.sensor, 70)])
    func `a node that may be restarted keeps all statements that can be asked, and is as it was`(
        role: ServerRole, least: Int
    ) throws {
        let memory = try owned(role)
        let before = try state(of: memory)

        let report = try RoleRun(role).perform(on: memory.target(password: "secret", allowing: .destructive))

        #expect(broken(report) == [])
        #expect(report.abortedBecause == nil, "\(report.notes)")
        #expect(report.kept >= least)
        #expect(!reasons(report).contains { $0.contains("--destructive") })
        #expect(try state(of: memory) == before)
        #expect(memory.isAntennaRestored)
    }

    @Test(arguments: [(ServerRole.repeater, 105), (.roomServer, 8), (.sensor, 55)])
    func `without a permission nothing restarts a node, and its clients stay`(role: ServerRole, least: Int) throws {
        let memory = try owned(role)
        let before = try state(of: memory)

        let report = try RoleRun(role).perform(on: memory.target(password: "secret"))

        #expect(broken(report) == [])
        #expect(report.kept >= least)
        #expect(report.abortedBecause == nil, "\(report.notes)")
        #expect(!memory.typed.contains { $0.hasSuffix("reboot") || $0 == "erase" })
        #expect(reasons(report).contains { $0.hasSuffix("run it with --destructive") })
        #expect(try state(of: memory) == before)
    }

    @Test func `a modem as antenna shows what a companion radio cannot send`() throws {
        let memory = try NodeInMemory(.repeater)
        memory.abilities = [.packets, .frames]
        memory.settings = nil

        let report = try RoleRun(.repeater, only: Selection("OTA-001-004")).perform(on: memory.target())

        #expect(report.entries.map(\.verdict) == [.kept, .kept, .kept, .kept])
    }

    @Test func `a console alone shows what needs no packet, and says what an antenna would`() throws {
        let memory = try NodeInMemory(.repeater)
        let target = LinkedRoleTarget(memory, antenna: nil)

        let report = try RoleRun(.repeater).perform(on: target)

        #expect(broken(report) == [])
        #expect(report.kept >= 9)
        #expect(reasons(report).contains { $0.hasSuffix("name an antenna beside the node with --antenna") })
    }

    @Test func `packet logging between lines and answers changes no verdict`() throws {
        let memory = try NodeInMemory(.repeater)
        memory.noise = "12:00:00 - 1/1/2026 U: RX, len=20 (type=5, route=F, payload_len=18) SNR=8 RSSI=-60 [5A -> 11]\n"
        let statements = Selection("INF-005-10,INF-027-35,INF-102,INF-203-210")

        let report = try RoleRun(.repeater, only: statements).perform(on: memory.target())

        #expect(broken(report) == [])
        #expect(report.abortedBecause == nil, "\(report.notes)")
        #expect(report.kept >= 15)
    }

    @Test func `an answer to a line of somebody else is nobody's`() throws {
        let memory = try NodeInMemory(.sensor)
        memory.staleAnswer = "  -> Unknown command\r\n"

        let report = try RoleRun(.sensor, only: Selection("INF-030")).perform(on: memory.target())

        #expect(report.entries.map(\.verdict) == [.kept])
    }

    @Test func `a departure is tried twice, and says so`() throws {
        let memory = try NodeInMemory(.repeater)
        // Every answer to one command is another one.
        let target = LinkedRoleTarget(Misanswering(memory), antenna: memory)

        let report = try RoleRun(.repeater, only: Selection("INF-210")).perform(on: target)

        guard case .broken(_, let transcript) = report.entries[0].verdict else {
            Issue.record("\(report.entries[0].verdict)")
            return
        }
        #expect(transcript.contains { $0.hasPrefix("first try: expected") })
        #expect(memory.typed.count { $0 == "frobnicate" } == 2)
    }

    // MARK: What is refused

    /// The problem of a run, and the check that nothing was changed.
    private func problem(
        _ role: ServerRole, _ memory: NodeInMemory, password: String = "password"
    ) throws -> String? {
        let before = try state(of: memory)
        let problem = #expect(throws: ComplianceRun.Problem.self) {
            try RoleRun(role).perform(on: memory.target(password: password, allowing: .destructive))
        }
        #expect(try state(of: memory) == before)
        return problem?.description
    }

    @Test func `a node of another role is not touched`() throws {
        let memory = try owned(.sensor)

        let problem = try problem(.repeater, memory)

        #expect(problem == "memory with memory is a sensor, and a repeater was asked for")
        #expect(memory.typed == ["", "get role"])
        #expect(!memory.isAntennaPrepared)
    }

    @Test func `an antenna with other settings than the node is named`() throws {
        let memory = try NodeInMemory(.repeater)
        memory.settings = LoRaParameters(
            frequencyKilohertz: 869_525, bandwidthHertz: 250_000, spreadingFactor: 11, codingRate: 5)

        let problem = try problem(.repeater, memory)

        #expect(
            problem
                == "the node and its antenna cannot hear each other: the node is at 869.618 MHz, 62.5 kHz, SF 8, CR 4/5, "
                + "the antenna memory at 869.525 MHz, 250.0 kHz, SF 11, CR 4/5; set both alike first")
        #expect(!memory.isAntennaPrepared)
    }

    @Test func `an antenna out of range is named`() throws {
        let memory = try owned(.repeater)
        memory.isInRange = false

        let problem = try problem(.repeater, memory, password: "secret")

        #expect(
            problem
                == "the antenna memory does not hear the node, though both are at 869.618 MHz, 62.5 kHz, SF 8, CR 4/5")
        #expect(memory.isAntennaRestored)
    }

    @Test func `another password than the node's is named, and nothing is changed`() throws {
        let memory = try owned(.repeater)

        let problem = try problem(.repeater, memory, password: "guessed")

        #expect(problem == "the node does not take the administrator's password; name it with --password")
    }

    // MARK: What goes on in the middle

    @Test func `an interrupted run leaves the node as it was`() throws {
        let memory = try owned(.repeater)
        let before = try state(of: memory)
        var count = 0

        let report = try RoleRun(.repeater, only: Selection("INF-006,INF-056,INF-104,INF-206")).perform(
            on: memory.target(password: "secret", allowing: .destructive), isInterrupted: { count == 2 },
            progress: { _, _ in count += 1 })

        #expect(report.entries.count == 2)
        #expect(report.abortedBecause == "interrupted")
        #expect(try state(of: memory) == before)
    }

    @Test func `an antenna that goes in the middle ends the run, and the node is put back`() throws {
        let memory = try owned(.repeater)
        let before = try state(of: memory)
        memory.framesLeft = 5

        let report = try RoleRun(.repeater).perform(on: memory.target(password: "secret"))

        #expect(report.broken == 0)
        #expect(report.abortedBecause == "the peer is gone: the antenna has no power")
        #expect(try state(of: memory) == before)
    }

    @Test func `an explanation tells needs, versions and faults of statements on nodes`() throws {
        let text = try RoleRun.explanation(of: Selection("INF-102,OTA-001"), role: .repeater)

        #expect(text.hasPrefix("INF-102  A forwarded flood gains the own hash in the packet's size\n"))
        #expect(text.contains("not everywhere: it needs packets of the suite's making on the air; name an antenna "))
        #expect(text.contains("\n  faults    hash-one-byte, "))
        #expect(text.contains("\n\nOTA-001  "))
        #expect(text.hasSuffix("\n  article   OverTheAir"))
        let problem = #expect(throws: ComplianceRun.Problem.self) {
            try RoleRun.explanation(of: Selection("INF-153"), role: .sensor)
        }
        #expect(problem?.description == "'INF-153' is no statement on a sensor, and no word of their titles")
    }

    @Test func `a node that stops in the middle ends the run, which says how to put it back`() throws {
        let memory = try owned(.repeater)
        memory.linesLeft = 200

        let report = try RoleRun(.repeater).perform(on: memory.target(password: "secret", allowing: .destructive))

        #expect(report.broken == 0)
        #expect(report.exitCode == 2)
        #expect(
            report.abortedBecause == "the link is gone: the console does not echo what is typed any more"
                || report.abortedBecause == "cannot reach the radio: nobody is there")
        #expect(report.notes.first == "Not put back on memory with memory:")
        #expect(report.notes.contains { $0.hasPrefix("  set txdelay 0.7") })
        #expect(report.notes.contains("  password (that of --password)"))
    }
}

/// A console whose node has another word for what is unknown.
private final class Misanswering: ConsoleLink {
    private let memory: NodeInMemory

    init(_ memory: NodeInMemory) {
        self.memory = memory
    }

    var title: String { memory.title }
    var now: Instant { memory.now }
    var slice: TimeSpan { memory.slice }
    var quiet: TimeSpan { memory.quiet }

    func open() throws(TargetError) { try memory.open() }
    func write(_ bytes: [UInt8]) throws(TargetError) { try memory.write(bytes) }
    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        try memory.read(within: span).map { [UInt8]($0.text.replacing("Unknown command", with: "What?").utf8) }
    }
    func pause() { memory.pause() }
    func close() { memory.close() }
}
