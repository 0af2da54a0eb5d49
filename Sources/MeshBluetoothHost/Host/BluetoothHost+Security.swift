import MeshTime
import MeshWire

// What the security manager wants done, and what is kept of peers.

extension BluetoothHost {
    mutating func keyRequested(
        _ event: HCI.LongTermKeyRequest, at now: Instant, random: inout some RandomNumberGenerator
    ) {
        guard let index = index(event.handle) else {
            return command(.longTermKeyRefusal(.init(event.handle)))
        }
        let change = meetEncryption(index, at: now, random: &random)
        switch change {
        case .unanswered: return
        case .refused: return command(.longTermKeyRefusal(.init(event.handle)))
        case .none, .otherKey: break
        }
        let effects = links[index].security.keyRequested(random: event.random, diversifier: event.diversifier)
        guard case .otherKey(let due) = change else { return perform(effects, index, at: now) }
        perform(spoilt(effects, due, at: now), index, at: now)
    }

    mutating func perform(_ effects: [SecurityManager.Effect], _ index: Int, at now: Instant) {
        let (link, handle) = (links[index].link, links[index].handle)
        for effect in effects {
            switch effect {
            case .send(let packet): send(packet, on: L2CAP.Channel.securityManager, index, at: now)
            case .startEncryption(let key, let random, let diversifier):
                var start = HCI.StartEncryption()
                (start.handle, start.key, start.random, start.diversifier) = (handle, key, random, diversifier)
                command(.startEncryption(start))
            case .answerKeyRequest(let key):
                guard let key else {
                    command(.longTermKeyRefusal(.init(handle)))
                    continue
                }
                var reply = HCI.LongTermKeyReply()
                (reply.handle, reply.key) = (handle, key)
                command(.longTermKeyReply(reply))
            case .askPasskey: tell(.passkeyWanted(link))
            case .showPasskey(let passkey): tell(.passkeyShown(link, passkey))
            case .secured(let level): secured(index, level, at: now)
            case .bonded(let bond): bonded(index, bond)
            case .failed(let failure):
                tell(.securityFailed(link, failure))
                if let held = links[index].held {
                    links[index].held = nil
                    tell(.refused(link, held.opcode, handle: held.handle, held.error))
                }
            case .disconnect:
                if links[index].ending == nil {
                    links[index].ending = (reason: Self.authenticationFailure, until: now + settings.commandTime)
                }
            }
        }
    }

    /// `Authentication Failure`.
    private static let authenticationFailure: UInt8 = 0x05

    private mutating func secured(_ index: Int, _ level: SecurityLevel, at now: Instant) {
        let link = links[index].link
        tell(.secured(link, level))
        if let place = place(index) {
            // The peer that was used last is the last to make room.
            let peer = known.remove(at: place)
            known.append(peer)
            for subscription in links[index].server.restore(peer.subscriptions) {
                tell(.subscribed(link, subscription))
            }
            keepSubscriptions(index)
        }
        guard let held = links[index].held else { return }
        links[index].held = nil
        guard let effects = try? links[index].client.begin(held.procedure, first: true, at: now) else {
            return tell(.refused(link, held.opcode, handle: held.handle, held.error))
        }
        for case .send(let packet) in effects { send(packet, on: L2CAP.Channel.attributes, index, at: now) }
    }

    /// Returns the index of a connection's peer among the known ones.
    private func place(_ index: Int) -> Int? {
        guard let bond = links[index].security.bond else { return nil }
        return known.lastIndex { $0.bond.peer == bond.peer }
    }

    private mutating func bonded(_ index: Int, _ bond: Bond) {
        known.removeAll { $0.bond.peer == bond.peer || $0.bond.matches(links[index].peer) }
        if known.count == Self.knownLimit { known.removeFirst() }
        known.append(KnownPeer(bond: bond, subscriptions: links[index].server.subscriptions))
        tell(.known(known[known.count - 1]))
    }

    /// Subscriptions of a peer with a bond outlast the connection.
    ///
    /// Before it is encrypted, anybody who uses the peer's address may have sent them.
    mutating func keepSubscriptions(_ index: Int) {
        guard links[index].security.level > .none, let place = place(index),
            known[place].subscriptions != links[index].server.subscriptions
        else { return }
        known[place].subscriptions = links[index].server.subscriptions
        tell(.known(known[place]))
    }

    /// Peers whose failed pairings are remembered; the one that failed first makes room.
    static let attemptLimit = 32

    /// A peer that guesses does not begin anew with its next connection from the same address.
    ///
    /// From another address it does.
    mutating func keepAttempts(_ link: LinkState) {
        attempts.removeAll { $0.peer == link.peer }
        guard link.security.attempts.failures > 0 else { return }
        if attempts.count == Self.attemptLimit { attempts.removeFirst() }
        attempts.append((link.peer, link.security.attempts))
    }
}
