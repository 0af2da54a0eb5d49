import Foundation
import MeshCrypto
import MeshTestSupport
import MeshWire
import Testing

/// A row of `vectors` in the over-the-air file.
struct OTAVector: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let kind: String
    let inputs: [String: Input]
    let output: String

    enum Input: Decodable, Sendable {
        case text(String)
        case number(Int)
        case other

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let number = try? value.decode(Int.self) {
                self = .number(number)
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else {
                self = .other
            }
        }
    }

    var testDescription: String { name }

    func text(_ key: String) throws -> String {
        guard case .text(let value)? = inputs[key] else { throw Missing(key: key) }
        return value
    }

    func number(_ key: String) throws -> Int {
        guard case .number(let value)? = inputs[key] else { throw Missing(key: key) }
        return value
    }

    func bytes(_ key: String) throws -> [UInt8] { try #require([UInt8](hex: text(key))) }

    func fixed<let size: Int>(_ key: String) throws -> FixedBytes<size> { FixedBytes<size>(try bytes(key)) }

    struct Missing: Error { let key: String }

    private struct File: Decodable { let vectors: [OTAVector] }

    static let all = VectorFile.decode(File.self, "ota").vectors

    static func kind(_ kind: String) -> [OTAVector] { all.filter { $0.kind == kind } }
}

/// The derived values of the companion file, and its key pairs.
struct CryptoCompanionVectors: Decodable {
    let identities: [String: KeyPair]
    let derivations: Derivations

    struct KeyPair: Decodable, Sendable {
        let publicKey: String
        let privateKey64: String
    }

    struct Derivations: Decodable {
        let expectedAck: [ExpectedACK]
        let channelHash: [ChannelHash]
        let hashtagKey: [HashtagKey]
    }

    struct ExpectedACK: Decodable, Sendable {
        let ownPublicKey: String
        let hashInput: String
        let ack: String
    }

    struct ChannelHash: Decodable, Sendable {
        let secret: String
        let hash: String
    }

    struct HashtagKey: Decodable, Sendable {
        let name: String
        let key: String
    }

    static let all = VectorFile.decode(CryptoCompanionVectors.self, "companion")
}

/// Keys and signatures that strict libraries refuse, with the verdict of the firmware's own code.
struct OddKeys: Decodable {
    let signatures: [SignatureRow]
    let agreements: [AgreementRow]

    struct SignatureRow: Decodable, Sendable, CustomTestStringConvertible {
        let note: String
        let signature: String
        let publicKey: String
        let message: String
        let valid: Bool
        var testDescription: String { note }
    }

    struct AgreementRow: Decodable, Sendable, CustomTestStringConvertible {
        let note: String
        let privateKey: String
        let peer: String
        let publicKey: String
        let secret: String
        var testDescription: String { note }
    }

    static let all = VectorFile.decode(OddKeys.self, "odd-keys", in: .module)
}

/// Numbers that look random and are the same in every run (splitmix64).
struct Draws {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

    mutating func fixed<let size: Int>() -> FixedBytes<size> { FixedBytes(bytes(size)) }
}
