import MeshFirmware
import MeshTime

/// The fate of one stored value between two releases.
package struct StateFate: Hashable, Sendable, Encodable {
    /// The step between two starts.
    package enum Step: String, Hashable, Sendable, CaseIterable, Encodable {
        /// Written by the old release, read by the new one.
        case update
        /// Set under the new release, read after its restart.
        case restart
        /// Set under the new release, read by the old one.
        case back = "way back"
    }

    /// The fate of the value.
    package enum Outcome: String, Hashable, Sendable, CaseIterable, Encodable {
        case kept
        case changed
        /// It is gone, or that of a new node.
        case lost
        /// It is that of the time before the update.
        case outdated = "old again"
        /// The old release has no such value; nothing can be lost.
        case unknown = "unknown there"

        /// Tells whether the user misses something.
        var isLoss: Bool { self == .changed || self == .lost || self == .outdated }
    }

    /// The kind of node.
    package let node: String
    package let step: Step
    package let value: StoredValue
    package let outcome: Outcome
    /// The value at the end; `nil` where the node shows none.
    package let after: String?

    /// One line: the name, and the value before and after.
    package var line: String { "\(value.name): \(value.value) → \(after ?? "nothing")" }
}

/// The way of a node's files from one release to another and back.
struct StateTransfer {
    let subject: ReleaseSubject
    let old: ComparedRelease
    let new: ComparedRelease
    var seeds = ReleaseSeeds()

    /// Starts the nodes, and returns the fate of every value that was set.
    func perform() throws -> [StateFate] {
        let factoryOld = StateReading(try boot(old, 0).read())
        let factoryNew = StateReading(try boot(new, 1).read())
        let first = try boot(old, 2)
        try first.fill(0)
        try first.settle()
        let before = StateReading(try boot(old, 3, on: first.flash).read())

        let updated = try boot(new, 4, on: first.flash)
        let after = StateReading(try updated.read())
        // What the old release itself does not keep, or nobody has set, is no state.
        let stored = before.values.filter { factoryOld[$0] != $0.value }
        let update = stored.map { fate($0, .update, after[$0], fresh: factoryNew[$0]) }

        try updated.fill(1)
        try updated.settle()
        let set = StateReading(try updated.read())
        let again = StateReading(try boot(new, 5, on: updated.flash).read())
        let lasting = try lastingChanges(on: first.flash)
        let changed = set.values.filter { lasting.contains($0.key) && after[$0] != $0.value }
        let restart = changed.map { fate($0, .restart, again[$0], fresh: factoryNew[$0], earlier: after[$0]) }

        let reverted = StateReading(try boot(old, 6, on: updated.flash).read())
        let back = again.values.filter { after[$0] != $0.value }.map { value in
            fate(
                value, .back, reverted[value], fresh: factoryOld[value], earlier: before[value],
                isKnown: isKnown(value, factoryOld, before))
        }
        return update + restart + back
    }

    /// The values that the old release itself keeps when they are set anew.
    private func lastingChanges(on flash: Flash) throws -> Set<String> {
        let node = try boot(old, 8, on: flash)
        let before = StateReading(try node.read())
        try node.fill(1)
        try node.settle()
        let set = StateReading(try node.read())
        let again = StateReading(try boot(old, 10, on: node.flash).read())
        return Set(set.values.filter { before[$0] != $0.value && again[$0] == $0.value }.map(\.key))
    }

    /// Tells whether the old release has a value of this name, or has lists in which it could stand.
    private func isKnown(_ value: StoredValue, _ factory: StateReading, _ before: StateReading) -> Bool {
        if factory[value] != nil || before[value] != nil { return true }
        return Self.lists.contains(value.group) && before.values.contains { $0.group == value.group }
    }

    /// The kinds of state that are lists of entries, which every release can hold.
    private static let lists: Set<String> = ["contacts", "channels", "regions", "access list"]

    private func fate(
        _ value: StoredValue, _ step: StateFate.Step, _ after: String?, fresh: String?, earlier: String? = nil,
        isKnown: Bool = true
    ) -> StateFate {
        let outcome: StateFate.Outcome =
            if after == value.value {
                .kept
            } else if !isKnown {
                .unknown
            } else if after == nil {
                .lost
            } else if after == earlier {
                .outdated
            } else if after == fresh {
                .lost
            } else {
                .changed
            }
        return StateFate(node: subject.words, step: step, value: value, outcome: outcome, after: after)
    }

    /// A node of a release; each has draws of its own, so that a lost key is another one.
    private func boot(
        _ release: ComparedRelease, _ place: UInt64, on flash: Flash = Flash()
    ) throws -> any StatefulNode {
        let seed = Seed((place.isMultiple(of: 2) ? seeds.old : seeds.new) &* 64 &+ place)
        switch subject {
        case .companion: return StatefulCompanion(release, seed: seed, on: flash)
        case .server(let role): return StatefulServer(role, release, seed: seed, on: flash)
        }
    }

    // MARK: Findings

    /// One finding for each node, kind of state and step in which something is missed; one more for what only the new
    /// release can hold.
    static func findings(_ fates: [StateFate], _ old: ComparedRelease, _ new: ComparedRelease) -> [ReleaseFinding] {
        var findings: [ReleaseFinding] = []
        for (place, all) in grouped(fates) {
            let missed = all.filter(\.outcome.isLoss)
            guard let first = missed.first else { continue }
            let words =
                switch first.step {
                case .update: "after an update from \(old.name) to \(new.name)"
                case .restart: "after a restart of \(new.name)"
                case .back: "after going back from \(new.name) to \(old.name)"
                }
            findings.append(
                ReleaseFinding(
                    weight: .lostState, id: "state/" + place.replacing(" ", with: "-"),
                    title: "\(first.node), \(first.value.group): \(missed.count) of \(all.count) values are not as set "
                        + words,
                    details: missed.map { "\($0.outcome.rawValue): \($0.line)" }))
        }
        let unknown = fates.filter { $0.outcome == .unknown }
        if !unknown.isEmpty {
            findings.append(
                ReleaseFinding(
                    weight: .gain, id: "state/new", title: "\(unknown.count) values can be set in \(new.name) alone",
                    details: unknown.map { "\($0.node): \($0.value.name)" }))
        }
        return findings
    }

    /// The fates by node, kind of state and step, in their order.
    static func grouped(_ fates: [StateFate]) -> [(place: String, fates: [StateFate])] {
        var groups: [(place: String, fates: [StateFate])] = []
        for fate in fates {
            let place = "\(fate.node)/\(fate.value.group)/\(fate.step.rawValue)"
            if let index = groups.firstIndex(where: { $0.place == place }) {
                groups[index].fates.append(fate)
            } else {
                groups.append((place, [fate]))
            }
        }
        return groups
    }
}
