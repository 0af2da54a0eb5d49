import Foundation
import MeshRadio
import MeshTestSupport

/// Tables of airtime, score and delays, made by running the code of the firmware.
struct RadioTables: Decodable {
    let airtime: [AirtimeRow]
    let scoreAndRxDelay: [ScoreRow]
    let retransmitDelay: [RetransmitRow]
    let sendTimeout: [TimeoutRow]

    struct AirtimeRow: Decodable, Sendable {
        let sf: UInt8
        let bwKhz: Double
        let cr: UInt8
        let preamble: UInt16
        let len: Int
        let ldro: Bool
        let micros: Int64
        let estMillis: UInt32
    }

    struct ScoreRow: Decodable, Sendable {
        let sf: UInt8
        let snr: Float
        let len: Int
        let airtimeMs: UInt32
        let score: Float
        let rxDelayMsBase10: Int32
        // The key strategy makes this of "base2_5".
        let rxDelayMsBase25: Int32
    }

    struct RetransmitRow: Decodable, Sendable {
        let role: String
        let factor: Float?
        let formula: String
        let payloadLen: Int
        let pathBytes: Int
        let airtimeMs: UInt32
        let randomU32: UInt32
        let delayMs: UInt32
    }

    struct TimeoutRow: Decodable, Sendable {
        let sf: UInt8
        let bwKhz: Double
        let cr: UInt8
        let payloadLen: Int
        let outPathHops: Int?
        let estTimeoutMs: UInt32
    }

    private struct File: Decodable { let tables: RadioTables }

    static let all = VectorFile.decode(File.self, "ota").tables
}

/// The table of time-outs of the companion protocol.
struct SentTimeout: Decodable, Sendable {
    let freqKhz: UInt32
    let bwHz: UInt32
    let sf: UInt8
    let cr: UInt8
    let textBytes: Int
    let payloadBytes: Int
    let airtimeLen: Int
    let airtimeMs: UInt32
    let flood: UInt32
    let direct0Hops: UInt32
    let direct2Hops2Byte: UInt32
    let direct3Hops: UInt32

    private struct File: Decodable {
        struct Table: Decodable { let rows: [SentTimeout] }
        let sentTimeouts: Table
    }

    static let all = VectorFile.decode(File.self, "companion").sentTimeouts.rows
}

extension LoRaParameters {
    init(sf: UInt8, bwKhz: Double, cr: UInt8) {
        self.init(bandwidthHertz: UInt32(bwKhz * 1000), spreadingFactor: sf, codingRate: cr)
    }
}
