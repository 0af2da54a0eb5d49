import MeshTime
import MeshWire

// Data on connections: fragments to packets, and packets to the protocols.

extension BluetoothHost {
    mutating func take(data bytes: Span<UInt8>, at now: Instant, random: inout some RandomNumberGenerator) {
        guard isReady, let header = HCI.DataHeader(bytes), let index = index(header.handle),
            links[index].endsBy == nil
        else { return }
        let fragment = bytes.extracting(droppingFirst: HCI.DataHeader.size)
        guard fragment.count == Int(header.length) else { return blame(index, .malformed, at: now) }
        let step: L2CAP.Assembler.Step
        if header.boundary == .continuation {
            step = links[index].assembler.append(fragment, wireLength: fragment.count)
        } else {
            guard !links[index].assembler.isPending else { return blame(index, .malformed, at: now) }
            step = links[index].assembler.begin(fragment, wireLength: fragment.count)
        }
        switch step {
        case .more: break
        case .whole(excess: 0):
            let channel = links[index].assembler.header.channel
            var payload: [UInt8] = []
            links[index].assembler.withPayload { payload = $0.array }
            links[index].assembler.reset()
            take(payload.span, channel, index, at: now, random: &random)
        case .whole, .orphan, .unreadable: blame(index, .malformed, at: now)
        }
    }

    private mutating func take(
        _ packet: Span<UInt8>, _ channel: UInt16, _ index: Int, at now: Instant,
        random: inout some RandomNumberGenerator
    ) {
        switch channel {
        case L2CAP.Channel.attributes: take(attributes: packet, index, at: now, random: &random)
        case L2CAP.Channel.signalling: take(signal: packet, index, at: now)
        case L2CAP.Channel.securityManager:
            guard !meetsPairing(packet, index, at: now, random: &random) else { return }
            perform(links[index].security.receive(packet, at: now, random: &random), index, at: now)
        // Packets on channels that were never opened are dropped.
        default: break
        }
    }

    /// Sends a packet on a channel; a full queue is the fault of the peer.
    ///
    /// The program cannot fill it: its requests are refused before.
    mutating func send(_ packet: [UInt8], on channel: UInt16, _ index: Int, at now: Instant) {
        do {
            try data.append(L2CAP.packet(packet, on: channel), on: links[index].handle)
        } catch {
            blame(index, .flooding, at: now)
        }
    }

    // MARK: Signalling

    private mutating func take(signal packet: Span<UInt8>, _ index: Int, at now: Instant) {
        guard let signal = try? L2CAP.Signal(decoding: packet), signal.identifier != 0 else { return }
        let content: L2CAP.Signal.Content
        switch signal.content {
        case .parameterRequest(let wanted) where links[index].isCentral:
            content = .parameterResponse(.init(wanted.isAllowed && update(index, wanted)))
        default:
            guard signal.isRequest else { return }
            content = .reject(L2CAP.CommandReject())
        }
        let answer = L2CAP.Signal(identifier: signal.identifier, content)
        send(answer.encoded, on: L2CAP.Channel.signalling, index, at: now)
    }

    // MARK: Attributes

    private mutating func take(
        attributes packet: Span<UInt8>, _ index: Int, at now: Instant, random: inout some RandomNumberGenerator
    ) {
        guard !packet.isEmpty else { return }
        switch ATT.Opcode(rawValue: packet[0]).role {
        case .response, .notification, .indication:
            perform(links[index].client.receive(packet, at: now), index, at: now, random: &random)
        case .request, .command, .confirmation, .unknown:
            let served = faults.serve(
                packet, of: links[index].link.number, at: now, protection: links[index].protection,
                server: &links[index].server, table: &attributes)
            for due in served.acts { act(due, index, at: now, random: &random) }
            perform(served.effects, index, at: now)
        }
    }

    mutating func perform(_ effects: [ATT.Server.Effect], _ index: Int, at now: Instant) {
        let link = links[index].link
        for effect in effects {
            switch effect {
            case .send(let packet): send(packet, on: L2CAP.Channel.attributes, index, at: now)
            case .written(let handle, let value): tell(.written(link, handle: handle, value: value))
            case .subscribed(let subscription):
                tell(.subscribed(link, subscription))
                keepSubscriptions(index)
            case .mtu(let mtu):
                links[index].client.mtu = mtu
                tell(.mtu(link, mtu))
            case .confirmed(let handle): tell(.confirmed(link, handle: handle))
            }
        }
    }

    mutating func perform(
        _ effects: [ATT.Client.Effect], _ index: Int, at now: Instant, random: inout some RandomNumberGenerator
    ) {
        let link = links[index].link
        for effect in effects {
            switch effect {
            case .send(let packet): send(packet, on: L2CAP.Channel.attributes, index, at: now)
            case .mtu(let mtu):
                links[index].server.mtu = mtu
                tell(.mtu(link, mtu))
            case .discovered(let database): tell(.discovered(link, database))
            case .value(let handle, let value): tell(.value(link, handle: handle, value: value))
            case .accepted(let handle): tell(.accepted(link, handle: handle))
            case .notified(let handle, let value): tell(.notified(link, handle: handle, value: value))
            case .refused(let procedure, let opcode, let handle, let error):
                let refused = LinkState.Refused(procedure: procedure, opcode: opcode, handle: handle, error: error)
                self.refused(refused, index, at: now, random: &random)
            }
        }
    }

    /// A central that may not read or write pairs, and asks again; or the program receives the refusal.
    private mutating func refused(
        _ refused: LinkState.Refused, _ index: Int, at now: Instant, random: inout some RandomNumberGenerator
    ) {
        let isForSecurity = [.insufficientAuthentication, .insufficientEncryption].contains(refused.error)
        let state = links[index]
        let needed = settings.security.requiresMITM ? SecurityLevel.authenticated : .encrypted
        guard settings.pairsWhenRefused, state.isCentral, isForSecurity, state.security.level < needed,
            state.held == nil
        else {
            return tell(.refused(state.link, refused.opcode, handle: refused.handle, refused.error))
        }
        links[index].held = refused
        perform(links[index].security.start(at: now, random: &random), index, at: now)
    }
}
