package import MeshCompanion
import MeshFiles
import MeshFirmware
package import MeshSimulator
package import MeshTime
import MeshWorlds

/// An experiment: one world under several arms, what is measured, and against which margins, all fixed beforehand.
package struct StudyPlan: Sendable {
    /// One way to set the world up.
    package struct Arm: Sendable {
        package var name: String
        package var firmware: FirmwareVersion?
        /// The firmware of the nodes that the share leaves out; that of the world when `nil`.
        package var otherFirmware: FirmwareVersion?
        var withoutQuirks: [Quirk] = []
        /// The traffic of people, in place of the plan's.
        var traffic: Traffic?
        /// Members of a world file for each role of infrastructure nodes, which all nodes of the role get.
        var settings: [ServerRole: JSONFields] = [:]
        /// The numbers by which frames meet on the air, in place of the world's.
        var air: AirModel?
        /// The behaviour of people and their apps.
        var habits = PeopleHabits()
        /// Faults beside those of the world, as in a world file.
        var faults: [JSONFields] = []
        /// The share of the nodes that get firmware, quirks and settings; each seed draws them.
        var share = 1.0
        /// The nodes that a share begins with: companions, or all others; `nil` where it makes no difference.
        var first: ShareOrder?
    }

    /// A metric and what is compared with it.
    struct Measure: Hashable, Sendable {
        let metric: StudyMetric
        /// Differences within it are of no interest, in the unit of the metric.
        let margin: Double
        /// Greater values count as this one, so that a difference is within it.
        let most: Double
    }

    package var name: String
    package var question: String
    /// Public discussions that ask it.
    package var threads: [String]
    /// As the user named it.
    package var world: String
    package var span: TimeSpan
    package var traffic: Traffic?
    /// The first one is what the others are compared with.
    package var arms: [Arm]
    var measures: [Measure]
    /// The highest rate at which a study of equal arms may call one of them better, over all metrics together.
    package var error: Double
    /// The number of seeds that are run at most, from seed 1.
    package var seeds: Int
    /// Names the study's text, and that of its world file: rows of another text are not mixed with these.
    package var fingerprint: String

    /// The arms that are compared with the first one.
    package var others: ArraySlice<Arm> { arms.dropFirst() }

    /// The numbers by which frames meet on the air, for the lines above a report.
    package var airWords: String {
        arms.allSatisfy { $0.air == nil } ? air.words : "as the arms say"
    }

    /// The air of the world.
    var air: AirModel { (try? base(seed: Seed(1)))?.air ?? AirModel() }

    /// Quirks that some arm goes without.
    package var withoutQuirks: [String] { Set(arms.flatMap(\.withoutQuirks).map(\.rawValue)).sorted() }

    /// Every comparison whose verdict is a finding; the control has one for each metric too.
    var comparisons: Int { arms.count * measures.count }

    /// The world of a seed, before an arm changes it.
    func base(seed: Seed) throws(StudyProblem) -> WorldPlan {
        do {
            return try WorldSource(world, seed: seed).plan
        } catch {
            throw StudyProblem("\(error)")
        }
    }

    /// The same as an arm has it. A greater share has all nodes of a smaller one.
    func plan(_ arm: Arm, on base: WorldPlan, _ seed: Seed) throws(StudyProblem) -> WorldPlan {
        var plan = base
        let order = arm.first.map { ShareOrder.Places($0, in: plan.topology) }
        for index in plan.equipment.indices {
            if arm.share < 1 {
                var random = seed.stream("share", plan.topology.nodes[index].label)
                let draw = Double(random.draw(0, 10_000))
                let place = order.map { $0.place(of: plan.topology.nodes[index].role, draw / 10_000) * 10_000 }
                guard place ?? draw < arm.share * 10_000 else {
                    if let other = arm.otherFirmware { plan.run(other, at: index) }
                    continue
                }
            }
            try change(&plan, at: index, arm)
        }
        if let air = arm.air { plan.air = air }
        if let traffic = arm.traffic ?? traffic { plan.traffic = traffic }
        if let problem = plan.traffic.problem(in: plan.topology) { throw StudyProblem("traffic: \(problem)") }
        try check(arm.habits, in: plan, arm)
        if !arm.faults.isEmpty {
            let places = Dictionary(
                plan.topology.nodes.enumerated().map { ($1.label, $0) }, uniquingKeysWith: { first, _ in first })
            let reader = FaultFields(places: places)
            do {
                plan.faults += try arm.faults.map(reader.read)
            } catch {
                throw StudyProblem("\(error)")
            }
        }
        return plan
    }

    private func change(_ plan: inout WorldPlan, at index: Int, _ arm: Arm) throws(StudyProblem) {
        if let firmware = arm.firmware { plan.run(firmware, at: index) }
        for quirk in arm.withoutQuirks { plan.equipment[index].quirks.remove(quirk) }
        guard let role = plan.topology.nodes[index].role.serverRole, let fields = arm.settings[role] else { return }
        do {
            try plan.equipment[index].read(fields)
        } catch {
            throw StudyProblem("\(error)")
        }
    }

    /// Refuses habits that the world's nodes cannot follow: it would be a study of something else.
    private func check(_ habits: PeopleHabits, in plan: WorldPlan, _ arm: Arm) throws(StudyProblem) {
        let companions = plan.topology.nodes.indices.filter { plan.topology.nodes[$0].role == .companion }
        func know(_ code: CommandCode) -> Bool {
            companions.allSatisfy { plan.equipment[$0].board.firmware.has(since: code.row.since) }
        }
        if habits.pathHashBytes != nil, !know(.setPathHashMode) {
            throw StudyProblem("arm \(arm.name): apps.path_hash_size needs companions with firmware 1.14 or later")
        }
        if habits.region != nil, !know(.setDefaultFloodScope) {
            throw StudyProblem("arm \(arm.name): apps.region needs companions with firmware 1.15 or later")
        }
        if let picture = habits.picture {
            let nodes = plan.topology.nodes
            guard nodes.first(where: { $0.label == picture.from })?.role == .companion else {
                throw StudyProblem("arm \(arm.name): apps.picture.from: '\(picture.from)' is no companion")
            }
            for label in picture.over where nodes.first(where: { $0.label == label })?.role.serverRole != .repeater {
                throw StudyProblem("arm \(arm.name): apps.picture.over: '\(label)' is no repeater")
            }
        }
        if habits.walk != nil, plan.topology.propagation == nil {
            throw StudyProblem("arm \(arm.name): nobody can walk: links of this world follow from no places")
        }
    }
}

/// The reason why a study cannot be run, or its rows cannot be used.
package struct StudyProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
