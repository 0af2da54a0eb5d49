import ArgumentParser
import MeshCapture
import MeshEmulator
import Testing

@testable import meshbed

/// What `meshbed replay` understands.
@Suite struct ReplayArgumentTests {
    private static func parse(_ words: String...) throws -> Replay {
        try #require(try Meshbed.parseAsRoot(["replay", "a.capture"] + words) as? Replay)
    }

    @Test func `a recording plays one side, or drives the stack`() throws {
        #expect(try Self.parse("--as", "radio", "--endpoint", "pty:./a.tty").endpoint == .pty(path: "./a.tty"))
        #expect(try Self.parse("--as", "client", "--target", "emulator").role == .client)
        #expect(try Self.parse("--into", "stack", "--json").into == .stack)
        #expect(throws: (any Error).self) { try Self.parse() }
        #expect(throws: (any Error).self) { try Self.parse("--as", "radio", "--into", "stack") }
        #expect(throws: (any Error).self) { try Self.parse("--as", "client") }
        #expect(throws: (any Error).self) { try Self.parse("--as", "radio", "--json") }
        #expect(throws: (any Error).self) { try Self.parse("--as", "radio", "--speed", "0") }
    }

    @Test func `what may differ is classes in singular or plural, fields, pushes, or nothing`() throws {
        func rules(_ list: String) throws -> DifferenceRules {
            try Self.parse("--as", "client", "--target", "emulator", "--may-differ", list).rules
        }

        #expect(try Self.parse("--as", "client", "--target", "emulator").rules == .replay)
        #expect(try rules("none") == .none)
        #expect(try rules("time,keys") == DifferenceRules(mayDiffer: [.time, .key]))
        #expect(
            try rules("random,battery,PUSH_CODE_ADVERT")
                == DifferenceRules(mayDiffer: [.random], fields: ["battery", "PUSH_CODE_ADVERT"]))
    }
}
