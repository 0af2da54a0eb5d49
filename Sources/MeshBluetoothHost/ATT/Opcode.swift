import MeshWire

extension ATT {
    /// The first byte of a packet.
    package struct Opcode: ExpressibleByRawValue, Hashable, Sendable {
        package var rawValue: UInt8

        @inlinable
        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let errorResponse = Opcode(rawValue: 0x01)
        package static let exchangeMTURequest = Opcode(rawValue: 0x02)
        package static let exchangeMTUResponse = Opcode(rawValue: 0x03)
        package static let findInformationRequest = Opcode(rawValue: 0x04)
        package static let findInformationResponse = Opcode(rawValue: 0x05)
        package static let findByTypeValueRequest = Opcode(rawValue: 0x06)
        package static let findByTypeValueResponse = Opcode(rawValue: 0x07)
        package static let readByTypeRequest = Opcode(rawValue: 0x08)
        package static let readByTypeResponse = Opcode(rawValue: 0x09)
        package static let readRequest = Opcode(rawValue: 0x0A)
        package static let readResponse = Opcode(rawValue: 0x0B)
        package static let readBlobRequest = Opcode(rawValue: 0x0C)
        package static let readBlobResponse = Opcode(rawValue: 0x0D)
        package static let readMultipleRequest = Opcode(rawValue: 0x0E)
        package static let readMultipleResponse = Opcode(rawValue: 0x0F)
        package static let readByGroupTypeRequest = Opcode(rawValue: 0x10)
        package static let readByGroupTypeResponse = Opcode(rawValue: 0x11)
        package static let writeRequest = Opcode(rawValue: 0x12)
        package static let writeResponse = Opcode(rawValue: 0x13)
        package static let prepareWriteRequest = Opcode(rawValue: 0x16)
        package static let prepareWriteResponse = Opcode(rawValue: 0x17)
        package static let executeWriteRequest = Opcode(rawValue: 0x18)
        package static let executeWriteResponse = Opcode(rawValue: 0x19)
        package static let notification = Opcode(rawValue: 0x1B)
        package static let indication = Opcode(rawValue: 0x1D)
        package static let confirmation = Opcode(rawValue: 0x1E)
        package static let readMultipleVariableRequest = Opcode(rawValue: 0x20)
        package static let readMultipleVariableResponse = Opcode(rawValue: 0x21)
        package static let multipleNotification = Opcode(rawValue: 0x23)
        package static let writeCommand = Opcode(rawValue: 0x52)
        package static let signedWriteCommand = Opcode(rawValue: 0xD2)
    }
}

extension ATT.Opcode {
    /// The role of a packet in the conversation.
    package enum Role: Hashable, Sendable {
        /// Answered by a response or an error; one at a time.
        case request
        case response
        /// Of a client, never answered.
        case command
        /// Of a server, never answered.
        case notification
        /// Of a server, answered by a confirmation; one at a time.
        case indication
        case confirmation
        case unknown
    }

    /// The role of a packet with this opcode; unlisted opcodes with bit 6 are commands, all others unknown.
    package var role: Role {
        switch rawValue {
        case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20: .request
        case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21: .response
        case 0x1B, 0x23: .notification
        case 0x1D: .indication
        case 0x1E: .confirmation
        default: rawValue & 0x40 != 0 ? .command : .unknown
        }
    }

    /// The response to this request when it succeeds.
    package var response: ATT.Opcode? {
        role == .request ? ATT.Opcode(rawValue: rawValue + 1) : nil
    }
}

extension ATT.Opcode: CustomStringConvertible {
    /// As the specification calls it, `Write Command`; an unknown one in hex.
    package var description: String { Self.names[rawValue] ?? "0x" + [rawValue].hex }

    private static let names: [UInt8: String] = [
        0x01: "Error Response", 0x02: "Exchange MTU Request", 0x03: "Exchange MTU Response",
        0x04: "Find Information Request", 0x05: "Find Information Response", 0x06: "Find By Type Value Request",
        0x07: "Find By Type Value Response", 0x08: "Read By Type Request", 0x09: "Read By Type Response",
        0x0A: "Read Request", 0x0B: "Read Response", 0x0C: "Read Blob Request", 0x0D: "Read Blob Response",
        0x0E: "Read Multiple Request", 0x0F: "Read Multiple Response", 0x10: "Read By Group Type Request",
        0x11: "Read By Group Type Response", 0x12: "Write Request", 0x13: "Write Response",
        0x16: "Prepare Write Request", 0x17: "Prepare Write Response", 0x18: "Execute Write Request",
        0x19: "Execute Write Response", 0x1B: "Handle Value Notification", 0x1D: "Handle Value Indication",
        0x1E: "Handle Value Confirmation", 0x20: "Read Multiple Variable Request",
        0x21: "Read Multiple Variable Response", 0x23: "Multiple Handle Value Notification", 0x52: "Write Command",
        0xD2: "Signed Write Command",
    ]
}
