import ArgumentParser
import Testing

@testable import meshbed

struct BuildIdentityTests {
    @Test func `the version comes with the commit where the builder named one`() {
        let named = BuildIdentity(commit: "9eafb6b123")
        let unnamed = BuildIdentity(commit: "")

        #expect(named.text == "\(BuildIdentity.version) (9eafb6b123)")
        #expect(unnamed.text == BuildIdentity.version)
    }

    @Test func `a commit is hexadecimal digits, marked where files had been changed`() throws {
        let commit = BuildIdentity().commit

        #expect(try #/([0-9a-f]{7,40}(-modified)?)?/#.wholeMatch(in: commit) != nil, "\(commit)")
    }

    @Test func `the command says its version and its commit`() {
        let error = #expect(throws: (any Error).self) { try Meshbed.parseAsRoot(["--version"]) }

        #expect(error.map { Meshbed.message(for: $0) } == BuildIdentity().text)
        #expect(error.map { Meshbed.exitCode(for: $0) } == .success)
    }
}
