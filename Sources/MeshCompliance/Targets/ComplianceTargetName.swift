public import MeshLinks

/// Which radio to hold against the protocol, as the user names it.
public struct ComplianceTargetName: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable, Sendable {
        case emulator
        /// The emulated radio behind a real socket or terminal, on a rig of the run's own.
        case ownRig(Interface)
        case stream(LinkAddress)
        /// The address of a radio on a bench that makes no sense.
        case unreadable(String)
    }

    let kind: Kind
    /// Where the bench around a real radio is steered, if it is on a rig.
    public var rig: LinkAddress?
    /// What a bench calls the radio.
    let label: String?
    public let description: String

    /// The emulated radio in this process.
    public static let emulator = ComplianceTargetName(.emulator, description: "emulator")

    init(_ kind: Kind, rig: LinkAddress? = nil, label: String? = nil, description: String) {
        self.kind = kind
        self.rig = rig
        self.label = label
        self.description = description
    }

    /// Reads `emulator`, `emulator+tcp`, `emulator+pty`, `tcp://HOST:PORT` or `serial:PATH?baud=RATE`; what is left out
    /// is port 5000 and 115200 baud.
    public init?(_ text: String) {
        switch text {
        case "emulator": self.init(.emulator, description: text)
        case "emulator+tcp": self.init(.ownRig(.wifi), description: text)
        case "emulator+pty": self.init(.ownRig(.serial), description: text)
        default:
            guard let address = try? LinkAddress(radio: text) else { return nil }
            self.init(.stream(address), description: text)
        }
    }

    /// The words of a command line that mean the same radio.
    var arguments: [String] {
        let name =
            switch kind {
            case .emulator: "emulator"
            case .ownRig(.serial): "emulator+pty"
            case .ownRig: "emulator+tcp"
            case .stream(let address): label == nil ? description : address.brief
            case .unreadable(let text): text
            }
        return ["--target", name] + (rig.map { ["--rig", "\($0)"] } ?? [])
    }

    /// Whether a rig may be named with it: the others have their own, or need none.
    public var takesRig: Bool { isReal }

    /// Whether it is a radio at a socket or a serial line, which others can hear.
    public var isReal: Bool { if case .stream = kind { true } else { false } }
}
