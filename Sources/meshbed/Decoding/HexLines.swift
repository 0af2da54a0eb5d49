import MeshFirmware
import MeshWire

/// Hex as people keep it: a record a line, blank lines, comments behind a #, blanks between bytes, a leading 0x.
enum HexLines {

    /// The content of a line.
    enum Content: Equatable {
        case nothing
        case bytes([UInt8])
        /// The column, from 1, of the first character that makes it no hex.
        case notHex(column: Int, reason: String)
    }

    static func read(_ line: some StringProtocol) -> Content {
        let content = line.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard content.contains(where: { !isBlank($0) }) else { return .nothing }
        var digits: [UInt8] = []
        var column = 0
        var isStart = true
        for character in content {
            column += 1
            if isBlank(character) { continue }
            if isStart, digits == [0], character | 0x20 == UInt8(ascii: "x") {
                digits = []
                isStart = false
                continue
            }
            guard let digit = character.hexDigit else {
                return .notHex(column: column, reason: "is not a hex digit")
            }
            digits.append(digit)
            if digits.count > 1 { isStart = false }
        }
        guard digits.count.isMultiple(of: 2) else {
            return .notHex(column: column, reason: "ends in the middle of a byte")
        }
        return .bytes(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    /// Reads a line with a packet: hex, or a line of a console that logs packets.
    ///
    /// Received frames are in its `RAW` lines; the lines about packets that it parsed or sent have no bytes.
    static func readPacket(_ line: some StringProtocol) -> Content {
        let printed = String(line).trimmed(where: \.isWhitespace)
        if let hex = PacketLogLine.rawHex(printed) { return read(hex) }
        return PacketLogLine(printed) == nil ? read(line) : .nothing
    }

    private static func isBlank(_ character: UInt8) -> Bool {
        character == UInt8(ascii: " ") || (9...13).contains(character)
    }
}
