import MeshBluetoothHost
import MeshWire

/// A pairing of the old kind as the air showed it: enough to know whether a PIN was the one that was typed.
///
/// Everything is kept most significant byte first. Source: Bluetooth Core, Vol 3 Part H, 2.2.3 and 2.2.4.
package struct LegacyPairing: Hashable, Sendable {
    /// PINs have six digits.
    package static let pins: Range<UInt32> = 0..<1_000_000

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

    init(
        request: FixedBytes<7>, response: FixedBytes<7>, addresses: Addresses?,
        confirms: (central: FixedBytes<16>?, peripheral: FixedBytes<16>?),
        randoms: (central: FixedBytes<16>, peripheral: FixedBytes<16>)
    ) {
        self.request = request
        self.response = response
        self.addresses = addresses
        self.confirms = confirms
        self.randoms = randoms
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

    /// Tries PINs in their order; all of them need a second or two.
    ///
    /// `progress` is called before each ten thousand with the next PIN; `false` ends the search. Returns `nil` when
    /// none fits, and at once when the capture lacks the packets that a PIN is checked by.
    package func findPIN(
        in pins: Range<UInt32> = Self.pins, progress: (UInt32) -> Bool = { _ in true }
    ) -> UInt32? {
        guard matches(pin: 0) != nil else { return nil }
        for pin in pins.clamped(to: Self.pins) {
            if pin % 10_000 == 0, !progress(pin) { return nil }
            if matches(pin: pin) == true { return pin }
        }
        return nil
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
