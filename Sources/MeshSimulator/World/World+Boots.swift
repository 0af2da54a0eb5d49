import MeshCrypto
import MeshFirmware
public import MeshTime
import MeshWire

/// Boards that start, and start again.
extension World {
    /// The span before the beginning of a world within which its boards were switched on.
    ///
    /// A person goes from one board to the next. It ends before any of them has sent its first advert, 16 s after
    /// its start, so that no advert is missed.
    public static let switchingOn = TimeSpan.seconds(15)

    /// Returns the time that a board of this label has been on when the world begins: drawn for each by itself.
    func poweredFor(_ label: String) -> TimeSpan {
        var stream = seed.stream("node", label, "power-on")
        return .microseconds(stream.next() % UInt64(Self.switchingOn.microseconds))
    }

    func bootSeed(_ label: String, boots: Int) -> Seed {
        seed.part("node", label, "boot", String(boots))
    }

    /// Makes a core and gives it a place among those of its role.
    mutating func makeCore(_ description: NodeDescription, _ boot: BootRecord) -> CorePlace {
        switch description.role {
        case .companion(let link):
            let body = description.body
            var companion = makeCompanion(
                [link] + description.furtherLinks, boot, description.hooks, body?.environment(of: description.board))
            companion.preload(description.backlog)
            companion.preset(name: description.name, place: description.place, gps: body?.gpsSettings)
            cores.companions.append(companion)
            return .companion(Int32(cores.companions.count - 1))
        case .server(let role): return makeServer(role, boot, description.setup)
        case .guest(let make):
            cores.guests.append(make(boot))
            return .guest(Int32(cores.guests.count - 1))
        }
    }

    /// Draws the keys of a label: the same ones in every run of the seed, whatever the other events.
    ///
    /// A board whose flash was erased after some restarts draws other keys than its first ones.
    private func identityStream(_ boot: BootRecord) -> RandomStream {
        boot.boots == 0
            ? seed.stream("node", boot.label, "identity")
            : seed.stream("node", boot.label, "identity", String(boot.boots))
    }

    private func drawIdentity(_ boot: BootRecord) -> LocalIdentity {
        var stream = identityStream(boot)
        return LocalIdentity.generate {
            var seed = Seed32()
            seed.withUnsafeMutableBytes { stream.fill($0) }
            return seed
        }
    }

    private func makeCompanion(
        _ links: [AppLink], _ boot: BootRecord, _ hooks: (any CompanionHooks)?, _ environment: Environment?
    ) -> CompanionRadio {
        var (board, quirks) = (boot.board, boot.quirks)
        hooks?.prepare(&board, &quirks)
        var companion = CompanionRadio(
            board: board, quirks: quirks, flash: boot.flash, identityStream: identityStream(boot),
            randomStream: boot.seed.stream("radio"), environment: environment,
            interface: links.interface(of: boot.board), at: boot.now)
        if let hooks { companion.attach(hooks) }
        companion.reportsEvents = wantsReports
        return companion
    }

    /// Boots an infrastructure node; its environment, and the clock of some boards, continue from `former`.
    func makeServer<Node: InfrastructureNode>(
        _ role: ServerRole, _ boot: BootRecord, _ setup: ServerSetup?, after former: Node? = nil,
        keepingClock: Bool = false
    ) -> Node {
        var setup = setup ?? ServerSetup(role, board: boot.board)
        if let former { setup.environment = former.environment }
        let time = keepingClock ? former?.unixTime(at: boot.now) : nil
        var node = Node(
            identity: drawIdentity(boot), board: boot.board, setup: setup, quirks: boot.quirks,
            random: boot.seed.stream("radio"),
            clock: RealTimeClock(unixSeconds: time ?? boot.board.clockAtPowerOn, at: boot.now), flash: boot.flash,
            at: boot.now)
        node.reportsEvents = wantsReports
        return node
    }

    /// The board goes down in the middle of everything; only its flash is kept.
    mutating func reboot(_ index: Int) {
        digest.fold(.rebooted, at: now, node: Int32(index))
        record(index, .rebooted)
        output(index, .rebooted)
        goDown(index)
        scheduleBoot(index)
    }

    mutating func goDown(_ index: Int) {
        cutTransmission(of: index)
        loseReceptions(of: index, .off)
        radios[index].isUp = false
        states[index].deferredCounts = DeferredCounts()
        states[index].pendingWake = .never
        states[index].wish = .never
        slots[index].boots += 1
        if slots[index].body >= 0 { serveCell(of: index) }
    }

    mutating func scheduleBoot(_ index: Int) {
        let boots = Int32(truncatingIfNeeded: slots[index].boots)
        queue.schedule(.boot(node: Int32(index), boots: boots), at: now + slots[index].bootDelay)
    }

    mutating func boot(_ index: Int, boots: Int) {
        guard !radios[index].isUp, slots[index].boots == boots else { return }
        guard slots[index].body < 0 || mayBoot(index) else { return }
        let slot = slots[index]
        changeFirmware(of: index) { $0.flash.restorePower() }
        let boot = BootRecord(
            label: slot.label, board: slot.board, quirks: slot.quirks,
            flash: slot.losesFlash ? Flash() : flash(of: NodeID(index: index)),
            seed: bootSeed(slot.label, boots: boots), boots: boots, now: nodeTime(of: index))
        bootAgain(states[index].place, slot, boot)
        slots[index].losesFlash = false
        slots[index].losesClock = false
        slots[index].gainHundredths = 0
        slots[index].bootedAt = now
        slots[index].airtimeBeforeBoot = slots[index].airtime
        radios[index].isUp = true
        radios[index].readyAt = now
        if slots[index].body >= 0 { serveCell(of: index) }
        if let tuning = tuning(slot.board.airtime(slot.board.radio)) { radios[index].tuning = tuning }
        invariants.forget(index)
        digest.fold(.booted, at: now, node: Int32(index))
        record(index, .booted)
        output(index, .booted)
        let waiting = slots[index].waiting.take()
        pass(.woke, to: index)
        for input in waiting { inject(input, into: NodeID(index: index)) }
    }

    func rebooted<Node: InfrastructureNode>(
        _ node: Node, _ role: ServerRole, _ slot: NodeSlot, _ boot: BootRecord
    ) -> Node {
        var next = makeServer(
            role, boot, slot.setup, after: node, keepingClock: slot.board.keepsClockOverRestart && !slot.losesClock)
        next.server.wasRestarted = !slot.losesClock
        return next
    }

    func rebooted(_ companion: CompanionRadio, _ slot: NodeSlot, _ boot: BootRecord) -> CompanionRadio {
        guard !slot.losesFlash else {
            return makeCompanion(
                slot.links, boot, companion.hooks.first, slot.body < 0 ? nil : companion.environment)
        }
        var next = companion.rebooted(
            at: boot.now, keepingRTC: slot.board.keepsClockOverRestart && !slot.losesClock,
            interface: slot.links.interface(of: slot.board))
        next.reportsEvents = wantsReports
        return next
    }
}

/// Power and restarts, as for a person at the board.
extension World {
    /// Cuts the power of a board; it stays off until `powerOn`.
    public mutating func powerOff(_ node: NodeID) {
        if let place = bodyPlace(of: node.index) { bodies[place].outage = nil }
        digest.fold(.poweredOff, at: now, node: Int32(node.index))
        record(node.index, .poweredOff)
        output(node.index, .poweredOff)
        goDown(node.index)
        slots[node.index].losesClock = true
        slots[node.index].waiting = WaitingInputs()
    }

    /// Switches on a board without power; it starts with its flash, or with an empty one.
    public mutating func powerOn(_ node: NodeID, erasingFlash: Bool = false) {
        guard !radios[node.index].isUp else { return }
        slots[node.index].losesFlash = erasingFlash
        scheduleBoot(node.index)
    }

    /// Restarts a board as its reset button does.
    public mutating func restart(_ node: NodeID, erasingFlash: Bool = false) {
        slots[node.index].losesFlash = erasingFlash
        reboot(node.index)
    }
}

extension [AppLink] {
    /// The interface of a companion radio: the first link alone where its firmware cannot have several.
    func interface(of board: BoardProfile) -> AppInterface {
        guard count > 1, board.hasSeveralInterfaces else {
            return first?.interface(of: board) ?? .none
        }
        return .several(SeveralInterfaces(map { $0.interface(of: board) }))
    }
}

extension AppLink {
    func interface(of board: BoardProfile) -> AppInterface {
        switch self {
        case .wifi: .wifi(sendQueue: board.sendQueueSize)
        case .serial: .serial
        case .ethernet: .ethernet(sendQueue: board.sendQueueSize)
        case .paced: .pacedFrames(sendQueue: board.sendQueueSize)
        case .bluetooth: board.bluetooth.map(AppInterface.bluetooth) ?? .none
        }
    }
}
