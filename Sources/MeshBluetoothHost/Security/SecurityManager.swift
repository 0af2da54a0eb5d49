package import MeshTime
import MeshWire

/// Secures one connection, as central or as peripheral: pairing, keys, and encryption with a bond.
///
/// A pure machine: packets, events of the controller, the user's passkey and the time go in, effects come out. It lives
/// as long as its connection. It judges every packet; bytes outside a pairing have no effect. Source: Bluetooth Core,
/// Vol 3 Part H, 2 and 3.
package struct SecurityManager: Sendable {
    let role: Role
    var settings: Settings
    let local: BluetoothAddress
    let peer: BluetoothAddress

    /// The bond with the peer, given or made; none when it turned out to be lost.
    package internal(set) var bond: Bond?
    /// The level of the connection now.
    package internal(set) var level = SecurityLevel.none
    /// The time at which `expire` has to be called.
    package internal(set) var deadline: Instant?
    /// The failures with this peer; an owner passes them on to the peer's next connection.
    var attempts = RepeatedAttempts()

    var state = State.idle
    /// A central pairs because the peripheral asks, but not after a failure: then its owner asks.
    var hasFailed = false

    /// The state of the pairing or encryption under way.
    enum State: Sendable {
        case idle
        /// Peripheral: the central was asked to encrypt or to pair.
        case requested
        /// With the bond, to its level.
        case encrypting(SecurityLevel)
        case pairing(Pairing)
        /// A pairing came to no end. The channel is not used any more.
        case closed
    }

    /// The end of a pairing: the reason for the peer, and the cause for the owner.
    struct Abort: Error {
        let reason: SMP.Reason
        let cause: Failure.Cause

        init(_ reason: SMP.Reason, _ cause: Failure.Cause) {
            self.reason = reason
            self.cause = cause
        }
    }

    /// The time that a side waits for the other. Source: Bluetooth Core, Vol 3 Part H, 3.4.
    package static let timeout = TimeSpan.seconds(30)

    /// For a connection just made. `local`, `peer`: the addresses that it was made with. `bond`: what is kept of the
    /// peer.
    package init(
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
    /// Central: encrypts with the bond, or pairs. Peripheral: asks the central to do so. Nothing while that is under
    /// way.
    package mutating func start(at now: Instant, random: inout some RandomNumberGenerator) -> [Effect] {
        switch state {
        case .closed: return [.failed(.timedOut)]
        case .requested, .encrypting, .pairing: return []
        case .idle: break
        }
        hasFailed = false
        guard level < neededLevel else { return [] }
        return perform(at: now) { (manager) throws(Abort) in
            manager.role == .initiator ? manager.secure(to: manager.neededLevel) : manager.requestSecurity()
        }
    }

    /// Handles a packet of the security manager's channel.
    package mutating func receive(
        _ pdu: Span<UInt8>, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Effect] {
        guard !pdu.isEmpty, isOfUse(pdu[0]) else { return [] }
        let effects: [Effect]
        do {
            effects = try handle(pdu, at: now, random: &random)
        } catch {
            effects = end(error, at: now)
        }
        setDeadline(effects, now)
        return effects
    }

    /// Handles the passkey that the user typed, 0 to 999,999; `nil` when he gave up. Nothing if none was asked for.
    mutating func passkeyGiven(
        _ passkey: UInt32?, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Effect] {
        guard case .pairing(var pairing) = state, pairing.method == .typed, pairing.passkey == nil else { return [] }
        return perform(at: now) { (manager) throws(Abort) in
            guard let passkey, passkey <= Settings.longestPasskey else {
                throw Abort(.passkeyEntryFailed, .noPasskey)
            }
            pairing.passkey = passkey
            guard pairing.step == .passkey else {
                manager.state = .pairing(pairing)
                return []
            }
            let effects = manager.sendConfirm(&pairing, random: &random)
            manager.state = .pairing(pairing)
            return effects
        }
    }

    /// Handles the end of the deadline.
    package mutating func expire(at now: Instant) -> [Effect] {
        guard let deadline, now >= deadline else { return [] }
        state = .closed
        hasFailed = true
        self.deadline = nil
        return [.failed(.timedOut)] + (settings.disconnectsOnFailure ? [.disconnect] : [])
    }
}

extension SecurityManager {
    /// Less is not enough for us.
    private var neededLevel: SecurityLevel { settings.requiresMITM ? .authenticated : .encrypted }

    /// Does something that may end the pairing, and sees to the deadline.
    private mutating func perform(
        at now: Instant, _ body: (inout SecurityManager) throws(Abort) -> [Effect]
    ) -> [Effect] {
        let effects: [Effect]
        do {
            effects = try body(&self)
        } catch {
            effects = end(error, at: now)
        }
        setDeadline(effects, now)
        return effects
    }

    /// Tells whether these effects need an answer in time. A packet without an answer of ours prolongs nothing.
    func waits(_ effects: [Effect]) -> Bool {
        effects.contains {
            switch $0 {
            case .send, .startEncryption: true
            default: false
            }
        }
    }

    mutating func setDeadline(_ effects: [Effect], _ now: Instant) {
        switch state {
        case .idle, .closed: deadline = nil
        case .requested, .encrypting, .pairing:
            if deadline == nil || waits(effects) { deadline = now + Self.timeout }
        }
    }

    /// Central: with the bond if that is good enough, else by pairing.
    private mutating func secure(to needed: SecurityLevel) -> [Effect] {
        if let bond, bond.level >= needed {
            state = .encrypting(bond.level)
            return [
                .startEncryption(key: bond.longTermKey, random: bond.random, diversifier: bond.diversifier)
            ]
        }
        return requestPairing()
    }

    /// Peripheral.
    private mutating func requestSecurity() -> [Effect] {
        state = .requested
        let requirements = settings.requirements
        return [.sending(SMP.SecurityRequest.self) { $0.requirements = requirements }]
    }

    /// Tells whether a packet with this code means anything now. Unknown ones never do.
    private func isOfUse(_ code: UInt8) -> Bool {
        switch state {
        case .closed: false
        case .idle, .encrypting:
            code == (role == .initiator ? SMP.Code.securityRequest : SMP.Code.pairingRequest)
        case .requested: code == SMP.Code.pairingRequest || code == SMP.Code.pairingFailed
        case .pairing: (SMP.Code.pairingRequest...SMP.Code.keypressNotification).contains(code)
        }
    }

    private mutating func handle(
        _ pdu: Span<UInt8>, at now: Instant, random: inout some RandomNumberGenerator
    ) throws(Abort) -> [Effect] {
        switch pdu[0] {
        case SMP.Code.pairingFailed:
            let packet: SMP.PairingFailed = try Self.read(pdu)
            return endedByPeer(packet.reason, at: now)
        case SMP.Code.securityRequest where role == .initiator:
            return takeSecurityRequest(try Self.read(pdu))
        default: break
        }
        guard case .pairing(var pairing) = state else { return try takeRequest(pdu, at: now, random: &random) }
        let effects = try advance(&pairing, pdu, random: &random)
        if pairing.step == .done { return effects + finish(pairing) }
        state = .pairing(pairing)
        return effects
    }

    /// Central: the peripheral wants to be asked. Ignored while something is under way, or where it has what it wants.
    private mutating func takeSecurityRequest(_ request: SMP.SecurityRequest) -> [Effect] {
        guard case .idle = state, !hasFailed else { return [] }
        let needed = max(neededLevel, request.requirements.contains(.mitm) ? .authenticated : .encrypted)
        return level >= needed ? [] : secure(to: needed)
    }

    /// Reads a packet, which must have the length of its kind.
    static func read<M: SecurityMessage>(_ pdu: Span<UInt8>) throws(Abort) -> M {
        do {
            return try M(whole: pdu)
        } catch {
            throw Abort(.invalidParameters, .malformed(code: pdu[0]))
        }
    }

    /// Reports the failure to the peer and the owner. The state is one from which another attempt works.
    private mutating func end(_ abort: Abort, at now: Instant) -> [Effect] {
        if abort.cause.countsAsAttempt { attempts.fail(at: now) }
        state = .idle
        hasFailed = true
        return [
            .sending(SMP.PairingFailed.self) { $0.reason = abort.reason },
            .failed(.ended(abort.reason, abort.cause)),
        ] + (settings.disconnectsOnFailure ? [.disconnect] : [])
    }

    private mutating func endedByPeer(_ reason: SMP.Reason, at now: Instant) -> [Effect] {
        if [.confirmValueFailed, .dhKeyCheckFailed].contains(reason) { attempts.fail(at: now) }
        state = .idle
        hasFailed = true
        return [.failed(.endedByPeer(reason))] + (settings.disconnectsOnFailure ? [.disconnect] : [])
    }
}

extension SecurityManager.Failure.Cause {
    /// The peer did not prove itself: a guess, perhaps.
    fileprivate var countsAsAttempt: Bool {
        switch self {
        case .wrongPasskey, .wrongConfirm, .wrongCheck, .invalidPublicKey, .reflectedPublicKey: true
        default: false
        }
    }
}

extension SecurityManager.Settings {
    /// Of six digits.
    static let longestPasskey: UInt32 = 999_999

    /// As pairing packets carry them.
    var requirements: SMP.Requirements {
        var result: SMP.Requirements = []
        if bonds { result.insert(.bonding) }
        if requiresMITM { result.insert(.mitm) }
        if secureConnections { result.insert(.secureConnections) }
        return result
    }
}

extension SecurityManager.Effect {
    /// A packet with these fields.
    static func sending<M: SecurityMessage>(_ type: M.Type, _ fill: (inout M) -> Void) -> Self {
        var message = M()
        fill(&message)
        return .send(message.encoded())
    }
}

extension SecurityManager: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The role, the peer and the level.
    package var description: String { "\(role) with \(peer), \(level)" }
    package var debugDescription: String { description }
    /// Without the keys, for `dump` and test reports.
    package var customMirror: Mirror { Mirror(self, children: ["role": role, "peer": peer, "level": level]) }
}
