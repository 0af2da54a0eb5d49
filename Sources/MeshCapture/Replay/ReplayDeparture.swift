import MeshCompanion
public import MeshTime
import MeshWire

/// A command that no recorded one means, and the recorded one that comes nearest.
public struct ReplayDeparture: Hashable, Sendable {
    /// A field that differs, with both values for people; empty where a side lacks the field.
    public struct Field: Hashable, Sendable {
        /// The field's name in the protocol's table.
        public let name: String
        /// The value in the recorded command, with its meaning in brackets.
        public let recorded: String
        /// The value in the command that came, with its meaning in brackets.
        public let seen: String
    }

    /// Since the replay began.
    public let time: Instant
    /// The command's bytes from the code on.
    public let command: [UInt8]
    /// A command of the recording with the same code; `nil` when there is none.
    public let nearest: ReplayScript.Exchange?
    /// The fields that make it another command.
    public let fields: [Field]
}

extension ReplayDeparture: CustomStringConvertible {
    public var description: String {
        let name = FramePrinter.printed(command, direction: .toRadio).name
        guard let nearest else { return "\(name) \(command.hex): no such command was recorded" }
        let differences = fields.map { field in
            "\(field.name) is \(field.seen.isEmpty ? "missing" : field.seen)"
                + (field.recorded.isEmpty ? ", recorded without it" : ", recorded was \(field.recorded)")
        }
        return "\(name) \(command.hex): \(differences.joined(separator: "; "))"
            + " (nearest: entry \(nearest.entry + 1), \(nearest.command.hex))"
    }
}

extension ReplayDeparture {
    init(_ command: [UInt8], at time: Instant, nearest: ReplayScript.Exchange?, fields names: [String]) {
        self.time = time
        self.command = command
        self.nearest = nearest
        guard let nearest else {
            fields = []
            return
        }
        let (old, new) = (
            FramePrinter.printed(nearest.command, direction: .toRadio),
            FramePrinter.printed(command, direction: .toRadio)
        )
        func value(_ name: String, in frame: PrintedFrame) -> String {
            frame.fields.first { $0.name == name }.map { $0.value + ($0.note.isEmpty ? "" : " (\($0.note))") } ?? ""
        }
        fields = names.map { Field(name: $0, recorded: value($0, in: old), seen: value($0, in: new)) }
    }
}
