public import Foundation

/// What a stack is to end up with, from a JSON file: a part of what `StackOutcome` is as JSON.
///
/// What the file does not speak of is not looked at; lists are compared whole.
public struct Expectation: Sendable {
    private let root: Value

    /// Reads JSON. Throws a `DecodingError`.
    public init(_ json: Data) throws {
        root = try JSONDecoder().decode(Value.self, from: json)
    }

    /// A line for each place where the outcome is not as expected.
    public func differences(from outcome: StackOutcome) throws -> [String] {
        let seen = try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(outcome))
        var lines: [String] = []
        Self.compare(root, seen, "", &lines)
        return lines
    }

    private static func compare(_ expected: Value, _ seen: Value?, _ path: String, _ lines: inout [String]) {
        switch (expected, seen) {
        case (.object(let fields), .object(let others)?):
            for key in fields.keys.sorted() {
                guard let field = fields[key] else { continue }
                compare(field, others[key], path.isEmpty ? key : "\(path).\(key)", &lines)
            }
        case (.list(let items), .list(let others)?):
            if items.count != others.count {
                lines.append("\(path): expected \(items.count), there are \(others.count)")
            }
            for (index, item) in items.enumerated() where index < others.count {
                compare(item, others[index], "\(path)[\(index)]", &lines)
            }
        case (.null, nil): break
        default:
            if expected != seen { lines.append("\(path): expected \(expected), seen \(seen ?? .null)") }
        }
    }

    /// Any JSON.
    private enum Value: Hashable, Sendable, Decodable, CustomStringConvertible {
        case null
        case truth(Bool)
        case number(Double)
        case text(String)
        case list([Value])
        case object([String: Value])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let truth = try? container.decode(Bool.self) {
                self = .truth(truth)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let list = try? container.decode([Value].self) {
                self = .list(list)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }

        var description: String {
            switch self {
            case .null: "nothing"
            case .truth(let truth): "\(truth)"
            case .number(let number): number == number.rounded() ? String(format: "%.0f", number) : "\(number)"
            case .text(let text): text.debugDescription
            case .list(let list): "\(list.count) items"
            case .object: "an object"
            }
        }
    }
}
