import MeshBoards
import MeshFirmware
import MeshTime
import MeshTransports
import Testing

@testable import MeshCompliance

/// The statements of the protocol that the suite knows.
struct StatementTests {
    private let statements = Section.all.flatMap(\.statements)

    @Test func `every statement of the protocol is there exactly once, in order`() {
        #expect(statements.map(\.number) == Array(1...261))
    }

    @Test func `sections are lettered from A to Q`() {
        #expect(Section.all.map(\.letter) == Array("ABCDEFGHIJKLMNOPQ"))
        #expect(Section.all.allSatisfy { !$0.title.isEmpty })
    }

    @Test func `what is about Bluetooth does not apply where the link is another one, and says so`() {
        let target = StreamTarget(.tcp(host: "127.0.0.1", port: 1))
        let notApplicable = statements.filter { statement in
            let verdict = Check(statement, in: .bluetooth).verdictUntried(on: target)
            if case .notApplicable(let reason) = verdict { return reason.contains("Bluetooth") }
            return false
        }
        #expect(notApplicable.map(\.number) == Array(19...32))
    }

    @Test func `titles are short sentences of their own`() {
        for statement in statements {
            #expect(!statement.title.hasSuffix("."), "\(statement.id)")
            #expect(statement.title.count <= 110, "\(statement.id)")
        }
        #expect(Set(statements.map(\.title)).count == statements.count)
    }
}

/// The emulator held against the suite, one case for each statement and conversation.
struct EmulatorComplianceTests {
    static let checks = Check.all.filter { $0.verdictUntried(on: EmulatorTarget()) == nil }

    @Test func `all statements can be run on the emulator`() {
        #expect(Self.checks.count == 249 + 16 + MatrixCheck.all.count + VersionProbe.all.count)
    }

    @Test func `verdicts come in the order of the numbers, then the conversations, then the matrix`() {
        #expect(Check.all.prefix(261).map(\.id) == Section.all.flatMap(\.statements).map(\.id))
        #expect(Check.all.dropFirst(261).prefix(16).allSatisfy { $0.id.hasPrefix("conversation/") })
        let others = Check.all.dropFirst(261 + 16)
        #expect(others.dropLast(24).allSatisfy { $0.id.hasPrefix("MATRIX-") })
        #expect(others.suffix(24).map(\.id) == VersionProbe.all.map(\.id))
        #expect(Set(Check.all.map(\.id)).count == Check.all.count)
    }

    @Test(arguments: checks)
    func `the emulated companion radio keeps`(_ check: Check) throws {
        let report = try ComplianceRun.emulator(only: check.id)

        #expect(report.entries.map(\.id) == [check.id])
        #expect(report.broken == 0, "\(report.text(isVerbose: true))")
        #expect(report.kept == 1)
    }

    @Test(arguments: [2, 77, 1_000_003] as [UInt64])
    func `the verdicts do not depend on the seed`(_ seed: UInt64) throws {
        let report = try ComplianceRun.emulator(seed: seed)

        #expect(report.broken == 0, "\(report.text(isVerbose: true))")
    }
}

/// The same over the Bluetooth that users have, where it is slow and loses what its queues have no room for.
struct ModelledComplianceTests {
    @Test(arguments: Target.Modelled.allCases)
    func `the emulated companion radio keeps all of the suite over a modelled Bluetooth link`(
        link: Target.Modelled
    ) throws {
        let report = try ComplianceRun(target: Target(.modelled(link))).perform()

        #expect(report.broken == 0, "\(report.text())")
        #expect(report.entries.count == Check.all.count)
        // What holds in newer firmware only is all that cannot be shown.
        let absent = report.entries.filter(\.isNotApplicable).map(\.id)
        #expect(absent == Section.severalInterfaces.statements.map(\.id))
    }
}

extension Check: CustomTestStringConvertible {
    public var testDescription: String { "\(id) \(title)" }
}

extension ComplianceRun {
    /// Runs the suite against an emulated radio, perhaps one that is spoilt.
    static func emulator(
        only pattern: String? = nil, quirks: QuirkSet = .all, seed: UInt64 = 1, tamper: ((inout [UInt8]) -> Void)? = nil
    ) throws -> ComplianceReport {
        let target = EmulatorTarget(quirks: quirks, seed: .init(seed))
        target.tamper = tamper
        return try ComplianceRun(target: .emulator, only: pattern.map { Selection($0) } ?? .all).perform(on: target)
    }
}
