package import MeshTime
import MeshWire

// What hosts ask their controllers for.

extension VirtualAir {
    /// The error codes of refused commands. Source: Bluetooth Core 5.4, Vol 1 Part F.
    private enum Refusal {
        static let unknownCommand: UInt8 = 0x01
        static let unknownConnection: UInt8 = 0x02
        static let limitExceeded: UInt8 = 0x09
        static let disallowed: UInt8 = 0x0C
        static let badParameters: UInt8 = 0x12
        static let unsupportedRemote: UInt8 = 0x1A
    }

    /// Receives a whole packet of a host, from its type on; all events that were due before it are played.
    ///
    /// One that a host of low energy does not send is dropped.
    package mutating func receive(_ packet: [UInt8], from controller: Int, at now: Instant) {
        guard !controllers[controller].isOff else { return }
        switch packet.first.flatMap(HCI.PacketType.init(rawValue:)) {
        case .command:
            let bytes = packet.span.extracting(droppingFirst: 1)
            do {
                obey(try HCI.Command(decoding: bytes), controller, now)
            } catch {
                guard bytes.count >= 2 else { return }
                complete(controller, bytes.word(at: 0), status: Refusal.badParameters, at: now)
            }
        case .data: take(data: packet, controller, now)
        default: break
        }
    }

    private mutating func obey(_ command: HCI.Command, _ controller: Int, _ now: Instant) {
        let opcode = command.opcode
        switch command {
        case .reset:
            clear(controller, at: now)
            complete(controller, opcode, at: now)
        case .eventMask, .lowEnergyEventMask, .localName: complete(controller, opcode, at: now)
        case .other(let opcode): read(opcode, controller, now)
        case .randomAddress(let address):
            controllers[controller].randomAddress = BluetoothAddress(address.address, type: 1)
            complete(controller, opcode, at: now)
        case .advertisingParameters(let parameters):
            let isFree = controllers[controller].advertising == nil
            if isFree { controllers[controller].parameters = parameters }
            complete(controller, opcode, status: isFree ? 0 : Refusal.disallowed, at: now)
        case .advertisingData(let data):
            controllers[controller].data = data.bytes
            complete(controller, opcode, at: now)
        case .scanResponseData(let data):
            controllers[controller].scanResponse = data.bytes
            complete(controller, opcode, at: now)
        case .advertisingEnable(let enable): switchAdvertising(enable.isOn != 0, controller, now)
        case .scanParameters(let parameters):
            controllers[controller].scanParameters = parameters
            complete(controller, opcode, at: now)
        case .scanEnable(let enable):
            controllers[controller].isScanning = enable.isOn != 0
            controllers[controller].heard = enable.leavesOutDuplicates == 0 ? nil : []
            complete(controller, opcode, at: now)
            listenersChanged(at: now)
        case .createConnection(let create):
            answer(controller, opcode, status: begin(create, controller), at: now)
            listenersChanged(at: now)
        default: obeyOnLink(command, controller, now)
        }
    }

    /// Handles commands without parameters, and unknown ones.
    private mutating func read(_ opcode: UInt16, _ controller: Int, _ now: Instant) {
        let description = controllers[controller].description
        switch opcode {
        case HCI.CommandCode.readLocalVersion:
            var version = HCI.LocalVersion()
            // 5.0, of nobody.
            (version.version, version.linkVersion, version.manufacturer) = (9, 9, 0xFFFF)
            complete(controller, opcode, version.written(), at: now)
        case HCI.CommandCode.readLowEnergyBufferSize:
            var size = HCI.BufferSize()
            (size.dataSize, size.dataCount) = (description.dataSize, description.dataCount)
            complete(controller, opcode, size.written(), at: now)
        case HCI.CommandCode.readAddress:
            complete(controller, opcode, description.address.bytes.reversed(), at: now)
        case HCI.CommandCode.readLowEnergyFeatures:
            // Encryption, and longer packets where it has them.
            let mask: UInt64 = description.longestPayload > Self.shortestPayload ? 0x21 : 0x01
            complete(controller, opcode, HCI.Features(mask).written(), at: now)
        case HCI.CommandCode.createConnectionCancel:
            let isInitiating = controllers[controller].initiating != nil
            controllers[controller].initiating = nil
            complete(controller, opcode, status: isInitiating ? 0 : Refusal.disallowed, at: now)
            guard isInitiating else { return }
            var failed = HCI.ConnectionComplete()
            failed.status = Refusal.unknownConnection
            tell(controller, .connected(failed), at: now)
            listenersChanged(at: now)
        default: complete(controller, opcode, status: Refusal.unknownCommand, at: now)
        }
    }

    private mutating func switchAdvertising(_ isOn: Bool, _ controller: Int, _ now: Instant) {
        let opcode = HCI.CommandCode.setAdvertisingEnable
        guard isOn else {
            controllers[controller].advertising = nil
            return complete(controller, opcode, at: now)
        }
        guard let address = controllers[controller].address(controllers[controller].parameters.ownType) else {
            return complete(controller, opcode, status: Refusal.badParameters, at: now)
        }
        if controllers[controller].advertising == nil {
            controllers[controller].advertising = .init(address: address)
        }
        complete(controller, opcode, at: now)
        listenersChanged(at: now)
    }

    /// The status of the command.
    private mutating func begin(_ create: HCI.CreateConnection, _ controller: Int) -> UInt8 {
        // Lists of devices to accept are not kept.
        guard create.parameters.isAllowed, create.filterPolicy == 0 else { return Refusal.badParameters }
        guard controllers[controller].address(create.ownType) != nil else { return Refusal.badParameters }
        guard controllers[controller].initiating == nil else { return Refusal.disallowed }
        guard !isFull(controller) else { return Refusal.limitExceeded }
        controllers[controller].initiating = create
        return 0
    }

    // MARK: Connections

    private func place(_ handle: UInt16, _ controller: Int) -> (connection: Int, side: Int)? {
        for (index, connection) in connections.enumerated() {
            guard let side = connection.side(of: controller), connection.sides[side].handle == handle & 0x0FFF else {
                continue
            }
            return (index, side)
        }
        return nil
    }

    private mutating func obeyOnLink(_ command: HCI.Command, _ controller: Int, _ now: Instant) {
        let opcode = command.opcode
        switch command {
        case .disconnect(let disconnect):
            let place = place(disconnect.handle, controller)
            answer(controller, opcode, status: end(place, disconnect.reason, now), at: now)
        case .connectionUpdate(let update):
            answer(controller, opcode, status: begin(update, place(update.handle, controller), now), at: now)
        case .startEncryption(let start):
            answer(controller, opcode, status: begin(start, place(start.handle, controller), now), at: now)
        case .longTermKeyReply(let reply):
            let status = answerKeyRequest(place(reply.handle, controller), reply.key, now)
            complete(controller, opcode, HCI.ConnectionHandle(reply.handle).written(), status: status, at: now)
        case .longTermKeyRefusal(let refusal):
            let status = answerKeyRequest(place(refusal.handle, controller), nil, now)
            complete(controller, opcode, refusal.written(), status: status, at: now)
        case .dataLength(let length):
            let status = begin(length, place(length.handle, controller), now)
            complete(controller, opcode, HCI.ConnectionHandle(length.handle).written(), status: status, at: now)
        default: complete(controller, opcode, status: Refusal.unknownCommand, at: now)
        }
    }

    private mutating func end(_ place: (connection: Int, side: Int)?, _ reason: UInt8, _ now: Instant) -> UInt8 {
        guard let (index, side) = place else { return Refusal.unknownConnection }
        guard !connections[index].sides[side].isEnding else { return Refusal.disallowed }
        connections[index].sides[side].isEnding = true
        // No procedure goes on.
        connections[index].sides[side].dropControls()
        enqueue(.terminate(reason: reason), index, side, now)
        return 0
    }

    private mutating func begin(
        _ update: HCI.ConnectionUpdate, _ place: (connection: Int, side: Int)?, _ now: Instant
    ) -> UInt8 {
        guard let (index, side) = place else { return Refusal.unknownConnection }
        // A peripheral asks through L2CAP.
        guard side == AirConnection.central else { return Refusal.unsupportedRemote }
        let wanted = update.parameters
        guard wanted.isAllowed else { return Refusal.badParameters }
        let connection = connections[index]
        guard connection.update == nil, !connection.sides[side].isEnding,
            !connection.sides[side].controls.contains(where: { if case .update = $0 { true } else { false } })
        else { return Refusal.disallowed }
        let interval = settings.interval ?? wanted.longestInterval
        enqueue(.update(interval: interval, latency: wanted.latency, timeout: wanted.timeout), index, side, now)
        return 0
    }

    private mutating func begin(
        _ start: HCI.StartEncryption, _ place: (connection: Int, side: Int)?, _ now: Instant
    ) -> UInt8 {
        guard let (index, side) = place else { return Refusal.unknownConnection }
        guard side == AirConnection.central, connections[index].procedureEnds == nil,
            !connections[index].sides[side].isEnding
        else { return Refusal.disallowed }
        connections[index].sides[side].key = start.key
        connections[index].sides[side].isPaused = true
        connections[index].wasEncrypted = connections[index].isEncrypted
        connections[index].procedureEnds = now + Self.procedureTime
        enqueue(.encryptionRequest(random: start.random, diversifier: start.diversifier), index, side, now)
        return 0
    }

    private mutating func answerKeyRequest(
        _ place: (connection: Int, side: Int)?, _ key: FixedBytes<16>?, _ now: Instant
    ) -> UInt8 {
        guard let (index, side) = place else { return Refusal.unknownConnection }
        guard side == AirConnection.peripheral, connections[index].isKeyWanted else { return Refusal.disallowed }
        connections[index].isKeyWanted = false
        connections[index].sides[side].key = key
        enqueue(key == nil ? .reject(status: Self.keyMissing) : .startEncryptionRequest, index, side, now)
        return 0
    }

    private mutating func begin(
        _ length: HCI.DataLength, _ place: (connection: Int, side: Int)?, _ now: Instant
    ) -> UInt8 {
        guard let (index, side) = place else { return Refusal.unknownConnection }
        guard 27...251 ~= length.bytes else { return Refusal.badParameters }
        let connection = connections[index]
        let (own, other) = (connection.sides[side], connection.sides[1 - side])
        let wanted = min(Int(length.bytes), Int(controllers[own.controller].description.longestPayload))
        connections[index].sides[side].wanted = wanted
        // A controller of Bluetooth 4.0 does not know the procedure.
        let limit = Int(controllers[other.controller].description.longestPayload)
        guard min(wanted, limit) != own.longest, !own.isEnding, !own.controls.contains(.lengthRequest) else { return 0 }
        enqueue(.lengthRequest, index, side, now)
        return 0
    }

    /// Has a side send something, from the next event on.
    mutating func enqueue(_ control: AirConnection.Control, _ index: Int, _ side: Int, _ now: Instant) {
        connections[index].noteIdle(until: now)
        connections[index].sides[side].controls.append(control)
        connections[index].anchor = connections[index].event(after: now)
    }

    private mutating func take(data packet: [UInt8], _ controller: Int, _ now: Instant) {
        guard let header = HCI.DataHeader(packet.span.extracting(droppingFirst: 1)),
            Int(header.length) == packet.count - AirConnection.Fragment.headerSize, header.length > 0,
            header.length <= controllers[controller].description.dataSize,
            let (index, side) = place(header.handle, controller),
            // A host that does not count its credits loses what there is no room for.
            connections[index].sides[side].fragments.count < Int(controllers[controller].description.dataCount)
        else { return }
        connections[index].noteIdle(until: now)
        connections[index].sides[side].fragments.append(
            .init(packet: packet, isFirst: header.boundary != .continuation))
        connections[index].anchor = connections[index].event(after: now)
    }
}
