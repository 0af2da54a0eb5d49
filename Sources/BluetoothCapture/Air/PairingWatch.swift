import MeshBluetoothHost
import MeshWire

/// Follows the security manager of one connection: the messages by which two devices agree on keys.
///
/// Source: Bluetooth Core, Vol 3 Part H, 3.5 and 3.6.
struct PairingWatch: Sendable {
    enum Outcome {
        /// Both sides revealed their random numbers.
        case legacy(LegacyPairing)
        /// Public keys are exchanged, or will be.
        case secureConnections
        /// A side sent the key of later sessions.
        case longTermKey(FixedBytes<16>)
    }

    private var request: FixedBytes<7>?
    private var response: FixedBytes<7>?
    private var confirms: (central: FixedBytes<16>?, peripheral: FixedBytes<16>?)
    private var randoms: (central: FixedBytes<16>?, peripheral: FixedBytes<16>?)
    private var isSecureConnections = false

    /// Handles a PDU of the security manager.
    mutating func take(
        _ side: LinkSide, _ pdu: Span<UInt8>, addresses: LegacyPairing.Addresses?
    ) -> Outcome? {
        guard let code = pdu.isEmpty ? nil : pdu[0] else { return nil }
        switch (code, pdu.count) {
        case (SMP.Code.pairingRequest, 7):
            self = PairingWatch()
            request = Self.reversed(pdu, from: 0)
        case (SMP.Code.pairingResponse, 7):
            response = Self.reversed(pdu, from: 0)
            return bothWantSecureConnections ? secureConnections() : nil
        case (SMP.Code.pairingConfirm, 17): set(&confirms, side, Self.reversed(pdu, from: 1))
        case (SMP.Code.pairingRandom, 17):
            set(&randoms, side, Self.reversed(pdu, from: 1))
            return legacy(addresses)
        case (SMP.Code.pairingFailed, _): self = PairingWatch()
        case (SMP.Code.encryptionInformation, 17): return .longTermKey(Self.reversed(pdu, from: 1))
        case (SMP.Code.pairingPublicKey, 65): return secureConnections()
        default: break
        }
        return nil
    }

    /// Bit 3 of the third byte behind the code, on both sides.
    private var bothWantSecureConnections: Bool {
        guard let request, let response else { return false }
        return request[3] & response[3] & 0x08 != 0
    }

    private mutating func secureConnections() -> Outcome? {
        defer { isSecureConnections = true }
        return isSecureConnections ? nil : .secureConnections
    }

    private func legacy(_ addresses: LegacyPairing.Addresses?) -> Outcome? {
        guard !isSecureConnections, let request, let response, let central = randoms.central,
            let peripheral = randoms.peripheral
        else { return nil }
        return .legacy(
            LegacyPairing(
                request: request, response: response, addresses: addresses, confirms: confirms,
                randoms: (central, peripheral)))
    }

    private func set(
        _ pair: inout (central: FixedBytes<16>?, peripheral: FixedBytes<16>?), _ side: LinkSide, _ value: FixedBytes<16>
    ) {
        if side == .central { pair.central = value } else { pair.peripheral = value }
    }

    /// Most significant byte first; the air has the lowest first.
    private static func reversed<let size: Int>(_ pdu: Span<UInt8>, from start: Int) -> FixedBytes<size> {
        var result = FixedBytes<size>()
        for index in 0..<size { result[size - 1 - index] = pdu[start + index] }
        return result
    }
}
