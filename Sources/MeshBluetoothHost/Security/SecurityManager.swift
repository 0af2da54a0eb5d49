public import MeshTime

/// Secures one connection, as central or as peripheral: pairing, keys, and encryption with a bond.
///
/// A pure machine: packets, events of the controller, the user's passkey and the time go in, effects come out. It lives as
/// long as its connection. It judges every packet; bytes outside a pairing have no effect. Source: Bluetooth Core, Vol 3
/// Part H, 2 and 3.
public struct SecurityManager: Sendable {
    let role: Role
    let settings: Settings
    let local: BluetoothAddress
    let peer: BluetoothAddress

    /// The bond with the peer, given or made; none when it turned out to be lost.
    public internal(set) var bond: Bond?
    /// How well the connection is protected now.
    public internal(set) var level = SecurityLevel.none
    /// When `expire` has to be called.
    public internal(set) var deadline: Instant?

    /// For a connection just made. `local`, `peer`: the addresses that it was made with. `bond`: what is kept of the peer.
    public init(
        role: Role, settings: Settings, local: BluetoothAddress, peer: BluetoothAddress, bond: Bond? = nil
    ) {
        self.role = role
        self.settings = settings
        self.local = local
        self.peer = peer
        self.bond = bond
    }
}

extension SecurityManager {
    /// Central: encrypts with the bond, or pairs. Peripheral: asks the central to do so. Nothing while that is under way.
    public mutating func start(at now: Instant, random: inout some RandomNumberGenerator) -> [Effect] { [] }

    /// Takes a packet of the security manager's channel.
    public mutating func receive(
        _ pdu: Span<UInt8>, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Effect] { [] }

    /// Takes the passkey that the user typed, 0 to 999,999; `nil` when he gave up. Nothing if none was asked for.
    public mutating func passkeyGiven(
        _ passkey: UInt32?, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Effect] { [] }

    /// Peripheral: takes `HCI_LE_Long_Term_Key_Request`; always answered, with a key or without.
    public mutating func keyRequested(random: UInt64, diversifier: UInt16) -> [Effect] {
        [.answerKeyRequest(key: nil)]
    }

    /// Takes `HCI_Encryption_Change` or `HCI_Encryption_Key_Refresh_Complete` (which means on).
    public mutating func encryptionChanged(isOn: Bool, status: UInt8, at now: Instant) -> [Effect] { [] }

    /// Takes it that the deadline has passed.
    public mutating func expire(at now: Instant) -> [Effect] { [] }
}
