public import MeshCrypto
public import MeshTime
public import MeshWire

/// A board with firmware of ours, whatever its role: its interface for a world or a harness.
public protocol FirmwareNode: NodeCore {
    /// Identity, clocks, radio and queues.
    var core: RoutingCore { get set }
    /// The file system; pass it to the next core after a reboot.
    var flash: Flash { get set }
    /// The equipment and environment of the node; the driver of the world may change it at any time.
    var environment: Environment { get set }
    /// The changes that are not yet written, for a driver that shuts the board down in an orderly way.
    ///
    /// A cut of the power loses them.
    var pendingWrite: FlashChange? { get }
    /// The figures for invariant checks.
    var accounts: CoreAccounts { get }
    /// Bytes of the client that it accepts now; a shell leaves the rest with the operating system.
    var appWindow: Int { get }
}

extension FirmwareNode {
    /// The key that identifies the node.
    public var publicKey: PublicKey { core.publicKey }

    /// True when the node reports what it does with packets; it is faster without.
    public var reportsEvents: Bool {
        get { core.reportsEvents }
        set { core.reportsEvents = newValue }
    }

    /// The node's random numbers as they stand.
    public var randomStream: RandomStream { core.random }

    /// Unix seconds by the node's clock, as of the last pass.
    public var unixTime: UInt32 { core.unixTime }

    /// Unix seconds by the node's clock at a moment, unless it is set before.
    public func unixTime(at time: Instant) -> UInt32 { core.clock.time(at: time) }

    /// Sets the calendar clock, as a time signal would.
    public mutating func setClock(_ unixSeconds: UInt32) { core.setUnixTime(unixSeconds) }

    /// Makes flash writes or formatting fail from now on, or work again.
    public mutating func setFlashFaults(write: Bool = false, format: Bool = false) {
        flash.failsToWrite = write
        flash.failsToFormat = format
    }
}

extension CompanionRadio: FirmwareNode {
    public var accounts: CoreAccounts { core.accounts(airtimeFactor: airtimeFactor, relaysFloods: preferences.repeats) }
}
