/// The containers of captures, recognised by their first bytes, never by the name of a file.
package enum CaptureFormat: String, Hashable, Sendable, CaseIterable {
    case pcap
    case pcapng
    case btsnoop
    case packetLogger = "PacketLogger"

    /// The result of a look at the first bytes of a file.
    enum Recognition {
        case format(CaptureFormat)
        /// As many bytes are needed to recognise it.
        case need(Int)
        case refused(String)
    }

    /// Recognises a file by its first bytes, which are all of them when `isWhole`.
    static func recognise(_ bytes: Span<UInt8>, isWhole: Bool) -> Recognition {
        guard bytes.count >= 4 else {
            return isWhole ? .refused("\(bytes.count) bytes are no capture") : .need(4)
        }
        switch bytes.word32(0, .big) {
        case 0xA1B2_C3D4, 0xD4C3_B2A1, 0xA1B2_3C4D, 0x4D3C_B2A1: return .format(.pcap)
        case 0x0A0D_0D0A: return .format(.pcapng)
        case 0x6274_736E where bytes.count < 8: return isWhole ? .refused("is cut in its first word") : .need(8)
        case 0x6274_736E where bytes.word32(4, .big) == 0x6F6F_7000: return .format(.btsnoop)
        case 0x1F8B_0000...0x1F8B_FFFF: return .refused("is packed with gzip")
        default: return PacketLoggerParser.recognise(bytes, isWhole: isWhole)
        }
    }
}
