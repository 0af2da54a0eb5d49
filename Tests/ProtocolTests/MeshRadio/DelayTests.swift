import Foundation
import MeshTestSupport
import Testing

@testable import MeshRadio

@Suite struct DelayTests {
    @Test(.proves("OTA-100"), arguments: RadioTables.all.scoreAndRxDelay)
    func `score and receive delay are the firmware's`(row: RadioTables.ScoreRow) {
        let score = PacketScore.score(snr: row.snr, spreadingFactor: row.sf, length: row.len)

        #expect(score == row.score)
        #expect(
            PacketScore.score(snrQuarterDecibels: Int(row.snr * 4), spreadingFactor: row.sf, length: row.len)
                == row.score)
        let delays = [Float(10), 2.5, 0].map {
            PacketScore.receiveDelayMilliseconds(base: $0, score: score, airtimeMilliseconds: row.airtimeMs)
        }
        #expect(delays == [row.rxDelayMsBase10, row.rxDelayMsBase25, 0])
    }

    @Test func `powers come out exact where they are exact`() {
        #expect(PacketScore.raise(20, to: 0) == 1)
        #expect(PacketScore.raise(1, to: 0.85) == 1)
        #expect(PacketScore.raise(4, to: 0.5) == 2)
        #expect(PacketScore.raise(16, to: 0.75) == 8)
        #expect(PacketScore.raise(16, to: -0.5) == 0.25)
    }

    @Test func `powers round to the same 32 bits as those of the C library`() {
        for base: Float in [1e-30, 0.1, 1.5, 2.5, 3, 7.3, 10, 19.9, 20, 1e30] {
            for step in 0...1024 {
                let exponent = Float(0.85) - Float(step) / 1024
                let exact = pow(Double(base), Double(exponent))
                let ours = PacketScore.raise(Double(base), to: exponent)
                #expect(abs(ours - exact) <= exact * 1e-14 && Float(ours) == Float(exact), "\(base) to \(exponent)")
            }
        }
    }

    @Test func `no setting and no score trap`() {
        for base: Float in [-1, 0, 1e-30, 20, 1e30, .infinity, .nan] {
            for score: Float in [-5, 0, 0.85, 1, 7, .nan] {
                for airtime: UInt32 in [0, .max] {
                    let delay = PacketScore.receiveDelayMilliseconds(
                        base: base, score: score, airtimeMilliseconds: airtime)
                    #expect(base > 0 && airtime > 0 || delay == 0)
                }
            }
        }
        for factor: Float in [-1, 0, 2, .infinity, .nan] {
            let delay = RetransmitDelay.uniform(airtimeMilliseconds: .max, factor: factor, random: .max)
            #expect(factor > 0 || delay == 0)
        }
    }

    @Test func `each spreading factor hears 2.5 dB deeper than the one before`() {
        #expect((7...12).map { PacketScore.snrThreshold(spreadingFactor: $0) } == [-7.5, -10, -12.5, -15, -17.5, -20])
        #expect(PacketScore.snrThreshold(spreadingFactor: 6) == nil)
        #expect(PacketScore.snrThreshold(spreadingFactor: 13) == nil)
        for spreadingFactor: UInt8 in 7...12 {
            let limit = LoRaParameters(spreadingFactor: spreadingFactor).snrLimitQuarterDecibels
            #expect(PacketScore.snrThreshold(spreadingFactor: spreadingFactor) == Float(limit) / 4)
        }
        #expect(LoRaParameters(spreadingFactor: 5).snrLimitQuarterDecibels == -10)
    }

    @Test(.proves("OTA-035"), arguments: RadioTables.all.retransmitDelay)
    func `retransmit delays are the firmware's`(row: RadioTables.RetransmitRow) throws {
        let bytes = row.payloadLen + row.pathBytes + 2
        #expect(LoRaParameters().airtimeMilliseconds(bytes: bytes) == row.airtimeMs)

        let delay =
            switch row.formula {
            case "uniform":
                RetransmitDelay.uniform(
                    airtimeMilliseconds: row.airtimeMs, factor: try #require(row.factor), random: row.randomU32)
            case "six":
                RetransmitDelay.sixSlots(
                    airtimeMilliseconds: row.airtimeMs, factor: try #require(row.factor), random: row.randomU32)
            default: RetransmitDelay.fiveSlots(airtimeMilliseconds: row.airtimeMs, random: row.randomU32)
            }
        #expect(delay == row.delayMs)
    }

    @Test(.proves("OTA-035")) func `a companion's draw covers 0 to five times half the airtime`() {
        let draws = (0...965).map {
            RetransmitDelay.uniform(airtimeMilliseconds: 386, factor: 0.5, random: UInt32($0))
        }
        #expect(draws == (0...965).map { UInt32($0) })
        #expect(RetransmitDelay.uniform(airtimeMilliseconds: 386, factor: 0.5, random: 966) == 0)
    }

    @Test(.proves("OTA-070"), arguments: RadioTables.all.sendTimeout)
    func `time-outs follow from the airtime of payload plus six`(row: RadioTables.TimeoutRow) {
        let airtime = LoRaParameters(sf: row.sf, bwKhz: row.bwKhz, cr: row.cr)
            .airtimeMilliseconds(bytes: row.payloadLen + 6)

        let timeout =
            if let hops = row.outPathHops {
                SendTimeout.direct(airtimeMilliseconds: airtime, hops: hops)
            } else {
                SendTimeout.flood(airtimeMilliseconds: airtime)
            }
        #expect(timeout == row.estTimeoutMs)
    }

    @Test(arguments: SentTimeout.all)
    func `time-outs of the companion protocol`(row: SentTimeout) {
        let parameters = LoRaParameters(
            frequencyKilohertz: row.freqKhz, bandwidthHertz: row.bwHz, spreadingFactor: row.sf, codingRate: row.cr)
        let airtime = parameters.airtimeMilliseconds(bytes: row.airtimeLen)

        #expect(row.airtimeLen == row.payloadBytes + 6)
        #expect(airtime == row.airtimeMs)
        #expect(SendTimeout.flood(airtimeMilliseconds: airtime) == row.flood)
        #expect(SendTimeout.direct(airtimeMilliseconds: airtime, hops: 0) == row.direct0Hops)
        #expect(SendTimeout.direct(airtimeMilliseconds: airtime, hops: 2) == row.direct2Hops2Byte)
        #expect(SendTimeout.direct(airtimeMilliseconds: airtime, hops: 3) == row.direct3Hops)
    }

    @Test func `the tables are complete`() {
        #expect(SentTimeout.all.count == 45)
        #expect(RadioTables.all.scoreAndRxDelay.count == 13)
        #expect(RadioTables.all.retransmitDelay.count == 13)
        #expect(RadioTables.all.sendTimeout.count == 6)
    }
}
