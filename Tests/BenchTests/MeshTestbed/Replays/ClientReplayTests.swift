import MeshCapture
import MeshCompanion
import MeshCore
import MeshSimulator
import MeshTime
import MeshVirtualTime
import Testing

@testable import MeshReports
@testable import MeshScenarios

/// A capture plays the client, and the radio behind an endpoint.
@Suite struct ClientReplayTests {
    @Test func `a fresh world of the same seed says the same`() throws {
        let recording = try RecordedDay.session()

        let checks = try ClientReplay(recording, rules: .none, pace: .recorded).runInWorld()

        #expect(checks.count == 6)
        #expect(checks.filter { !$0.isKept } == [])
    }

    @Test func `a world of another seed has another key, and the name that comes of it`() throws {
        let recording = try RecordedDay.session()
        var place = ClientReplay.Place(recording.header)
        place.seed = 8

        let checks = try ClientReplay(recording, pace: .recorded).runInWorld(place)
        let others = try ClientReplay(recording, rules: .otherIdentities, pace: .recorded).runInWorld(place)

        func fields(_ checks: [ReplayCheck]) -> [String] {
            checks.flatMap(\.problems).flatMap { problem in
                if case .differs(_, let fields) = problem { fields.map(\.field) } else { ["?"] }
            }
        }
        #expect(fields(checks) == ["public_key", "name"])
        #expect(fields(others) == [])
    }

    @Test func `a header says which world it was, and how fast`() {
        let place = ClientReplay.Place(
            RecordingHeader(rows: [
                .init("world", "town"), .init("seed", "9"), .init("node", "bob"), .init("speed", "20"),
            ]))

        #expect((place.world, place.seed, place.node) == ("town", 9, "bob"))
        #expect(place.pace == .recorded(perMille: 50))
        #expect(ClientReplay.Place(RecordingHeader(rows: [.init("speed", "0")])).pace == .recorded)
    }

    @Test func `a world that is not there is named`() throws {
        let recording = try RecordedDay.session()
        var place = ClientReplay.Place(recording.header)
        place.world = "moon"

        #expect(throws: ScenarioError("there is no world 'moon'")) {
            try ClientReplay(recording).runInWorld(place)
        }
    }

    @Test func `a radio that says something else is told field by field in a report`() throws {
        let recording = try RecordedDay.session()
        var other = recording
        let index = try #require(
            other.entries.firstIndex { entry in
                if case .frame(.toApp, let frame) = entry.event { frame.first == 0x05 } else { false }
            })
        guard case .frame(_, var frame) = other.entries[index].event else { return }
        frame[2] ^= 1
        other.entries[index].event = .frame(.toApp, frame)

        let checks = try VirtualTime.run { [other] clock in
            let radio = RecordedRadio(RadioReplayer(other, pace: .atOnce), clock: clock)
            return await ClientReplay(recording).run(over: radio, clock: clock)
        }
        let report = TestReport(replaying: recording, against: "a copy", checks)

        #expect(report.broken == 1 && report.exitCode == 1)
        let reasons = report.entries.compactMap { if case .broken(let lines) = $0.verdict { lines } else { nil } }
        #expect(reasons.first?.first?.contains("tx_power: recorded") == true, "\(reasons)")
    }

    @Test func `a client that departs from a recording is told of in the radio's report`() {
        let entries: [RecordingEntry] = [
            RecordingEntry(.zero, .tcp, .connected),
            RecordingEntry(.seconds(1), .tcp, .frame(.toRadio, [0x1F, 1])),
            RecordingEntry(.seconds(1), .tcp, .frame(.toApp, [1, 2])),
        ]
        var radio = RadioReplayer(Recording(RecordingHeader(), entries))
        var effects: [RadioReplayer.Effect] = []
        radio.handle(.connected, at: .start, into: &effects)
        radio.handle(.frame([0x1F, 2]), at: .start, into: &effects)

        let report = TestReport(radio, at: "here")

        #expect(report.broken == 1 && report.notRun == 1)
        #expect(
            radio.summary.first
                == "departure: CMD_GET_CHANNEL 1f02: channel_idx is 2, recorded was 1 (nearest: entry 2, 1f01)")
        #expect(radio.summary.last == "0 answered (0 of them again), 1 departures, 1 of 1 recorded commands never sent")
    }
}
