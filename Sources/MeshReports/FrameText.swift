import MeshCompanion
import MeshWire

/// Frames as reports show them: hex in capitals as in statements, cut when long, then the fields by name.
package enum FrameText {
    /// Upper-case hex with a space between bytes; what is longer than 40 bytes is cut.
    package static func hex(_ bytes: [UInt8]) -> String {
        if bytes.count > 40 { return hex([UInt8](bytes.prefix(28))) + " … (\(bytes.count) bytes)" }
        return bytes.map { [$0].hex.uppercased() }.joined(separator: " ")
    }

    /// A frame of the app.
    package static func command(_ frame: [UInt8]) -> String { decoded(frame, .toRadio) }

    /// A frame of the radio.
    package static func reply(_ frame: [UInt8]) -> String { decoded(frame, .toApp) }

    private static func decoded(_ frame: [UInt8], _ direction: FrameDirection) -> String {
        guard !frame.isEmpty else { return "no bytes" }
        let printed = FramePrinter.printed(frame, direction: direction)
        let fields = printed.fields.dropFirst().map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        let failure = printed.failure.map { "; \($0)" } ?? ""
        return "\(hex(frame))\n          \(printed.name)" + (fields.isEmpty ? "" : ": " + fields) + failure
    }
}
