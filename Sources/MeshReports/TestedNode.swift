/// The implementation that a report is about: its name, its role, and the words that it says of itself.
public struct TestedNode: Hashable, Sendable {
    /// The kinds of nodes, by the words of `--role`.
    public enum Role: String, Hashable, Sendable, CaseIterable {
        case companion, repeater, room, sensor

        /// The word for several of them.
        var plural: String {
            switch self {
            case .companion: "companion radios"
            case .repeater: "repeaters"
            case .room: "room servers"
            case .sensor: "sensors"
            }
        }
    }

    /// The name that the user gave it; empty where none was given.
    public var name = ""
    /// The role that it was asked in.
    public var role: Role
    /// The board or program, in its own words; empty where it says none.
    public var model = ""
    /// The version, in its own words; empty where it says none.
    public var version = ""
    /// The date of the build, in its own words; empty where it says none.
    public var build = ""
    /// The level of the companion protocol; `nil` where it says none.
    public var level: UInt8?
    /// The version of the firmware that it was checked against.
    public var reference: String

    /// A node of a role, checked against a version of the firmware.
    public init(_ role: Role, against reference: String) {
        self.role = role
        self.reference = reference
    }

    /// The name in tables: the given one, or model and version; empty where it has none of them.
    public var title: String {
        name.isEmpty ? [model, version].filter { !$0.isEmpty }.joined(separator: " ") : name
    }
}
