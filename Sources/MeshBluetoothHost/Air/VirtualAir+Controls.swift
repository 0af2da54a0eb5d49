import MeshTime
import MeshWire

// What controllers tell each other about their connection.

extension VirtualAir {
    /// The number of events after which new parameters are valid, for the peripheral to receive them.
    ///
    /// Source: Bluetooth Core 5.4, Vol 6 Part B, 5.1.1.
    private static let updateEvents: Int64 = 6

    /// Handles a control packet that a side has received.
    mutating func take(_ control: AirConnection.Control, _ index: Int, side: Int, _ event: inout Event) {
        let own = connections[index].sides[side]
        switch control {
        case .encryptionRequest(let random, let diversifier):
            connections[index].sides[side].isPaused = true
            connections[index].isKeyWanted = true
            event.fragments[side] = 0
            var request = HCI.LongTermKeyRequest()
            (request.handle, request.random, request.diversifier) = (own.handle, random, diversifier)
            tell(own.controller, .longTermKeyRequest(request), at: event.time)
            connections[index].sides[side].controls.append(.encryptionResponse)
        case .encryptionResponse: break
        case .startEncryptionRequest: connections[index].sides[side].controls.append(.startEncryptionResponse)
        case .startEncryptionResponse: encrypt(index, side, &event)
        case .reject(let status):
            goOn(index)
            encrypted(index, side, status: status, at: event.time)
        case .terminate(let reason):
            tell(own.controller, disconnection(own.handle, reason), at: event.time)
            let other = connections[index].sides[1 - side]
            let acknowledged = event.time + PhysicalLayer.gap + settings.layer.airTime(payload: 0, isEncrypted: false)
            tell(other.controller, disconnection(other.handle, Ending.byOwnHost), at: acknowledged)
            (event.isOver, event.isLast) = (true, true)
        case .update(let interval, let latency, let timeout):
            let at = event.anchor + connections[index].interval * Self.updateEvents
            connections[index].update = (at, interval, latency, timeout)
        case .lengthRequest: connections[index].sides[side].controls.append(.lengthResponse)
        case .lengthResponse: lengthen(index, at: event.time)
        }
    }

    /// The first encrypted packet of the other side: it can be checked if the keys are the same.
    private mutating func encrypt(_ index: Int, _ side: Int, _ event: inout Event) {
        let connection = connections[index]
        guard side == AirConnection.peripheral else {
            goOn(index)
            return encrypted(index, side, status: 0, at: event.time)
        }
        guard let key = connection.sides[side].key, key == connection.sides[1 - side].key else {
            // It leaves at once, and its peer misses it later.
            let own = connection.sides[side]
            tell(own.controller, disconnection(own.handle, Ending.wrongKey), at: event.time)
            connections[index].heard = event.anchor
            connections[index].sides[side].isGone = true
            event.isOver = true
            return
        }
        connections[index].isEncrypted = true
        connections[index].sides[side].isPaused = false
        connections[index].sides[side].controls.append(.startEncryptionResponse)
        encrypted(index, side, status: 0, at: event.time)
    }

    private mutating func goOn(_ index: Int) {
        connections[index].procedureEnds = nil
        for side in connections[index].sides.indices { connections[index].sides[side].isPaused = false }
    }

    private mutating func encrypted(_ index: Int, _ side: Int, status: UInt8, at now: Instant) {
        let own = connections[index].sides[side]
        guard !connections[index].wasEncrypted else {
            var refresh = HCI.EncryptionKeyRefresh()
            (refresh.handle, refresh.status) = (own.handle, status)
            return tell(own.controller, .newKey(refresh), at: now)
        }
        var change = HCI.EncryptionChange()
        (change.handle, change.status, change.enabled) = (own.handle, status, status == 0 ? 1 : 0)
        tell(own.controller, .encryption(change), at: now)
    }

    /// Lets both sides send packets as long as they want and the other one accepts.
    private mutating func lengthen(_ index: Int, at now: Instant) {
        let before = connections[index].sides.map(\.longest)
        for side in connections[index].sides.indices {
            let other = connections[index].sides[1 - side].controller
            connections[index].sides[side].longest = min(
                connections[index].sides[side].wanted, Int(controllers[other].description.longestPayload))
        }
        guard connections[index].sides.map(\.longest) != before else { return }
        for (side, own) in connections[index].sides.enumerated() {
            let other = connections[index].sides[1 - side]
            var change = HCI.DataLengthChange()
            change.handle = own.handle
            (change.sentBytes, change.sentTime) = (UInt16(own.longest), longestTime(own.longest))
            (change.receivedBytes, change.receivedTime) = (UInt16(other.longest), longestTime(other.longest))
            tell(connections[index].sides[side].controller, .dataLengthChange(change), at: now)
        }
    }

    private func longestTime(_ payload: Int) -> UInt16 {
        UInt16(clamping: settings.layer.airTime(payload: payload, isEncrypted: true).microseconds)
    }
}
