import Foundation
import MeshCapture
import MeshCompanion
import MeshTime
import Testing

@testable import MeshTestbed

/// A capture drives the service stack.
@Suite struct StackReplayTests {
    @Test func `a recorded synchronisation fills a fresh store, message by message`() throws {
        let recording = try RecordedDay.sync(messages: 40)

        let outcome = try RecordedDay.withFile(recording) { try Capture($0).replay(into: StackChoices()) }

        #expect(outcome.connection == "ready" && outcome.error == nil)
        #expect(outcome.departures == [])
        #expect(outcome.contacts.count == 7 && outcome.channels.count == 3)
        #expect(outcome.messages.count == 40 && outcome.unread == 40)
        #expect(Set(outcome.messages.compactMap { Int($0.text.prefix { $0 != ":" }) }) == Set(0..<40))
        #expect(outcome.radio.maxContacts > 0 && outcome.radio.frequencyKHz == 869_618)
    }

    @Test func `pauses that are left out change nothing of what the stack ends up with`() throws {
        let recording = try RecordedDay.sync(messages: 10)

        let slow = try StackReplay(recording).run()
        let fast = try StackReplay(recording, pace: .atOnce).run()

        #expect(slow == fast)
    }

    @Test func `a message that is cut out of the recording is missing, and an expectation says where`() throws {
        var recording = try RecordedDay.sync(messages: 3)
        let whole = try StackReplay(recording).run()
        let expectation = try Expectation(
            JSONEncoder().encode(["contacts": whole.contacts.map { ["name": $0.name] }]))
        let unread = try Expectation(Data(#"{"unread": 3, "radio": {"spreadingFactor": 8}, "error": null}"#.utf8))
        let index = try #require(
            recording.entries.lastIndex { entry in
                if case .frame(.toApp, let frame) = entry.event { [0x10, 0x11].contains(frame[0]) } else { false }
            })
        recording.entries.removeSubrange(index - 1...index)

        let cut = try StackReplay(recording).run()

        #expect(try expectation.differences(from: whole) == [] && unread.differences(from: whole) == [])
        #expect(cut.messages.count == 2)
        #expect(try unread.differences(from: cut) == ["unread: expected 3, seen 2"])
    }

    @Test func `lists are compared whole and objects as far as the file speaks of them`() throws {
        var outcome = StackOutcome()
        outcome.channels = [.init(index: 0, name: "Public", unread: 2), .init(index: 1, name: "hill", unread: 0)]
        let one = try Expectation(Data(#"{"channels": [{"name": "Public"}]}"#.utf8))
        let other = try Expectation(Data(#"{"channels": [{"name": "Public"}, {"unread": 1}], "radio": 3}"#.utf8))

        #expect(
            try one.differences(from: outcome) == [
                #"channels: not expected: {"index": 1, "name": "hill", "unread": 0}"#
            ])
        let differences = try other.differences(from: outcome)
        #expect(differences.first == "channels[1].unread: expected 1, seen 0")
        #expect(differences.last?.hasPrefix("radio: expected 3, seen {") == true && differences.count == 2)
    }

    @Test func `in a scenario the recorded radio takes the place of somebody's own`() throws {
        let recording = try RecordedDay.sync(messages: 4)
        let text = try #require(try StackReplay(recording).run().messages.first { $0.sender == nil }?.text)

        let result = try RecordedDay.withFile(recording) { path in
            let alice = Person.stack("alice")
            let bob = Person.client("bob")
            let story = Scenario("met-again", .transports, "Alice's app meets a radio of yesterday.") {
                alice.hears(bob)
                acquainted(alice, bob)

                Capture(path).replay(into: alice)
                alice.has(text).within(.seconds(5))
            }
            return ScenarioRun(story, seed: Seed(3)).onVirtualTime()
        }

        #expect(result.verdict == .kept, "\(result.verdict)")
    }

    @Test func `what the recording has no answer to is told`() throws {
        var recording = try RecordedDay.sync(messages: 2)
        recording.entries.removeAll { entry in
            switch entry.event {
            case .frame(.toRadio, let frame): frame == [0x0A]
            case .frame(.toApp, let frame): [0x0A, 0x10, 0x11].contains(frame[0])
            default: false
            }
        }

        let outcome = try StackReplay(recording).run()

        #expect(outcome.departures.contains { $0.hasPrefix("CMD_SYNC_NEXT_MESSAGE 0a: no such command was recorded") })
        #expect(outcome.messages.isEmpty)
    }

    @Test func `a benchmark stores every message`() throws {
        var benchmark = ReplayBenchmark()
        benchmark.load.messages = 50

        let row = try benchmark.run()

        #expect(row.messages == 50 && row.rate > 0 && row.replayerRate > 0 && row.megabytesPerSecond > 0)
    }

    @Test func `a file that is no recording is refused by name`() throws {
        #expect(throws: (any Error).self) { try Capture("/nowhere/at.all").recording() }
        try RecordedDay.withFile(Recording(RecordingHeader())) { path in
            try "0.1 tcp > 05".write(toFile: path, atomically: true, encoding: .utf8)
            #expect { try Capture(path).recording() } throws: { "\($0)".contains("no recording") }
        }
    }
}
