public import MeshTime

/// One end of Bluetooth low energy above its controller: peripheral, central, or both.
///
/// A value without clock, sockets and randomness of its own. Packets of the controller, requests and time go in; packets
/// for the controller and events come out. It governs commands and their credits, connections, fragments, the attribute
/// protocol and, through ``SecurityManager``, pairing. It does not keep keys in files and asks no user.
///
/// ```
///          ask, start                 tell
/// program ----------->  BluetoothHost ----> program
///                         ^       | send
///                 receive |       v
///                        controller
/// ```
///
/// The caller reads `deadline` after each call, and calls `expire` when that moment has come. After a failure
/// nothing more is sent and every request is refused.
public struct BluetoothHost: Sendable {
    /// What it was made with.
    public let settings: Settings
    /// What it serves, with the values as they are now.
    public internal(set) var attributes: ATT.AttributeTable
    /// The peers that it can encrypt with; the shell keeps them in a file.
    public internal(set) var known: [KnownPeer]

    /// How many peers are known; the one that was used longest ago makes room.
    public static let knownLimit = 32

    public init(_ settings: Settings, known: [KnownPeer] = []) {
        self.settings = settings
        self.known = [KnownPeer](known.suffix(Self.knownLimit))
        attributes = settings.attributes
    }

    /// When `expire` wants to be called; `nil` while nothing waits for time.
    public var deadline: Instant? { nil }

    /// Resets the controller and sets it up: `ready` follows, or `failed`.
    public mutating func start(at now: Instant) -> [Effect] { [] }

    /// One whole packet of the controller, from its packet type on.
    ///
    /// `random` is what pairing draws from: the system's generator, but for tests.
    public mutating func receive(
        _ packet: Span<UInt8>, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Effect] { [] }

    /// Something that the program wants; what it leads to is told by events.
    public mutating func ask(
        _ request: Request, at now: Instant, random: inout some RandomNumberGenerator
    ) throws(Refusal) -> [Effect] { throw .notReady }

    /// The moment of `deadline` has come.
    public mutating func expire(at now: Instant) -> [Effect] { [] }

    /// The way to the controller is gone, and every connection with it.
    public mutating func close(at now: Instant) -> [Effect] { [] }
}
