public import MeshCompanion
public import MeshFirmware
public import MeshSimulator

/// A person or device on the air of a scenario.
public protocol Node: Hashable, Sendable {
    /// The node as the scenario describes it before it begins.
    var member: Member { get }
}

/// A node as a value: its name, what it is, and how it is set up.
public struct Member: Hashable, Sendable, Node {
    /// The kinds of nodes.
    public enum Role: Hashable, Sendable {
        /// A companion radio with the whole service stack behind it.
        case stack(StackChoices)
        /// A companion radio with nothing but a session behind it: no store, no attempts of its own.
        case client
        case repeater
        case room
        case sensor
        /// A transmitter that sends forged, repeated or malformed frames.
        case stranger

        /// The role of an infrastructure node; `nil` for others.
        var serverRole: ServerRole? {
            switch self {
            case .repeater: .repeater
            case .room: .roomServer
            case .sensor: .sensor
            case .stack, .client, .stranger: nil
            }
        }
    }

    /// Unique in its scenario, 1 to 31 bytes; also the name that the node gives itself.
    public let name: String
    /// The role in the mesh.
    public let role: Role
    /// Changes to the settings of the node, and to those of its app.
    public var settings = StationSettings()

    public var member: Member { self }

    /// The name of the node that the member's app uses: its own, or that of the person whose radio it is.
    var radioName: String { settings.sharedRadio ?? name }

    /// Tells whether its app uses the radio of somebody else.
    var sharesRadio: Bool { settings.sharedRadio != nil }

    /// Tells whether an app stands behind its radio.
    public var isPerson: Bool {
        switch role {
        case .stack, .client: true
        default: false
        }
    }
}

/// The setup of a stack.
public struct StackChoices: Hashable, Sendable {
    /// One of the four ways in which real apps behave.
    public enum Preset: String, Hashable, Sendable, CaseIterable {
        case architectureV2, architectureV1, prd, upstreamFinal
    }

    /// The preset of its services and policies.
    public var preset = Preset.architectureV2

    public init(preset: Preset = .architectureV2) {
        self.preset = preset
    }
}

/// The setup of a node; `nil` stands for the firmware's default.
public struct StationSettings: Hashable, Sendable {
    /// The administrator's password, at most 15 bytes.
    public var adminPassword: String?
    /// The guest's password, at most 15 bytes; what it opens depends on the role.
    public var guestPassword: String?
    /// Tells whether it relays what it hears.
    public var isRelaying: Bool?
    /// Regions whose floods it relays.
    public var regions: [String] = []
    /// The version of the firmware that it runs, where the target can choose; the standard one when `nil`.
    public var firmware: FirmwareVersion?
    /// Command lines that are entered at its console before the scenario begins.
    public var commands: [String] = []
    /// Tells whether the radio has 500 kHz and SF7, with which a text takes some 30 ms. All nodes of a mesh must have
    /// the same.
    public var hasShortSymbols = false
    /// The number of times that a bare session sends an unconfirmed text, 1 or more. From the third on, it floods.
    public var attempts = 1
    /// Tells whether a bare session gives each attempt its own time, so that no recipient knows it for the same text.
    public var datesEachAttempt = false
    /// The number of contacts that a companion radio has room for; the board's default when `nil`.
    public var maxContacts: Int?
    /// Tells whether an infrastructure node's driver believes its chip about a preamble for as long as the chip reports
    /// one.
    public var forgetsReceptions = false
    /// The first byte of an infrastructure node's key, by which paths name it; drawn when `nil`.
    public var firstKeyByte: UInt8?
    /// What feeds the node and what it measures, where the target can choose; what its board has when `nil`.
    public var body: NodeBody?
    /// The board that it is built on, where the target can choose; the target's own when `nil`.
    public var board: BoardProfile?
    /// The name of the person whose radio the app uses, at an interface of its own; `nil` for a radio of one's own.
    /// That radio runs firmware 1.18, the first that has several interfaces at once.
    public var sharedRadio: String?

    public init() {}
}

/// A companion radio and its user.
public struct Person: RunningNode {
    public var member: Member

    /// A person with the whole service stack: a store, attempts, flood fallback, synchronisation.
    public static func stack(
        _ name: String, preset: StackChoices.Preset = .architectureV2,
        _ change: (inout StationSettings) -> Void = { _ in }
    ) -> Person {
        Person(member: .node(name, .stack(StackChoices(preset: preset)), change))
    }

    /// A person whose app is a bare session, which sends each text once unless its settings have more attempts.
    public static func client(_ name: String, _ change: (inout StationSettings) -> Void = { _ in }) -> Person {
        Person(member: .node(name, .client, change))
    }

    /// The same person without a radio of one's own: the app is at a further interface of another one's radio.
    ///
    /// To the mesh both are one. The other's radio has to run firmware 1.18: `bob.at(alice)`, where alice is
    /// `Person.stack("alice").runs(.v1_18)`. The first such person is at its USB port, the second at its Ethernet.
    public func at(_ owner: Person) -> Person {
        var person = self
        person.member.settings.sharedRadio = owner.member.radioName
        return person
    }
}

/// A node that relays.
public struct Repeater: RunningNode {
    public var member: Member

    /// A repeater of this name; `change` sets it up.
    public init(_ name: String, _ change: (inout StationSettings) -> Void = { _ in }) {
        member = .node(name, .repeater, change)
    }
}

/// A room server.
public struct Room: RunningNode {
    public var member: Member

    /// A room server of this name; `change` sets it up.
    public init(_ name: String, _ change: (inout StationSettings) -> Void = { _ in }) {
        member = .node(name, .room, change)
    }
}

/// A sensor node.
public struct Sensor: RunningNode {
    public var member: Member

    /// A sensor node of this name; `change` sets it up.
    public init(_ name: String, _ change: (inout StationSettings) -> Void = { _ in }) {
        member = .node(name, .sensor, change)
    }
}

/// A transmitter that forges frames, repeats them, and sends garbage.
public struct RogueTransmitter: Node {
    public let member: Member

    /// A transmitter of this name.
    public init(_ name: String) {
        member = Member(name: name, role: .stranger)
    }
}

extension Member {
    static func node(_ name: String, _ role: Role, _ change: (inout StationSettings) -> Void) -> Member {
        var member = Member(name: name, role: role)
        change(&member.settings)
        return member
    }
}

/// The name of a channel. People who use the same name have the same key, as with `#` channels of apps.
public struct ChannelWord: Hashable, Sendable {
    /// The name, without the `#` of apps.
    public let name: String

    /// The channel that every radio has from the beginning.
    public static let everybody = ChannelWord("Public")

    public init(_ name: String) {
        self.name = name
    }
}
