import MeshWire

/// Frames as reports show them: hex in capitals as in the specification, cut when long, and the fields by name.
enum FrameText {
    /// Upper-case hex with a space between bytes; what is longer than 40 bytes is cut in the middle.
    static func hex(_ bytes: [UInt8]) -> String {
        if bytes.count > 40 { return hex([UInt8](bytes.prefix(28))) + " … (\(bytes.count) bytes)" }
        return bytes.map { [$0].hex.uppercased() }.joined(separator: " ")
    }

    static func command(_ frame: [UInt8]) -> String { hex(frame) }
    static func reply(_ frame: [UInt8]) -> String { hex(frame) }
}
