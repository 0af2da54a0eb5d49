import Foundation
import MeshTestSupport
import MeshWire
import Testing

/// The parts of the over-the-air vectors that concern the routing core.
struct RoutingVectors: Decodable, Sendable {
    let vectors: [Vector]
    let tables: Tables

    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let kind: String
        let inputs: Inputs
        let output: String

        var testDescription: String { name }
    }

    struct Inputs: Decodable, Sendable {
        let heard: String?
        let snrX4: Int?
    }

    struct Tables: Decodable, Sendable {
        let pathLen: [PathLengthRow]
        let parse: [ParseRow]
        let retransmitDelay: [DelayRow]
        let scoreAndRxDelay: [ScoreRow]
    }

    struct PathLengthRow: Decodable, Sendable {
        let byte: String
        let bytes: Int
        let valid: Bool
    }

    struct ParseRow: Decodable, Sendable {
        let raw: String
        let radioReceiveAccepts: Bool
        let blobImportAccepts: Bool
    }

    struct DelayRow: Decodable, Sendable, CustomTestStringConvertible {
        let role: String
        let factor: Double?
        let formula: String
        let payloadLen: Int
        let randomU32: UInt32
        let delayMs: UInt32

        var testDescription: String { "\(role), \(randomU32)" }
    }

    struct ScoreRow: Decodable, Sendable {
        let sf: UInt8
        let snr: Double
        let len: Int
        let airtimeMs: UInt32
        let rxDelayMsBase10: Int32
        let rxDelayMsBase25: Int32
    }

    static let all = VectorFile.decode(RoutingVectors.self, "ota")
    static let forwards = all.vectors.filter { $0.kind == "forward" }

    /// The output of a vector, as hex.
    static func hex(_ name: String) throws -> String {
        try #require(all.vectors.first { $0.name == name }).output
    }

    /// Returns the frame that the forwarder of a vector receives, as hex.
    static func heard(_ name: String) throws -> String {
        try #require(all.vectors.first { $0.name == name }?.inputs.heard)
    }
}
