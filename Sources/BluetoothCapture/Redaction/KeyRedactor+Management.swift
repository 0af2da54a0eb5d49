import MeshBluetoothHost

extension KeyRedactor {
    /// Redacts a message between a program and the kernel's management channel, from its opcode on.
    ///
    /// The opcodes are of commands and of events; both are little endian, the parameters follow.
    static func redactManagement(isEvent: Bool, _ bytes: inout [UInt8]) -> Bool {
        guard bytes.count >= 2 else { return false }
        let opcode = bytes.span.word(at: 0)
        return isEvent ? redactManagementEvent(opcode, &bytes) : redactManagementCommand(opcode, &bytes)
    }

    private static func redactManagementCommand(_ opcode: UInt16, _ bytes: inout [UInt8]) -> Bool {
        switch opcode {
        // Link keys: whether debug keys are wanted, a count, items of 25 bytes with the key behind 8.
        case 0x0012: zeroItems(&bytes, from: 2 + 3, size: 25, key: 8, count: 16)
        // Long term keys: items of 36 bytes, the key last.
        case 0x0013: zeroItems(&bytes, from: 2 + 2, size: 36, key: 20, count: 16)
        // A PIN behind address, type and length; a passkey behind address and type.
        case 0x0016: zero(&bytes, 2 + 8, 16)
        case 0x001A: zero(&bytes, 2 + 7, 4)
        // Identity keys: items of 23 bytes, the key last.
        case 0x0030: zeroItems(&bytes, from: 2 + 2, size: 23, key: 7, count: 16)
        default: false
        }
    }

    private static func redactManagementEvent(_ opcode: UInt16, _ bytes: inout [UInt8]) -> Bool {
        switch opcode {
        // A link key behind hint, address, type and kind; a long term key behind size, diversifier and number too.
        case 0x0009: zero(&bytes, 2 + 9, 16)
        case 0x000A: zero(&bytes, 2 + 21, 16)
        // A passkey to show.
        case 0x0017: zero(&bytes, 2 + 7, 4)
        // An identity key behind hint and two addresses; a signing key behind hint, address, type and kind.
        case 0x0018: zero(&bytes, 2 + 14, 16)
        case 0x0019: zero(&bytes, 2 + 9, 16)
        default: false
        }
    }

    private static func zeroItems(
        _ bytes: inout [UInt8], from start: Int, size: Int, key: Int, count: Int
    ) -> Bool {
        var isRedacted = false
        for item in stride(from: start, to: bytes.count, by: size) {
            isRedacted = zero(&bytes, item + key, count) || isRedacted
        }
        return isRedacted
    }
}
