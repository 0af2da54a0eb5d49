public import MeshCompanion
public import MeshFirmware
public import MeshTime
public import MeshWire

/// A node's place in its world; given by `World.add`.
public struct NodeID: Hashable, Comparable, Sendable {
    /// Counted from 0 in the order of adding.
    public let index: Int

    public init(index: Int) {
        self.index = index
    }

    public static func < (a: NodeID, b: NodeID) -> Bool { a.index < b.index }
}

/// A node from outside the firmware module: a core whose files survive its reboot.
public protocol GuestNode: NodeCore {
    /// The files of the node, passed to it again at its next start.
    var flash: Flash { get }
    /// Bytes of the client that it accepts now; a shell leaves the rest with the operating system.
    var appWindow: Int { get }
    /// The link to its client has no room for a further write, or has room again; true when it wants a pass for that.
    mutating func holdLink(_ isHeld: Bool) -> Bool
    /// The figures for invariant checks; `nil` for a guest without rules.
    ///
    /// A guest that gives accounts must keep the rules of firmware.
    var accounts: CoreAccounts? { get }
}

extension GuestNode {
    /// 4096, as much as a shell reads at once.
    public var appWindow: Int { 4096 }
    /// Does nothing: the guest writes whether there is room or not.
    public mutating func holdLink(_ isHeld: Bool) -> Bool { false }
    /// None: the guest has no rules.
    public var accounts: CoreAccounts? { nil }
}

/// The link by which apps reach a board.
public enum AppLink: String, Hashable, Codable, Sendable, CaseIterable {
    /// The TCP server of an ESP32 board: reads fixed headers, discards frames that are too long, has one client.
    case wifi
    /// USB or a UART: hunts for `3C`, cuts frames that are too long, is always connected.
    case serial
    /// The TCP server of a board with an Ethernet module: hunts for `3C` as a serial line does, has one client.
    case ethernet
    /// Whole frames with a rest between them, as an ESP32 board notifies them over Bluetooth.
    case paced
    /// The Bluetooth of the board's chip family; the app is there once its link is secure. Boards without one
    /// cannot be reached.
    case bluetooth

    /// The name of the interface, as world files have it; `nil` for one that no board has.
    package var interfaceName: String? {
        switch self {
        case .wifi: "wifi"
        case .serial: "usb"
        case .ethernet: "ethernet"
        case .paced: nil
        case .bluetooth: "bluetooth"
        }
    }
}

/// The program that runs on a board.
public enum NodeRole: Sendable {
    /// A companion radio whose app comes over this link.
    case companion(AppLink)
    /// An infrastructure node.
    case server(ServerRole)
    /// A core from outside, for tests and experiments; called at each start of the board.
    case guest(@Sendable (BootRecord) -> any GuestNode)

    public static let repeater = NodeRole.server(.repeater)
    public static let roomServer = NodeRole.server(.roomServer)
    public static let sensor = NodeRole.server(.sensor)
}

/// The state that a board finds when it starts.
public struct BootRecord: Sendable {
    /// The node's name in the world.
    public let label: String
    /// The board that the node is built for.
    public let board: BoardProfile
    /// The firmware's quirks that the node has.
    public let quirks: QuirkSet
    /// The files that are there at the start.
    public let flash: Flash
    /// Randomness of this start alone; the first start of a label draws the same numbers in every run of a seed.
    public let seed: Seed
    /// 0 at power-on, then one more with each restart.
    public let boots: Int
    /// The time at which the board starts.
    public let now: Instant

    public init(
        label: String, board: BoardProfile, quirks: QuirkSet, flash: Flash, seed: Seed, boots: Int, now: Instant
    ) {
        self.label = label
        self.board = board
        self.quirks = quirks
        self.flash = flash
        self.seed = seed
        self.boots = boots
        self.now = now
    }
}

/// A node before it is switched on.
public struct NodeDescription: Sendable {
    /// The name by which the world knows the node; its own name is in its flash.
    public var label: String
    /// The program that runs on the board.
    public var role: NodeRole
    /// The board that the node is built for.
    public var board: BoardProfile
    /// The firmware's quirks that the node has.
    public var quirks: QuirkSet
    /// The files that are there when the node is switched on first.
    public var flash: Flash
    /// The initial settings of an infrastructure node; the firmware's defaults when `nil`.
    public var setup: ServerSetup?
    /// The place of the antenna; needed where links follow from positions.
    public var position: PlanePosition?
    /// The name that a companion radio has from its owner; the firmware's own name when `nil`.
    ///
    /// Settings in `flash` come first, and infrastructure nodes have theirs in `setup`.
    public var name: ByteText?
    /// The place that a companion radio has from its owner, and shares in its adverts.
    ///
    /// Settings in `flash` come first, and infrastructure nodes have theirs in `setup`.
    package var place: GeoPoint?
    /// The body of the node; what its board has when `nil`.
    public var body: NodeBody?
    /// Messages that wait for the app of a companion radio when it is first switched on: complete response frames,
    /// oldest first. Real boards have forgotten theirs, and hold no more than 256; `BoardProfile.bench` holds a
    /// million.
    public var backlog: [[UInt8]] = []
    /// The interfaces of a companion radio beside that of its role, each of another kind.
    ///
    /// They are there where its firmware can have several at once (1.18), and left out where it cannot. Apps are
    /// connected by numbers: 0 is the interface of the role, 1 the first one here (`NodeInput.atInterface`).
    public var furtherLinks: [AppLink] = []
    /// A fault of a companion radio, which it keeps over reboots; other roles have none.
    package var hooks: (any CompanionHooks)?
    /// The time that the board has been on when it is added to the world. Nothing was sent or received meanwhile.
    public var poweredFor = TimeSpan.zero
    /// The excess of the node's clock over the world's, in parts per million.
    public var clockSkewPartsPerMillion: Int32 = 0
    /// The excess of the radio's crystal, in parts per million of the frequency.
    ///
    /// Boards without a temperature-compensated crystal are off by 10 or more.
    public var carrierOffsetPartsPerMillion: Int32 = 0

    public init(
        _ label: String, _ role: NodeRole, board: BoardProfile = .heltecV3, quirks: QuirkSet = .all,
        flash: Flash = Flash(), setup: ServerSetup? = nil, position: PlanePosition? = nil
    ) {
        self.setup = setup
        self.position = position
        self.label = label
        self.role = role
        self.board = board
        self.quirks = quirks
        self.flash = flash
    }

    /// The links of a companion radio by the numbers of its interfaces; none of other roles.
    package var links: [AppLink] { if case .companion(let link) = role { [link] + furtherLinks } else { [] } }

    /// Puts a version of the firmware on the board; settings that are still those of the factory become its own.
    public mutating func run(_ version: FirmwareVersion) {
        let before = board
        board.firmware = version
        guard let role = setup?.role else { return }
        setup?.preferences.changeDefaults(
            from: ServerPreferences(role: role, board: before), to: ServerPreferences(role: role, board: board))
    }
}
