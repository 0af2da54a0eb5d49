import MeshCrypto
import MeshWire

/// The state of a repeater, room server or sensor beside its routing core, whichever of them it is.
///
/// Lists are empty until the first client comes, so that a relay among ten thousand stays small.
public struct ServerState: Equatable, Sendable {
    /// Packets in queues and in flight (`StaticPoolPacketManager(32)`).
    static let packetPoolSize = 32

    // What every pass looks at stands at the end, before the routing core in a node's memory, so that a node among
    // thousands costs few cache lines.

    /// Repeater, room server or sensor.
    public let role: ServerRole
    /// True when a command started the node, and not the power; only `get pwrmgt.bootreason` reports it.
    public var wasRestarted = false
    /// The file system; pass it to the next core after a reboot.
    public var flash: Flash
    /// The quantities that can be measured around the node.
    public var environment: Environment
    /// The clients that have logged in or were given permissions.
    public package(set) var clients = ClientTable()
    /// Scopes the floods that this node originates; `nil` for un-scoped ones. Survives what `RegionTable` calls a
    /// default without a key.
    var defaultScope: FixedBytes<16>?

    // MARK: Command line

    /// The loader of a `region load` in progress, which receives every line.
    var regionLoader: RegionLoader?

    // MARK: Settings

    /// The regions that the node knows.
    public package(set) var regions: RegionTable
    /// The region of the packet in the pipeline, when it is one that may be flooded.
    var packetRegion: RegionMatch?
    /// The settings, as they are in memory.
    public package(set) var preferences: ServerPreferences

    // MARK: Every pass

    /// True when packets are written to the log file.
    var isLogging = false
    /// The end of a bridge to another repeater: one in a build that has it, else none.
    var bridge: [BridgePort] = []
    var console: SerialConsole
    var nextLocalAdvert: Millis?
    var nextFloodAdvert: Millis?
    /// The time at which the clients are written, five seconds after the last reason to.
    var clientsWriteDue: Millis?
    var temporaryRadio: TemporaryRadio?
    /// True when a GPS may set the clock.
    let hasGPS: Bool

    init(setup: ServerSetup, flash: Flash) {
        hasGPS = setup.environment.gps != nil
        role = setup.role
        preferences = setup.preferences
        regions = setup.regions
        environment = setup.environment
        self.flash = flash
        console = SerialConsole(role: setup.role)
    }
}

/// The initial settings of an infrastructure node whose flash is empty: its build, and what an administrator would
/// set.
public struct ServerSetup: Hashable, Sendable {
    /// Repeater, room server or sensor.
    public let role: ServerRole
    /// The settings that it starts with.
    public var preferences: ServerPreferences
    /// The region table of a node that has saved none.
    public var regions = RegionTable()
    /// True when it adverts itself at zero hop 16 s after boot (`ENABLE_ADVERT_ON_BOOT`).
    public var advertsOnBoot = true
    /// The measurements of its sensors.
    public var environment: Environment

    /// Factory settings of the role on this board.
    public init(_ role: ServerRole, board: BoardProfile) {
        self.role = role
        preferences = ServerPreferences(role: role, board: board)
        environment = Environment(board: board)
    }

    /// Keeps the node from sending adverts of its own accord.
    public mutating func silenceAdverts() {
        advertsOnBoot = false
        preferences.advertInterval = 0
        preferences.floodAdvertInterval = 0
    }
}
