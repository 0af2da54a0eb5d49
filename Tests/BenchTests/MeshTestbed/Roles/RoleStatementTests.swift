import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshTime
import Testing

@testable import MeshRoleCompliance

/// Emulated repeaters, room servers and sensors against the statements of their role.
@Suite struct RoleStatementTests {
    /// The broken statements of a report, a line each.
    private func broken(_ report: ComplianceReport) -> [String] {
        report.entries.compactMap { entry in
            guard case .broken(let lines, _) = entry.verdict else { return nil }
            return "\(entry.id): " + lines.joined(separator: "; ")
        }
    }

    @Test(arguments: ServerRole.allCases, FirmwareVersion.all)
    func `an emulated node keeps all statements of its role in each version`(
        role: ServerRole, version: FirmwareVersion
    ) throws {
        var run = RoleRun(role)
        run.firmware = version

        let report = try run.perform()

        #expect(broken(report) == [])
        #expect(report.abortedBecause == nil)
        #expect(report.entries.map(\.id) == RoleStatement.all(of: role).map(\.id))
        // What does not hold in a version is left out with what the version does.
        let absent = report.entries.filter { if case .notApplicable = $0.verdict { true } else { false } }
        #expect(report.kept + absent.count == report.entries.count)
        #expect(version != .standard || absent.isEmpty)
    }

    @Test(arguments: ServerRole.allCases)
    func `a run makes few passes of a node, and so takes seconds`(role: ServerRole) throws {
        let target = EmulatedRoleTarget(role)

        _ = try RoleRun(role).perform(on: target)

        #expect(target.passes < 400_000)
    }

    @Test(arguments: [2, 77] as [UInt64])
    func `the verdicts do not depend on the seed`(seed: UInt64) throws {
        let target = EmulatedRoleTarget(.repeater, seed: Seed(seed))

        let report = try RoleRun(.repeater).perform(on: target)

        #expect(broken(report) == [])
    }

    @Test func `statements have numbers and titles of their own, and each role has many`() {
        for role in ServerRole.allCases {
            let ids = RoleStatement.all(of: role).map(\.id)
            #expect(Set(ids).count == ids.count, "\(role)")
        }
        let ofRepeaters = RoleStatement.all(of: .repeater).map(\.id)
        #expect(ofRepeaters.count { $0.hasPrefix("INF-") } >= 60)
        #expect(ofRepeaters.count { $0.hasPrefix("OTA-") } >= 25)
        for statement in RoleStatement.all {
            #expect(!statement.title.hasSuffix(".") && statement.title.count <= 110, "\(statement.id)")
        }
    }

    // MARK: What cannot be asked

    @Test func `a node of another role than asked is not judged`() {
        let problem = #expect(throws: ComplianceRun.Problem.self) {
            try RoleRun(.repeater).perform(on: EmulatedRoleTarget(.sensor))
        }

        #expect(problem?.description == "emulator is a sensor, and a repeater was asked for")
    }

    @Test func `what a target lacks is not run, with the reason`() throws {
        let target = EmulatedRoleTarget(.repeater, without: [.power, .time, .board])

        let report = try RoleRun(.repeater, only: Selection("INF-012-22")).perform(on: target)

        #expect(report.broken == 0)
        for (id, need) in [("INF-012", "time"), ("INF-013", "board"), ("INF-022", "power")] {
            let entry = try #require(report.entries.first { $0.id == id })
            guard case .notRun(let reason) = entry.verdict else {
                Issue.record("\(id) is \(entry.verdict)")
                continue
            }
            #expect(reason.contains(need), "\(id): \(reason)")
        }
    }

    @Test func `numbers and books choose statements, and what chooses none is named`() throws {
        func ids(_ pattern: String) -> [String] {
            RoleStatement.all(of: .repeater).filter(Selection(pattern).chooses).map(\.id)
        }

        #expect(ids("INF-102") == ["INF-102"])
        #expect(ids("OTA-030,INF-103-104") == ["OTA-030", "INF-103", "INF-104"])
        #expect(ids("30") == ["INF-030", "OTA-030"])
        let problem = #expect(throws: ComplianceRun.Problem.self) {
            try RoleRun(.repeater, only: Selection("CMP-034")).perform()
        }
        #expect(problem?.description == "'CMP-034' is no statement on a repeater, and no word of their titles")
    }

    @Test func `lines of packet logging between a line and its answer are passed over`() {
        let printed = "get name\r\n12:00:00 - 1/1/2026 U: RX, len=20 (type=5, route=F)\r\n  -> > Hill\r\n"

        #expect(ConsoleText.answer(in: [UInt8](printed.utf8)) == "> Hill")
        #expect(ConsoleText.answer(in: [UInt8]("neighbors\r\n  -> AA:1:2\nBB:3:4\r\n".utf8)) == "AA:1:2\nBB:3:4")
        #expect(ConsoleText.answer(in: [UInt8]("reboot\r".utf8)) == "")
    }
}

extension RoleStatementTests {
    /// A draw of a delay that a node could make, and one that it could not.
    @Test func `delays are uniform, or the reason is given`() throws {
        let node = RoleProbe(EmulatedRoleTarget(.repeater), .repeater, .standard)
        let whole = (0..<50).map { Int64($0) * 20 }

        try RoleTopic.uniform(whole, upTo: 1000, node)
        for wrong in [
            whole.map { $0 / 2 }, whole.map { $0 + 200 }, whole.map { _ in 500 }, [Int64](repeating: 0, count: 50),
        ] {
            #expect(throws: Failure.self) { try RoleTopic.uniform(wrong, upTo: 1000, node) }
        }
    }
}
