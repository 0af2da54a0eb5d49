public import MeshFirmware
import MeshTime
import MeshWire

/// The state of a node's body in a world.
struct BodyState: Sendable {
    let node: Int
    var body: NodeBody
    /// The next look; `.never` for none.
    var nextLook = Instant.never
    /// The earliest look that is in the queue, which may be before the next one; any other is stale.
    var pendingLook = Instant.never
    /// Why the board is without power; `nil` while it runs, and when somebody has taken its power.
    var outage: PowerOutage?

    init(node: Int, body: NodeBody) {
        self.node = node
        self.body = body
    }
}

/// What feeds nodes, and what that does to them.
extension World {
    /// From one look at a battery near its end to the next.
    private static let shortestLook = TimeSpan.seconds(10)
    /// From one look at what changes all the time to the next.
    private static let usualLook = TimeSpan.seconds(60)

    /// The body of a node; `nil` for a node without one.
    public func body(of node: NodeID) -> NodeBody? { bodyPlace(of: node.index).map { bodies[$0].body } }

    /// The body of a node as it stands: with the charge that its cell has now; `nil` for a node without one.
    public mutating func bodyNow(of node: NodeID) -> NodeBody? {
        guard var body = body(of: node) else { return nil }
        if let cell = battery(of: node.index)?.ofCell { body.battery = .cell(cell.settled(at: now)) }
        return body
    }

    /// The reason for which a node with a body is without power; `nil` while it runs or starts, and when its power was
    /// taken by somebody.
    public func outage(of node: NodeID) -> PowerOutage? {
        guard let place = bodyPlace(of: node.index), !radios[node.index].isUp else { return nil }
        return bodies[place].outage
    }

    /// Gives a node a body, or another one, from now on. A receiver or a part that is new is found at its next start.
    ///
    /// Guests have none. A battery that is the same as before keeps its charge.
    public mutating func setBody(_ body: NodeBody, of node: NodeID) {
        let index = node.index
        guard !states[index].place.isGuest else { return }
        let former = bodyPlace(of: index).map { bodies[$0].body }
        let noise = former?.noiseFloor
        attach(body, to: index)
        changeFirmware(of: index) { firmware in
            var changed = body
            if body.battery == former?.battery { changed.battery = nil }
            changed.apply(to: &firmware.environment)
            if body.battery == nil, former?.battery != nil {
                firmware.environment.battery = .millivolts(firmware.core.board.batteryMillivolts)
            }
            if body.gps == nil, former?.gps != nil {
                firmware.environment.gps = firmware.core.board.hasGPS ? GPSSignal() : nil
            }
        }
        if let gps = body.gpsSettings, gps != former?.gpsSettings { setGPS(gps, of: index) }
        if noise != nil, body.noiseFloor == nil { states[index].noiseHundredths = 0 }
        batteryChanged(index)
        lookAtBodyNow(index)
        lookAtClock(index)
    }

    /// Changes the cell of a node from now on, as by a cloud over its panel; a node without one is left alone.
    public mutating func changeCell(of node: NodeID, _ change: (inout BatteryCell) -> Void) {
        let (index, now) = (node.index, now)
        withEnvironmentInPlace(of: index) { environment in
            environment.battery.withCell { $0.change(at: now, change) }
        }
        if let place = bodyPlace(of: index) { bodies[place].body.battery = battery(of: index) }
        batteryChanged(index)
        lookAtBodyNow(index)
        lookAtClock(index)
    }

    /// Connects or disconnects a node's external supply from now on, whatever its body planned.
    public mutating func setSupply(_ isOn: Bool, of node: NodeID) {
        var body = body(of: node) ?? NodeBody()
        body.supply = [NodeBody.SupplyTurn(now, isOn: isOn)]
        setBody(body, of: node)
    }

    /// The noise floor that a node reports, in whole dBm.
    package func noiseFloor(of node: NodeID) -> Int16 {
        Self.noiseFloor(air.noiseFloor, raisedBy: states[node.index].noiseHundredths)
    }

    static func noiseFloor(_ quiet: Int16, raisedBy hundredths: Int16) -> Int16 {
        Int16(clamping: Int(quiet) + Int(nearest: Double(hundredths) / 100))
    }

    /// The environment of a node as it is now; `nil` for a guest.
    public func environment(of node: NodeID) -> Environment? { firmware(node)?.environment }

    // MARK: Inside

    func bodyPlace(of index: Int) -> Int? {
        let place = slots[index].body
        return place < 0 ? nil : Int(place)
    }

    mutating func attach(_ body: NodeBody, to index: Int) {
        if let place = bodyPlace(of: index) {
            bodies[place].body = body
        } else {
            slots[index].body = Int32(bodies.count)
            bodies.append(BodyState(node: index, body: body))
        }
        if body.noiseFloor != nil { hasNoisyPlaces = true }
    }

    /// Schedules a look at a body, unless an earlier one is in the queue.
    mutating func planLook(at index: Int, _ time: Instant) {
        guard let place = bodyPlace(of: index), time != .never else { return }
        bodies[place].nextLook = min(bodies[place].nextLook, max(time, now))
        guard bodies[place].nextLook < bodies[place].pendingLook else { return }
        bodies[place].pendingLook = bodies[place].nextLook
        queue.schedule(.body(place: Int32(place)), at: bodies[place].nextLook)
    }

    /// A look that was in the queue is due: the next one, or one that was put off.
    mutating func turnToBody(_ place: Int) {
        guard bodies[place].pendingLook == now else { return }
        bodies[place].pendingLook = .never
        if bodies[place].nextLook <= now {
            lookAtBody(place)
        } else {
            planLook(at: bodies[place].node, bodies[place].nextLook)
        }
    }

    /// Looks at the body of a node at once, and forgets the look that was planned.
    private mutating func lookAtBodyNow(_ index: Int) {
        if let place = bodyPlace(of: index) { lookAtBody(place) }
    }

    /// Looks at a body: its supply, its battery, the noise of its place.
    private mutating func lookAtBody(_ place: Int) {
        bodies[place].nextLook = .never
        let index = bodies[place].node
        listenToNoise(place)
        serveCell(of: index)
        guard let battery = battery(of: index) else { return }
        let isSupplied = bodies[place].body.isSupplied(at: now)
        let isExhausted = bodies[place].body.isExhausted(battery, at: now)
        if radios[index].isUp {
            if isExhausted, !isSupplied { losePower(index, .emptyBattery) }
        } else if let outage = bodies[place].outage {
            if outage == .switchedOff, isExhausted, !isSupplied { bodies[place].outage = .emptyBattery }
            if endsOutage(outage, place, battery, isSupplied) { powerOn(NodeID(index: index)) }
        }
        planNextLook(place, battery, isSupplied)
    }

    /// Returns whether a board starts by itself now.
    private func endsOutage(
        _ outage: PowerOutage, _ place: Int, _ battery: Battery, _ isSupplied: Bool
    ) -> Bool {
        let body = bodies[place].body
        let board = slots[bodies[place].node].board
        switch outage {
        case .emptyBattery: return isSupplied || body.hasRecovered(battery, at: now)
        // A comparator wakes the chip, or the voltage of a USB cable.
        case .bootLock: return isSupplied || battery.millivolts(at: now) >= BoardProfile.wakingMillivolts
        // An ESP32 in its deep sleep is waked by nothing; an nRF52 by a USB cable that was not there before.
        case .switchedOff: return board.platform == .nrf52 && isSupplied && isTurning(body)
        }
    }

    /// True at the moment at which an external supply is connected.
    private func isTurning(_ body: NodeBody) -> Bool {
        guard let turn = body.supply.last(where: { $0.time <= now }), turn.isOn else { return false }
        return turn.time == now
    }

    private mutating func planNextLook(_ place: Int, _ battery: Battery, _ isSupplied: Bool) {
        let (index, body) = (bodies[place].node, bodies[place].body)
        if let turn = body.supply.first(where: { $0.time > now }) { planLook(at: index, turn.time) }
        if let course = body.noiseFloor, !course.isConstant { planLook(at: index, now + Self.usualLook) }
        if radios[index].isUp {
            if battery.ofCell?.sleepLoad != nil { planLook(at: index, now + Self.usualLook) }
            guard !isSupplied else { return }
            let earliest = battery.mayFall(below: body.safeMillivolts(battery), after: now)
            if earliest != .never { planLook(at: index, max(earliest, now + Self.shortestLook)) }
        } else if bodies[place].outage != nil, !battery.isSteady {
            planLook(at: index, now + Self.usualLook)
        }
    }

    /// Takes the noise floor of the moment for the place of a node.
    private mutating func listenToNoise(_ place: Int) {
        guard let course = bodies[place].body.noiseFloor else { return }
        let above = course.value(at: now) - Double(air.noiseFloor)
        states[bodies[place].node].noiseHundredths = Int16(nearest: above * 100)
    }

    /// Tells a cell whether its board is awake, sleeps or is off, and whether there is an external supply.
    mutating func serveCell(of index: Int) {
        guard let place = bodyPlace(of: index) else { return }
        let (now, isSupplied) = (now, bodies[place].body.isSupplied(at: now))
        let demand = demand(of: index)
        withEnvironmentInPlace(of: index) { environment in
            if environment.isExternallyPowered != isSupplied { environment.setExternalPower(isSupplied, at: now) }
            guard environment.battery.ofCell.map({ $0.demand != demand || $0.isSupplied != isSupplied }) == true else {
                return
            }
            environment.battery.withCell { $0.serve(demand, isSupplied: isSupplied, from: now) }
        }
    }

    private mutating func demand(of index: Int) -> BatteryCell.Demand {
        guard radios[index].isUp else { return .off }
        return savesPower(of: index, for: now - slots[index].bootedAt) ? .sleeping : .awake
    }

    /// The battery of a node; not through `firmware`, which makes a copy of the node.
    private mutating func battery(of index: Int) -> Battery? {
        var battery: Battery?
        withEnvironmentInPlace(of: index) { battery = $0.battery }
        return battery
    }

    /// Counts a transmission of a node against its cell.
    mutating func drainCell(of index: Int, for airtime: TimeSpan) {
        let now = now
        withEnvironmentInPlace(of: index) { environment in
            guard let cell = environment.battery.ofCell, cell.transmitLoad > 0 else { return }
            environment.battery.withCell { $0.transmit(for: airtime, from: now) }
        }
    }

    /// The board stops for lack of power.
    private mutating func losePower(_ index: Int, _ outage: PowerOutage) {
        powerOff(NodeID(index: index))
        if let place = bodyPlace(of: index) { bodies[place].outage = outage }
    }

    /// The firmware has switched a board off.
    mutating func noteSwitchedOff(_ index: Int) {
        guard let place = bodyPlace(of: index) else { return }
        bodies[place].outage = .switchedOff
        planLook(at: index, now + Self.shortestLook)
    }

    /// Returns whether the battery lets a board start; a board that it does not let start stays off until it does.
    mutating func mayBoot(_ index: Int) -> Bool {
        guard let place = bodyPlace(of: index) else { return true }
        bodies[place].outage = nil
        guard let battery = battery(of: index), !bodies[place].body.isSupplied(at: now)
        else { return true }
        let reading = battery.millivolts(at: now)
        if bodies[place].body.isExhausted(battery, at: now) {
            bodies[place].outage = .emptyBattery
        } else if let lowest = slots[index].board.bootLockMillivolts, reading > 1000, reading < lowest {
            // A reading of a volt or less is taken for a board without a battery.
            bodies[place].outage = .bootLock
        }
        planLook(at: index, now + Self.shortestLook)
        return bodies[place].outage == nil
    }

    private mutating func batteryChanged(_ index: Int) {
        guard case .companion(let place) = states[index].place else { return }
        cores.companions[Int(place)].batteryChanged()
    }
}

extension BoardProfile {
    /// The voltage at which the comparator of an nRF52 board wakes it, in millivolts.
    ///
    /// The reference is 5/8 of the supply behind a divider; with 3.3 V that is 3.44 V at the battery. Source: firmware,
    /// `PWRMGT_LPCOMP_REFSEL` of the RAK 4631.
    static let wakingMillivolts: UInt16 = 3440
}
