import MeshCompanion
@testable import MeshCompliance
import Testing


/// What statements rest on: bytes, reason, source.
struct GroundsTests {
    @Test func `every statement has its grounds, in order`() {
        #expect(Grounds.all.map(\.number) == Array(1...249))
    }

    @Test(arguments: 1...249)
    func `grounds say something`(_ number: Int) {
        let grounds = Grounds.all[number - 1]
        #expect(!grounds.expected.isEmpty)
        #expect(grounds.reason.hasSuffix("."))
        #expect(grounds.reason.count >= 25 && grounds.reason.count <= 110)
        #expect(grounds.source.contains("document §") && grounds.source.contains(".cpp"))
    }

    @Test func `no two statements have one reason`() {
        #expect(Set(Grounds.all.map(\.reason)).count == Grounds.all.count)
    }

    @Test func `only Bluetooth and Ethernet are not from the code itself`() {
        let derived = Grounds.all.filter { $0.basis == "derived from the source" }.map(\.number)

        #expect(derived == Array(18...32))
    }

    /// The table's first byte and the command whose section is named are written apart from one another.
    @Test func `the commands named are those whose bytes are given`() {
        for grounds in Grounds.all {
            let commands = grounds.origins.compactMap { if case .command(let code) = $0 { code } else { nil } }
            guard let first = commands.first, grounds.given.count == 2, let byte = UInt8(grounds.given, radix: 16)
            else { continue }
            #expect(commands.map(\.rawValue).contains(byte) || first == .getContacts, "\(grounds.number)")
        }
    }

    @Test func `sections of commands are those of the document`() throws {
        // Three that stand behind the gaps between the codes.
        for (number, section) in [(165, "§6.44"), (78, "§6.47"), (189, "§6.58")] {
            #expect(Grounds.all[number - 1].source.contains(section), "\(number)")
        }
    }

    @Test func `an explanation has bytes, reason and source, and says where nothing is shown`() throws {
        let text = try ComplianceRun.explanation(of: Selection("CMP-034,CMP-020,CMP-205"))

        #expect(text.contains("CMP-034  A frame shorter"))
        #expect(text.contains("expected  01 01"))
        #expect(text.contains("reason    A mistake in a client shows as one known error, not as silence."))
        #expect(text.contains("source    companion document §§3.1–3.3; examples/companion_radio/MyMesh.cpp"))
        #expect(text.contains("shown     nowhere: it is about Bluetooth LE"))
        #expect(text.contains("run it with --destructive"))
    }

    @Test func `what is not there cannot be explained`() {
        #expect(throws: ComplianceRun.Problem.self) { try ComplianceRun.explanation(of: Selection("300")) }
        #expect(throws: ComplianceRun.Problem.self) {
            try ComplianceRun.explanation(of: Selection("99999999999999999999"))
        }
    }

    @Test func `a range may end beyond all statements, and beyond all numbers`() throws {
        let all = try ComplianceRun.explanation(of: Selection("247-249"))

        #expect(try ComplianceRun.explanation(of: Selection("247-300")) == all)
        #expect(try ComplianceRun.explanation(of: Selection("247-99999999999999999999")) == all)
    }
}
