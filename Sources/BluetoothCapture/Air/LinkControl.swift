import MeshBluetoothHost
import MeshWire

/// The messages between two link layers: the first byte of a control PDU.
///
/// Source: Bluetooth Core, Vol 6 Part B, 2.4.2. Opcodes without a name here are counted only.
enum LinkControl {
    static let terminate: UInt8 = 0x02
    static let encryptionRequest: UInt8 = 0x03
    static let encryptionResponse: UInt8 = 0x04
    static let startEncryptionRequest: UInt8 = 0x05
    static let pauseEncryptionRequest: UInt8 = 0x0A
    static let pauseEncryptionResponse: UInt8 = 0x0B
    /// LL_REJECT_IND and LL_REJECT_EXT_IND: an encryption that was asked for does not begin.
    static let reject: UInt8 = 0x0D
    static let rejectExtended: UInt8 = 0x11
    /// The highest that is defined; a higher one in the middle of a capture is likely encrypted.
    static let last: UInt8 = 0x2A

    /// Returns the only side that sends this; `nil` for what both send.
    static func sender(of opcode: UInt8) -> LinkSide? {
        switch opcode {
        case encryptionRequest, pauseEncryptionRequest: .central
        case encryptionResponse, startEncryptionRequest: .peripheral
        default: nil
        }
    }
}

/// The central's half of the data for a session's key: LL_ENC_REQ.
struct EncryptionRequest: Hashable, Sendable {
    static let size = 23
    var sessionKeyHalf: UInt64
    /// As on the air, lowest byte first.
    var nonceHalf: UInt32

    /// Reads the PDU from its opcode on.
    init?(_ body: Span<UInt8>) {
        guard body.count == Self.size, body[0] == LinkControl.encryptionRequest else { return nil }
        // The number and the diversifier in front tell which long term key is meant.
        sessionKeyHalf = body.number(at: 11, count: 8)
        nonceHalf = UInt32(body.number(at: 19, count: 4))
    }
}

/// The peripheral's half: LL_ENC_RSP.
struct EncryptionResponse: Hashable, Sendable {
    static let size = 13
    var sessionKeyHalf: UInt64
    var nonceHalf: UInt32

    init?(_ body: Span<UInt8>) {
        guard body.count == Self.size, body[0] == LinkControl.encryptionResponse else { return nil }
        sessionKeyHalf = body.number(at: 1, count: 8)
        nonceHalf = UInt32(body.number(at: 9, count: 4))
    }
}
