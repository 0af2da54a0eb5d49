import MeshWire

extension HCI {
    /// Why a connection ended, in words.
    package static func disconnectReason(_ code: UInt8) -> String {
        switch code {
        case 0x05: "authentication failure"
        case 0x08: "connection timeout"
        case 0x13: "closed by the other side"
        case 0x16: "closed by this side"
        case 0x3D: "integrity check failed"
        case 0x3E: "connection could not be established"
        default: "reason 0x" + [code].hex
        }
    }
}
