import MeshRadio
import Testing

@testable import MeshFirmware

/// Delays and limiters as tables.
@Suite struct TimingVectorTests {
    private struct Delays: Decodable {
        struct Case: Decodable {
            let airtimeMs: UInt32
            let factor: Float
            let random: UInt32
            let repeaterRoomMs: UInt32
            let sensorMs: UInt32
            let maxMs: UInt32
        }

        let cases: [Case]
    }

    @Test func `TX-DELAY repeaters and rooms draw any millisecond, sensors one of six steps`() {
        for row in InfrastructureVectors.read("TX-DELAY", as: Delays.self).cases {
            let uniform = RetransmitDelay.uniform(
                airtimeMilliseconds: row.airtimeMs, factor: row.factor, random: row.random)
            let steps = RetransmitDelay.sixSlots(
                airtimeMilliseconds: row.airtimeMs, factor: row.factor, random: row.random)

            #expect(uniform == row.repeaterRoomMs)
            #expect(steps == row.sensorMs)
            #expect(uniform <= row.maxMs && steps <= row.maxMs)
        }
    }

    private struct Receptions: Decodable {
        struct Case: Decodable {
            let base: Float
            let snr: Float
            let rawLength: Int
            let airtimeMs: UInt32
            let score: Float
            let computedMs: Int32
            let queuedMs: Int32
        }

        let cases: [Case]
    }

    /// The recording's radio scores as for SF10 whatever is set, which is true of some chips only.
    @Test func `RX-DELAY weakly heard floods wait by their score`() {
        let spreadingFactor = RadioChip.lr1110.scoringSpreadingFactor(configured: 8)
        for row in InfrastructureVectors.read("RX-DELAY", as: Receptions.self).cases {
            let score = PacketScore.score(snr: row.snr, spreadingFactor: spreadingFactor, length: row.rawLength)
            let delay = PacketScore.receiveDelayMilliseconds(
                base: row.base, score: score, airtimeMilliseconds: row.airtimeMs)

            #expect(abs(score - row.score) < 0.000_001)
            #expect(delay == row.computedMs)
            #expect((delay < PacketScore.shortestReceiveDelayMilliseconds ? 0 : delay) == row.queuedMs)
        }
    }

    private struct Limits: Decodable {
        struct Call: Decodable {
            let at: UInt32
            let allowed: Bool
        }

        let maximum: UInt32
        let windowSecs: UInt32
        let calls: [Call]
    }

    @Test(arguments: ["RATE-LIMIT-DISCOVER", "RATE-LIMIT-ANON"])
    func `a limiter opens a window with its first call and counts those that it refuses`(id: String) {
        let vector = InfrastructureVectors.read(id, as: Limits.self)
        var limiter = RateLimiter(most: vector.maximum, windowSeconds: vector.windowSecs)

        let allowed = vector.calls.map { limiter.allows(at: 1_767_225_600 + $0.at) }

        #expect(allowed == vector.calls.map(\.allowed))
    }
}
