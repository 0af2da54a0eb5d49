import MeshCrypto
import MeshTime
import MeshWire

extension SecurityManager {
    /// A pairing under way. Random numbers and keys stand most significant byte first, as the functions need them.
    struct Pairing: Sendable {
        /// The step that is waited for.
        enum Step: Sendable {
            case response
            case publicKey
            /// The user's passkey, without which nothing can be sent.
            case passkey
            case confirm
            case random
            case check
            case encryption
            case keys
            case done
        }

        /// Our part in the proof.
        enum Method: Sendable {
            case justWorks
            case shown
            case typed
        }

        var step = Step.response
        /// As they travelled, code included: they go into the proofs.
        var request = FixedBytes<7>()
        var response = FixedBytes<7>()
        var terms = Terms()
        var passkey: UInt32?

        /// Of 20 in Secure Connections with a passkey, from 1.
        var round = 1
        var ownRandom = FixedBytes<16>()
        var peerRandom = FixedBytes<16>()
        var peerConfirm = FixedBytes<16>()
        var keyPair: P256KeyPair?
        var peerKey: P256PublicKey?
        var secret = FixedBytes<32>()
        var checkKey = FixedBytes<16>()
        /// The key that encrypts the link at the end: the short term key, or the long term key of Secure Connections.
        var sessionKey = FixedBytes<16>()

        /// The codes of the packets with keys that are still to come.
        var expectedKeys: [UInt8] = []
        var longTermKey: FixedBytes<16>?
        var diversifier: UInt16 = 0
        var random: UInt64 = 0
        var identityKey: FixedBytes<16>?
        var identityAddress: BluetoothAddress?

        var method: Method { terms.method }
    }

    /// The terms that follow from both packets at the beginning.
    struct Terms: Sendable {
        var isSecureConnections = false
        var method = Pairing.Method.justWorks
        var keySize: UInt8 = 16
        var isBonding = false
        var initiatorKeys: SMP.KeyDistribution = []
        var responderKeys: SMP.KeyDistribution = []

        var level: SecurityLevel {
            if method == .justWorks { return .encrypted }
            return isSecureConnections && keySize == 16 ? .authenticatedSecure : .authenticated
        }
    }
}

// The beginning.
extension SecurityManager {
    private var ownFeatures: SMP.Features {
        var features = SMP.Features()
        features.ioCapability = settings.ioCapability
        features.requirements = settings.requirements
        features.maximumKeySize = max(7, min(16, settings.keySizes.upperBound))
        guard settings.bonds else { return features }
        let keys = settings.keys.subtracting(.link)
        // A key for the other way round, where we were the peripheral, would not be kept.
        features.initiatorKeys =
            role == .initiator ? keys.subtracting([.encryption, .signing]) : keys
        features.responderKeys = role == .initiator ? keys : keys.subtracting(.signing)
        return features
    }

    mutating func requestPairing() -> [Effect] {
        var packet = SMP.PairingRequest()
        packet.features = ownFeatures
        var pairing = Pairing()
        pairing.request = FixedBytes(packet.encoded())
        state = .pairing(pairing)
        return [.send(packet.encoded())]
    }

    /// Peripheral: a pairing begins.
    mutating func takeRequest(
        _ pdu: Span<UInt8>, at now: Instant, random: inout some RandomNumberGenerator
    ) throws(Abort) -> [Effect] {
        let request: SMP.PairingRequest = try Self.read(pdu)
        guard attempts.allow(at: now) else { throw Abort(.repeatedAttempts, .tooManyAttempts) }
        var response = SMP.PairingResponse()
        response.features = ownFeatures
        response.features.initiatorKeys.formIntersection(request.features.initiatorKeys)
        response.features.responderKeys.formIntersection(request.features.responderKeys)
        var pairing = Pairing()
        pairing.request = FixedBytes(pdu.array)
        pairing.response = FixedBytes(response.encoded())
        pairing.terms = try terms(request.features, response.features, of: request.features, code: pdu[0])
        pairing.step = pairing.terms.isSecureConnections ? .publicKey : .confirm
        makeKeys(&pairing, random: &random)
        let effects = [.send(response.encoded())] + preparePasskey(&pairing, random: &random)
        state = .pairing(pairing)
        return effects
    }

    private func takeResponse(
        _ pairing: inout Pairing, _ pdu: Span<UInt8>, random: inout some RandomNumberGenerator
    ) throws(Abort) -> [Effect] {
        let response: SMP.PairingResponse = try Self.read(pdu)
        pairing.response = FixedBytes(pdu.array)
        pairing.terms = try terms(ownFeatures, response.features, of: response.features, code: pdu[0])
        let effects = preparePasskey(&pairing, random: &random)
        if pairing.terms.isSecureConnections { return effects + [sendPublicKey(&pairing, random: &random)] }
        return effects + sendConfirm(&pairing, random: &random)
    }

    /// Finds or draws the passkey and shows it, or asks for it.
    private func preparePasskey(
        _ pairing: inout Pairing, random: inout some RandomNumberGenerator
    ) -> [Effect] {
        let known = settings.passkey.flatMap { $0 <= Settings.longestPasskey ? $0 : nil }
        switch pairing.method {
        case .justWorks:
            pairing.passkey = 0
            return []
        case .typed:
            pairing.passkey = known
            return known == nil ? [.askPasskey] : []
        case .shown:
            let passkey = known ?? UInt32.random(in: 0...Settings.longestPasskey, using: &random)
            pairing.passkey = passkey
            return [.showPasskey(passkey)]
        }
    }

    /// Returns the agreed terms, or throws the reason why there are none. `theirs`: the peer's packet, which has this
    /// code.
    private func terms(
        _ request: SMP.Features, _ response: SMP.Features, of theirs: SMP.Features, code: UInt8
    ) throws(Abort) -> Terms {
        guard (7...16).contains(theirs.maximumKeySize), theirs.ioCapability.rawValue <= 4, theirs.outOfBand <= 1 else {
            throw Abort(.invalidParameters, .malformed(code: code))
        }
        var terms = Terms()
        let both = request.requirements.intersection(response.requirements)
        let either = request.requirements.union(response.requirements)
        terms.isSecureConnections = both.contains(.secureConnections)
        terms.isBonding = both.contains(.bonding)
        guard terms.isSecureConnections || settings.legacy else {
            throw Abort(.authenticationRequirements, .noCommonMethod)
        }
        terms.keySize = min(request.maximumKeySize, response.maximumKeySize)
        guard terms.keySize >= settings.keySizes.lowerBound else {
            throw Abort(.encryptionKeySize, .shortKey(terms.keySize))
        }
        // Secure Connections use such data when one side has it, legacy pairing when both have.
        guard !terms.isSecureConnections || theirs.outOfBand == 0 else {
            throw Abort(.oobNotAvailable, .noOutOfBandData)
        }
        if either.contains(.mitm) {
            terms.method = try method(request.ioCapability, response.ioCapability, terms.isSecureConnections)
        }
        guard terms.method != .justWorks || !settings.requiresMITM else {
            throw Abort(.authenticationRequirements, .noWayToProve)
        }
        terms.initiatorKeys = response.initiatorKeys.intersection(request.initiatorKeys).subtracting(.link)
        terms.responderKeys = response.responderKeys.intersection(request.responderKeys).subtracting(.link)
        if terms.isSecureConnections {
            terms.initiatorKeys.remove(.encryption)
            terms.responderKeys.remove(.encryption)
        }
        return terms
    }

    /// Returns the method: which side shows the passkey and which types it. Source: Bluetooth Core, Vol 3 Part H,
    /// 2.3.5.1, table 2.8.
    private func method(
        _ initiator: SMP.IOCapability, _ responder: SMP.IOCapability, _ isSecureConnections: Bool
    ) throws(Abort) -> Pairing.Method {
        if isSecureConnections, initiator.canCompare, responder.canCompare {
            throw Abort(.authenticationRequirements, .noWayToProve)
        }
        if initiator.hasDisplay, responder.hasKeyboard { return role == .initiator ? .shown : .typed }
        if initiator.hasKeyboard, responder.hasDisplay { return role == .initiator ? .typed : .shown }
        return initiator.hasKeyboard && responder.hasKeyboard ? .typed : .justWorks
    }
}

// The proof.
extension SecurityManager {
    /// Handles a packet of a pairing under way.
    func advance(
        _ pairing: inout Pairing, _ pdu: Span<UInt8>, random: inout some RandomNumberGenerator
    ) throws(Abort) -> [Effect] {
        switch (pdu[0], pairing.step) {
        case (SMP.Code.keypressNotification, _):
            let _: SMP.KeypressNotification = try Self.read(pdu)
            return []
        case (SMP.Code.pairingResponse, .response): return try takeResponse(&pairing, pdu, random: &random)
        case (SMP.Code.pairingPublicKey, .publicKey):
            return try takePublicKey(&pairing, try Self.read(pdu), random: &random)
        case (SMP.Code.pairingConfirm, .confirm):
            let packet: SMP.PairingConfirm = try Self.read(pdu)
            pairing.peerConfirm = packet.value.reversed
            if role == .responder { return sendConfirm(&pairing, random: &random) }
            // Our own value, sent back, proves nothing: the random number that fits it would be ours as well.
            guard pairing.peerConfirm != ownConfirm(pairing) else { throw wrongConfirm(pairing) }
            pairing.step = .random
            return [sendRandom(pairing)]
        case (SMP.Code.pairingRandom, .random):
            let packet: SMP.PairingRandom = try Self.read(pdu)
            pairing.peerRandom = packet.value.reversed
            return try takeRandom(&pairing, random: &random)
        case (SMP.Code.pairingDHKeyCheck, .check):
            let packet: SMP.PairingDHKeyCheck = try Self.read(pdu)
            return try takeCheck(&pairing, packet.value.reversed)
        case (_, .keys): return try takeKey(&pairing, pdu)
        default: throw Abort(.unspecified, .unexpected(code: pdu[0]))
        }
    }

    /// Commits us to a fresh random number; waits for the user first where the passkey is not known yet.
    func sendConfirm(_ pairing: inout Pairing, random: inout some RandomNumberGenerator) -> [Effect] {
        guard pairing.passkey != nil else {
            pairing.step = .passkey
            return []
        }
        pairing.ownRandom = Self.draw(using: &random)
        let value = ownConfirm(pairing).reversed
        pairing.step = role == .initiator ? .confirm : .random
        return [.sending(SMP.PairingConfirm.self) { $0.value = value }]
    }

    func sendRandom(_ pairing: Pairing) -> Effect {
        .sending(SMP.PairingRandom.self) { $0.value = pairing.ownRandom.reversed }
    }

    private func ownConfirm(_ pairing: Pairing) -> FixedBytes<16> {
        pairing.terms.isSecureConnections
            ? secureConfirm(pairing, isOwn: true) : legacyConfirm(pairing, random: pairing.ownRandom)
    }

    private func takeRandom(
        _ pairing: inout Pairing, random: inout some RandomNumberGenerator
    ) throws(Abort) -> [Effect] {
        try pairing.terms.isSecureConnections
            ? takeSecureRandom(&pairing, random: &random) : takeLegacyRandom(&pairing)
    }

    /// The peer is committed to another value than it shows.
    func wrongConfirm(_ pairing: Pairing) -> Abort {
        Abort(
            .confirmValueFailed,
            pairing.method == .justWorks ? .wrongConfirm : .wrongPasskey(round: pairing.round))
    }

    /// Random bytes.
    static func draw<let size: Int>(using random: inout some RandomNumberGenerator) -> FixedBytes<size> {
        var bytes = FixedBytes<size>()
        var word: UInt64 = 0
        for index in 0..<size {
            if index % 8 == 0 { word = random.next() }
            bytes[index] = UInt8(truncatingIfNeeded: word)
            word >>= 8
        }
        return bytes
    }

    /// A key of fewer than 16 bytes has zeros in front.
    static func cut(_ key: FixedBytes<16>, to size: UInt8) -> FixedBytes<16> {
        var key = key
        for index in 0..<max(0, 16 - Int(size)) { key[index] = 0 }
        return key
    }

    /// The central's value, then the peripheral's.
    func ordered<Value>(_ own: Value, _ other: Value) -> (initiator: Value, responder: Value) {
        role == .initiator ? (own, other) : (other, own)
    }
}

// Legacy pairing. Source: Bluetooth Core, Vol 3 Part H, 2.3.5.5.
extension SecurityManager {
    private func legacyConfirm(_ pairing: Pairing, random: FixedBytes<16>) -> FixedBytes<16> {
        let addresses = ordered(local, peer)
        return SMP.confirm(
            key: SMP.temporaryKey(pin: pairing.passkey ?? 0), random: random, request: pairing.request.reversed,
            response: pairing.response.reversed, initiator: addresses.initiator, responder: addresses.responder)
    }

    private func takeLegacyRandom(_ pairing: inout Pairing) throws(Abort) -> [Effect] {
        guard legacyConfirm(pairing, random: pairing.peerRandom) == pairing.peerConfirm else {
            throw wrongConfirm(pairing)
        }
        let randoms = ordered(pairing.ownRandom, pairing.peerRandom)
        let key = SMP.shortTermKey(
            key: SMP.temporaryKey(pin: pairing.passkey ?? 0), responder: randoms.responder,
            initiator: randoms.initiator)
        pairing.sessionKey = Self.cut(key, to: pairing.terms.keySize)
        pairing.step = .encryption
        return [role == .initiator ? startEncryption(pairing) : sendRandom(pairing)]
    }

    func startEncryption(_ pairing: Pairing) -> Effect {
        .startEncryption(key: pairing.sessionKey.reversed, random: 0, diversifier: 0)
    }
}
