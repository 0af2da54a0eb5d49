import Foundation
import MeshCapture
import MeshCompanion
import MeshCore
import MeshTime
import MeshVirtualTime
import Testing

@testable import MeshScenarios
@testable import meshbed

/// A capture drives the service stack.
@Suite struct StackReplayTests {
    @Test func `a recorded synchronisation fills a fresh store, message by message`() throws {
        let recording = try RecordedDay.sync(messages: 40)

        let outcome = try RecordedDay.withFile(recording) { try Capture($0).replay(into: StackChoices()) }

        #expect(outcome.connection == "ready" && outcome.error == nil)
        #expect(outcome.departures == [])
        #expect(outcome.contacts.count == 7 && outcome.channels.count == 3)
        #expect(outcome.contacts.map(\.name) == outcome.contacts.map(\.name).sorted())
        #expect(outcome.contacts.map(\.publicKey) != outcome.contacts.map(\.publicKey).sorted())
        #expect(outcome.channels.map(\.index) == [0, 1, 2])
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
        let expectation = try ReplayExpectation(
            JSONEncoder().encode(["contacts": whole.contacts.map { ["name": $0.name] }]))
        let unread = try ReplayExpectation(Data(#"{"unread": 3, "radio": {"spreadingFactor": 8}, "error": null}"#.utf8))
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
        let one = try ReplayExpectation(Data(#"{"channels": [{"name": "Public"}]}"#.utf8))
        let other = try ReplayExpectation(Data(#"{"channels": [{"name": "Public"}, {"unread": 1}], "radio": 3}"#.utf8))

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

    @Test func `what the stack does not send is counted, and its pushes come after a silence`() throws {
        var recording = try RecordedDay.sync(messages: 2)
        let end = try #require(recording.entries.last).time
        for second in 1...3 {
            recording.entries += [
                RecordingEntry(end + .seconds(second), .loopback, .frame(.toRadio, [0x26, 0])),
                RecordingEntry(end + .seconds(second), .loopback, .frame(.toApp, [0])),
            ]
        }
        recording.entries += [
            RecordingEntry(end + .seconds(9), .loopback, .frame(.toRadio, [0x33, 1])),
            RecordingEntry(end + .seconds(9), .loopback, .frame(.toApp, [0x83])),
        ]
        let (outcome, took) = try VirtualTime.run { [recording] clock in
            let elapsed = clock.stopwatch()
            return (try await StackReplay(recording).run(clock: clock), elapsed())
        }

        #expect(outcome.neverSent.contains { $0.hasSuffix(" 3 times") } && outcome.neverSent.count == 2)
        #expect(outcome.departures == [])
        #expect(took > .seconds(17) && took < .seconds(30), "\(took)")
    }

    @Test func `a radio that answers late is waited for, unless its pauses are left out`() throws {
        var recording = try RecordedDay.sync(messages: 2)
        let first = try #require(
            recording.entries.firstIndex { if case .frame(.toApp, _) = $0.event { true } else { false } })
        for index in first..<recording.entries.count {
            recording.entries[index].time = recording.entries[index].time + .seconds(2)
        }
        func took(_ pace: RadioReplayer.Pace) throws -> Duration {
            try VirtualTime.run { [recording] clock in
                let elapsed = clock.stopwatch()
                let outcome = try await StackReplay(recording, pace: pace).run(clock: clock)
                #expect(outcome.messages.count == 2)
                return elapsed()
            }
        }

        #expect(try took(.recorded) - took(.atOnce) >= .seconds(2))
    }

    @Test func `a radio that says nothing is no connection, and the reason is told`() throws {
        let outcome = try StackReplay(RecordedDay.made(of: ["0 +", "1 > 01032020202020206d", "60 -"])).run()

        #expect(outcome.connection != "ready")
        #expect(outcome.error?.isEmpty == false && outcome.lines.contains { $0.hasPrefix("not connected: ") })
    }

    @Test(
        arguments: [
            (["0 +", "60 > 05", "60 < 0900ca9a3b", "90 > 066435a477", "90 < 00"], 2_007_250_276 - 90),
            (["0 +", "60 > 05", "60 < 0900ca9a3b"], 1_000_000_000 - 60), (["0 +", "1 > 14"], Stage.startOfTime),
        ] as [([String], UInt32)])
    func `the stack's clock is the host's of that day`(lines: [String], time: UInt32) throws {
        #expect(StackReplay(try RecordedDay.made(of: lines)).startTime == time)
    }

    @Test func `a benchmark stores every message`() throws {
        var benchmark = ReplayBenchmark()
        benchmark.load.messages = 50

        let row = try benchmark.run()

        #expect(row.messages == 50 && row.rate > 0 && row.replayerRate > 0 && row.megabytesPerSecond > 0)
    }

    @Test func `a line that cannot be read is refused, and one that was cut at the end is left out`() throws {
        let lines = "meshbed capture 1\n\n0 tcp +\n0.1 tcp > 05\n"
        try RecordedDay.withFile(Recording(RecordingHeader())) { path in
            try (lines + "0.2 tcp < 09d1f4f566\n0.3 tc").write(toFile: path, atomically: true, encoding: .utf8)
            #expect(try Capture(path).recording().entries.count == 3)
            try (lines + "0.2 tcp < zz\n0.3 tcp > 05\n").write(toFile: path, atomically: true, encoding: .utf8)
            #expect { try Capture(path).recording() } throws: { "\($0)".contains(path) }
        }
    }

    @Test func `a file that is no recording is refused by name`() throws {
        #expect(throws: (any Error).self) { try Capture("/nowhere/at.all").recording() }
        try RecordedDay.withFile(Recording(RecordingHeader())) { path in
            try "0.1 tcp > 05".write(toFile: path, atomically: true, encoding: .utf8)
            #expect { try Capture(path).recording() } throws: { "\($0)".contains("no recording") }
        }
    }
}
