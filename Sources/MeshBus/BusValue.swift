import CDBus

/// A value of a D-Bus message, of the types that the services of a machine use.
package indirect enum BusValue: Hashable, Sendable {
    case string(String)
    case objectPath(String)
    case boolean(Bool)
    case byte(UInt8)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    /// Elements of one type, which is named for those without any.
    case array(of: String, [BusValue])
    case entry(key: BusValue, value: BusValue)
    case structure([BusValue])
    case variant(BusValue)

    /// The type as D-Bus writes it.
    package var signature: String {
        switch self {
        case .string: "s"
        case .objectPath: "o"
        case .boolean: "b"
        case .byte: "y"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .array(let element, _): "a" + element
        case .entry(let key, let value): "{" + key.signature + value.signature + "}"
        case .structure(let members): "(" + members.map(\.signature).joined() + ")"
        case .variant: "v"
        }
    }

    package static func bytes(_ bytes: some Sequence<UInt8>) -> BusValue { .array(of: "y", bytes.map(BusValue.byte)) }

    package static func strings(_ strings: [String]) -> BusValue { .array(of: "s", strings.map(BusValue.string)) }

    /// A dictionary of texts, in this order.
    package static func texts(_ texts: KeyValuePairs<String, String>) -> BusValue {
        .array(of: "{ss}", texts.map { .entry(key: .string($0.key), value: .string($0.value)) })
    }

    /// A dictionary of values of any type, in this order.
    package static func variants(_ values: KeyValuePairs<String, BusValue>) -> BusValue {
        .array(of: "{sv}", values.map { .entry(key: .string($0.key), value: .variant($0.value)) })
    }

    // MARK: Looking in

    /// The text of a string or of an object path.
    package var text: String? {
        switch self {
        case .string(let text), .objectPath(let text): text
        case .variant(let value): value.text
        default: nil
        }
    }

    package var flag: Bool? {
        switch self {
        case .boolean(let flag): flag
        case .variant(let value): value.flag
        default: nil
        }
    }

    /// The value of an unsigned number of any width.
    package var number: UInt32? {
        switch self {
        case .byte(let number): UInt32(number)
        case .uint16(let number): UInt32(number)
        case .uint32(let number): number
        case .variant(let value): value.number
        default: nil
        }
    }

    /// The value of a signed number of any width.
    package var signed: Int32? {
        switch self {
        case .int16(let number): Int32(number)
        case .int32(let number): number
        case .variant(let value): value.signed
        default: nil
        }
    }

    /// The value of a dictionary under a text.
    package subscript(key: String) -> BusValue? {
        for case .entry(let name, let value) in parts where name.text == key {
            return if case .variant(let inner) = value { inner } else { value }
        }
        return nil
    }

    /// The elements of an array or the members of a structure.
    package var parts: [BusValue] {
        switch self {
        case .array(_, let parts), .structure(let parts): parts
        case .variant(let value): value.parts
        default: []
        }
    }

    /// The bytes of an array of bytes.
    package var octets: [UInt8] { parts.compactMap { if case .byte(let byte) = $0 { byte } else { nil } } }

    // MARK: Checks

    /// True when the library accepts the value; with any other it ends the program.
    var isValid: Bool {
        switch self {
        // The library takes texts by their end.
        case .string(let text): !text.utf8.contains(0)
        case .objectPath(let path): !path.utf8.contains(0) && dbus_validate_path(path, nil) != 0
        case .array(let element, let parts):
            dbus_signature_validate_single("a" + element, nil) != 0
                && parts.allSatisfy { $0.signature == element && $0.isValidPart }
        case .entry: false
        case .structure(let members): !members.isEmpty && members.allSatisfy(\.isValid)
        case .variant(let value): value.isValid
        default: true
        }
    }

    /// True when an array accepts it: only there are entries of dictionaries.
    private var isValidPart: Bool {
        if case .entry(let key, let value) = self { key.isValid && value.isValid } else { isValid }
    }
}
