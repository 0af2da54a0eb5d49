public import MeshCrypto
public import MeshTime

/// A repeater, room server or sensor as it is seen from outside.
public protocol InfrastructureNode: FirmwareNode {
    /// Settings, clients, regions, files.
    var server: ServerState { get set }

    /// Boots the node; data in `flash` has precedence over `setup`, and `identity` is called only when there is
    /// none.
    init(
        identity: @autoclosure () -> LocalIdentity, board: BoardProfile, setup: ServerSetup, quirks: QuirkSet,
        random: RandomStream, clock: RealTimeClock, flash: Flash, at boot: Instant)
}

extension InfrastructureNode {
    public var flash: Flash {
        get { server.flash }
        set { server.flash = newValue }
    }

    /// The clients, which are written five seconds after the last reason to. A `reboot` does not wait for them.
    public var pendingWrite: FlashChange? {
        guard server.clientsWriteDue != nil else { return nil }
        return .wrote(path: ClientTable.path, bytes: server.clients.stored(role: server.role))
    }

    public var environment: Environment {
        get { server.environment }
        set { server.environment = newValue }
    }

    /// Characters that the serial driver of a board buffers for the console.
    public var appWindow: Int { 256 }
}
