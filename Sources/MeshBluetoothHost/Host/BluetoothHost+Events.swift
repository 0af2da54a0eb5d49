import MeshTime
import MeshWire

// What the controller says of connections.

extension BluetoothHost {
    mutating func take(event bytes: Span<UInt8>, at now: Instant, random: inout some RandomNumberGenerator) {
        let event: HCI.Event
        do {
            event = try HCI.Event(decoding: bytes)
        } catch {
            failure = .malformed(error)
            return
        }
        switch event {
        case .commandComplete(let event): take(complete: event, at: now)
        case .commandStatus(let event): take(status: event, at: now)
        case .hardwareError(let event): failure = .hardware(event.code)
        default:
            // Until the reset is answered the events are of another time.
            if isReady { take(event, at: now, random: &random) }
        }
    }

    private mutating func take(_ event: HCI.Event, at now: Instant, random: inout some RandomNumberGenerator) {
        switch event {
        case .connected(let event): event.status == 0 ? begun(event, at: now, random: &random) : notBegun(event)
        case .disconnected(let event) where event.status == 0: ended(event)
        case .completedPackets(let event):
            // A controller that returns more than it got is given what it could hold, and no more.
            for link in event.links { _ = data.completed(link.handle & 0x0FFF, Int(link.count)) }
        case .encryption(let event):
            guard let index = index(event.handle) else { return }
            let isOn = event.enabled != 0
            perform(links[index].security.encryptionChanged(isOn: isOn, status: event.status, at: now), index, at: now)
        case .newKey(let event):
            guard let index = index(event.handle) else { return }
            perform(links[index].security.encryptionChanged(isOn: true, status: event.status, at: now), index, at: now)
        case .longTermKeyRequest(let event): keyRequested(event, at: now, random: &random)
        case .connectionUpdated(let event):
            guard event.status == 0, let index = index(event.handle) else { return }
            links[index].parameters = ConnectionParameters(
                interval: event.interval, latency: event.latency, timeout: event.timeout)
            tell(.parameters(links[index].link, links[index].parameters))
            faults.parametersSet(links[index].parameters, of: links[index].link.number, at: now)
        case .connectionParameterRequest(let event): asked(event)
        case .advertising(let event): for report in event.reports { hear(report) }
        case .extendedAdvertising(let event): for report in event.reports { hear(report) }
        default: break
        }
    }

    func index(_ handle: UInt16) -> Int? { links.firstIndex { $0.handle == handle & 0x0FFF } }

    // MARK: Begin and end

    private mutating func begun(
        _ event: HCI.ConnectionComplete, at now: Instant, random: inout some RandomNumberGenerator
    ) {
        let handle = event.handle & 0x0FFF
        let peer = BluetoothAddress(event.peer, type: event.peerType)
        // A handle that is given out again: the connection before it has ended, whoever missed that.
        if let index = index(handle) { close(index, reason: 0x1F) }
        let isCentral = event.role == 0
        var isWanted = links.count < settings.linkLimit
        if isCentral {
            // It came about after it had been given up, or nobody asked for it.
            if let status = attempt?.givenUp { tell(.connectFailed(peer, status: status)) }
            isWanted = isWanted && attempt.map { $0.givenUp == nil } ?? false
            attempt = nil
        } else {
            advertising(false)
        }
        guard isWanted else {
            command(.disconnect(.init(handle: handle, reason: Self.lowResources)))
            if !isCentral { tell(.turnedAway(peer)) }
            return
        }
        open(handle, isCentral, peer, event, at: now, random: &random)
    }

    /// `Remote Device Terminated Connection due to Low Resources`.
    private static let lowResources: UInt8 = 0x14

    private mutating func open(
        _ handle: UInt16, _ isCentral: Bool, _ peer: BluetoothAddress, _ event: HCI.ConnectionComplete,
        at now: Instant, random: inout some RandomNumberGenerator
    ) {
        linkCount += 1
        let due = isCentral ? [] : faults.meet(.connection)
        loseBond(of: peer, due, at: now)
        let parameters = ConnectionParameters(
            interval: event.interval, latency: event.latency, timeout: event.timeout)
        let bond = known.last { $0.bond.matches(peer) }?.bond
        var link = LinkState(
            link: Link(number: linkCount), handle: handle, isCentral: isCentral, peer: peer, parameters: parameters,
            server: ATT.Server(mtu: settings.serverMTU), client: ATT.Client(mtu: settings.clientMTU),
            security: SecurityManager(
                role: isCentral ? .initiator : .responder, settings: settings.security, local: controller.address,
                peer: peer, bond: bond))
        link.security.attempts = attempts.first { $0.peer == peer }?.attempts ?? RepeatedAttempts()
        links.append(link)
        data.open(handle)
        let connection = Connection(
            isCentral: isCentral, peer: peer, parameters: parameters, isKnown: bond != nil)
        tell(.connected(link.link, connection))
        if features.hasLongerData { command(.dataLength(.init(handle: handle, bytes: 251, time: 2120))) }
        for due in due { act(due, links.count - 1, at: now, random: &random) }
    }

    private mutating func notBegun(_ event: HCI.ConnectionComplete) {
        guard let attempt else { return }
        self.attempt = nil
        tell(.connectFailed(attempt.peer, status: attempt.givenUp ?? event.status))
    }

    private mutating func ended(_ event: HCI.DisconnectionComplete) {
        if let index = index(event.handle) { close(index, reason: event.reason) }
    }

    mutating func close(_ index: Int, reason: UInt8) {
        let link = links.remove(at: index)
        data.close(link.handle)
        faults.ended(link.link.number)
        keepAttempts(link)
        tell(.disconnected(link.link, reason: reason))
    }

    /// Makes the controller end a connection; its event ends it here.
    mutating func disconnect(_ index: Int, reason: UInt8, at now: Instant) {
        links[index].ending = nil
        guard links[index].endsBy == nil else { return }
        // A peer that is gone is only known to be after the supervision timeout.
        let time = TimeSpan.milliseconds(Int64(links[index].parameters.timeout) * 10) + settings.commandTime
        links[index].endsBy = now + time
        command(.disconnect(.init(handle: links[index].handle, reason: reason)))
    }

    /// Ends a connection whose peer does what it must not.
    mutating func blame(_ index: Int, _ fault: Fault, at now: Instant) {
        guard links[index].endsBy == nil else { return }
        tell(.faulty(links[index].link, fault))
        disconnect(index, reason: 0x13, at: now)
    }

    // MARK: Time

    mutating func expireAttempt(at now: Instant) {
        guard let attempt, now >= attempt.until else { return }
        if attempt.givenUp != nil {
            failure = .silent(opcode: HCI.CommandCode.createConnectionCancel)
        } else {
            giveUp(status: 0x3C, at: now)
        }
    }

    /// The controller is to give a connection up; its event says that it has.
    mutating func giveUp(status: UInt8, at now: Instant) {
        attempt?.givenUp = status
        attempt?.until = now + settings.commandTime
        command(.other(opcode: HCI.CommandCode.createConnectionCancel))
    }

    mutating func expire(_ index: Int, at now: Instant) {
        if let endsBy = links[index].endsBy {
            if now >= endsBy { failure = .silent(opcode: HCI.CommandCode.disconnect) }
            return
        }
        if let deadline = links[index].security.deadline, now >= deadline {
            perform(links[index].security.expire(at: now), index, at: now)
        }
        if links[index].client.isSilent(at: now) || links[index].server.isSilent(at: now) {
            blame(index, .silent, at: now)
        }
    }

    // MARK: Parameters

    private mutating func asked(_ event: HCI.ConnectionParameterRequest) {
        guard index(event.handle) != nil, event.parameters.isAllowed else {
            // Unacceptable Connection Parameters.
            return command(.connectionParameterRefusal(.init(handle: event.handle, reason: 0x3B)))
        }
        command(.connectionParameterReply(update(event.handle, event.parameters)))
    }

    /// Sends the controller other intervals. `false`: those before are still on their way to it.
    ///
    /// A peer that asks again and again would fill the queue of commands.
    mutating func update(_ index: Int, _ wanted: ConnectionParameters) -> Bool {
        guard !updates.contains(links[index].link) else { return false }
        updates.append(links[index].link)
        command(.connectionUpdate(update(links[index].handle, wanted)))
        return true
    }

    func update(_ handle: UInt16, _ wanted: ConnectionParameters) -> HCI.ConnectionUpdate {
        var update = HCI.ConnectionUpdate()
        update.handle = handle
        update.parameters = wanted
        return update
    }
}
