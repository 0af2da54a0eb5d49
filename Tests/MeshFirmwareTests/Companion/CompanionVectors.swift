import Foundation
import MeshCrypto
import MeshTestSupport
import MeshWire
import Testing

/// `companion.json`, as far as a whole radio is needed for it.
struct CompanionVectors: Decodable, Sendable {
    struct Identity: Decodable, Sendable {
        let privateKey64: String

        var local: LocalIdentity { LocalIdentity(privateKey: FixedBytes(hex: privateKey64) ?? FixedBytes()) }
    }

    struct Timeout: Decodable, Sendable, CustomTestStringConvertible {
        let freqKhz: UInt32
        let bwHz: UInt32
        let sf: UInt8
        let cr: UInt8
        let textBytes: Int
        let flood: UInt32
        let direct0Hops: UInt32
        let direct2Hops2Byte: UInt32
        let direct3Hops: UInt32

        var testDescription: String { "\(bwHz) Hz SF\(sf) CR\(cr) \(textBytes) bytes" }
    }

    struct Timeouts: Decodable, Sendable {
        let rows: [Timeout]
    }

    struct RoundTrip: Decodable, Sendable, CustomTestStringConvertible {
        let command: String
        let sent: [Int64]?
        let reported: [Int64]?
        let batteryMv: UInt16?
        let lpp: String?

        var testDescription: String { "\(command) \(sent?.description ?? batteryMv?.description ?? "")" }
    }

    struct Derivations: Decodable, Sendable {
        let floatRoundTrips: [RoundTrip]
    }

    struct Stream: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let bytesToRadio: String
        let bytesToApp: String

        var testDescription: String { name }
    }

    struct Frame: Decodable, Sendable {
        let name: String
        let direction: String
        let hex: String
        let referenceReply: [String]?
    }

    let identities: [String: Identity]
    let frames: [Frame]
    let framing: [Stream]
    let derivations: Derivations
    let sentTimeouts: Timeouts

    static let stored = VectorFile.decode(CompanionVectors.self, "companion")

    func identity(_ prefix: String) -> Identity {
        guard let found = identities.first(where: { $0.key.hasPrefix(prefix) }) else {
            fatalError("no identity \(prefix)")
        }
        return found.value
    }
}
