import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Two controllers within reach of each other and a host on each, on time that the test passes. Nothing needs time by
/// itself.
struct TestAir {
    /// One host, its controller, and its events.
    struct Side {
        var host: BluetoothHost
        var events: [BluetoothHost.Event] = []
        /// An app in the place of the host, and what it put out but for packets.
        var app: BluetoothCentral?
        var outputs: [BluetoothCentral.Output] = []
        /// Advertised whenever there is no connection.
        var advertisement: BluetoothHost.Advertisement?
        /// The controller accepts nothing and sends nothing.
        var isGone = false
        var address: BluetoothAddress
        var advertised: (data: [UInt8], scanResponse: [UInt8])?
        var data: [UInt8] = []
        var scanResponse: [UInt8] = []
        var isScanning = false
        var initiating: BluetoothAddress?
        var outstanding = 0
        var key: FixedBytes<16>?

        var deadline: Instant? { app.map(\.deadline) ?? host.deadline }
    }

    /// The one that advertises.
    static let peripheral = 0
    /// The one that scans.
    static let central = 1
    /// The handle of the connection at both controllers.
    static let handle: UInt16 = 0x40

    var now = Instant.start
    var sides: [Side]
    var random = Seed(40).stream("pairing")
    var dataSize: UInt16
    var dataCount: UInt8
    /// Bit 5 lets hosts ask for longer packets.
    var features: UInt64 = 0x22
    var isConnected = false
    /// Controllers keep what they have sent.
    var holdsBuffers = false
    /// Data reaches the peripheral's controller, and its host does not read it.
    var isDeaf = false
    /// Makes the advertiser refuse all connections.
    var isShy = false
    /// An action as soon as the app is in a phase.
    var turn: (phase: BluetoothCentral.Phase, act: (inout TestAir) -> Void)?
    /// Handles that a host wanted to end, but for the one connection.
    var disconnected: [UInt16] = []
    /// Of all data, both ways.
    var fragments = 0
    private var inbox: [(side: Int, packet: [UInt8])] = []

    init(
        peripheral: BluetoothHost.Settings, central: BluetoothHost.Settings, dataSize: UInt16 = 27, dataCount: UInt8 = 3
    ) {
        sides = [(peripheral, 0xAA), (central, 0xBB)].map { settings, number in
            Side(host: BluetoothHost(settings), address: BluetoothAddress(number: number, isRandom: false))
        }
        (self.dataSize, self.dataCount) = (dataSize, dataCount)
    }

    // MARK: What a test does

    mutating func start() {
        for side in sides.indices { start(side) }
        settle()
    }

    private mutating func start(_ side: Int) {
        if let outputs = sides[side].app?.start(at: now, random: &random) { return take(outputs, side) }
        take(sides[side].host.start(at: now), side)
    }

    /// Performs a request of the app.
    mutating func app(
        _ work: (inout BluetoothCentral, Instant, inout RandomStream) throws -> [BluetoothCentral.Output]
    ) rethrows {
        guard var app = sides[Self.central].app else { return }
        let outputs: [BluetoothCentral.Output]
        do {
            outputs = try work(&app, now, &random)
        } catch {
            // What was refused may have been noted.
            sides[Self.central].app = app
            throw error
        }
        sides[Self.central].app = app
        take(outputs, Self.central)
        settle()
    }

    /// Returns the app's outputs since the last call, without packets.
    mutating func put() -> [BluetoothCentral.Output] {
        defer { sides[Self.central].outputs = [] }
        return sides[Self.central].outputs
    }

    mutating func ask(_ side: Int, _ request: BluetoothHost.Request) throws(BluetoothHost.Refusal) {
        take(try sides[side].host.ask(request, at: now, random: &random), side)
        settle()
    }

    /// Both controllers are as after power on.
    mutating func reset() {
        inbox = []
        isConnected = false
        for side in sides.indices {
            (sides[side].advertised, sides[side].isScanning, sides[side].initiating) = (nil, false, nil)
            sides[side].outstanding = 0
        }
    }

    /// Lets time pass; hosts are called at their deadlines.
    mutating func pass(_ span: TimeSpan) {
        let end = now + span
        while true {
            settle()
            let due = sides.indices.compactMap { side in sides[side].deadline.map { (at: $0, side: side) } }
            guard let next = due.min(by: { $0.at < $1.at }), next.at <= end else { break }
            now = max(now, next.at)
            if let outputs = sides[next.side].app?.expire(at: now, random: &random) {
                take(outputs, next.side)
            } else {
                take(sides[next.side].host.expire(at: now), next.side)
            }
        }
        now = end
    }

    /// A controller is gone with its host; the other side sees its connection time out.
    mutating func vanish(_ side: Int) {
        lose(side)
        settle()
    }

    /// The same, in the middle of something.
    mutating func lose(_ side: Int) {
        sides[side].isGone = true
        sides[side].advertised = nil
        if isConnected { disconnect(from: side, own: nil, other: 0x08) }
        if let outputs = sides[side].app?.close(at: now, random: &random) {
            take(outputs, side)
        } else {
            take(sides[side].host.close(at: now), side)
        }
    }

    /// The events of a side since the last time.
    mutating func told(_ side: Int) -> [BluetoothHost.Event] {
        defer { sides[side].events = [] }
        return sides[side].events
    }

    /// The connection that a side has.
    func link(_ side: Int) throws -> BluetoothHost.Link { try #require(sides[side].host.openLinks.first) }

    /// Bytes that a controller says, whatever they are.
    mutating func say(_ side: Int, _ packet: [UInt8]) {
        inbox.append((side, packet))
        settle()
    }

    /// Queues an event that a controller sends by itself; the next call delivers it to the hosts.
    mutating func event(_ side: Int, _ event: HCI.Event) {
        if !sides[side].isGone { inbox.append((side, [4] + event.encoded)) }
    }

    // MARK: The machine

    private mutating func settle() {
        repeat {
            while !inbox.isEmpty {
                if let turn, sides[Self.central].app?.phase == turn.phase {
                    self.turn = nil
                    turn.act(&self)
                }
                guard !inbox.isEmpty else { break }
                let (side, packet) = inbox.removeFirst()
                hear(packet, side)
            }
            // Buffers are given back when all else is quiet.
        } while sides.indices.map({ returnBuffers($0) }).contains(true)
    }

    private mutating func hear(_ packet: [UInt8], _ side: Int) {
        if let outputs = sides[side].app?.receive(packet, at: now, random: &random) { return take(outputs, side) }
        take(sides[side].host.receive(packet.span, at: now, random: &random), side)
    }

    private mutating func take(_ outputs: [BluetoothCentral.Output], _ side: Int) {
        for output in outputs {
            if case .send(let packet) = output { carryOut(packet, side) } else { sides[side].outputs.append(output) }
        }
    }

    private mutating func take(_ effects: [BluetoothHost.Effect], _ side: Int) {
        for effect in effects {
            switch effect {
            case .tell(let event): sides[side].events.append(event)
            case .send(let packet): carryOut(packet, side)
            }
        }
        guard effects.contains(where: Self.isAlone), let advertisement = sides[side].advertisement,
            let effects = try? sides[side].host.ask(.advertise(advertisement), at: now, random: &random)
        else { return }
        take(effects, side)
    }

    private static func isAlone(_ effect: BluetoothHost.Effect) -> Bool {
        switch effect {
        case .tell(.ready), .tell(.disconnected): true
        default: false
        }
    }

    private mutating func carryOut(_ packet: [UInt8], _ side: Int) {
        guard !sides[side].isGone else { return }
        switch packet[0] {
        case 1:
            guard let command = try? HCI.Command(decoding: packet.span.extracting(droppingFirst: 1)) else {
                Issue.record("a command cannot be read")
                return
            }
            obey(command, side)
        case 2: carry([UInt8](packet.dropFirst()), side)
        default: Issue.record("a packet of type \(packet[0])")
        }
    }

    private mutating func carry(_ packet: [UInt8], _ side: Int) {
        let header = HCI.DataHeader(packet.span)
        #expect(header?.handle == Self.handle && header.map { Int($0.length) } == packet.count - 4)
        #expect(packet.count - 4 <= Int(dataSize))
        fragments += 1
        guard isConnected, var header else { return }
        if header.boundary == .first { header.boundary = .firstFlushable }
        if !sides[1 - side].isGone, !(isDeaf && side == Self.central) {
            inbox.append((1 - side, [2] + header.bytes + packet.dropFirst(4)))
        }
        sides[side].outstanding += 1
        #expect(sides[side].outstanding <= Int(dataCount))
    }

    /// A controller has sent what it holds. `false`: it held nothing.
    private mutating func returnBuffers(_ side: Int) -> Bool {
        let count = UInt16(sides[side].outstanding)
        guard count > 0, !holdsBuffers else { return false }
        sides[side].outstanding = 0
        event(side, .completedPackets(.init([.init(handle: Self.handle, count: count)])))
        return true
    }

    mutating func complete(_ side: Int, _ opcode: UInt16, _ returned: [UInt8] = [], status: UInt8 = 0) {
        var complete = HCI.CommandComplete()
        (complete.opcode, complete.returned) = (opcode, [status] + returned)
        event(side, .commandComplete(complete))
    }

    private mutating func begun(_ side: Int, _ opcode: UInt16) {
        var status = HCI.CommandStatus()
        status.opcode = opcode
        event(side, .commandStatus(status))
    }
}

// MARK: - The controllers

extension TestAir {
    private mutating func obey(_ command: HCI.Command, _ side: Int) {
        let opcode = command.opcode
        switch command {
        case .other(HCI.CommandCode.readLocalVersion): complete(side, opcode, [9, 0, 0, 9, 0x5F, 0, 0, 0])
        case .other(HCI.CommandCode.readLowEnergyBufferSize):
            complete(side, opcode, [UInt8(truncatingIfNeeded: dataSize), UInt8(dataSize >> 8), dataCount])
        case .other(HCI.CommandCode.readAddress): complete(side, opcode, sides[side].address.bytes.reversed())
        case .other(HCI.CommandCode.readLowEnergyFeatures): complete(side, opcode, HCI.Features(features).written())
        case .other(HCI.CommandCode.createConnectionCancel):
            complete(side, opcode)
            guard sides[side].initiating != nil else { return }
            sides[side].initiating = nil
            var failed = HCI.ConnectionComplete()
            failed.status = 0x02
            event(side, .connected(failed))
        case .randomAddress(let random):
            sides[side].address = BluetoothAddress(random.address, type: 1)
            complete(side, opcode)
        case .advertisingData(let data):
            sides[side].data = data.bytes
            complete(side, opcode)
        case .scanResponseData(let data):
            sides[side].scanResponse = data.bytes
            complete(side, opcode)
        case .advertisingEnable(let enable):
            sides[side].advertised = enable.isOn == 0 ? nil : (sides[side].data, sides[side].scanResponse)
            complete(side, opcode)
            meet()
        case .scanEnable(let enable):
            sides[side].isScanning = enable.isOn != 0
            complete(side, opcode)
            meet()
        case .createConnection(let create):
            sides[side].initiating = BluetoothAddress(create.peer, type: create.peerType)
            begun(side, opcode)
            meet()
        case .disconnect(let disconnect) where disconnect.handle != Self.handle:
            disconnected.append(disconnect.handle)
            begun(side, opcode)
        case .disconnect(let disconnect):
            begun(side, opcode)
            if isConnected { self.disconnect(from: side, own: 0x16, other: disconnect.reason) }
        default: obeyOnLink(command, side)
        }
    }

    private mutating func obeyOnLink(_ command: HCI.Command, _ side: Int) {
        let handle: [UInt8] = [UInt8(truncatingIfNeeded: Self.handle), 0]
        switch command {
        case .connectionUpdate(let update):
            begun(side, command.opcode)
            var done = HCI.ConnectionUpdated()
            (done.handle, done.interval, done.latency, done.timeout) = (
                update.handle, update.parameters.longestInterval, update.parameters.latency, update.parameters.timeout
            )
            for side in sides.indices { event(side, .connectionUpdated(done)) }
        case .startEncryption(let start):
            begun(side, command.opcode)
            sides[side].key = start.key
            var request = HCI.LongTermKeyRequest()
            (request.handle, request.random, request.diversifier) = (Self.handle, start.random, start.diversifier)
            event(1 - side, .longTermKeyRequest(request))
        case .longTermKeyReply(let reply):
            complete(side, command.opcode, handle)
            // With different keys the first encrypted packet cannot be checked.
            guard reply.key == sides[1 - side].key else { return disconnect(from: side, own: 0x3D, other: 0x3D) }
            for side in sides.indices { encrypted(side, status: 0) }
        case .longTermKeyRefusal:
            complete(side, command.opcode, handle)
            encrypted(1 - side, status: 0x06)
        case .dataLength: complete(side, command.opcode, handle)
        default: complete(side, command.opcode)
        }
    }

    private mutating func encrypted(_ side: Int, status: UInt8) {
        var change = HCI.EncryptionChange()
        (change.handle, change.status, change.enabled) = (Self.handle, status, status == 0 ? 1 : 0)
        event(side, .encryption(change))
    }

    /// Delivers advertisements to listeners, and connects the one who wants to.
    private mutating func meet() {
        for side in sides.indices {
            guard let advertised = sides[side].advertised else { continue }
            let other = 1 - side
            if sides[other].isScanning {
                for (type, data) in [(0, advertised.data), (4, advertised.scanResponse)] as [(UInt8, [UInt8])] {
                    var report = HCI.AdvertisingReport()
                    (report.eventType, report.data, report.rssi) = (type, data, -60)
                    report.address = FixedBytes(sides[side].address.bytes.reversed())
                    report.addressType = sides[side].address.isRandom ? 1 : 0
                    event(other, .advertising(.init([report])))
                }
            }
            if sides[other].initiating == sides[side].address, !isConnected, !isShy { connect(central: other) }
        }
    }

    private mutating func connect(central: Int) {
        isConnected = true
        sides[central].initiating = nil
        sides[1 - central].advertised = nil
        for side in sides.indices {
            (sides[side].outstanding, sides[side].key) = (0, nil)
            var complete = HCI.ConnectionComplete()
            (complete.handle, complete.role) = (Self.handle, side == central ? 0 : 1)
            complete.peer = FixedBytes(sides[1 - side].address.bytes.reversed())
            complete.peerType = sides[1 - side].address.isRandom ? 1 : 0
            (complete.interval, complete.timeout) = (24, 420)
            event(side, .connected(complete))
        }
    }

    private mutating func disconnect(from side: Int, own: UInt8?, other: UInt8) {
        isConnected = false
        for (side, reason) in [(side, own), (1 - side, other)] {
            guard let reason else { continue }
            var complete = HCI.DisconnectionComplete()
            (complete.handle, complete.reason) = (Self.handle, reason)
            event(side, .disconnected(complete))
        }
    }
}
