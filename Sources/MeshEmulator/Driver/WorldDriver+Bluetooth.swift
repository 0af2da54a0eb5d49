package import MeshBluetoothHost
import MeshCapture
import MeshCompanion
import MeshFiles
import MeshFirmware
package import MeshSimulator
import MeshTime
import MeshTransports

// Faults of the Bluetooth between a node and its client: armed from outside, or over the link itself.
extension WorldDriver {
    /// Returns the faults that the Bluetooth of a node was given, with their counts.
    package func bluetoothFaults(of node: NodeID) -> [BluetoothFaultLedger.Entry] {
        bluetoothPlace(of: node).flatMap(bluetooth(at:))?.entries ?? []
    }

    /// The same as faults of its link.
    func bluetoothDemands(of node: NodeID) -> [LinkFaultDemand] {
        guard let place = bluetoothPlace(of: node) else { return [] }
        let excused = course.links[place].mayNotFire
        return bluetoothFaults(of: node).map { LinkFaultDemand($0, mayNotFire: excused.contains($0.number)) }
    }

    /// Arms a fault of a node's Bluetooth, and returns its number.
    ///
    /// - Parameter mayNotFire: whether a run in which it does nothing is valid all the same.
    @discardableResult
    package mutating func arm(
        _ fault: BluetoothFault, of node: NodeID, mayNotFire: Bool = false
    ) throws(BluetoothFaultLedger.Refusal) -> Int {
        guard let place = bluetoothPlace(of: node), let state = bluetooth(at: place) else { throw .noBluetooth }
        let number = BluetoothFaultLedger(state.entries).nextNumber
        if course.links[place].bluetooth != nil {
            try course.links[place].bluetooth?.air.arm(fault, number: number)
        } else {
            // The link is the shell's, which arms it with the next effects.
            var ledger = BluetoothFaultLedger(state.entries)
            try ledger.arm(fault, number: number, ownsController: state.ownsController)
            seats[place].state.bluetooth?.entries = ledger.entries
            emit(.arm(fault, number: number, of: seats[place].client))
        }
        if mayNotFire { course.links[place].mayNotFire.append(number) }
        return number
    }

    /// Arms the faults of a plan that are below frames: all of them, or none where one cannot be.
    ///
    /// All are tried on a copy first: what was armed and taken back again would count as a fault that did nothing.
    mutating func armBluetooth(of plan: LinkFaultPlan, at node: NodeID) throws(FileProblem) {
        guard plan.faults.contains(where: \.kind.isOfBluetooth) else { return }
        let state = bluetoothPlace(of: node).flatMap(bluetooth(at:))
        var ledger = BluetoothFaultLedger(state?.entries ?? [])
        try Self.armEach(of: plan) { (fault, _) throws(BluetoothFaultLedger.Refusal) in
            guard let state else { throw .noBluetooth }
            try ledger.arm(fault, number: ledger.nextNumber, ownsController: state.ownsController)
        }
        try Self.armEach(of: plan) { (fault, mayNotFire) throws(BluetoothFaultLedger.Refusal) in
            _ = try arm(fault, of: node, mayNotFire: mayNotFire)
        }
    }

    /// Calls with the faults of a plan that are below frames; a refusal names the place in the plan.
    private static func armEach(
        of plan: LinkFaultPlan, _ arm: (BluetoothFault, Bool) throws(BluetoothFaultLedger.Refusal) -> Void
    ) throws(FileProblem) {
        for (index, planned) in plan.faults.enumerated() {
            guard case .bluetooth(let fault) = planned.kind else { continue }
            do throws(BluetoothFaultLedger.Refusal) { try arm(fault, planned.mayNotFire) } catch {
                throw FileProblem(line: 0, field: "faults[\(index)].fault", reason: "\(error)")
            }
        }
    }

    /// Arms the plan of a link before the run begins.
    mutating func arm(_ faults: NodeLinkFaults) throws(EmulatorError) {
        guard let node = course.world.node(labelled: faults.label) else { return }
        do throws(FileProblem) {
            if try giveFirst(faults.plan, to: node) { return }
        } catch {
            throw .badLinkFaults(label: faults.label, error)
        }
        throw .badLinkFaults(
            label: faults.label,
            FileProblem(line: 0, reason: "it is no companion radio with an endpoint, or has too many faults"))
    }

    /// Arms a plan before the run begins. A controller of the shell's has its faults of Bluetooth since it was opened.
    private mutating func giveFirst(_ plan: LinkFaultPlan, to node: NodeID) throws(FileProblem) -> Bool {
        let port = seats.indices.first {
            seats[$0].node == node && seats[$0].link == .ble && course.links[$0].bluetooth == nil
        }
        guard let port else { return try give(LinkFaultWish(plan: plan), to: node) }
        try course.links[port].faults?.check(plan)
        let frames = plan.ofFrames
        for (index, fault) in plan.faults.filter(\.kind.isOfBluetooth).enumerated() where fault.mayNotFire {
            course.links[port].mayNotFire.append(index + 1)
        }
        return try give(LinkFaultWish(plan: frames), to: node)
    }

    /// Takes a fault of a node's Bluetooth back, or all of them; false when there is none of this number.
    @discardableResult
    package mutating func disarm(_ number: Int?, of node: NodeID) -> Bool {
        guard let place = bluetoothPlace(of: node), let state = bluetooth(at: place) else { return false }
        guard let number else {
            for entry in state.entries where !entry.isTakenBack { disarm(entry.number, of: node) }
            return true
        }
        guard let entry = state.entries.first(where: { $0.number == number }), !entry.isTakenBack else { return false }
        if course.links[place].bluetooth != nil {
            _ = course.links[place].bluetooth?.air.disarm(number, at: course.world.now)
            attend(place)
        } else {
            var ledger = BluetoothFaultLedger(state.entries)
            _ = ledger.disarm(number)
            seats[place].state.bluetooth?.entries = ledger.entries
            emit(.disarm(number, of: seats[place].client))
        }
        return true
    }

    /// Forgets faults of Bluetooth: the run has gone back. A port is told by `forgets`.
    mutating func forgetBluetoothFaults(at place: Int) {
        course.links[place].bluetooth?.air.forgetFaults(at: course.world.now)
        seats[place].state.bluetooth?.entries = []
        (course.links[place].jig, course.links[place].jigFaults, course.links[place].mayNotFire) = (nil, [], [])
    }

    /// Returns the place of the node's client over Bluetooth.
    func bluetoothPlace(of node: NodeID) -> Int? {
        seats.indices.first { seats[$0].node == node && bluetooth(at: $0) != nil }
    }

    private func bluetooth(at place: Int) -> BluetoothLinkState? {
        guard let link = course.links[place].bluetooth else { return seats[place].state.bluetooth }
        return BluetoothLinkState(ownsController: true, entries: link.air.faults.entries)
    }

    // MARK: Over the link itself

    /// Takes the bench's commands out of what a client has written, and answers them; the rest is for the node.
    mutating func withoutJig(_ input: NodeInput.App, of client: ClientID) -> NodeInput.App? {
        let node = client.node
        guard let place = place(of: client), course.world.companion(node) != nil else { return input }
        guard case .bytes(let bytes) = input else {
            course.links[place].jig?.reset()
            return input
        }
        let isStream = seats[place].link != .ble && course.links[place].bluetooth == nil
        var reader = course.links[place].jig ?? JigReader(isStream: isStream)
        let (passed, commands) = reader.split(bytes)
        course.links[place].jig = reader
        for command in commands { writeFrame(answer(command, of: node, at: place), to: place, isStream: isStream) }
        return passed.isEmpty && !commands.isEmpty ? nil : .bytes(passed)
    }

    private mutating func answer(_ command: JigCommand, of node: NodeID, at place: Int) -> [UInt8] {
        let count = course.links[place].jigFaults.count
        switch command {
        case .version: return JigCommand.versionAnswer(armed: count)
        case .arm(let text): return arm(text, of: node, at: place)
        case .read(let number):
            guard 1...max(1, count) ~= number, count > 0, let text = reading(of: number, of: node, at: place) else {
                return JigCommand.refusal(.notFound, "there is no fault \(number)")
            }
            return JigCommand.readAnswer(text)
        case .disarm(let number?):
            guard number <= count, disarm(course.links[place].jigFaults[number - 1], of: node, at: place) else {
                return JigCommand.refusal(.notFound, "there is no fault \(number)")
            }
            return JigCommand.disarmedAnswer(number)
        case .disarm(nil):
            for fault in course.links[place].jigFaults { _ = disarm(fault, of: node, at: place) }
            return JigCommand.disarmedAnswer(nil)
        case .unknown: return JigCommand.refusal(.unsupportedCmd)
        }
    }

    private mutating func arm(_ text: [UInt8], of node: NodeID, at place: Int) -> [UInt8] {
        guard course.links[place].jigFaults.count < JigCommand.most else {
            return JigCommand.refusal(.tableFull, "the link has \(JigCommand.most) faults, and can have no more")
        }
        do {
            let fault = try PlannedLinkFault(JSONFields(reading: text))
            if case .bluetooth(let below) = fault.kind {
                let number = try arm(below, of: node, mayNotFire: fault.mayNotFire)
                course.links[place].jigFaults.append(.bluetooth(number))
            } else {
                guard try give(LinkFaultWish(plan: LinkFaultPlan([fault])), at: place) else {
                    return JigCommand.refusal(.tableFull, "the link remembers no more faults")
                }
                let demands = course.links[place].faults?.demands.count ?? 1
                course.links[place].jigFaults.append(.demand(demands - 1, fault))
            }
            return JigCommand.armedAnswer(course.links[place].jigFaults.count)
        } catch let problem as FileProblem {
            let field = problem.field.isEmpty ? "" : "\(problem.field) "
            return JigCommand.refusal(.illegalArg, field + problem.reason)
        } catch {
            return JigCommand.refusal(.illegalArg, "\(error)")
        }
    }

    private func reading(of number: Int, of node: NodeID, at place: Int) -> String? {
        switch course.links[place].jigFaults[number - 1] {
        case .bluetooth(let number):
            let entry = bluetoothFaults(of: node).first { $0.number == number }
            return entry.flatMap { try? JigReading($0).jsonText(inOneLine: true) }
        case .demand(let index, let fault):
            let demands = course.links[place].faults?.demands ?? []
            guard index < demands.count, let effect = demands[index].effects(in: course.world).first else { return nil }
            return try? JigReading(fault, effect.count).jsonText(inOneLine: true)
        }
    }

    private mutating func disarm(_ fault: JigFault, of node: NodeID, at place: Int) -> Bool {
        switch fault {
        case .bluetooth(let number): disarm(number, of: node)
        case .demand(let index, _): course.links[place].faults?.disarm(demand: index) ?? false
        }
    }

    /// Writes a frame of the bench to a client, as a frame of its radio is written.
    private mutating func writeFrame(_ frame: [UInt8], to place: Int, isStream: Bool) {
        guard course.links[place].bluetooth != nil else {
            guard isStream else { return write(frame, to: place) }
            if let bytes = StreamFraming.encode(toApp: frame) { write(bytes, to: place) }
            return
        }
        course.links[place].bluetooth?.handle(.appBytes(frame), nil, at: course.world.now)
        attend(place)
    }
}
