import MeshBluetoothHost
package import MeshCompanion
package import MeshSimulator
package import MeshTime
package import MeshTransports

/// Faults that a client's link was given, with the counter of what they did: the rates of one direction, or one planned
/// fault.
package struct LinkFaultDemand: Sendable {
    private enum Wish {
        case rates(LinkFaults)
        case planned(PlannedLinkFault, place: Int, number: Int)
        case bluetooth(BluetoothFaultLedger.Entry)
    }

    /// One fault of a demand with its effects.
    package struct Effect: Sendable {
        /// The fault in words, of a link by this name.
        package let words: @Sendable (String) -> String
        package let count: FaultCount
    }

    /// The direction of the frames that they concern.
    package let way: FrameDirection
    /// Tells whether a run in which they do nothing is valid all the same.
    package let mayNotFire: Bool
    private let wish: Wish
    private let counter: LinkFaultCounter
    /// Faults of the world that a planned change of the power has become.
    var worldFaults: [Int] = []

    init(_ faults: LinkFaults, _ way: FrameDirection, counter: LinkFaultCounter, mayNotFire: Bool) {
        wish = .rates(faults)
        self.way = way
        self.counter = counter
        self.mayNotFire = mayNotFire
    }

    init(_ fault: PlannedLinkFault, place: Int, number: Int, counter: LinkFaultCounter) {
        wish = .planned(fault, place: place, number: number)
        way = fault.way
        self.counter = counter
        mayNotFire = fault.mayNotFire
    }

    /// A fault of the link's Bluetooth, with its count up to now.
    init(_ entry: BluetoothFaultLedger.Entry, mayNotFire: Bool) {
        wish = .bluetooth(entry)
        way = .toApp
        counter = LinkFaultCounter()
        self.mayNotFire = mayNotFire
    }

    /// The number of a planned fault on its link.
    var number: Int? { if case .planned(_, _, let number) = wish { number } else { nil } }

    /// The effects of its faults up to now.
    package func effects(in world: World) -> [Effect] {
        switch wish {
        case .rates(let faults):
            let end = way == .toApp ? "app" : "radio"
            return faults.parts.map { part in
                Effect(words: { "link-\(part.rawValue) of \($0), to the \(end)" }, count: counter.count(of: part))
            }
        case .planned(let fault, let place, _):
            var count = counter.count(ofPlanned: place)
            if case .brownOut = fault.kind { for number in worldFaults { count.add(world.effect(ofFault: number)) } }
            return [Effect(words: { "link fault of \($0), \(fault)" }, count: count)]
        case .bluetooth(let entry):
            return [Effect(words: { "link fault of \($0), \(entry.fault)" }, count: entry.count)]
        }
    }

    /// Tells whether a fault of it has done nothing and had to.
    package func isIdle(_ effect: Effect) -> Bool { !mayNotFire && !effect.count.hasFired }
}

extension LinkPowerFault.Kind {
    /// Tells whether the power changes at once, and not in a write of the board.
    var isAtOnce: Bool {
        switch self {
        case .reboot, .off: true
        case .brownOut: false
        }
    }

    /// The fault of the world that it becomes at a moment.
    package func fault(of node: NodeID, at now: Instant) -> Fault {
        var fault =
            switch self {
            case .reboot: Fault(.reboot(node), from: now)
            case .off(let span): Fault(.crash(node), from: now, to: now + span)
            case .brownOut(let bytes, let span): Fault(.tornWrite(node, bytes: bytes), from: now, to: now + span)
            }
        // The plan judges it.
        fault.mayNotFire = true
        return fault
    }
}
