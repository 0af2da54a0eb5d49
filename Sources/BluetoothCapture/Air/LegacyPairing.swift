import MeshBluetoothHost
import MeshWire

/// A pairing of the old kind as the air showed it: enough to know whether a PIN was the one that was typed.
///
/// Everything is kept most significant byte first. Source: Bluetooth Core, Vol 3 Part H, 2.2.3 and 2.2.4.
package struct LegacyPairing: Hashable, Sendable {
    /// Pairing Request and Pairing Response.
    var request: FixedBytes<7>
    var response: FixedBytes<7>
    /// `nil` in a capture that holds no CONNECT_IND.
    var addresses: Addresses?
    /// The commitments of both sides, and the values that they revealed: central, peripheral.
    var confirms: (central: FixedBytes<16>?, peripheral: FixedBytes<16>?)
    var randoms: (central: FixedBytes<16>, peripheral: FixedBytes<16>)

    struct Addresses: Hashable, Sendable {
        var initiator: BluetoothAddress
        var responder: BluetoothAddress
    }

    /// The bytes of the keys that both sides can do, 7 to 16.
    var keySize: Int { min(16, max(7, Int(min(request[2], response[2])))) }

    /// Returns whether this PIN was typed; `nil` when the capture lacks the packets that show it.
    package func matches(pin: UInt32) -> Bool? {
        guard let addresses else { return nil }
        let (confirm, random) = (
            confirms.peripheral ?? confirms.central,
            confirms.peripheral == nil ? randoms.central : randoms.peripheral
        )
        guard let confirm else { return nil }
        return SMP.confirm(
            key: SMP.temporaryKey(pin: pin), random: random, request: request, response: response,
            initiator: addresses.initiator, responder: addresses.responder) == confirm
    }

    /// The short term key: that of the first session, in which the long term key is sent.
    func shortTermKey(pin: UInt32) -> FixedBytes<16> {
        var key = SMP.shortTermKey(
            key: SMP.temporaryKey(pin: pin), responder: randoms.peripheral, initiator: randoms.central)
        for index in 0..<16 - keySize { key[index] = 0 }
        return key
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.request == right.request && left.response == right.response && left.addresses == right.addresses
            && left.confirms == right.confirms && left.randoms == right.randoms
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(randoms.central)
        hasher.combine(randoms.peripheral)
    }
}
