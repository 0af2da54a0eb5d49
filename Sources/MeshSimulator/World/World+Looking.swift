public import MeshFirmware
public import MeshRadio
public import MeshTime

/// The view of a world from outside.
extension World {
    /// The name that a node was added under.
    public func label(of node: NodeID) -> String { slots[node.index].label }
    /// Returns the board that a node was built for.
    public func board(of node: NodeID) -> BoardProfile { slots[node.index].board }
    /// Returns whether the board runs; it does not while it restarts.
    public func isUp(_ node: NodeID) -> Bool { radios[node.index].isUp }
    /// The radio parameters a node works with now.
    public func parameters(of node: NodeID) -> LoRaParameters {
        tunings[Int(radios[node.index].tuning)].airtime.parameters
    }
    /// Returns the place of a node's antenna, if it was placed.
    public func position(of node: NodeID) -> PlanePosition? { slots[node.index].position }
    /// Returns the time that a node has transmitted since the world began.
    public func airtime(of node: NodeID) -> TimeSpan { slots[node.index].airtime }
    /// Returns the number of frames that a node has begun to transmit.
    public func framesSent(by node: NodeID) -> Int { Int(slots[node.index].framesSent) }

    /// Returns whether a node neither sends nor has anything to send; one without power has nothing.
    public func isSilent(_ node: NodeID) -> Bool {
        guard radios[node.index].isUp else { return true }
        guard radios[node.index].transmission < 0 else { return false }
        return (accounts(of: node.index)?.packetsHeld ?? 0) == 0
    }

    /// True when no frame is on the air.
    public var isAirQuiet: Bool { transmissions.inUse == 0 }

    /// The core that runs on a guest's node, for looking at; `nil` for firmware.
    public func guest(_ node: NodeID) -> (any GuestNode)? {
        guard case .guest(let place) = states[node.index].place else { return nil }
        return cores.guests[Int(place)]
    }

    /// A repeater as if it had counted everything itself.
    func settled(_ repeater: RepeaterNode, _ deferredCounts: DeferredCounts) -> RepeaterNode {
        var repeater = repeater
        var deferredCounts = deferredCounts
        repeater.settle(&deferredCounts)
        return repeater
    }

    /// Changes the board's surrounding state, not the firmware's; guests are left alone.
    mutating func changeFirmware(of index: Int, _ change: (inout any FirmwareNode) -> Void) {
        guard var node = firmware(NodeID(index: index)) else { return }
        // What it has counted is in the node by now, and until when it may count is to be seen.
        states[index].deferredCounts = DeferredCounts()
        change(&node)
        replaceCore(states[index].place, by: node)
    }

    /// The files of a node as they are now.
    public func flash(of node: NodeID) -> Flash {
        if case .guest(let place) = states[node.index].place { return cores.guests[Int(place)].flash }
        return firmware(node)?.flash ?? Flash()
    }

    /// Bytes that the client of a node may send now; the rest stays with the operating system, as with a small board.
    public func appWindow(of node: NodeID) -> Int {
        appWindow(of: node, at: 0)
    }

    /// The same of the client at an interface of a radio that has several.
    package func appWindow(of node: NodeID, at interface: Int) -> Int {
        guard radios[node.index].isUp else { return slots[node.index].waiting.window }
        return coreWindow(states[node.index].place, at: interface)
    }

    /// The links by which apps reach a companion radio, by the numbers of its interfaces; one where its firmware cannot
    /// have several.
    package func appLinks(of node: NodeID) -> [AppLink] {
        let slot = slots[node.index]
        return slot.board.hasSeveralInterfaces ? slot.links : Array(slot.links.prefix(1))
    }

    /// The companion radio that a node is, for looking at.
    public func companion(_ node: NodeID) -> CompanionRadio? { firmware(node) as? CompanionRadio }

    /// The repeater that a node is, for looking at.
    public func repeater(_ node: NodeID) -> RepeaterNode? { firmware(node) as? RepeaterNode }

    /// The repeater, room server or sensor that a node is, for looking at.
    public func infrastructure(_ node: NodeID) -> (any InfrastructureNode)? {
        firmware(node) as? any InfrastructureNode
    }

    /// Plays the environment of a companion radio: its clock, its sensors, faults of its flash.
    public mutating func withCompanion<R>(_ node: NodeID, _ change: (inout CompanionRadio) throws -> R) rethrows -> R? {
        guard case .companion(let place) = states[node.index].place else { return nil }
        return try change(&cores.companions[Int(place)])
    }

    /// The link between a node and its client has no room for a further write, or has room again; true when the node
    /// wants a pass for that.
    package mutating func holdLink(of node: NodeID, _ isHeld: Bool, at interface: Int = 0) -> Bool {
        switch states[node.index].place {
        case .companion(let place): cores.companions[Int(place)].holdLink(isHeld, at: interface)
        case .guest(let place): cores.guests[Int(place)].holdLink(isHeld)
        case .repeater, .room, .sensor: false
        }
    }

    /// Plays the environment of a node: what its battery, its GPS and its sensors measure from now on.
    public mutating func withEnvironment(of node: NodeID, _ change: (inout Environment) -> Void) {
        changeFirmware(of: node.index) { change(&$0.environment) }
    }

    /// Sets the calendar clock of a node, as a time signal would.
    public mutating func setClock(of node: NodeID, to unixSeconds: UInt32) {
        // The firmware sets it in a pass, and its present is that of the last one.
        lookAtClock(node.index)
        changeFirmware(of: node.index) { $0.setClock(unixSeconds) }
        lookAtClock(node.index)
    }

    /// Handles timers that are due by the node's clock: a main loop reads the clock all the time.
    mutating func lookAtClock(_ index: Int) {
        if radios[index].isUp { pass(.woke, to: index) }
    }

    /// One last draw of every stream, folded into a number.
    ///
    /// Runs that drew differently differ here even where their outputs are equal.
    public var unseed: Digest {
        var unseed = Digest()
        for state in states {
            guard var stream = randomStream(state.place) else { continue }
            unseed.fold(stream.next())
        }
        for stream in faults.streams {
            var stream = stream
            unseed.fold(stream.next())
        }
        unseed.fold(framesSent)
        return unseed
    }

    /// Packets of which the hash was computed, and adverts of which the signature was verified, for all nodes together.
    public var cryptography: (hashes: Int, signatures: Int) { (memo.hashesComputed, memo.signaturesVerified) }
}

/// The totals of the air since the world began.
public struct WorldStatistics: Hashable, Sendable {
    /// Events of the queue.
    public internal(set) var events = 0
    /// Frames that began.
    public internal(set) var transmissions = 0
    /// Frames that a listener has received with a good checksum; one frame counts for each of its listeners.
    public internal(set) var receptions = 0
    var drops = [Int](repeating: 0, count: RxLoss.allCases.count)

    /// Frames that reached an antenna and were not received, by reason.
    public func drops(_ reason: RxLoss) -> Int { drops[Int(reason.rawValue)] }
    /// All of them.
    public var dropCount: Int { drops.reduce(0, +) }
}
