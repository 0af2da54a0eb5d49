import MeshFiles
import MeshWorlds

extension Study {
    /// A value of a study's file, written as a literal.
    public enum Value: Hashable, Sendable {
        /// A number, finite.
        case number(Double)
        /// A text.
        case text(String)
        /// `true` or `false`.
        case truth(Bool)
        /// Values in their order.
        case list([Value])
        /// Values by name.
        case object([String: Value])
    }
}

extension Study.Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(stringLiteral value: String) { self = .text(value) }
    public init(booleanLiteral value: Bool) { self = .truth(value) }
    public init(arrayLiteral elements: Study.Value...) { self = .list(elements) }
    public init(dictionaryLiteral elements: (String, Study.Value)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }
}

extension Study.Value: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .truth(let truth): try container.encode(truth)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }
}

extension Study.Value {
    /// The value as the reader of files receives it.
    var json: JSONText {
        switch self {
        case .number(let number): JSONText(content: .number(number))
        case .text(let text): JSONText(content: .string(text))
        case .truth(let truth): JSONText(content: .bool(truth))
        case .list(let list): JSONText(content: .array(list.map(\.json)))
        case .object(let members):
            JSONText(content: .object(members.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) }))
        }
    }
}
