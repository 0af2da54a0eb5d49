import MeshTestSupport
import MeshWire
import Testing

/// Known answers of the protocol on the air, made by running the code of the firmware.
struct OTAVectors: Decodable, Sendable {
    let identities: [String: Identity]
    let vectors: [Vector]
    let tables: Tables

    struct Identity: Decodable, Sendable {
        let seed: String
        let pub: String
        let prv64: String
    }

    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let kind: String
        let inputs: [String: Input]
        let output: String

        var testDescription: String { name }
        var expected: [UInt8] { [UInt8](hex: output) ?? [] }

        func text(_ key: String) -> String? { if case .text(let value)? = inputs[key] { value } else { nil } }
        func number(_ key: String) -> Int? { if case .number(let value)? = inputs[key] { value } else { nil } }
        func bytes(_ key: String) -> [UInt8]? { text(key).flatMap { [UInt8](hex: $0) } }
        func byte(_ key: String) -> UInt8? { bytes(key)?.first }
        func numbers(_ key: String) -> [Int]? { if case .numbers(let value)? = inputs[key] { value } else { nil } }
    }

    enum Input: Decodable, Sendable {
        case text(String)
        case number(Int)
        case numbers([Int])
        case flag(Bool)
        case none

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .none
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? value.decode(Int.self) {
                self = .number(number)
            } else if let numbers = try? value.decode([Int].self) {
                self = .numbers(numbers)
            } else {
                self = .text(try value.decode(String.self))
            }
        }
    }

    struct Tables: Decodable, Sendable {
        let pathLen: [PathLengthRow]
        let parse: [ParseRow]
    }

    struct PathLengthRow: Decodable, Sendable {
        let byte: String
        let hashSize: Int
        let count: Int
        let bytes: Int
        let valid: Bool
    }

    struct ParseRow: Decodable, Sendable {
        let raw: String
        let radioReceiveAccepts: Bool
        let blobImportAccepts: Bool
        let payloadLen: Int?
    }

    static let all = VectorFile.decode(OTAVectors.self, "ota")

    static func kind(_ kind: String) -> [Vector] { all.vectors.filter { $0.kind == kind } }
    static func vector(_ name: String) throws -> Vector {
        try #require(all.vectors.first { $0.name == name })
    }
}
