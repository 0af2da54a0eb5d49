import Foundation
import MeshTestSupport
import MeshWire
import Testing

/// `companion.json`, as far as frames and streams go.
struct CompanionVectors: Decodable {
    struct Frame: Decodable, CustomTestStringConvertible, Sendable {
        let name: String
        let direction: String
        let code: UInt8
        let length: Int
        let hex: String
        let fields: [String: JSON]
        let expectedReply: String?

        var bytes: [UInt8] { [UInt8](hex: hex) ?? [] }
        var isCommand: Bool { direction == "app_to_radio" }
        var testDescription: String { name }

        enum CodingKeys: String, CodingKey {
            case name, direction, code, length, hex, fields
            case expectedReply = "expected_reply"
        }
    }

    struct Stream: Decodable, CustomTestStringConvertible, Sendable {
        let name: String
        let bytesToRadio: String
        let bytesToApp: String

        var testDescription: String { name }

        enum CodingKeys: String, CodingKey {
            case name
            case bytesToRadio = "bytes_to_radio"
            case bytesToApp = "bytes_to_app"
        }
    }

    let frames: [Frame]
    let framing: [Stream]

    static let stored = VectorFile.decode(CompanionVectors.self, "companion", by: JSONDecoder())

    static func resource(_ name: String) throws -> Data {
        let folder = Bundle.module.resourceURL
        guard let url = folder?.appendingPathComponent(name) else { throw CocoaError(.fileNoSuchFile) }
        return try Data(contentsOf: url)
    }
}

/// Any JSON value, whose object keys keep their spelling.
enum JSON: Decodable, Equatable, Sendable {
    case null
    case number(Int64)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let number = try? container.decode(Int64.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([JSON].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }
}
