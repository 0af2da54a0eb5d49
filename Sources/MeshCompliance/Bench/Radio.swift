public import MeshLinks

/// One companion radio of a ``Bench``: its label, where it is, and what may be done to it.
public struct Radio: Hashable, Sendable {
    /// Where the app's interface of a radio is. Bluetooth is not spoken yet.
    public enum Endpoint: Hashable, Sendable {
        /// A serial line or a TCP port.
        case link(LinkAddress)
        /// The emulated radio in this process, on virtual time; new for every statement.
        case emulator
        /// The emulated radio behind a real socket, on held time.
        case emulatorOverTCP
        /// The emulated radio behind a real pseudo-terminal, on held time.
        case emulatorOverTerminal
        /// What could not be read; looking the radio up says so.
        case unreadable(String)

        /// A serial line, raw, 8N1; boards on USB take any speed, those on a UART want 115200 baud unless rebuilt.
        public static func serial(_ path: String, baud: Int = SerialLine.defaultBaud) -> Endpoint {
            .link(.serial(path: path, baud: baud))
        }

        /// The TCP port of a board with Wi-Fi or Ethernet: a name or an address without brackets, and a port from 1.
        public static func tcp(host: String, port: UInt16) -> Endpoint { .link(.tcp(host: host, port: port)) }

        /// Reads `HOST:PORT`, `HOST` (port 5000) or `[IPv6]:PORT`.
        public static func tcp(_ text: String) -> Endpoint {
            (try? LinkAddress(radio: "tcp://" + text)).map(Endpoint.link) ?? .unreadable(text)
        }
    }

    /// What can be done with a radio besides talking to it.
    public struct Abilities: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// It may be restarted by command.
        public static let restart = Abilities(rawValue: 1 << 0)
        /// Its time passes when a test lets it, and its power, air and storage are the test's: it is on a rig.
        public static let timeControl = Abilities(rawValue: 1 << 1)
        /// Another radio of the bench is within its radio range.
        public static let secondRadio = Abilities(rawValue: 1 << 2)
        /// The client can hang up and come back, or a second one take over. A serial line has no such thing.
        public static let linkControl = Abilities(rawValue: 1 << 3)
        /// It may lose its identity, contacts and settings on the way; a run puts back what it can.
        public static let destructive = Abilities(rawValue: 1 << 4)

        /// Each ability, with what to tell who needs it of a radio that lacks it.
        static let reasons: [(ability: Abilities, reason: String)] = [
            (.timeControl, "is not on a rig: nothing steers its time, air, power and storage"),
            (.secondRadio, "has no other radio of the bench near it; say so with near:"),
            (.linkControl, "has a link that a client cannot drop: a serial line"),
            (.restart, "may not be restarted; allow it with allowing: .restart"),
            (.destructive, "may not be erased or changed for good; allow it with allowing: .destructive"),
        ]
    }

    /// The name by which tests ask for it.
    public var label: String
    /// Where it is connected.
    public var endpoint: Endpoint
    /// Where the bench around it is steered, for a radio of `meshbed emulate --rig`.
    public var rig: LinkAddress?
    /// The labels of the radios that it hears.
    public var near: [String]
    /// What its owner allows.
    public var allowed: Abilities

    /// - Parameters:
    ///   - rig: where the rig around the radio is steered, if there is one.
    ///   - near: the labels of radios on the same bench that hear this one; one side is enough.
    ///   - allowed: `.restart` and `.destructive`, for who can do without the radio; the other abilities are found out.
    public init(
        _ label: String, _ endpoint: Endpoint, rig: LinkAddress? = nil, near: [String] = [],
        allowing allowed: Abilities = []
    ) {
        self.label = label
        self.endpoint = endpoint
        self.rig = rig
        self.near = near
        self.allowed = allowed
    }

    /// What can be done with it alone; ``Bench/abilities(of:)`` knows its neighbours too.
    public var abilities: Abilities {
        let granted = allowed.intersection([.restart, .destructive])
        // Whoever may erase a radio may restart it.
        let owned = granted.contains(.destructive) ? granted.union(.restart) : granted
        switch endpoint {
        case .emulator, .emulatorOverTCP, .emulatorOverTerminal:
            return [.restart, .timeControl, .linkControl, .destructive]
        case .link(let address):
            if rig != nil { return [.restart, .timeControl, .linkControl, .destructive] }
            return address.interface == .wifi ? owned.union(.linkControl) : owned
        case .unreadable: return []
        }
    }

    /// The text of an address that makes no sense.
    var badAddress: String? {
        switch endpoint {
        case .unreadable(let text): text
        case .link(.tcp(let host, 0)): "\(host):0"
        case .link, .emulator, .emulatorOverTCP, .emulatorOverTerminal: nil
        }
    }
}

extension ComplianceTargetName {
    /// The radio of a bench.
    public init(_ radio: Radio) {
        let kind: Kind =
            switch radio.endpoint {
            case .emulator: .emulator
            case .emulatorOverTCP: .ownRig(.wifi)
            case .emulatorOverTerminal: .ownRig(.serial)
            case .link(let address): .stream(address)
            case .unreadable(let text): .unreadable(text)
            }
        self.init(kind, rig: radio.rig, label: radio.label, description: radio.label)
    }
}

extension ComplianceRun {
    /// A run against a radio of a bench, which may restart it and more where its owner allows that.
    public init(target radio: Radio, only selection: Selection = .all) {
        self.init(
            target: ComplianceTargetName(radio), only: selection,
            isDestructive: radio.abilities.contains(.destructive))
        mayRestart = radio.abilities.contains(.restart)
    }
}
