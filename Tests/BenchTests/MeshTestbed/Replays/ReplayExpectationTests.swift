import Foundation
import Testing

@testable import MeshScenarios

/// The expected end of a stack, as a file.
@Suite struct ReplayExpectationTests {
    private static var outcome: StackOutcome {
        var outcome = StackOutcome()
        outcome.radio.name = "alice \"on\" the hill/€"
        outcome.radio.latitude = -48.117266
        outcome.connection = "ready"
        outcome.contacts = ["anna", "bob", "carl"].map {
            .init(name: $0, publicKey: "c3", type: 1, hops: -1, unread: 0)
        }
        outcome.messages = [
            .init(thread: "bob", isOutgoing: false, text: "a\nb", timestamp: 4_294_967_295, status: "", isRead: true)
        ]
        return outcome
    }

    @Test func `a file says everything, a line for each thing, and fits what it was made of`() throws {
        let expectation = try ReplayExpectation(Self.outcome)

        let again = try ReplayExpectation(Data(expectation.text.utf8))

        #expect(again.text == expectation.text)
        #expect(try again.differences(from: Self.outcome) == [])
        let lines = expectation.text.split(separator: "\n")
        #expect(
            lines.contains(#"    {"hops": -1, "name": "anna", "publicKey": "c3", "type": 1, "unread": 0},"#), "\(lines)"
        )
        #expect(lines.contains(#"    "latitude": -48.117266,"#) && lines.contains(#"  "departures": [],"#), "\(lines)")
        #expect(lines.contains { $0.contains(#""timestamp": 4294967295"#) && $0.contains(#""text": "a\nb""#) })
    }

    @Test(arguments: [33, 513])
    func `a file that is nested too deep is refused`(levels: Int) {
        #expect(throws: DecodingError.self) {
            try ReplayExpectation(Data(repeating: UInt8(ascii: "["), count: levels))
        }
    }

    @Test func `whatever is new in an outcome is a difference`() throws {
        let expectation = try ReplayExpectation(Self.outcome)
        func differences(_ change: (inout StackOutcome) -> Void) throws -> [String] {
            var outcome = Self.outcome
            change(&outcome)
            return try expectation.differences(from: outcome)
        }

        #expect(try differences { $0.error = "lost" } == [#"error: expected null, seen "lost""#])
        #expect(try differences { $0.messages[0].sender = "x" } == [#"messages[0].sender: expected null, seen "x""#])
        #expect(
            try differences { $0.contacts.remove(at: 1) } == [
                #"contacts[1]: expected {"hops": -1, "name": "bob", "publicKey": "c3", "type": 1, "unread": 0}, "#
                    + "it is missing"
            ])
        #expect(
            try differences { $0.departures = ["CMD_X 01: what"] } == [#"departures: not expected: "CMD_X 01: what""#])
        #expect(try differences { $0.neverSent = ["CMD_X"] } == [#"neverSent: not expected: "CMD_X""#])
        #expect(try differences { $0.radio.latitude = 0 } == ["radio.latitude: expected -48.117266, seen 0"])
    }

    @Test func `every member of an outcome stands in the file`() throws {
        let text = try ReplayExpectation(Self.outcome).text

        for label in Mirror(reflecting: Self.outcome).children.compactMap(\.label) {
            #expect(text.contains("\n  \"\(label)\": "), "\(label)")
        }
        for label in Mirror(reflecting: Self.outcome.messages[0]).children.compactMap(\.label) {
            #expect(text.contains("\"\(label)\": "), "\(label)")
        }
    }

    @Test func `items that moved apart are named, and those between compared in order`() throws {
        func list(_ words: String) -> ExpectedValue { .list(words.map { .text(String($0)) }) }

        #expect(list("abcdef").differences(from: list("abcdef"), at: "x") == [])
        #expect(
            list("abcdefg").differences(from: list("acdxfgh"), at: "x") == [
                #"x[1]: expected "b", it is missing"#, #"x[4]: expected "e", seen "x""#, #"x: not expected: "h""#,
            ])
        #expect(list("").differences(from: list("a"), at: "x") == [#"x: not expected: "a""#])
        let long = ExpectedValue.list((0..<2000).map { .number(Double($0)) })
        let other = ExpectedValue.list((0..<2000).map { .number(Double($0) + 0.5) })
        #expect(long.differences(from: other, at: "x").count == 2000)
    }

    @Test func `departures that a file does not name are not expected`() throws {
        var outcome = Self.outcome
        outcome.departures = ["CMD_X 01: no such command was recorded"]
        let silent = try ReplayExpectation(Data(#"{"connection": "ready"}"#.utf8))

        #expect(try silent.differences(from: Self.outcome) == [])
        #expect(try silent.differences(from: outcome).count == 1)
    }

    @Test func `the file of a recording is beside it`() {
        #expect(ReplayExpectation.path(beside: "a/b.capture") == "a/b.stack.json")
        #expect(ReplayExpectation.path(beside: "snoop.pcap") == "snoop.pcap.stack.json")
    }
}
