package import MeshTime
import MeshWire

// What a peripheral with a controller of its own does for its faults.
extension BluetoothHost {
    /// The change that a fault makes to the answer to a request for a key.
    enum KeyChange {
        case none
        /// The controller gets no answer.
        case unanswered
        case refused
        case otherKey(BluetoothFaultLedger.Due)
    }

    package mutating func carryOut(
        _ due: BluetoothFaultLedger.Due, on link: Link, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Effect] {
        if let index = links.firstIndex(where: { $0.link == link }) { act(due, index, at: now, random: &random) }
        return finish(at: now)
    }

    package mutating func reshape(_ settings: Settings) {
        self.settings = settings
        attributes = settings.attributes
        for index in links.indices {
            links[index].server.ownMTU = settings.serverMTU
            links[index].security.settings = settings.security
        }
    }

    /// Carries out a fault on a connection; one that is being ended has none any more.
    mutating func act(
        _ due: BluetoothFaultLedger.Due, _ index: Int, at now: Instant, random: inout some RandomNumberGenerator
    ) {
        guard links[index].endsBy == nil else { return }
        let link = links[index].link
        switch due.kind {
        case .earlyNotification, .serviceChanged:
            let packets = links[index].server.unasked(due.kind, in: attributes)
            guard !packets.isEmpty else { return }
            faults.note(due, frames: packets.count, bytes: packets.reduce(0) { $0 + $1.count }, at: now)
            for packet in packets { send(packet, on: L2CAP.Channel.attributes, index, at: now) }
        case .disconnect(let reason):
            faults.note(due, at: now)
            disconnect(index, reason: reason, at: now)
        case .linkLost(let span):
            faults.note(due, at: now)
            tell(.linkLost(link, for: span))
        case .connectionParameters:
            guard let wanted = due.kind.parameters, (try? updateParameters(index, wanted, at: now)) != nil else {
                return
            }
            faults.ask(due, of: link.number)
        case .securityRequest:
            let effects = links[index].security.start(at: now, random: &random)
            if !effects.isEmpty { faults.note(due, at: now) }
            perform(effects, index, at: now)
        default: break
        }
    }

    /// Sends the answers that have waited long enough.
    mutating func sendLate(at now: Instant) {
        for (number, packet) in faults.release(at: now) {
            guard let index = links.firstIndex(where: { $0.link.number == number && $0.endsBy == nil }) else {
                continue
            }
            send(packet, on: L2CAP.Channel.attributes, index, at: now)
        }
    }

    // MARK: Keys

    /// Drops the keys of a peer that connects, where a fault wants it.
    mutating func loseBond(of peer: BluetoothAddress, _ due: [BluetoothFaultLedger.Due], at now: Instant) {
        guard let due = due.first(where: { $0.kind == .bondLost }), known.contains(where: { $0.bond.matches(peer) })
        else { return }
        known.removeAll { $0.bond.matches(peer) }
        faults.note(due, at: now)
        tell(.forgotten(peer))
    }

    /// A packet of the security manager: faults that are due where a pairing begins; true when it is dealt with.
    mutating func meetsPairing(
        _ packet: Span<UInt8>, _ index: Int, at now: Instant, random: inout some RandomNumberGenerator
    ) -> Bool {
        guard !faults.isEmpty, !links[index].isCentral, !packet.isEmpty, packet[0] == SMP.Code.pairingRequest else {
            return false
        }
        links[index].security.settings.passkey = settings.security.passkey
        var isHandled = false
        for due in faults.meet(.pairing) {
            switch due.kind {
            case .pinChanged(let pin):
                links[index].security.settings.passkey = pin
                faults.note(due, at: now)
            case .noAnswer:
                faults.note(due, frames: 1, bytes: packet.count, at: now)
                isHandled = true
            case .pairingRefused(let reason):
                var refusal = SMP.PairingFailed()
                refusal.reason = SMP.Reason(rawValue: reason)
                faults.note(due, frames: 1, bytes: packet.count, at: now)
                send(refusal.encoded(), on: L2CAP.Channel.securityManager, index, at: now)
                isHandled = true
            case .linkLost, .disconnect:
                act(due, index, at: now, random: &random)
                isHandled = true
            default: act(due, index, at: now, random: &random)
            }
        }
        return isHandled
    }

    /// The controller asks for a key: the change that faults make to the answer.
    mutating func meetEncryption(
        _ index: Int, at now: Instant, random: inout some RandomNumberGenerator
    ) -> KeyChange {
        guard !faults.isEmpty else { return .none }
        var change = KeyChange.none
        for due in faults.meet(.encryption) {
            switch due.kind {
            case .keyRefused:
                faults.note(due, at: now)
                change = .refused
            case .wrongKey: change = .otherKey(due)
            case .noAnswer:
                faults.note(due, at: now)
                change = .unanswered
            case .linkLost, .disconnect:
                act(due, index, at: now, random: &random)
                change = .unanswered
            default: act(due, index, at: now, random: &random)
            }
        }
        return change
    }

    /// Effects with another key than the right one; one that is missing stays missing.
    mutating func spoilt(
        _ effects: [SecurityManager.Effect], _ due: BluetoothFaultLedger.Due, at now: Instant
    ) -> [SecurityManager.Effect] {
        effects.map { effect in
            guard case .answerKeyRequest(var key?) = effect else { return effect }
            key[0] ^= 0xFF
            faults.note(due, at: now)
            return .answerKeyRequest(key: key)
        }
    }
}

extension ATT.Server {
    /// The packets that a server sends of its own accord for a fault; none for faults of other kinds.
    func unasked(_ kind: BluetoothFault.Kind, in table: ATT.AttributeTable) -> [[UInt8]] {
        switch kind {
        case .earlyNotification(let value, let count):
            guard let handle = table.transmit else { return [] }
            return Array(repeating: notification(handle, value), count: count)
        case .serviceChanged:
            guard let handle = table.attributes.first(where: { $0.type == .serviceChanged })?.handle else { return [] }
            // All handles. Its confirmation is waited for by nobody: a phone that sends none is not hung up on.
            return [ATT.Indication(handle: handle, value: [1, 0, 0xFF, 0xFF]).encoded()]
        default: return []
        }
    }
}
