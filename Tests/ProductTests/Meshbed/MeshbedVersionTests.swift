import ArgumentParser
import MeshTestbed
import Testing

@testable import meshbed

struct MeshbedVersionTests {
    @Test func `the version comes with the commit where the builder named one`() {
        let named = MeshbedVersion(number: "1.2.3", commit: "9eafb6b123")
        let unnamed = MeshbedVersion(number: "1.2.3")

        #expect(named.description == "1.2.3 (9eafb6b123)")
        #expect(unnamed.description == "1.2.3")
    }

    @Test func `a commit is hexadecimal digits, marked where files had been changed`() throws {
        let commit = MeshbedVersion.built.commit ?? ""

        #expect(try #/([0-9a-f]{7,40}(-modified)?)?/#.wholeMatch(in: commit) != nil, "\(commit)")
    }

    @Test func `the command says its version and its commit`() {
        let error = #expect(throws: (any Error).self) { try Meshbed.parseAsRoot(["--version"]) }

        #expect(error.map { Meshbed.message(for: $0) } == MeshbedVersion.built.description)
        #expect(error.map { Meshbed.exitCode(for: $0) } == .success)
    }
}
