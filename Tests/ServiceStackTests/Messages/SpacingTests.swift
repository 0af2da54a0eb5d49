import Foundation
import MeshCore
import MeshTime
import MeshVirtualTime
import PocketMeshServices
import Testing

/// Texts to one contact keep apart, and attempts that fell together do not fall together again.
@Suite struct SpacingTests {
    /// Returns the time at which the radio received each attempt, in milliseconds since the first.
    private func times(_ messages: MessageBench) -> [Int] {
        let marks = messages.script.marks.filter { "df".contains($0.mark) }.map(\.at)
        return marks.map { Int((($0 - (marks.first ?? .zero)) / .milliseconds(1)).rounded()) }
    }

    /// Texts sent at one moment to bob, whose radio grants four seconds each.
    private func send(
        _ count: Int, _ deed: RadioScript.Deed, profile: StackProfile = .architectureV2, for span: Duration
    ) throws -> [Int] {
        try withMessages([deed], profile: profile) { messages in
            let sendings = (1...count).map { number in
                Task { try await messages.service.sendMessageWithRetry(text: "text \(number)", to: messages.bob) }
            }
            try await messages.clock.sleep(for: span)
            for sending in sendings { sending.cancel() }
            return times(messages)
        }
    }

    @Test func `the next text to a contact waits for the confirmation of the one before`() throws {
        let times = try send(3, .take(confirmedAfter: [.milliseconds(700)], limit: 4000), for: .seconds(10))

        #expect(times == [0, 700, 1400])
    }

    @Test func `without a confirmation it waits for a quarter to two fifths of the wait`() throws {
        // 1.2 times four seconds.
        let times = try send(4, .take(limit: 4000), for: .milliseconds(4700))

        #expect(times.count >= 3)
        for (one, next) in zip(times, times.dropFirst()) { #expect((1200...1921).contains(next - one)) }
        #expect(Set(zip(times, times.dropFirst()).map { $1 - $0 }).count > 1, "drawn each time")
    }

    @Test func `a profile without spacing sends as fast as the radio takes`() throws {
        var profile = StackProfile.architectureV2
        profile.messages.spacing = nil

        #expect(try send(4, .take(limit: 4000), profile: profile, for: .seconds(1)) == [0, 0, 0, 0])
    }

    @Test func `attempts of messages that were lost together are spread, each by up to half its wait`() throws {
        var profile = StackProfile.architectureV2
        profile.messages.spacing = nil
        let spread = try send(4, .take(limit: 4000), profile: profile, for: .milliseconds(7300))
        profile.messages.retry.jitter = 0
        let together = try send(4, .take(limit: 4000), profile: profile, for: .milliseconds(7300))

        #expect(together == [0, 0, 0, 0, 4800, 4800, 4800, 4800])
        #expect(spread.count == 8)
        #expect(spread.dropFirst(4).allSatisfy { (4800...7201).contains($0) })
        #expect(Set(spread.dropFirst(4)).count == 4)
    }

    @Test func `a profile without jitter has exact pauses, also among several messages`() throws {
        for profile in [StackProfile.architectureV1, .prd] { #expect(profile.messages.retry.jitter == 0) }
        var profile = StackProfile.prd
        profile.messages.spacing = nil

        #expect(try send(2, .take(limit: 4000), profile: profile, for: .seconds(6)) == [0, 0, 5800, 5800])
    }

    @Test func `the same seed spaces and spreads in the same way`() throws {
        let first = try send(4, .take(limit: 4000), for: .seconds(30))

        #expect(try send(4, .take(limit: 4000), for: .seconds(30)) == first)
    }
}
