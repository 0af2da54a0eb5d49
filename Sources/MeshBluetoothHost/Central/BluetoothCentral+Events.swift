import MeshTime

// What the host tells, phase by phase.
extension BluetoothCentral {
    mutating func happened(_ event: BluetoothHost.Event, at now: Instant) {
        switch event {
        case .ready: ready(at: now)
        case .found(let advertiser): found(advertiser)
        case .connected(let link, let connection): connected(link, connection, at: now)
        case .connectFailed(_, let status): connectFailed(status, at: now)
        case .disconnected(let link, let reason): disconnected(link, reason, at: now)
        case .failed(let failure): if phase != .idle { end(.controller(failure)) }
        case .notDone(let opcode, let status): notDone(opcode, status, at: now)
        case .faulty(_, let fault): fail(.faulty(fault), at: now)
        case .known: outputs.append(.keep(host.known))
        case .passkeyWanted:
            state.setup?.isPINWanted = true
            outputs.append(.pinWanted)
        default: if phase != .disconnecting { happenedOnLink(event, at: now) }
        }
    }

    private mutating func happenedOnLink(_ event: BluetoothHost.Event, at now: Instant) {
        switch event {
        case .mtu(_, let size): agreed(size)
        case .discovered(_, let database): discovered(database, at: now)
        case .secured(_, let level): secured(level, at: now)
        case .securityFailed(_, let failure): securityFailed(failure, at: now)
        case .accepted: accepted(at: now)
        case .refused(_, let opcode, _, let error): refused(opcode, error, at: now)
        case .notified(_, let handle, let value): notified(handle, value)
        case .hasRoom:
            guard case .connected(var session) = state else { return }
            session.isFull = false
            state = .connected(session)
        default: break
        }
    }

    // MARK: Finding

    private mutating func ready(at now: Instant) {
        guard case .waitingForBluetooth = state else { return }
        transition(to: .scanning(until: now + limits.scanning))
        requests.append(.scan(.init(service: nil)))
    }

    private mutating func found(_ advertiser: BluetoothHost.Advertiser) {
        guard case .scanning = state else { return }
        let isWanted = peer.matches(advertiser, known: host.known)
        if isWanted || advertiser.facts.hasNordicUART { outputs.append(.found(advertiser)) }
        guard isWanted, advertiser.isConnectable else {
            if advertiser.facts.hasNordicUART { remember(advertiser) }
            return
        }
        dialed = advertiser.address
        transition(to: .connecting(Attempt(peer: advertiser.address)))
        requests.append(.connect(advertiser.address))
    }

    private mutating func remember(_ advertiser: BluetoothHost.Advertiser) {
        guard let name = advertiser.facts.name, heard.count < Peer.heardLimit, !heard.contains(name) else { return }
        heard.append(name)
    }

    // MARK: Connecting

    /// `Connection Failed to be Established`: the first packets were lost, as some are on the air.
    private static let notEstablished: UInt8 = 0x3E
    /// Connections that may break so before it is an error.
    private static let brokenLimit = 3

    private mutating func connected(
        _ link: BluetoothHost.Link, _ connection: BluetoothHost.Connection, at now: Instant
    ) {
        guard case .connecting(let attempt) = state, connection.isCentral else { return }
        let span = connection.isKnown ? limits.rediscovering : limits.discovering
        transition(
            to: .discovering(
                Setup(
                    link: link, peer: attempt.peer, isKnown: connection.isKnown, until: now + span,
                    pairedUntil: now + limits.discovering, refusedUntil: now + limits.refusals)))
        outputs.append(.note("connected to \(connection.peer)"))
        requests.append(.exchangeMTU(link))
    }

    private mutating func connectFailed(_ status: UInt8, at now: Instant) {
        switch state {
        case .connecting(let attempt):
            if connectsAgain(attempt.peer, status) { return }
            end(status == 0x3C ? .timedOut(.connecting) : .notConnected(status: status))
        case .disconnecting(let failure, _): end(failure)
        default: break
        }
    }

    private mutating func connectsAgain(_ address: BluetoothAddress, _ status: UInt8) -> Bool {
        guard status == Self.notEstablished, brokenAttempts < Self.brokenLimit else { return false }
        brokenAttempts += 1
        transition(to: .connecting(Attempt(peer: address)))
        requests.append(.connect(address))
        return true
    }

    /// Errors of a controller whose link cannot be encrypted: authentication failed, key missing, wrong check.
    private static let keyErrors: [UInt8] = [0x05, 0x06, 0x3D]

    private mutating func disconnected(_ link: BluetoothHost.Link, _ reason: UInt8, at now: Instant) {
        switch state {
        case .disconnecting(let failure, _): end(failure)
        case .discovering(let setup), .subscribing(let setup):
            // A radio waits for the PIN no longer than we do.
            if setup.isPINWanted { return end(.pinWanted) }
            if connectsAgain(setup.peer, reason) { return }
            guard setup.isKnown, !setup.pairing.isSecure, keys != .reconnected, Self.keyErrors.contains(reason) else {
                return end(.disconnected(reason: reason))
            }
            transition(to: .connecting(Attempt(peer: setup.peer)))
            dropKeys(of: setup.peer)
            keys = .reconnected
            requests.append(.connect(setup.peer))
        case .connected: end(.disconnected(reason: reason))
        case .idle, .waitingForBluetooth, .scanning, .connecting: break
        }
    }

    private mutating func notDone(_ opcode: UInt16, _ status: UInt8, at now: Instant) {
        let scanning = [HCI.CommandCode.setScanParameters, HCI.CommandCode.setScanEnable]
        guard case .scanning = state, scanning.contains(opcode) else { return }
        end(.controller(.refused(opcode: opcode, status: status)))
    }

    // MARK: Discovering

    private mutating func agreed(_ size: Int) {
        switch state {
        case .discovering(var setup):
            setup.mtu = size
            state = .discovering(setup)
            discover()
        case .subscribing(var setup):
            setup.mtu = size
            state = .subscribing(setup)
        case .connected(var session):
            session.mtu = size
            state = .connected(session)
        default: break
        }
    }

    private mutating func discover() {
        guard case .discovering(var setup) = state, !setup.isDiscovering else { return }
        setup.isDiscovering = true
        state = .discovering(setup)
        requests.append(.discover(setup.link, service: .nordicUART))
    }

    private mutating func discovered(_ database: ATT.Database, at now: Instant) {
        guard case .discovering(var setup) = state else { return }
        guard database.services.contains(where: { $0.uuid == .nordicUART }) else {
            // Right after a reconnection the services of some radios are not there yet.
            guard setup.isKnown, setup.emptyAnswers > 0 else { return fail(.noService, at: now) }
            setup.emptyAnswers -= 1
            setup.isDiscovering = false
            setup.again = now + limits.pause
            state = .discovering(setup)
            return
        }
        guard let receive = database.characteristic(.nordicRX), let transmit = database.characteristic(.nordicTX),
            !receive.can.isDisjoint(with: [.write, .writeWithoutResponse]),
            !transmit.can.isDisjoint(with: [.notify, .indicate])
        else { return fail(.characteristicMissing, at: now) }
        (setup.receive, setup.transmit) = (receive, transmit)
        transition(to: .subscribing(setup))
        subscribe()
    }

    // MARK: Subscribing

    private mutating func subscribe() {
        guard case .subscribing(var setup) = state else { return }
        setup.pairing.askAgain()
        state = .subscribing(setup)
        let configuration: ATT.ClientConfiguration =
            setup.transmit.can.contains(.notify) ? .notifications : .indications
        requests.append(.subscribe(setup.link, value: setup.transmit.value, configuration))
    }

    private mutating func accepted(at now: Instant) {
        switch state {
        case .subscribing(var setup):
            let next = setup.pairing.accept()
            follow(next, setup, at: now)
        case .connected(var session):
            session.answered()
            state = .connected(session)
        default: break
        }
    }

    private mutating func begin(_ setup: Setup) {
        transition(
            to: .connected(
                Session(
                    link: setup.link, mtu: setup.mtu, receive: setup.receive.value, properties: setup.receive.can,
                    transmit: setup.transmit.value)))
        outputs.append(.ready(mtu: setup.mtu))
        for frame in setup.early { outputs.append(.frame(frame)) }
    }

    private mutating func notified(_ handle: UInt16, _ value: [UInt8]) {
        switch state {
        case .connected(let session) where handle == session.transmit: outputs.append(.frame(value))
        case .subscribing(var setup) where setup.pairing.isSecure && handle == setup.transmit.value:
            guard setup.early.count < Setup.earlyLimit else { return }
            setup.early.append(value)
            state = .subscribing(setup)
        default: break
        }
    }

    // MARK: Security

    private mutating func refused(_ opcode: ATT.Opcode, _ error: ATT.ErrorCode, at now: Instant) {
        switch state {
        // A radio without that exchange has the shortest packets.
        case .discovering where opcode == .exchangeMTURequest: discover()
        case .discovering, .subscribing:
            guard error.isOfPairing else { return fail(.refused(error), at: now) }
            refusedForSecurity(error, at: now)
        case .connected(var session):
            session.answered()
            state = .connected(session)
            outputs.append(.notWritten(error))
        default: break
        }
    }

    private mutating func refusedForSecurity(_ error: ATT.ErrorCode, at now: Instant) {
        guard var setup = state.setup else { return }
        guard now < setup.refusedUntil else { return fail(.refused(error), at: now) }
        setup.isDiscovering = false
        let next = setup.pairing.refuse()
        follow(next, setup, at: now)
    }

    private mutating func secured(_ level: SecurityLevel, at now: Instant) {
        guard var setup = state.setup, level >= .authenticated else { return }
        let next = setup.pairing.secure()
        follow(next, setup, at: now)
    }

    /// Does what the progress of pairing asks for.
    private mutating func follow(_ next: PairingProgress.Next, _ setup: Setup, at now: Instant) {
        state.setup = setup
        switch next {
        case .nothing: break
        case .pair: requests.append(.pair(setup.link))
        case .askAgain: goOn()
        case .wait: state.setup?.again = now + limits.pause
        case .begin: begin(setup)
        }
    }

    /// Asks again for what was refused.
    private mutating func goOn() {
        guard var setup = state.setup else { return }
        setup.again = nil
        setup.pairing.askAgain()
        state.setup = setup
        if case .discovering = state { discover() } else { subscribe() }
    }

    private mutating func securityFailed(_ failure: SecurityManager.Failure, at now: Instant) {
        guard failure.isOfKeys, var setup = state.setup, setup.isKnown, keys == .trusted else {
            return fail(Failure(failure, hadPasskey: passkey != nil), at: now)
        }
        setup.until = setup.pairedUntil
        state.setup = setup
        dropKeys(of: setup.peer)
        requests.append(.pair(setup.link))
    }

    /// Once in a run: a radio that has other keys again has a fault.
    private mutating func dropKeys(of peer: BluetoothAddress) {
        guard keys == .trusted else { return }
        keys = .dropped
        outputs.append(.note("the radio has other keys than this machine, which pairs again"))
        requests.append(.forget(peer))
    }

    // MARK: Time

    mutating func expireState(at now: Instant) {
        guard let deadline = state.deadline, deadline <= now else { return }
        switch state {
        case .scanning: fail(peer.notFound(heard: heard), at: now)
        case .discovering(let setup), .subscribing(let setup):
            if now >= setup.until { fail(.timedOut(phase), at: now) } else { goOn() }
        case .connected(var session):
            // The frame is given up; the next one has to wait for the answer all the same, or for the end of the link.
            session.writtenUntil = nil
            state = .connected(session)
            outputs.append(.notWritten(nil))
        case .disconnecting(let failure, _): end(failure)
        case .idle, .waitingForBluetooth, .connecting: break
        }
    }
}

extension BluetoothCentral.Peer {
    /// Tells whether this is the one; bonds name the other addresses of a known radio.
    package func matches(_ advertiser: BluetoothHost.Advertiser, known: [BluetoothHost.KnownPeer] = []) -> Bool {
        if case .address(let number) = self, advertiser.address.number != number {
            return known.contains { $0.bond.peer.number == number && $0.bond.matches(advertiser.address) }
        }
        let facts = advertiser.facts
        return isHeard(
            address: advertiser.address.number, name: facts.name, isNameComplete: facts.isNameComplete,
            hasNordicUART: facts.hasNordicUART)
    }
}

extension SecurityManager.Failure {
    /// The keys that both sides keep are not the same.
    fileprivate var isOfKeys: Bool {
        switch self {
        case .keyMissing, .notEncrypted: true
        case .ended, .endedByPeer, .timedOut: false
        }
    }
}

extension ATT.Database.Characteristic {
    /// Its properties as they are named.
    var can: ATT.Properties { ATT.Properties(rawValue: properties) }
}
