/// A value of a D-Bus message, of the types that the desktop's services use.
indirect enum BusValue: Hashable, Sendable {
    case string(String)
    case objectPath(String)
    case boolean(Bool)
    case byte(UInt8)
    case int32(Int32)
    case uint32(UInt32)
    /// Elements of one type, which is named for those without any.
    case array(of: String, [BusValue])
    case entry(key: BusValue, value: BusValue)
    case structure([BusValue])
    case variant(BusValue)

    /// The type as D-Bus writes it.
    var signature: String {
        switch self {
        case .string: "s"
        case .objectPath: "o"
        case .boolean: "b"
        case .byte: "y"
        case .int32: "i"
        case .uint32: "u"
        case .array(let element, _): "a" + element
        case .entry(let key, let value): "{" + key.signature + value.signature + "}"
        case .structure(let members): "(" + members.map(\.signature).joined() + ")"
        case .variant: "v"
        }
    }

    static func bytes(_ bytes: some Sequence<UInt8>) -> BusValue { .array(of: "y", bytes.map(BusValue.byte)) }

    static func strings(_ strings: [String]) -> BusValue { .array(of: "s", strings.map(BusValue.string)) }

    /// A dictionary of texts, in this order.
    static func texts(_ texts: KeyValuePairs<String, String>) -> BusValue {
        .array(of: "{ss}", texts.map { .entry(key: .string($0.key), value: .string($0.value)) })
    }

    /// A dictionary of values of any type, in this order.
    static func variants(_ values: KeyValuePairs<String, BusValue>) -> BusValue {
        .array(of: "{sv}", values.map { .entry(key: .string($0.key), value: .variant($0.value)) })
    }

    // MARK: Looking in

    /// The text of a string or of an object path.
    var text: String? {
        switch self {
        case .string(let text), .objectPath(let text): text
        case .variant(let value): value.text
        default: nil
        }
    }

    var flag: Bool? {
        switch self {
        case .boolean(let flag): flag
        case .variant(let value): value.flag
        default: nil
        }
    }

    var number: UInt32? { if case .uint32(let number) = self { number } else { nil } }

    /// The elements of an array or the members of a structure.
    var parts: [BusValue] {
        switch self {
        case .array(_, let parts), .structure(let parts): parts
        case .variant(let value): value.parts
        default: []
        }
    }

    /// The bytes of an array of bytes.
    var octets: [UInt8] { parts.compactMap { if case .byte(let byte) = $0 { byte } else { nil } } }
}
