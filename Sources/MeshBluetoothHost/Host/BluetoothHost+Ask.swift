package import MeshTime
import MeshWire

// What a program asks for.

extension BluetoothHost {
    /// Handles a request of the program; its results come as events.
    package mutating func ask(
        _ request: Request, at now: Instant, random: inout some RandomNumberGenerator
    ) throws(Refusal) -> [Effect] {
        guard isReady else { throw .notReady }
        switch request {
        case .advertise(let advertisement): try advertise(advertisement)
        case .stopAdvertising: switchAdvertising(false)
        case .scan(let scan): try begin(scan)
        case .stopScanning: switchScanning(false)
        case .connect(let peer): try connect(peer, at: now)
        case .cancelConnect:
            guard attempt != nil, attempt?.givenUp == nil else { throw .busy }
            giveUp(status: 0x02, at: now)
        case .disconnect(let link): disconnect(try index(link), reason: 0x13, at: now)
        case .pair(let link):
            let index = try index(link)
            perform(links[index].security.start(at: now, random: &random), index, at: now)
        case .passkey(let link, let passkey):
            let index = try index(link)
            guard passkey.map({ $0 <= 999_999 }) ?? true else { throw .outOfRange }
            perform(links[index].security.passkeyGiven(passkey, at: now, random: &random), index, at: now)
        case .updateParameters(let link, let wanted): try updateParameters(try index(link), wanted, at: now)
        case .setValue(let handle, let value):
            guard value.count <= ATT.maximumValue else { throw .tooLong(limit: ATT.maximumValue) }
            guard attributes.set(handle, to: value) else { throw .noSuchAttribute(handle) }
        case .forget(let peer): known.removeAll { $0.bond.matches(peer) }
        case .setRandomAddress(let address): setRandomAddress(address)
        default: try askAttributes(request, at: now, random: &random)
        }
        return finish(at: now)
    }

    private mutating func askAttributes(
        _ request: Request, at now: Instant, random: inout some RandomNumberGenerator
    ) throws(Refusal) {
        switch request {
        case .exchangeMTU(let link): try begin(.exchangeMTU, try index(link), at: now, random: &random)
        case .discover(let link, let service): try begin(.discover(service), try index(link), at: now, random: &random)
        case .read(let link, let handle): try begin(.read(handle: handle), try index(link), at: now, random: &random)
        case .write(let link, let handle, let value, true):
            guard value.count <= ATT.maximumValue else { throw .tooLong(limit: ATT.maximumValue) }
            try begin(.write(handle: handle, value: value), try index(link), at: now, random: &random)
        case .write(let link, let handle, let value, false): try writeCommand(try index(link), handle, value)
        case .subscribe(let link, let value, let configuration):
            let index = try index(link)
            guard let handle = links[index].client.database.clientConfiguration(ofValue: value) else {
                throw .noSuchAttribute(value)
            }
            let bytes = configuration.rawValue.wireBytes
            try begin(.write(handle: handle, value: bytes), index, at: now, random: &random)
        case .notify(let link, let handle, let value): try notify(try index(link), handle, value)
        case .indicate(let link, let handle, let value):
            try indicate(try index(link), handle, value, isAsked: true, at: now)
        case .indicateUnasked(let link, let handle, let value):
            try indicate(try index(link), handle, value, isAsked: false, at: now)
        default: break
        }
    }

    /// Returns the index of a connection that is not being ended; throws when there is none.
    private func index(_ link: Link) throws(Refusal) -> Int {
        guard let index = links.firstIndex(where: { $0.link == link && $0.endsBy == nil }) else { throw .noSuchLink }
        return index
    }

    // MARK: Advertising and scanning

    private var ownType: UInt8 { controller.address.isRandom ? 1 : 0 }

    /// The address of connections and advertising from now on; a controller that advertises keeps the one before.
    private mutating func setRandomAddress(_ address: BluetoothAddress) {
        controller.address = address
        var parameters = HCI.RandomAddress()
        parameters.address = FixedBytes(address.bytes.reversed())
        command(.randomAddress(parameters))
    }

    private mutating func advertise(_ advertisement: Advertisement) throws(Refusal) {
        let limit = AdvertisedData.limit
        guard max(advertisement.data.count, advertisement.scanResponse.count) <= limit else {
            throw .tooLong(limit: limit)
        }
        guard 0x20...0x4000 ~= advertisement.shortestInterval, advertisement.longestInterval <= 0x4000,
            advertisement.shortestInterval <= advertisement.longestInterval
        else { throw .outOfRange }
        guard !(advertisingSwitches.last ?? isAdvertising), links.count < settings.linkLimit else { throw .busy }
        var parameters = HCI.AdvertisingParameters()
        parameters.shortestInterval = advertisement.shortestInterval
        parameters.longestInterval = advertisement.longestInterval
        parameters.ownType = ownType
        command(.advertisingParameters(parameters))
        command(.advertisingData(.init(advertisement.data)))
        command(.scanResponseData(.init(advertisement.scanResponse)))
        switchAdvertising(true)
    }

    private mutating func switchAdvertising(_ isOn: Bool) {
        guard (advertisingSwitches.last ?? isAdvertising) != isOn else { return }
        advertisingSwitches.append(isOn)
        command(.advertisingEnable(.init(isOn)))
    }

    private mutating func begin(_ scan: Scan) throws(Refusal) {
        guard self.scan == nil, attempt == nil else { throw .busy }
        self.scan = scan
        heard = []
        parts = ReportedData()
        var parameters = HCI.ScanParameters()
        parameters.type = scan.isActive ? 1 : 0
        parameters.ownType = ownType
        command(.scanParameters(parameters))
        scanSwitches.append(true)
        command(.scanEnable(.init(true)))
    }

    private mutating func switchScanning(_ isOn: Bool) {
        guard scan != nil, scanSwitches.last != false else { return }
        scanSwitches.append(false)
        command(.scanEnable(.init(false)))
    }

    // MARK: Connections

    private mutating func connect(_ peer: BluetoothAddress, at now: Instant) throws(Refusal) {
        guard attempt == nil, links.count < settings.linkLimit, !links.contains(where: { $0.peer == peer }) else {
            throw .busy
        }
        // Many controllers cannot scan and connect at once.
        switchScanning(false)
        attempt = Attempt(peer: peer, until: now + settings.connectTime)
        var create = HCI.CreateConnection()
        create.peer = FixedBytes(peer.bytes.reversed())
        create.peerType = peer.isRandom ? 1 : 0
        create.ownType = ownType
        command(.createConnection(create))
    }

    mutating func updateParameters(
        _ index: Int, _ wanted: ConnectionParameters, at now: Instant
    ) throws(Refusal) {
        guard wanted.isAllowed else { throw .outOfRange }
        guard !links[index].isCentral else {
            guard update(index, wanted) else { throw .busy }
            return
        }
        links[index].signal = links[index].signal % 255 + 1
        let signal = L2CAP.Signal(identifier: links[index].signal, .parameterRequest(wanted))
        try enqueue(signal.encoded, on: L2CAP.Channel.signalling, index)
    }

    // MARK: Attributes

    /// As `send`, but a full queue refuses the request. The room for answers is never used.
    private mutating func enqueue(_ packet: [UInt8], on channel: UInt16, _ index: Int) throws(Refusal) {
        let handle = links[index].handle
        guard data.waiting(handle) < settings.queueLimit,
            (try? data.append(L2CAP.packet(packet, on: channel), on: handle)) != nil
        else {
            links[index].wantsRoom = true
            throw .overflow(limit: settings.queueLimit)
        }
    }

    private mutating func begin(
        _ procedure: ATT.Client.Procedure, _ index: Int, at now: Instant, random: inout some RandomNumberGenerator
    ) throws(Refusal) {
        do {
            perform(try links[index].client.begin(procedure, at: now), index, at: now, random: &random)
        } catch {
            throw .overflow(limit: error.limit)
        }
    }

    private mutating func writeCommand(_ index: Int, _ handle: UInt16, _ value: [UInt8]) throws(Refusal) {
        let limit = min(ATT.longestValue(mtu: links[index].client.mtu), ATT.maximumValue)
        guard value.count <= limit else { throw .tooLong(limit: limit) }
        let command = ATT.WriteCommand(handle: handle, value: value)
        try enqueue(command.encoded(), on: L2CAP.Channel.attributes, index)
    }

    private mutating func notify(_ index: Int, _ handle: UInt16, _ value: [UInt8]) throws(Refusal) {
        try links[index].server.checkSubscribed(handle, .notifications, value, in: attributes)
        let packet = links[index].server.notification(handle, value)
        try enqueue(packet, on: L2CAP.Channel.attributes, index)
        attributes.set(handle, to: value)
    }

    private mutating func indicate(
        _ index: Int, _ handle: UInt16, _ value: [UInt8], isAsked: Bool, at now: Instant
    ) throws(Refusal) {
        if isAsked { try links[index].server.checkSubscribed(handle, .indications, value, in: attributes) }
        var effects: [ATT.Server.Effect] = []
        guard links[index].server.indicate(handle, value, at: now, into: &effects) else {
            throw .overflow(limit: ATT.Server.indicationLimit)
        }
        attributes.set(handle, to: value)
        perform(effects, index, at: now)
    }
}

extension ATT.Server {
    /// Checks that a client may receive a value of this table; throws the reason when it may not.
    func checkSubscribed(
        _ handle: UInt16, _ bit: ATT.ClientConfiguration, _ value: [UInt8], in table: ATT.AttributeTable
    ) throws(BluetoothHost.Refusal) {
        guard value.count <= ATT.maximumValue else { throw .tooLong(limit: ATT.maximumValue) }
        guard table[handle] != nil else { throw .noSuchAttribute(handle) }
        guard configuration(ofValue: handle).contains(bit) else { throw .notSubscribed(handle) }
    }
}
