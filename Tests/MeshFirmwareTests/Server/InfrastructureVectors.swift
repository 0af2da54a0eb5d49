import MeshCrypto
import MeshTestSupport
import MeshWire
import Testing

/// `infrastructure.json`: what repeaters, room servers and sensors were seen to do.
///
/// The static vectors are of many shapes; a test says which one it reads: `InfrastructureVectors.read(id, as:
/// Shape.self)`.
struct InfrastructureVectors: Decodable, Sendable {
    struct Identity: Decodable, Sendable {
        let seed: String
        let publicKey: String

        var local: LocalIdentity { LocalIdentity(seed: FixedBytes(hex: seed) ?? FixedBytes()) }
        var key: PublicKey { FixedBytes(hex: publicKey) ?? FixedBytes() }
    }

    let identities: [String: Identity]
    let sharedSecrets: [String: String]
    let scenarios: [Scenario]
    let vectors: [Name]

    static let all = VectorFile.decode(InfrastructureVectors.self, "infrastructure")
    /// The node under test in all of them.
    static let server = identity("server")

    static func identity(_ name: String) -> LocalIdentity {
        guard let found = all.identities[name] else { fatalError("no identity \(name)") }
        return found.local
    }

    /// A client of the recordings.
    static func peer(_ name: String) -> Peer { Peer(name, identity: identity(name)) }
}

// MARK: Static vectors

extension InfrastructureVectors {
    struct Name: Decodable, Sendable {
        let id: String
    }

    /// The vector of this name, in the shape that the test expects of it.
    static func read<Shape: Decodable>(_ id: String, as shape: Shape.Type = Shape.self) -> Shape {
        let file = VectorFile.decode(Shaped<Shape>.self, "infrastructure")
        guard let row = file.vectors.first(where: { $0.id == id }) else { fatalError("no vector \(id)") }
        do {
            return try row.content.get()
        } catch {
            fatalError("\(id) has another shape: \(error)")
        }
    }

    private struct Shaped<Shape: Decodable>: Decodable {
        let vectors: [Row]

        struct Row: Decodable {
            let id: String
            let content: Result<Shape, any Error>

            init(from decoder: any Decoder) throws {
                id = try Name(from: decoder).id
                content = Result { try Shape(from: decoder) }
            }
        }
    }
}

// MARK: Scenarios

extension InfrastructureVectors {
    struct Scenario: Decodable, Sendable, CustomTestStringConvertible {
        struct Setup: Decodable, Sendable {
            let serialCommands: [String]
            let serverClock: UInt32
            let batteryMv: UInt16
        }

        let id: String
        let role: String
        let setup: Setup?
        var steps: [Step]

        var testDescription: String { id }
    }

    /// A packet that is heard, a command that is typed, or time that passes; and all that is sent meanwhile.
    struct Step: Decodable, Sendable {
        let name: String?
        let receive: String?
        let snr: Double?
        let observeMs: Int?
        let advanceMs: Int?
        let serial: String?
        let reply: String?
        var expect: [Transmission]?
        let note: String?
    }

    struct Transmission: Decodable, Sendable {
        struct PathReturn: Decodable, Sendable {
            let pathLenByte: UInt8
            let path: String
            let extraType: UInt8
        }

        var route: String
        var type: String
        var raw: String?
        /// True when `raw` holds bytes that are random or depend on the recording's clock.
        let rawIsExample: Bool?
        let pathLenByte: UInt8?
        var path: String?
        var payload: String?
        let transportCodes: [UInt16]?
        let to: String?
        var plaintext: String?
        let plaintextMask: String?
        let pathReturn: PathReturn?
        let appData: String?
        /// From the packet's processing to the start of the transmission.
        var delayMs: Int64?
        var delayRangeMs: [Int64]?
        let delayMinMs: Int64?
        /// From the beginning of the step.
        let atMs: Int64?
        let orderFree: Bool?
    }

    static func scenario(_ id: String) -> Scenario {
        guard let found = all.scenarios.first(where: { $0.id == id }) else { fatalError("no scenario \(id)") }
        return found
    }
}
