import Foundation
import MeshCompanion
import MeshCore
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Attempts, floods and confirmations as lines of time, for every preset.
///
/// The radio grants half a second, so that each attempt is waited for three steps; one step is 200 ms.
@Suite struct TimelineTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var story: String
        var preset: String
        var hasPath = true
        /// The attempt that is confirmed, from the end of the script, and when; `nil` for none.
        var confirmed: (attempt: Int, after: [Int])?
        var app: String
        var radio: String
        var retries: Int
        var told: [String]
        var repeats = 0
        var isDelivered: Bool { app.hasSuffix("d") }

        var testDescription: String { "\(story), \(preset)" }
    }

    private static func direct(_ preset: String) -> Case {
        Case(
            story: "direct path good", preset: preset, confirmed: (0, [2]), app: "s-d", radio: "d-a", retries: 0,
            told: ["delivered 400"])
    }

    private static func floodOnly(_ preset: String) -> Case {
        Case(
            story: "flood only", preset: preset, hasPath: false, confirmed: (0, [2]), app: "s-d", radio: "f-a",
            retries: 0, told: ["delivered 400", "direct"])
    }

    private static func doubled(_ preset: String) -> Case {
        Case(
            story: "ack doubled", preset: preset, confirmed: (0, [2, 4]), app: "s-d", radio: "d-a-a", retries: 0,
            told: ["delivered 400"], repeats: 1)
    }

    /// Both look alike to the sender: nothing comes back on the path.
    private static func broken(_ preset: String, _ radio: String, retries: Int, _ all: Int) -> [Case] {
        ["broken after the first hop", "broken after the ack"].map { story in
            Case(
                story: story, preset: preset, confirmed: (retries, [2]),
                app: "s" + Timeline.gap(radio.count - 2) + "d", radio: radio, retries: retries,
                told: (1...retries).map { "retry \($0)/\(all)" } + ["delivered 400", "flood"])
        }
    }

    private static func unreachable(
        _ preset: String, hasPath: Bool = true, _ radio: String, retries: Int, failsAt steps: Int
    ) -> Case {
        Case(
            story: hasPath ? "unreachable" : "unreachable, no path", preset: preset, hasPath: hasPath,
            app: "s" + Timeline.gap(steps - 1) + "x", radio: radio, retries: retries,
            told: (1...retries).map { "retry \($0)/\(retries)" } + ["failed"] + (hasPath ? ["flood"] : []))
    }

    private static func late(_ preset: String, _ radio: String, retries: Int, _ all: Int) -> Case {
        Case(
            story: "ack late", preset: preset, confirmed: (0, [5]), app: "s----d", radio: radio, retries: retries,
            told: (0..<retries).map { "retry \($0 + 1)/\(all)" } + ["delivered 1000"])
    }

    /// The last attempt is confirmed two seconds after the message failed.
    private static func afterGiveUp(
        _ preset: String, _ radio: String, retries: Int, failsAt steps: Int, counts: Bool = true
    ) -> Case {
        let last = radio.count - 1
        return Case(
            story: "ack after give-up", preset: preset, confirmed: (retries, [steps + 10 - last]),
            app: "s" + Timeline.gap(steps - 1) + "x" + (counts ? Timeline.gap(9) + "d" : ""),
            radio: radio + Timeline.gap(steps + 10 - radio.count) + "a", retries: retries,
            told: (1...retries).map { "retry \($0)/\(retries)" } + ["failed", "flood"]
                + (counts ? ["delivered \((steps + 10 - last) * 200)"] : []))
    }

    private static let prd = "d-------d------------d----------------------F"
    private static let presets = StackProfile.presets.map(\.name)

    static let cases: [Case] =
        presets.map(direct) + presets.map(floodOnly) + presets.map(doubled)
        + broken("architectureV2", "d--d--F-a", retries: 2, 3)
        + broken("architectureV1", "d---d----F-a", retries: 2, 2)
        + broken("prd", prd + "-a", retries: 3, 3)
        + broken("upstreamFinal", "d--d--d--d--F-a", retries: 4, 4)
        + [
            unreachable("architectureV2", "d--d--F--f", retries: 3, failsAt: 12),
            unreachable("architectureV1", "d---d----F", retries: 2, failsAt: 12),
            unreachable("prd", prd, retries: 3, failsAt: 47),
            // Thirty seconds after the last attempt at the earliest.
            unreachable("upstreamFinal", "d--d--d--d--F", retries: 4, failsAt: 162),
            unreachable("architectureV2", hasPath: false, "f--f--f--f", retries: 3, failsAt: 12),
            unreachable("architectureV1", hasPath: false, "f---f----f", retries: 2, failsAt: 12),
            unreachable(
                "prd", hasPath: false, prd.replacing("d", with: "f").replacing("F", with: "f"), retries: 3,
                failsAt: 47),
            unreachable("upstreamFinal", hasPath: false, "f--f--f--f--f", retries: 4, failsAt: 162),
            late("architectureV2", "d--d-a", retries: 1, 3),
            late("architectureV1", "d---da", retries: 1, 2),
            // In the pause behind the first attempt: there is no second one.
            late("prd", "d----a", retries: 1, 3),
            late("upstreamFinal", "d--d-a", retries: 1, 4),
            afterGiveUp("architectureV2", "d--d--F--f", retries: 3, failsAt: 12),
            afterGiveUp("architectureV1", "d---d----F", retries: 2, failsAt: 12),
            afterGiveUp("prd", prd, retries: 3, failsAt: 47),
            // Here a failure is final.
            afterGiveUp("upstreamFinal", "d--d--d--d--F", retries: 4, failsAt: 162, counts: false),
        ]

    @Test(
        .proves("SVC-095", "SVC-097", "SVC-098", "SVC-099", "SVC-100", "SVC-101", "SVC-102", "SVC-104", "SVC-R-033"),
        arguments: cases)
    func `attempts come when the preset's policy says`(line: Case) throws {
        let profile = try #require(StackProfile.presets.first { $0.name == line.preset }).profile
        let silent = RadioScript.Deed.take(limit: 500)
        var deeds = [RadioScript.Deed](repeating: silent, count: line.confirmed?.attempt ?? 0)
        if let confirmed = line.confirmed {
            deeds.append(.take(confirmedAfter: confirmed.after.map { Timeline.step * $0 }, limit: 500))
        }
        deeds.append(silent)
        try withMessages(deeds, profile: profile, hasPath: line.hasPath) { messages in
            try await Self.play(line, messages)
        }
    }

    private static func play(_ line: Case, _ messages: MessageBench) async throws {
        let app = Notes<(at: Duration, mark: Character)>()
        let (clock, told) = (messages.clock, messages.told)
        messages.service.events.note(in: app) {
            switch $0 {
            case .messageDelivered: (clock.now.sinceStart, "d")
            case .messageFailed: (clock.now.sinceStart, "x")
            default: nil
            }
        }
        let start = clock.now.sinceStart
        app.add((start, "s"))
        if line.story == "flood only" { messages.script.learnsPath() }

        let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
        try await clock.sleep(for: .seconds(5))

        let texts = messages.script.texts
        let stored = try await messages.row(row.id)
        #expect(Timeline.draw(app.all, from: start) == line.app)
        #expect(Timeline.draw(messages.script.marks, from: start) == line.radio)
        #expect(stored?.status == (line.isDelivered ? .delivered : .failed))
        #expect(stored?.retryAttempt == texts.count - 1)
        #expect(
            stored?.maxRetryAttempts == (line.preset == "architectureV1" ? 2 : line.preset == "upstreamFinal" ? 4 : 3))
        #expect(stored?.heardRepeats == line.repeats)
        #expect(told.all == line.told)
        // Each with its number, all with one timestamp.
        #expect(texts.map(\.attempt) == (0..<UInt8(texts.count)).map { $0 })
        #expect(Set(texts.map(\.timestamp)) == [row.timestamp])
        #expect(messages.script.codes.filter { $0 == .resetPath }.count == (line.radio.contains("F") ? 1 : 0))
    }
}
