package import MeshWire

/// The keys and facts that two devices keep of a pairing, to encrypt later connections without pairing again.
///
/// Its keys are secrets: no description, debug description or mirror shows them.
package struct Bond: Hashable, Sendable {
    /// The lasting address of the other device: the one it sent in the pairing, else the one it connected with.
    package var peer: BluetoothAddress
    /// The key of later connections as HCI carries it, lowest byte first.
    package var longTermKey: FixedBytes<16>
    /// EDIV, by which the peripheral finds a legacy key; 0 for Secure Connections.
    package var diversifier: UInt16
    /// Rand, which goes with the diversifier; 0 for Secure Connections.
    package var random: UInt64
    /// The level that a connection with this key reaches.
    package var level: SecurityLevel
    /// The number of bytes of the key that are not zero, 7 to 16.
    package var keySize: UInt8
    /// The key (IRK) that resolves the peer's changing addresses, lowest byte first; `nil` where it sent none.
    package var identityKey: FixedBytes<16>?

    package init(
        peer: BluetoothAddress, longTermKey: FixedBytes<16>, diversifier: UInt16 = 0, random: UInt64 = 0,
        level: SecurityLevel, keySize: UInt8 = 16, identityKey: FixedBytes<16>? = nil
    ) {
        self.peer = peer
        self.longTermKey = longTermKey
        self.diversifier = diversifier
        self.random = random
        self.level = level
        self.keySize = keySize
        self.identityKey = identityKey
    }

    /// The peer, if it is the one with this address now; a changing address is resolved with the identity key.
    package func matches(_ address: BluetoothAddress) -> Bool {
        if address == peer { return true }
        guard let identityKey, !identityKey.isZero else { return false }
        return SMP.resolves(address, by: identityKey.reversed)
    }
}

extension Bond: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The peer, the level and the size of the key.
    package var description: String { "bond with \(peer), \(level), key of \(keySize) bytes" }
    package var debugDescription: String { description }
    /// Without the keys, for `dump` and test reports.
    package var customMirror: Mirror {
        Mirror(self, children: ["peer": peer, "level": level, "keySize": keySize])
    }
}
