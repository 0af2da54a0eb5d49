import MeshCompanion
import Testing

@testable import MeshCompliance

/// The rationale of statements: bytes, reason, source.
struct RationaleTests {
    @Test func `every statement has its rationale, in order`() {
        #expect(Rationale.all.map(\.number) == Array(1...261))
    }

    @Test(arguments: 1...261)
    func `rationale say something`(_ number: Int) {
        let rationale = Rationale.all[number - 1]
        #expect(!rationale.expected.isEmpty)
        #expect(rationale.reason.hasSuffix("."))
        #expect(rationale.reason.count >= 25 && rationale.reason.count <= 110)
        #expect(rationale.source.contains("src/") || rationale.source.contains("examples/companion_radio/"))
    }

    @Test func `no two statements have one reason`() {
        #expect(Set(Rationale.all.map(\.reason)).count == Rationale.all.count)
    }

    @Test func `only Bluetooth and Ethernet are not from the code itself`() {
        let derived = Rationale.all.filter { $0.basis == "derived from the source" }.map(\.number)

        #expect(derived == Array(18...32))
    }

    /// The first byte that is given and the command that is named as its source are written apart from one another.
    @Test func `the commands named are those whose bytes are given`() {
        for rationale in Rationale.all {
            let commands = rationale.origins.compactMap { if case .command(let code) = $0 { code } else { nil } }
            guard let first = commands.first, rationale.given.count == 2, let byte = UInt8(rationale.given, radix: 16)
            else { continue }
            #expect(commands.map(\.rawValue).contains(byte) || first == .getContacts, "\(rationale.number)")
        }
    }

    @Test func `an explanation has bytes, reason and source, and says where nothing can be shown`() throws {
        let text = try ComplianceRun.explanation(of: Selection("CMP-034,CMP-020,CMP-205"))

        #expect(text.contains("CMP-034  A frame shorter"))
        #expect(text.contains("expected  01 01"))
        #expect(text.contains("reason    A mistake in a client shows as one known error, not as silence."))
        #expect(text.contains("examples/companion_radio/MyMesh.cpp\n"))
        #expect(text.contains("shown     not everywhere: it needs a radio that is reached over Bluetooth"))
        #expect(text.contains("run it with --destructive"))
    }

    @Test func `what is not there cannot be explained`() {
        #expect(throws: ComplianceRun.Problem.self) { try ComplianceRun.explanation(of: Selection("300")) }
        #expect(throws: ComplianceRun.Problem.self) {
            try ComplianceRun.explanation(of: Selection("99999999999999999999"))
        }
    }

    @Test func `a range may end beyond all statements, and beyond all numbers`() throws {
        let all = try ComplianceRun.explanation(of: Selection("259-261"))

        #expect(try ComplianceRun.explanation(of: Selection("259-300")) == all)
        #expect(try ComplianceRun.explanation(of: Selection("259-99999999999999999999")) == all)
    }

    // MARK: What it states, and where

    @Test(arguments: 1...261)
    func `the sentence is one that an article can hold`(_ number: Int) {
        let sentence = Rationale.all[number - 1].sentence
        #expect(sentence.hasSuffix(".") && !sentence.hasSuffix(".."))
        #expect(sentence.count >= 40 && sentence.count <= 240)
        // They mean something in Markdown or would break the paragraph.
        #expect(!sentence.contains { "*`<[|\n".contains($0) })
    }

    @Test func `no two statements say the same`() {
        #expect(Set(Rationale.all.map(\.sentence)).count == Rationale.all.count)
    }

    @Test func `a source names the function and its file`() {
        let sources = [34, 165, 198, 237].map { Rationale.all[$0 - 1].source }

        #expect(
            sources == [
                "handleCmdFrame in examples/companion_radio/MyMesh.cpp",
                "CMD_SEND_BINARY_REQ in examples/companion_radio/MyMesh.cpp; "
                    + "onContactResponse in examples/companion_radio/MyMesh.cpp",
                "CMD_IMPORT_PRIVATE_KEY in examples/companion_radio/MyMesh.cpp; "
                    + "loadContacts in examples/companion_radio/DataStore.cpp",
                "checkRecv in src/Dispatcher.cpp; src/Mesh.cpp",
            ])
    }

    @Test func `an explanation begins with the sentence and ends with the article`() throws {
        let text = try ComplianceRun.explanation(of: Selection("CMP-205"))

        let lines = text.split(separator: "\n")
        #expect(lines[2].hasPrefix("  states    FACTORY_RESET with the text reset closes the link first, so"))
        #expect(
            lines.last == "  article   CompanionStatements, CMP-205 (MeshCompanion/CompanionStatements.html#cmp-205)")
    }

    @Test func `what has no number names no article`() throws {
        let text = try ComplianceRun.explanation(of: Selection("conversation/*"))

        #expect(text.contains("conversation/") && !text.contains("article"))
    }
}
