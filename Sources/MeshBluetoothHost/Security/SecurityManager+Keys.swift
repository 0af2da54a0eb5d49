import MeshTime
import MeshWire

// Encryption, and the keys that are handed over on the encrypted link. Source: Bluetooth Core, Vol 3 Part H, 2.4 and
// 3.6.
extension SecurityManager {
    /// Peripheral: handles `HCI_LE_Long_Term_Key_Request`; always answered, with a key or without.
    mutating func keyRequested(random: UInt64, diversifier: UInt16) -> [Effect] {
        switch state {
        case .pairing(let pairing):
            let isExpected = pairing.step == .encryption && random == 0 && diversifier == 0 && role == .responder
            return [.answerKeyRequest(key: isExpected ? pairing.sessionKey.reversed : nil)]
        case .closed: return [.answerKeyRequest(key: nil)]
        case .idle, .requested, .encrypting: break
        }
        guard role == .responder, let bond, bond.random == random, bond.diversifier == diversifier else {
            return [.answerKeyRequest(key: nil), .failed(.keyMissing)]
        }
        state = .encrypting(bond.level)
        return [.answerKeyRequest(key: bond.longTermKey)]
    }

    /// Handles `HCI_Encryption_Change` or `HCI_Encryption_Key_Refresh_Complete` (which means on).
    mutating func encryptionChanged(isOn: Bool, status: UInt8, at now: Instant) -> [Effect] {
        let effects: [Effect]
        switch (state, status) {
        case (.pairing(var pairing), 0) where isOn && pairing.step == .encryption:
            level = pairing.terms.level
            attempts = RepeatedAttempts()
            effects = [.secured(level)] + beginKeys(&pairing)
        case (.encrypting(let reached), 0) where isOn:
            level = reached
            state = .idle
            effects = [.secured(level)]
        case (_, 0):
            if !isOn { level = .none }
            effects = []
        case (.encrypting, _), (.pairing, _): effects = notEncrypted(status)
        default: effects = []
        }
        setDeadline(effects, now)
        return effects
    }

    /// Status codes for a peer without a key: `PIN or Key Missing` (Vol 1 Part F, 2.6). RootCanal sends `Authentication
    /// Failure`.
    private static let keyMissing: [UInt8] = [0x06, 0x05]

    private mutating func notEncrypted(_ status: UInt8) -> [Effect] {
        hasFailed = true
        guard case .encrypting = state, Self.keyMissing.contains(status) else {
            state = .idle
            return [.failed(.notEncrypted(status: status))]
        }
        // The owner decides whether the next attempt, a pairing, is made.
        state = .idle
        bond = nil
        return [.failed(.keyMissing)]
    }

    private var ownKeys: KeyPath<Terms, SMP.KeyDistribution> {
        role == .initiator ? \.initiatorKeys : \.responderKeys
    }

    private var peerKeys: KeyPath<Terms, SMP.KeyDistribution> {
        role == .initiator ? \.responderKeys : \.initiatorKeys
    }

    /// The peripheral sends its keys first.
    private mutating func beginKeys(_ pairing: inout Pairing) -> [Effect] {
        pairing.step = .keys
        pairing.expectedKeys = Self.packets(with: pairing.terms[keyPath: peerKeys])
        var effects: [Effect] = []
        if role == .responder || pairing.expectedKeys.isEmpty { effects = sendKeys(pairing) }
        if pairing.expectedKeys.isEmpty { return effects + finish(pairing) }
        state = .pairing(pairing)
        return effects
    }

    /// The codes of the packets that hold these keys, in their order.
    private static func packets(with keys: SMP.KeyDistribution) -> [UInt8] {
        var codes: [UInt8] = []
        if keys.contains(.encryption) { codes += [SMP.Code.encryptionInformation, SMP.Code.centralIdentification] }
        if keys.contains(.identity) { codes += [SMP.Code.identityInformation, SMP.Code.identityAddressInformation] }
        if keys.contains(.signing) { codes += [SMP.Code.signingInformation] }
        return codes
    }

    /// Peripheral: makes the keys that a legacy pairing ends with.
    func makeKeys(_ pairing: inout Pairing, random: inout some RandomNumberGenerator) {
        guard pairing.terms.responderKeys.contains(.encryption) else { return }
        pairing.longTermKey = Self.cut(Self.draw(using: &random), to: pairing.terms.keySize).reversed
        pairing.diversifier = UInt16.random(in: 1...UInt16.max, using: &random)
        pairing.random = random.next()
    }

    private func sendKeys(_ pairing: Pairing) -> [Effect] {
        let keys = pairing.terms[keyPath: ownKeys]
        var effects: [Effect] = []
        if keys.contains(.encryption), let key = pairing.longTermKey {
            effects.append(.sending(SMP.EncryptionInformation.self) { $0.longTermKey = key })
            effects.append(
                .sending(SMP.CentralIdentification.self) {
                    ($0.diversifier, $0.random) = (pairing.diversifier, pairing.random)
                })
        }
        if keys.contains(.identity) {
            let (key, address) = (settings.identityKey, settings.identityAddress ?? local)
            effects.append(.sending(SMP.IdentityInformation.self) { $0.identityKey = key })
            effects.append(
                .sending(SMP.IdentityAddressInformation.self) {
                    $0.type = address.isRandom ? 1 : 0
                    $0.address = FixedBytes(address.bytes.reversed())
                })
        }
        return effects
    }

    func takeKey(_ pairing: inout Pairing, _ pdu: Span<UInt8>) throws(Abort) -> [Effect] {
        guard pdu[0] == pairing.expectedKeys.first else { throw Abort(.unspecified, .unexpected(code: pdu[0])) }
        pairing.expectedKeys.removeFirst()
        try keep(pdu, &pairing)
        guard pairing.expectedKeys.isEmpty else { return [] }
        pairing.step = .done
        return role == .initiator ? sendKeys(pairing) : []
    }

    private func keep(_ pdu: Span<UInt8>, _ pairing: inout Pairing) throws(Abort) {
        switch pdu[0] {
        case SMP.Code.encryptionInformation:
            let packet: SMP.EncryptionInformation = try Self.read(pdu)
            // What a central hands over is for connections with the roles exchanged.
            if role == .initiator { pairing.longTermKey = packet.longTermKey }
        case SMP.Code.centralIdentification:
            let packet: SMP.CentralIdentification = try Self.read(pdu)
            if role == .initiator { (pairing.diversifier, pairing.random) = (packet.diversifier, packet.random) }
        case SMP.Code.identityInformation:
            let packet: SMP.IdentityInformation = try Self.read(pdu)
            pairing.identityKey = packet.identityKey.isZero ? nil : packet.identityKey
        case SMP.Code.identityAddressInformation:
            let packet: SMP.IdentityAddressInformation = try Self.read(pdu)
            let address = BluetoothAddress(packet.address, type: packet.type)
            guard packet.type <= 1, address.isLasting else {
                throw Abort(.invalidParameters, .malformed(code: pdu[0]))
            }
            pairing.identityAddress = address
        default: let _: SMP.SigningInformation = try Self.read(pdu)
        }
    }

    /// All keys are there.
    mutating func finish(_ pairing: Pairing) -> [Effect] {
        state = .idle
        let key = pairing.terms.isSecureConnections ? pairing.sessionKey.reversed : pairing.longTermKey
        guard pairing.terms.isBonding, let key else { return [] }
        let made = Bond(
            peer: pairing.identityAddress ?? peer, longTermKey: key, diversifier: pairing.diversifier,
            random: pairing.random, level: pairing.terms.level, keySize: pairing.terms.keySize,
            identityKey: pairing.identityKey)
        bond = made
        return [.bonded(made)]
    }
}
