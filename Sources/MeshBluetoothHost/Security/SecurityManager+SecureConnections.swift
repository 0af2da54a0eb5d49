import MeshCrypto
import MeshWire

// LE Secure Connections. Source: Bluetooth Core, Vol 3 Part H, 2.3.5.6.
extension SecurityManager {
    /// With a passkey: one for each of its bits.
    private static let rounds = 20

    func sendPublicKey(_ pairing: inout Pairing, random: inout some RandomNumberGenerator) -> Effect {
        let pair = P256KeyPair(seed: Self.draw(using: &random))
        pairing.keyPair = pair
        pairing.step = .publicKey
        return .sending(SMP.PairingPublicKey.self) {
            $0.x = pair.publicKey.x.reversed
            $0.y = pair.publicKey.y.reversed
        }
    }

    func takePublicKey(
        _ pairing: inout Pairing, _ packet: SMP.PairingPublicKey, random: inout some RandomNumberGenerator
    ) throws(Abort) -> [Effect] {
        let key = P256PublicKey(x: packet.x.reversed, y: packet.y.reversed)
        var effects: [Effect] = []
        if role == .responder { effects = [sendPublicKey(&pairing, random: &random)] }
        // With our own key a peer that knows no passkey could send our own proofs back.
        guard let pair = pairing.keyPair, key.x != pair.publicKey.x else {
            throw Abort(.dhKeyCheckFailed, .reflectedPublicKey)
        }
        guard let secret = pair.sharedSecret(with: key) else { throw Abort(.dhKeyCheckFailed, .invalidPublicKey) }
        pairing.peerKey = key
        pairing.secret = secret
        // Without a passkey only the peripheral commits itself.
        switch (role, pairing.method) {
        case (.initiator, .justWorks):
            pairing.ownRandom = Self.draw(using: &random)
            pairing.step = .confirm
        case (.responder, .shown), (.responder, .typed): pairing.step = .confirm
        default: effects += sendConfirm(&pairing, random: &random)
        }
        return effects
    }

    /// Returns the commitment of a side in this round.
    func secureConfirm(_ pairing: Pairing, isOwn: Bool) -> FixedBytes<16> {
        guard let own = pairing.keyPair?.publicKey.x, let other = pairing.peerKey?.x else { return FixedBytes() }
        var bit: UInt8 = 0
        if pairing.method != .justWorks {
            bit = 0x80 | UInt8((pairing.passkey ?? 0) >> UInt32(pairing.round - 1) & 1)
        }
        return isOwn
            ? SMP.confirm(u: own, v: other, random: pairing.ownRandom, z: bit)
            : SMP.confirm(u: other, v: own, random: pairing.peerRandom, z: bit)
    }

    func takeSecureRandom(
        _ pairing: inout Pairing, random: inout some RandomNumberGenerator
    ) throws(Abort) -> [Effect] {
        let isCommitted = role == .initiator || pairing.method != .justWorks
        guard !isCommitted || secureConfirm(pairing, isOwn: false) == pairing.peerConfirm else {
            throw wrongConfirm(pairing)
        }
        let isLast = pairing.method == .justWorks || pairing.round == Self.rounds
        if isLast { deriveKeys(&pairing) } else { pairing.round += 1 }
        switch (role, isLast) {
        case (.initiator, false): return sendConfirm(&pairing, random: &random)
        case (.initiator, true):
            pairing.step = .check
            return [sendCheck(pairing)]
        case (.responder, _):
            pairing.step = isLast ? .check : .confirm
            return [sendRandom(pairing)]
        }
    }

    private func deriveKeys(_ pairing: inout Pairing) {
        let randoms = ordered(pairing.ownRandom, pairing.peerRandom)
        let addresses = ordered(local, peer)
        let keys = SMP.keys(
            secret: pairing.secret, initiatorRandom: randoms.initiator, responderRandom: randoms.responder,
            initiator: addresses.initiator, responder: addresses.responder)
        pairing.checkKey = keys.check
        pairing.sessionKey = Self.cut(keys.longTerm, to: pairing.terms.keySize)
    }

    private func sendCheck(_ pairing: Pairing) -> Effect {
        let value = check(pairing, isOwn: true).reversed
        return .sending(SMP.PairingDHKeyCheck.self) { $0.value = value }
    }

    private func check(_ pairing: Pairing, isOwn: Bool) -> FixedBytes<16> {
        let isInitiators = isOwn == (role == .initiator)
        let packet = isInitiators ? pairing.request : pairing.response
        return SMP.check(
            key: pairing.checkKey, own: isOwn ? pairing.ownRandom : pairing.peerRandom,
            other: isOwn ? pairing.peerRandom : pairing.ownRandom,
            passkey: SMP.temporaryKey(pin: pairing.passkey ?? 0),
            features: FixedBytes([packet[3], packet[2], packet[1]]),
            from: isOwn ? local : peer, to: isOwn ? peer : local)
    }

    func takeCheck(_ pairing: inout Pairing, _ value: FixedBytes<16>) throws(Abort) -> [Effect] {
        guard value == check(pairing, isOwn: false) else { throw Abort(.dhKeyCheckFailed, .wrongCheck) }
        pairing.step = .encryption
        return [role == .initiator ? startEncryption(pairing) : sendCheck(pairing)]
    }
}
