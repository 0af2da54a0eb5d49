import MeshBluetoothHost
import MeshBus
import MeshTime

// What bluetoothd answers and tells, phase by phase.
extension DesktopCentral {
    mutating func done(_ step: Step, _ values: [BusValue], at now: Instant) {
        switch step {
        case .objects:
            objects = DesktopObjects(values.first)
            ask(.owner, DesktopNames.owner)
        case .owner:
            owner = values.first?.text ?? ""
            begin(at: now)
        case .agent: look(at: now)
        case .forget: scan(at: now)
        case .connect: connected(at: now)
        case .pair: paired()
        case .subscribe: subscribed(at: now)
        case .write: written(nil, at: now)
        case .filter, .scan, .trust, .release: break
        }
    }

    mutating func refused(_ step: Step, _ error: BusError, at now: Instant) {
        let failure = Failure(error, adapter: adapterName, hasTyped: state.setup?.hasTyped ?? false)
        let name = error.bluezName
        switch step {
        // An older one does without; what it is not told it finds all the same.
        case .filter, .trust, .release: break
        // It is gone already.
        case .forget: scan(at: now)
        case .connect where name == "AlreadyConnected": connected(at: now)
        case .connect: connectFailed(failure, at: now)
        case .pair where name == "AlreadyExists": paired()
        case .subscribe: subscriptionRefused(error, failure, at: now)
        case .write: written(error, at: now)
        case .objects, .owner, .agent, .scan, .pair: fail(failure, at: now)
        }
    }

    /// The user's name for the adapter: `hci0`.
    private var adapterName: String { DesktopNames.adapterName(adapter) }

    // MARK: Finding

    private mutating func begin(at now: Instant) {
        guard let adapter = objects.adapter(number) else {
            return fail(.desktop(.noAdapter(number.map { "hci\($0)" })), at: now)
        }
        self.adapter = adapter
        guard objects.isPowered(adapter) else { return fail(.desktop(.poweredOff(adapterName)), at: now) }
        guard peer != .nobody else { return scan(at: now) }
        held.hasAgent = true
        ask(
            .agent,
            DesktopNames.call(
                DesktopNames.root, DesktopNames.agents, "RegisterAgent", .objectPath(Self.agentPath),
                .string("KeyboardDisplay")))
    }

    /// Looks for the radio: a paired one is connected to as soon as it is heard; any other has to be heard first.
    private mutating func look(at now: Instant) {
        let known = objects.devices(of: adapter).first {
            $0.isWanted(by: peer) && ($0.isPaired || $0.isConnected || $0.signal != nil)
        }
        if let known { connect(to: known, at: now) } else { scan(at: now) }
    }

    private mutating func scan(at now: Instant) {
        transition(to: .scanning(until: now + limits.scanning))
        held.isScanning = true
        var filter: [BusValue] = [.entry(key: .string("Transport"), value: .variant(.string("le")))]
        // A device that is called by its address may be anything.
        if case .address = peer {
        } else {
            let uuids = BusValue.strings([BluetoothUUID.nordicUART.description])
            filter.append(.entry(key: .string("UUIDs"), value: .variant(uuids)))
        }
        ask(
            .filter,
            DesktopNames.call(adapter, DesktopNames.adapter, "SetDiscoveryFilter", .array(of: "{sv}", filter)))
        ask(.scan, DesktopNames.call(adapter, DesktopNames.adapter, "StartDiscovery"))
        for device in objects.devices(of: adapter) { hear(device, at: now) }
    }

    private mutating func hear(_ device: DesktopObjects.Device, at now: Instant) {
        guard case .scanning = state, device.signal != nil else { return }
        if device.isWanted(by: peer) { return connect(to: device, at: now) }
        guard device.hasNordicUART else { return }
        if peer == .nobody, told[device.path] != device.neighbor {
            told[device.path] = device.neighbor
            outputs.append(.found(device.neighbor))
        }
        if let name = device.name, heard.count < Peer.heardLimit, !heard.contains(name) { heard.append(name) }
    }

    // MARK: Connecting

    /// Connections that may break before it is an error.
    private static let brokenLimit = 3

    private mutating func connect(to device: DesktopObjects.Device, at now: Instant) {
        transition(
            to: .connecting(
                Attempt(
                    device: device.path, until: now + limits.connecting, isHeard: device.signal != nil,
                    isKnown: device.isPaired)))
        stopScanning()
        // Another app's connection, which is that app's to end.
        if device.isConnected, held.device == nil { return connected(at: now) }
        held.device = device.path
        ask(.connect, DesktopNames.call(device.path, DesktopNames.device, "Connect"), limit: Self.patience)
    }

    private mutating func connected(at now: Instant) {
        guard case .connecting(let attempt) = state else { return }
        let span = attempt.isKnown ? limits.rediscovering : limits.discovering
        transition(
            to: .discovering(
                Setup(
                    device: attempt.device, isKnown: attempt.isKnown, until: now + span,
                    pairedUntil: now + limits.discovering, refusedUntil: now + limits.refusals)))
        changed(attempt.device, at: now)
    }

    private mutating func connectFailed(_ failure: Failure, at now: Instant) {
        guard case .connecting(let attempt) = state else { return }
        guard case .desktop(.notConnected) = failure,
            connectsAgain(attempt.device, attempt.isKnown && attempt.wasConnected, at: now)
        else {
            return fail(failure, at: now)
        }
    }

    /// First packets are lost on the air; and a radio that has lost its keys ends each connection.
    private mutating func connectsAgain(_ path: String, _ mayHaveOtherKeys: Bool, at now: Instant) -> Bool {
        guard brokenAttempts < Self.brokenLimit else { return false }
        brokenAttempts += 1
        if mayHaveOtherKeys, brokenAttempts > 1, keys == .trusted {
            dropKeys(of: path, at: now)
        } else if let device = objects.device(path) {
            connect(to: device, at: now)
        } else {
            scan(at: now)
        }
        return true
    }

    /// Drops the keys of a radio, once in a run.
    private mutating func dropKeys(of path: String, at now: Instant) {
        keys = .dropped
        (held.device, held.notifying) = (nil, nil)
        transition(to: .scanning(until: now + limits.scanning))
        let device = BusValue.objectPath(path)
        ask(.forget, DesktopNames.call(adapter, DesktopNames.adapter, "RemoveDevice", device))
    }

    // MARK: What has changed

    mutating func ownerChanged(_ signal: BusSignal) {
        guard signal.arguments.first?.text == DesktopNames.service, !owner.isEmpty,
            signal.arguments.last?.text != owner
        else { return }
        drop(.desktop(.noDaemon))
    }

    mutating func changed(_ path: String, at now: Instant) {
        if path == adapter {
            guard objects.adapter(Self.index(of: path)) != nil else {
                return drop(.desktop(.adapterGone(adapterName)))
            }
            if !objects.isPowered(path) { fail(.desktop(.poweredOff(adapterName)), at: now) }
            return
        }
        // While the keys of a radio are dropped, it is still there.
        if case .scanning = state, held.isScanning, let device = objects.device(path),
            objects.devices(of: adapter).contains(device)
        {
            return hear(device, at: now)
        }
        guard path == state.device else { return }
        deviceChanged(objects.device(path), at: now)
    }

    private static func index(of adapter: String) -> Int? {
        Int(adapter.dropFirst(DesktopNames.adapterPath(0).count - 1))
    }

    private mutating func deviceChanged(_ device: DesktopObjects.Device?, at now: Instant) {
        let isConnected = device?.isConnected ?? false
        if case .connecting(var attempt) = state, isConnected {
            attempt.wasConnected = true
            state = .connecting(attempt)
        } else if var setup = state.setup {
            // The answer to the pairing says why.
            guard isConnected || !(setup.wasConnected || device == nil) || setup.isPairing else {
                return lost(setup, at: now)
            }
            if isConnected { setup.wasConnected = true }
            state.setup = setup
            if device?.isResolved == true { resolved(at: now) }
        } else if case .connected(var session) = state {
            guard isConnected || !(session.wasConnected || device == nil) else {
                return fail(.desktop(.linkLost), at: now)
            }
            if isConnected { session.wasConnected = true }
            state = .connected(session)
        }
    }

    private mutating func lost(_ setup: Setup, at now: Instant) {
        if !connectsAgain(setup.device, setup.isKnown && setup.wasConnected, at: now) {
            fail(.desktop(.linkLost), at: now)
        }
    }

    // MARK: Discovering

    private mutating func resolved(at now: Instant) {
        guard case .discovering(var setup) = state, setup.again == nil else { return }
        guard objects.hasNordicUART(setup.device) else {
            // Right after a reconnection the services of some radios are not there yet.
            guard setup.isKnown, setup.emptyAnswers > 0 else { return fail(.noService, at: now) }
            setup.emptyAnswers -= 1
            setup.again = now + limits.pause
            state = .discovering(setup)
            return
        }
        guard let receive = objects.characteristic(.nordicRX, of: setup.device),
            let transmit = objects.characteristic(.nordicTX, of: setup.device),
            !receive.flags.isDisjoint(with: ["write", "write-without-response"]),
            !transmit.flags.isDisjoint(with: ["notify", "indicate"])
        else { return fail(.characteristicMissing, at: now) }
        transition(to: .subscribing(setup))
        if objects.device(setup.device)?.isPaired == true { subscribe() } else { pair() }
    }

    // MARK: Pairing and subscribing

    private mutating func pair() {
        guard case .subscribing(var setup) = state, !setup.isPairing else { return }
        (setup.isPairing, setup.until) = (true, setup.pairedUntil)
        state = .subscribing(setup)
        ask(.pair, DesktopNames.call(setup.device, DesktopNames.device, "Pair"), limit: Self.patience)
    }

    private mutating func paired() {
        guard case .subscribing(var setup) = state else { return }
        setup.isPairing = false
        state = .subscribing(setup)
        subscribe()
    }

    private mutating func subscribe() {
        guard case .subscribing(var setup) = state else { return }
        setup.again = nil
        state = .subscribing(setup)
        guard let transmit = objects.characteristic(.nordicTX, of: setup.device) else { return }
        held.notifying = transmit.path
        ask(
            .subscribe, DesktopNames.call(transmit.path, DesktopNames.characteristic, "StartNotify"),
            limit: Self.patience)
    }

    private mutating func subscriptionRefused(_ error: BusError, _ failure: Failure, at now: Instant) {
        guard case .subscribing(var setup) = state else { return }
        if case .desktop(.linkLost) = failure { return lost(setup, at: now) }
        guard case .refused(let code) = failure, code.isOfPairing, now < setup.refusedUntil else {
            return fail(failure, at: now)
        }
        // Keys that are of no use to the radio any more are asked for again.
        guard objects.device(setup.device)?.isPaired == true else { return pair() }
        setup.again = now + limits.pause
        state = .subscribing(setup)
    }

    private mutating func subscribed(at now: Instant) {
        guard case .subscribing(let setup) = state,
            let receive = objects.characteristic(.nordicRX, of: setup.device),
            let transmit = objects.characteristic(.nordicTX, of: setup.device)
        else { return }
        // bluetoothd 5.61 and older does not tell; their packets have the usual length all the same.
        let mtu = receive.mtu ?? Int(ATT.defaultMTU)
        let isAnswered = receive.flags.contains("write")
        transition(
            to: .connected(
                Session(
                    device: setup.device, receive: receive.path, transmit: transmit.path, isAnswered: isAnswered,
                    longest: isAnswered ? ATT.maximumValue : mtu - 3, wasConnected: setup.wasConnected)))
        ask(
            .trust,
            DesktopNames.set(setup.device, DesktopNames.device, "Trusted", .boolean(true)))
        outputs.append(.ready(mtu: mtu))
        for frame in setup.early { outputs.append(.frame(frame)) }
    }

    mutating func notified(_ path: String, _ value: [UInt8]) {
        switch state {
        case .connected(let session) where path == session.transmit: outputs.append(.frame(value))
        case .subscribing(var setup) where path == held.notifying:
            guard setup.early.count < Setup.earlyLimit else { return }
            setup.early.append(value)
            state = .subscribing(setup)
        default: break
        }
    }

    // MARK: Frames

    mutating func write(at now: Instant) {
        guard case .connected(var session) = state, !session.isWriting, !session.waiting.isEmpty else { return }
        let frame = session.waiting.removeFirst()
        (session.isWriting, session.writtenUntil) = (true, now + limits.write)
        let options = BusValue.variants(["type": .string(session.isAnswered ? "request" : "command")])
        ask(
            .write,
            DesktopNames.call(session.receive, DesktopNames.characteristic, "WriteValue", .bytes(frame), options),
            limit: Self.patience)
        if session.wantsRoom {
            session.wantsRoom = false
            outputs.append(.hasRoom)
        }
        state = .connected(session)
    }

    private mutating func written(_ error: BusError?, at now: Instant) {
        guard case .connected(var session) = state else { return }
        (session.isWriting, session.writtenUntil) = (false, nil)
        state = .connected(session)
        if let error {
            switch Failure(error, adapter: adapterName, hasTyped: false) {
            case .refused(let code): outputs.append(.notWritten(code))
            case .desktop(.linkLost), .desktop(.noDaemon), .desktop(.noAnswer):
                return fail(Failure(error, adapter: adapterName, hasTyped: false), at: now)
            default: outputs.append(.notWritten(nil))
            }
        }
        write(at: now)
    }

    // MARK: Time

    mutating func expireState(at now: Instant) {
        guard let deadline = state.deadline, deadline <= now else { return }
        switch state {
        case .scanning: fail(peer.notFound(heard: heard), at: now)
        case .connecting(let attempt):
            fail(attempt.isHeard ? .timedOut(.connecting) : .noDevice(peer, heard: heard), at: now)
        case .discovering(var setup):
            guard now < setup.until else { return fail(.timedOut(phase), at: now) }
            setup.again = nil
            state = .discovering(setup)
            resolved(at: now)
        case .subscribing(let setup):
            if now >= setup.until { fail(.timedOut(phase), at: now) } else { subscribe() }
        case .connected(var session):
            // The frame is given up; the next one has to wait for the answer all the same, or for the end of the link.
            session.writtenUntil = nil
            state = .connected(session)
            outputs.append(.notWritten(nil))
        case .disconnecting(let failure, _): end(failure)
        case .idle, .waitingForBluetooth: break
        }
    }
}
