public import MeshCompanion
public import MeshWire

/// The recipient of a message or request, in the ways in which programs know nodes.
public enum Destination: Hashable, Sendable {
    /// A key, or the first bytes of one.
    case bytes([UInt8])
    /// Hexadecimal digits, spaces allowed.
    case hex(String)
    /// A contact as the radio has it.
    case contact(ContactRecord)

    /// The first bytes of the key, as messages want them.
    public func prefix() throws(DestinationError) -> FixedBytes<6> { FixedBytes(try bytes(6)) }

    /// The whole key, as requests want it.
    public func fullPublicKey() throws(DestinationError) -> FixedBytes<32> { FixedBytes(try bytes(32)) }

    /// The first `prefixLength` bytes of the key.
    public func publicKey(prefixLength: Int) throws(DestinationError) -> [UInt8] { try bytes(prefixLength) }

    private func bytes(_ count: Int) throws(DestinationError) -> [UInt8] {
        let known: [UInt8]
        switch self {
        case .bytes(let bytes): known = bytes
        case .contact(let contact): known = contact.publicKey.array
        case .hex(let text):
            guard let bytes = [UInt8](hex: text) else { throw .invalidHexString(text) }
            known = bytes
        }
        guard known.count >= count else { throw .insufficientLength(expected: count, actual: known.count) }
        return [UInt8](known.prefix(max(0, count)))
    }
}

/// The reason why a value is no destination.
public enum DestinationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A text that holds other characters than hexadecimal digits, or an odd number of them.
    case invalidHexString(String)
    /// The key has too few bytes: the number expected, and the actual one.
    case insufficientLength(expected: Int, actual: Int)

    public var description: String {
        switch self {
        case .invalidHexString(let text): "\"\(text)\" is not a row of hexadecimal digits in pairs"
        case .insufficientLength(let expected, let actual):
            "the key has \(actual) bytes where \(expected) are needed"
        }
    }
}
