import MeshTime
import MeshWire

// The events of a connection: both sides take turns with packets until neither has more, or the time is over.
//
// What a host hands over while an event runs goes with the next one.

extension VirtualAir {
    /// A procedure that the peer leaves unfinished ends the connection. Source: Core 5.4, Vol 6 Part B, 5.2.
    static let procedureTime: TimeSpan = .seconds(40)

    /// Codes of ended connections. Source: Core 5.4, Vol 1 Part F.
    enum Ending {
        static let timeout: UInt8 = 0x08
        static let byOwnHost: UInt8 = 0x16
        static let procedureTimeout: UInt8 = 0x22
        static let wrongKey: UInt8 = 0x3D
    }
    /// `PIN or Key Missing`.
    static let keyMissing: UInt8 = 0x06

    /// Something of a connection is due.
    mutating func attend(_ index: Int, at now: Instant) {
        let connection = connections[index]
        if connection.sides.contains(where: \.isGone) { return lose(index, Ending.timeout, at: now) }
        if let ends = connection.procedureEnds, ends <= now { return lose(index, Ending.procedureTimeout, at: now) }
        if let update = connection.update, update.at <= now { return change(index, update) }
        play(index, at: now)
    }

    /// All that are left of a connection miss their peer.
    private mutating func lose(_ index: Int, _ reason: UInt8, at now: Instant) {
        for side in connections[index].sides where !side.isGone {
            disconnected(side, side.isEnding ? Ending.byOwnHost : reason, at: now)
        }
        connections.remove(at: index)
    }

    func disconnection(_ handle: UInt16, _ reason: UInt8) -> HCI.Event {
        var complete = HCI.DisconnectionComplete()
        (complete.handle, complete.reason) = (handle, reason)
        return .disconnected(complete)
    }

    private mutating func disconnected(_ side: AirConnection.Side, _ reason: UInt8, at now: Instant) {
        tell(side.controller, disconnection(side.handle, reason), at: now)
    }

    private mutating func change(
        _ index: Int, _ update: (at: Instant, interval: UInt16, latency: UInt16, timeout: UInt16)
    ) {
        connections[index].noteIdle(until: update.at)
        connections[index].update = nil
        connections[index].interval = Self.interval(update.interval)
        connections[index].latency = Int(update.latency)
        connections[index].timeout = .milliseconds(Int64(update.timeout) * 10)
        (connections[index].anchor, connections[index].active) = (update.at, update.at)
        for side in connections[index].sides {
            var done = HCI.ConnectionUpdated()
            (done.handle, done.interval, done.latency, done.timeout) = (
                side.handle, update.interval, update.latency, update.timeout
            )
            tell(side.controller, .connectionUpdated(done), at: update.at)
        }
    }

    // MARK: One event

    /// The progress of one event.
    struct Event {
        let anchor: Instant
        var time: Instant
        /// The packets that waited on each side when it began, and have not been sent since: later packets go with
        /// the next event.
        var controls: [Int]
        var fragments: [Int]
        /// Fragments that the other side is known to have.
        var completed = [0, 0]
        var pairs = 0
        var isOver = false
        /// A packet did not arrive.
        var hasFailed = false
        /// The connection is no more.
        var isLast = false
    }

    private mutating func play(_ index: Int, at anchor: Instant) {
        let sides = connections[index].sides
        var event = Event(
            anchor: anchor, time: anchor, controls: sides.map(\.controls.count),
            fragments: sides.map { $0.isPaused ? 0 : $0.fragments.count })
        let interval = connections[index].interval
        // Between this and the last one nothing was to be said.
        if !connections[index].isFailing, anchor - connections[index].heard > interval {
            connections[index].heard = anchor - interval
        }
        connections[index].anchor = anchor + interval
        use.events += 1
        while !event.isOver { exchange(index, &event) }
        guard !event.isLast else {
            connections.remove(at: index)
            return
        }
        for (side, count) in zip(connections[index].sides, event.completed) where count > 0 && !side.isGone {
            let completed = HCI.CompletedCount(handle: side.handle, count: UInt16(count))
            tell(side.controller, .completedPackets(.init([completed])), at: event.time)
        }
        connections[index].active = anchor
        connections[index].isFailing = event.hasFailed
        guard event.hasFailed else {
            connections[index].heard = anchor
            return
        }
        if anchor - connections[index].heard >= connections[index].timeout {
            lose(index, Ending.timeout, at: event.time)
        }
    }

    /// Exchanges a packet of the central and the answer of the peripheral; either is empty where there is nothing
    /// to send.
    private mutating func exchange(_ index: Int, _ event: inout Event) {
        let (central, peripheral) = (AirConnection.central, AirConnection.peripheral)
        let sent = connections[index].sides[central].next(event.controls[central], event.fragments[central])
        // The peripheral learns from the central's packet that its last one has arrived.
        var answering = connections[index].sides[peripheral]
        var (controls, fragments) = (event.controls[peripheral], event.fragments[peripheral])
        let isCompleted = answering.sending?.isDelivered == true && answering.acknowledge(&controls, &fragments)
        let answer = answering.next(controls, fragments)
        guard isRoom(for: sent?.size ?? 0, answer?.size ?? 0, sent == nil && answer == nil, index, event) else {
            event.isOver = true
            return
        }
        guard transmit(sent, index, central, &event) else { return }
        answering.sending = answer
        connections[index].sides[peripheral] = answering
        (event.controls[peripheral], event.fragments[peripheral]) = (controls, fragments)
        if isCompleted { event.completed[peripheral] += 1 }
        if let sent, !sent.isDelivered { arrive(sent, index, from: central, &event) }
        guard !event.isLast, !connections[index].sides[peripheral].isGone else { return }
        event.time += PhysicalLayer.gap
        guard transmit(answer, index, peripheral, &event) else { return }
        if sent != nil {
            let isDone = connections[index].sides[central].acknowledge(
                &event.controls[central], &event.fragments[central])
            if isDone { event.completed[central] += 1 }
        }
        if let answer { arrive(answer, index, from: peripheral, &event) }
        event.time += PhysicalLayer.gap
        event.pairs += 1
    }

    /// Returns whether the event has time for such packets.
    private func isRoom(for sent: Int, _ answer: Int, _ isEmpty: Bool, _ index: Int, _ event: Event) -> Bool {
        guard event.pairs > 0 else { return true }
        guard !isEmpty, event.pairs < settings.packetsPerEvent ?? .max else { return false }
        let connection = connections[index]
        let pair = RequestResponseLimit.pairTime(sent, answer, settings.layer, isEncrypted: connection.isEncrypted)
        return event.time + pair <= event.anchor + connection.interval
    }

    /// Sends a packet, or an empty one; `false`: it is lost, and the event over.
    private mutating func transmit(
        _ packet: AirConnection.Sending?, _ index: Int, _ side: Int, _ event: inout Event
    ) -> Bool {
        let time = settings.layer.airTime(payload: packet?.size ?? 0, isEncrypted: connections[index].isEncrypted)
        event.time += time
        use.airTime = use.airTime + time
        if packet?.isTried == true { use.repeats += 1 }
        connections[index].sides[side].sending = packet
        connections[index].sides[side].sending?.isTried = true
        guard settings.lossPerTenThousand > 0, losses.draw(0, 10_000) < UInt32(settings.lossPerTenThousand) else {
            return true
        }
        (event.isOver, event.hasFailed) = (true, true)
        return false
    }

    /// A packet has reached the other side.
    private mutating func arrive(
        _ packet: AirConnection.Sending, _ index: Int, from side: Int, _ event: inout Event
    ) {
        connections[index].sides[side].sending?.isDelivered = true
        use.packets += 1
        use.bytes += packet.size
        switch packet.content {
        case .control(let control): take(control, index, side: 1 - side, &event)
        case .data(let range):
            let other = connections[index].sides[1 - side]
            let fragment = connections[index].sides[side].fragments[0]
            let boundary: HCI.DataHeader.Boundary =
                fragment.isFirst && range.lowerBound == 0 ? .firstFlushable : .continuation
            let header = HCI.DataHeader(handle: other.handle, boundary: boundary, length: UInt16(range.count))
            let start = AirConnection.Fragment.headerSize
            let payload = fragment.packet[start + range.lowerBound..<start + range.upperBound]
            tell(other.controller, packet: [HCI.PacketType.data.rawValue] + header.bytes + payload, at: event.time)
        }
    }
}
