import MeshCompanion
import MeshPacket
import MeshWire

/// The shape of frames by the table of the companion protocol: it distinguishes them from other values.
enum FrameShape {
    /// The lengths of a frame from the radio by its first byte; `nil` for an unknown code.
    private static let lengths: [FrameLength?] = (0...255).map { byte in
        switch RadioCode(UInt8(byte)) {
        case .response(let code): code.row.length
        case .push(let code): code.row.length
        case nil: nil
        }
    }

    /// The shortest and the longest frame from the radio by its first byte; longest 0 for an unknown code.
    private static let bounds: [(shortest: Int, longest: Int)] = lengths.map { length in
        guard let length else { return (0, 0) }
        let all = length.ranges.flatMap { [$0.lowerBound, $0.upperBound] } + length.earlier
        return (all.min() ?? 0, all.max() ?? 0)
    }

    /// Returns the length limits of a frame from the radio that begins with this byte.
    static func bounds(_ code: UInt8) -> (shortest: Int, longest: Int) { bounds[Int(code)] }

    /// Returns whether a radio could have sent this.
    static func isFromRadio(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let code = bytes.first, let length = lengths[Int(code)] else { return false }
        return length.contains(bytes.count) || length.earlier.contains(bytes.count)
    }

    /// Returns whether an app could have sent this: a command that a radio would understand, with all its fields.
    static func isCommand(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, let code = CommandCode(rawValue: first), bytes.count <= CompanionLimits.frame,
            code.row.accepts.admits(length: bytes.count, firstByte: bytes.dropFirst().first ?? 0)
        else { return false }
        return (try? CompanionFrame.command([UInt8](bytes))) != nil
    }

    /// Returns whether nothing but a companion radio sends such a value.
    ///
    /// `afterAppStart`: the app has introduced itself before, without which SELF_INFO proves nothing.
    static func isUnmistakable(_ bytes: ArraySlice<UInt8>, afterAppStart: Bool) -> Bool {
        guard isFromRadio(bytes), let code = bytes.first else { return false }
        let at = bytes.startIndex
        switch RadioCode(code) {
        case .response(.selfInfo):
            let frequency = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[at + 48 + $1]) << (8 * $1) }
            return afterAppStart && 150_000...2_500_000 ~= frequency && 5...12 ~= bytes[at + 56]
                && 5...8 ~= bytes[at + 57]
        case .response(.deviceInfo):
            // "19 Sep 2025", padded with NULs.
            let date = bytes[at + 8..<at + 20].prefix { $0 != 0 }
            return date.count >= 6 && date.allSatisfy { 0x20...0x7E ~= $0 }
        case .response(.contact): return true
        case .push(.logRxData): return isHeardPacket(bytes.dropFirst(3))
        default: return false
        }
    }

    /// Returns whether bytes are a LoRa packet whose payload has parts that can be checked, not just any bytes.
    private static func isHeardPacket(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 20, let view = try? PacketView([UInt8](bytes)), let packet = try? Packet(view) else {
            return false
        }
        switch packet.payload {
        case .advert: return true
        case .req(let sealed), .response(let sealed), .txtMsg(let sealed), .path(let sealed):
            return areBlocks(sealed.ciphertext)
        case .grpTxt(let sealed), .grpData(let sealed): return areBlocks(sealed.ciphertext)
        case .anonReq(let sealed): return areBlocks(sealed.ciphertext)
        default: return false
        }
    }

    private static func areBlocks(_ ciphertext: [UInt8]) -> Bool {
        !ciphertext.isEmpty && ciphertext.count.isMultiple(of: 16)
    }
}
