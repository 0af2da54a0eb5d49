public import MeshBoards
public import MeshCompanion
import MeshEmulator
import MeshFiles
import MeshSimulator
import MeshTime
public import MeshTransports
import Synchronization

/// A fault of the link between an app and its radio that is armed in advance, and happens at its occasion.
public struct PlannedFault: CountedFault {
    let who: Member
    let fault: PlannedLinkFault
    public var isOptional: Bool

    init(_ who: Member, _ fault: PlannedLinkFault) {
        self.who = who
        self.fault = fault
        isOptional = fault.mayNotFire
    }

    public var sentence: String { "\(who.name)'s link has the fault \(fault)" }
    public var cast: [Member] { [who] }
    /// Any app's end of its link is ours; its board is not.
    public var needs: Abilities { fault.kind.needsPower ? .power : [] }

    public func start(on stage: Stage) async throws -> FaultReading {
        let link = try stage.player(who).faults
        let counter = LinkFaultCounter()
        let cuts = PowerCuts()
        let who = who
        var power: FaultyTransport.Power?
        if fault.kind.needsPower {
            power = { [weak stage] change in
                guard let stage else { return }
                let number = try? await stage.withWorld { world in
                    world.schedule(change.kind.fault(of: try world.node(of: who), at: world.now))
                }
                if let number { cuts.add(number) }
            }
        }
        let numbers = try await link.arm(LinkFaultPlan([fault]), counter: counter, power: power)
        stage.proofs.arm(numbers, sentence)
        let isBrownOut = fault.kind.id == .brownOut
        return FaultReading { world in
            guard isBrownOut else { return counter.count(ofPlanned: 0) }
            return cuts.effect(in: world)
        }
    }

    public func end(on stage: Stage) async throws {
        guard let numbers = stage.proofs.disarm(sentence) else { return }
        await (try stage.player(who)).faults.disarm(numbers)
    }
}

/// The faults of the world that changes of a board's power have become.
private final class PowerCuts: Sendable {
    private let numbers = Mutex<[Int]>([])

    func add(_ number: Int) { numbers.withLock { $0.append(number) } }

    func effect(in world: World?) -> FaultCount {
        var count = FaultCount()
        guard let world else { return count }
        for number in numbers.withLock({ $0 }) { count.add(world.effect(ofFault: number)) }
        return count
    }
}

extension Person {
    /// Something happens to the link between app and radio at an occasion from now on:
    /// `alice.linkFault(.cut(bytes: 3), at: .frame(.contact, number: 3))`.
    ///
    /// - Parameters:
    ///   - way: the direction; without one it is that of the occasion's frame, else to the app.
    ///   - times: the number of occasions; without one it is the usual number of the kind.
    public func linkFault(
        _ kind: LinkFaultKind, at occasion: LinkOccasion, way: FrameDirection? = nil, times: Int? = nil
    ) -> PlannedFault {
        PlannedFault(member, PlannedLinkFault(kind, way: way, at: occasion, times: times))
    }
}

extension Stage {
    /// Refuses planned faults that their links cannot have, before anything starts.
    ///
    /// Lines that follow each other directly are one plan, whose faults must not exclude each other.
    func checkLinkPlans() throws {
        try checkLinkPlans(scenario.script)
    }

    private func checkLinkPlans(_ steps: [Step]) throws {
        var plans: [(who: Member, faults: [PlannedFault])] = []
        func check() throws {
            for plan in plans { try self.check(plan.faults, of: plan.who) }
            plans = []
        }
        for step in steps {
            switch step {
            case .fault(let fault as PlannedFault, _):
                if let place = plans.firstIndex(where: { $0.who == fault.who }) {
                    plans[place].faults.append(fault)
                } else {
                    plans.append((fault.who, [fault]))
                }
            case .fault: break
            case .at(_, let steps), .when(_, let steps), .meanwhile(let steps): try checkLinkPlans(steps)
            case .does, .expects, .stays, .waits: try check()
            }
        }
        try check()
    }

    private func check(_ faults: [PlannedFault], of who: Member) throws {
        do throws(FileProblem) {
            try LinkFaultPlan(faults.map(\.fault)).check(on: mesh.carrier(of: who))
        } catch {
            throw ScenarioError("the faults of \(who.name)'s link: \(error)")
        }
    }
}
