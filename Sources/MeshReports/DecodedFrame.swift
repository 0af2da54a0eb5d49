import MeshCompanion
import MeshPacket
public import MeshTime
public import MeshWire

/// A frame between app and radio, or a packet on the air, field by field.
public struct DecodedFrame: Hashable, Sendable {
    /// Between whom it went.
    public enum Way: String, Hashable, Sendable, CaseIterable {
        case toRadio = "app → radio"
        case toApp = "radio → app"
        case transmitted = "radio → air"
        case heard = "air → radio"
    }

    /// From the app, to the app, or on the air.
    public let way: Way
    /// The time at which it began, where that is known.
    public let at: Instant?
    /// The frame as it travelled.
    public let bytes: [UInt8]
    /// The firmware's constant for a frame; type, route and sizes of a packet.
    public let name: String
    /// The fields that could be read, with their offsets.
    public let fields: [PrintedField]
    /// The fields of a payload that a known key opened, with offsets from its first byte.
    public let plaintext: [PrintedField]
    /// Problems of the frame and further facts, a sentence each.
    public let remarks: [String]

    /// Decodes any bytes: what makes no sense has fewer fields and a remark.
    public init(_ bytes: [UInt8], _ way: Way, at: Instant? = nil) {
        self.way = way
        self.at = at
        self.bytes = bytes
        switch way {
        case .toRadio, .toApp:
            let printed = FramePrinter.printed(bytes, direction: way == .toRadio ? .toRadio : .toApp)
            name = printed.name
            fields = printed.fields
            plaintext = []
            remarks =
                [printed.failure.map { "malformed: \($0)" }, printed.objection].compactMap(\.self)
                + (printed.ignored.isEmpty ? [] : ["ignored: \(printed.ignored.hex)"])
        case .transmitted, .heard:
            let printed = PacketPrinter().printed(bytes)
            name = printed.summary
            fields = printed.fields
            plaintext = printed.plaintext
            remarks = printed.notes + (printed.failure.map { ["malformed: \($0)"] } ?? [])
        }
    }

    /// A few words: the constant, or type and route.
    public var shortName: String { String(name.prefix { $0 != "," }) }

    /// The name, a line for each field, and the remarks.
    public var text: String {
        let lines = (fields + plaintext).map { "\($0.offset) \($0.name): \($0.valueWithUnit)" }
        return ([name] + lines + remarks).joinedVisibleLines
    }

    /// One line: the name, then the fields with their values.
    public var line: String {
        let fields = fields.dropFirst().map { "\($0.name) \($0.valueWithUnit)" }.joined(separator: ", ")
        return ([name + (fields.isEmpty ? "" : ": " + fields)] + remarks).joined(separator: "; ")
    }
}

extension PrintedField {
    /// The value as people read it.
    var valueWithUnit: String {
        value + (unit.isEmpty || unit == "text" || unit == "hex" ? "" : " " + unit) + (note.isEmpty ? "" : " (\(note))")
    }
}
