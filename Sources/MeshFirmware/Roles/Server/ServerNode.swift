import MeshCrypto
import MeshPacket
import MeshWire

/// The common behaviour of repeaters, room servers and sensors on top of the routing core, and their differences.
///
/// The extensions of this protocol hold everything that two of the roles do alike: boot, adverts, clients, logins,
/// requests, the ways of replies, the command line. A pass of a role looks like this:
///
/// ```swift
/// core.beginPass(at: now, radio: radio, effects: &effects)
/// passServer(input)
/// nextWake = min(serverWake(), /* timers of the role */)
/// core.endPass(effects: &effects)
/// ```
/// Source: InfrastructureNodes; firmware, `simple_repeater`, `simple_room_server`, `simple_sensor`.
protocol ServerNode: MeshNode {
    var server: ServerState { get set }

    // MARK: What a role answers

    /// Handles a login, or a question of a client that has not logged in.
    mutating func receivedAnonymous(
        _ packet: PacketView, sender: PublicKey, secret: SharedSecret, data: UnsafeRawBufferPointer)
    /// A REQ of a client.
    mutating func receivedRequest(
        _ packet: PacketView, from index: Int, secret: SharedSecret, request: RequestPlaintext)
    /// Returns what follows the time stamp in the answer to a request; `nil` for silence.
    mutating func answer(to request: RequestPlaintext, from index: Int) -> [UInt8]?
    /// A TXT_MSG of a client.
    mutating func receivedText(_ packet: PacketView, from index: Int, secret: SharedSecret, text: TextPlaintext)
    /// Handles the path that a client has sent, and perhaps an extra with it.
    mutating func learnedPath(to index: Int, extraType: UInt8, extra: UnsafeRawBufferPointer)

    // MARK: Commands

    /// A command that only this role knows; `nil` when it is none.
    mutating func roleCommand(_ command: CommandLine, timestamp: UInt32) -> CommandOutcome?
    /// The answer to `neighbors`.
    func neighboursText() -> [UInt8]
    /// Forgets the neighbours whose keys begin like this.
    mutating func removeNeighbours(_ prefix: [UInt8])
}

extension ServerNode {
    mutating func learnedPath(to index: Int, extraType: UInt8, extra: UnsafeRawBufferPointer) {}
    mutating func roleCommand(_ command: CommandLine, timestamp: UInt32) -> CommandOutcome? { nil }
    func neighboursText() -> [UInt8] { [UInt8]("not supported".utf8) }
    mutating func removeNeighbours(_ prefix: [UInt8]) {}
}

extension ServerNode {
    /// The accounts of a role that relays unless a setting forbids it.
    var serverAccounts: CoreAccounts {
        core.accounts(airtimeFactor: airtimeFactor, relaysFloods: !server.preferences.isForwardingDisabled)
    }
}
