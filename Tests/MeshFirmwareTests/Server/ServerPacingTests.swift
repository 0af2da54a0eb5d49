import MeshCrypto
import MeshPacket
import MeshRadio
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// The amount of servers' transmissions, their times, and their counters.
@Suite struct ServerPacingTests {
    private typealias Stage = ServerStage

    private func flood(_ number: UInt16, bytes: Int = 150) -> [UInt8] {
        [0x15, 0x00, 0x11, UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
            + [UInt8](repeating: 0x42, count: bytes)
    }

    /// A node that forwards without random pauses.
    private func stage(_ role: ServerRole) -> Stage {
        var stage = Stage(role)
        #expect(stage.type("set txdelay 0") == "OK")
        #expect(stage.type("set repeat on") == "OK - repeat is now ON")
        return stage
    }

    /// Starts and lengths, in milliseconds, of what a node sends that is given something each second.
    private func sustained(_ role: ServerRole, seconds: Int, bytes: Int) -> [(start: Double, length: Double)] {
        var stage = stage(role)
        #expect(stage.type("set af 9") == "OK")
        let start = stage.bench.now.milliseconds
        for second in 0..<seconds { stage.hear(flood(UInt16(second), bytes: bytes), observing: 1000) }
        let parameters = stage.bench.core.parameters
        return stage.bench.sent.map { sent in
            let length = parameters.airtimeMicroseconds(bytes: sent.frame.utf8.count / 2)
            return (Double(sent.at - start), Double(length) / 1000)
        }
    }

    @Test(.proves("INF-211"), arguments: Stage.all)
    func `with af 9 a node settles at a tenth of the time once its hour's budget is spent`(role: ServerRole) {
        let sent = sustained(role, seconds: 1800, bytes: 57)

        let early = sent.filter { $0.start < 300_000 }.map(\.length).reduce(0, +)
        let late = sent.filter { (1_200_000..<1_800_000).contains($0.start) }.map(\.length).reduce(0, +)
        #expect(early > 140_000)
        #expect((57_000...63_000).contains(late))
    }

    @Test(.proves("INF-212"), arguments: Stage.all)
    func `nothing is sent with less budget than half of the longest packet`(role: ServerRole) {
        let sent = sustained(role, seconds: 1500, bytes: 150)
        let least = Double(Stage(role).bench.core.estimatedAirtime(bytes: 255) / 2)

        var budget = 360_000.0
        var time = 0.0
        // The first time that nothing is left, rounding of the time before is forgotten.
        var wasEmpty = false
        var lowest = Double.infinity
        for transmission in sent {
            budget = min(360_000, budget + (transmission.start - time) * 0.1)
            if wasEmpty { lowest = min(lowest, budget) }
            // What is earned while sending counts as well; the clock is cut to whole milliseconds.
            budget = max(0, budget + transmission.length * 0.1 - transmission.length)
            wasEmpty = wasEmpty || budget == 0
            time = transmission.start + transmission.length
        }

        #expect(sent.count > 200 && wasEmpty)
        #expect((least - 2...least + 20).contains(lowest))
    }

    @Test(.proves("INF-213"), arguments: Stage.all)
    func `a busy channel is tried every 120, 240 or 360 ms, and talked over after four seconds`(role: ServerRole) {
        var tries: Set<Int64> = []
        for number in 0..<60 as Range<UInt16> {
            var stage = Stage(role, seed: UInt64(number) + 1)
            stage.type("advert.zerohop")
            stage.run(milliseconds: 1400)
            stage.holdChannel(true)
            #expect(stage.run(milliseconds: 200).isEmpty)
            stage.holdChannel(false)
            // The first try came at 1500 ms; the second comes a pause later.
            tries.formUnion(stage.run(milliseconds: 2000).map { $0.at + 100 })
        }
        #expect(tries.count == 3 && tries.allSatisfy { [120, 121, 240, 241, 360, 361].contains($0) }, "\(tries)")

        var stage = Stage(role)
        stage.type("advert.zerohop")
        stage.holdChannel(true)
        let sent = stage.run(milliseconds: 10_000)
        #expect(sent.count == 1)
        #expect(sent.allSatisfy { (5501...5862).contains($0.at) })
        #expect(stage.bench.core.errorFlags.rawValue == 2)
    }

    @Test(.proves("INF-215"), arguments: Stage.all)
    func `clear stats resets the counters and nothing else, and on a sensor nothing`(role: ServerRole) {
        var stage = stage(role)
        stage.hear(flood(1))
        stage.hear(flood(1))
        stage.hear("0e028a2211223344")
        stage.hear("0a02998a" + String(repeating: "42", count: 20))
        let before = stage.bench.core
        let counts = [
            before.statistics.framesReceived, before.statistics.framesSent, before.statistics.sentFlood,
            before.statistics.sentDirect, before.statistics.receivedFlood, before.statistics.receivedDirect,
            before.seen.floodDuplicates,
        ]
        #expect(counts.allSatisfy { $0 > 0 })

        #expect(stage.type("clear stats") == "(OK - stats reset)")

        let after = stage.bench.core
        let cleared = [
            after.statistics.framesReceived, after.statistics.framesSent, after.statistics.sentFlood,
            after.statistics.sentDirect, after.statistics.receivedFlood, after.statistics.receivedDirect,
            after.seen.floodDuplicates,
        ]
        #expect(cleared == (role == .sensor ? counts : counts.map { _ in 0 }))
        #expect(after.statistics.airtime == before.statistics.airtime && after.statistics.airtime > 0)
        #expect(after.statistics.receiveAirtime == before.statistics.receiveAirtime)
        #expect(after.lastSignal == before.lastSignal)
    }
}
