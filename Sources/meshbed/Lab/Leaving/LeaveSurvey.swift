import MeshCompanion
import MeshEmulator
import MeshWorlds

/// All pairs of a synchronisation, or some of them, carried out on several threads.
///
/// One run without an end of the link lists the frames of two synchronisations in both directions. Each side of each
/// frame is a place, and each place is left once for each return. The events at the radio come at each frame, with a
/// link that stays and with one that ends for five seconds.
struct LeaveSurvey: Sendable {
    var run = LeaveRun()
    /// Each nth place of the frames alone; the places without a frame are always among them.
    var every = 1
    /// Pairs, or beginnings of them, that are carried out alone; all when empty.
    var only: [String] = []
    /// Threads; each carries out one pair at a time.
    var jobs = 1

    /// The pairs and the frames that they are about.
    struct Plan: Sendable {
        let crossings: [LeavingLink.Crossing]
        let pairs: [LeavePair]
    }

    /// Lists the frames and chooses pairs; throws where the synchronisation fails by itself, or where a name of `only`
    /// chooses no pair.
    func plan() throws -> Plan {
        let crossings = try run.crossings()
        let all = pairs(of: crossings)
        guard !only.isEmpty else { return Plan(crossings: crossings, pairs: all) }
        var chosen: Set<LeavePair> = []
        for name in only {
            let named = Self.pairs(named: name, among: all)
            if named.isEmpty { throw UnknownPair(name: name) }
            chosen.formUnion(named)
        }
        return Plan(crossings: crossings, pairs: all.filter(chosen.contains))
    }

    /// A name that chooses no pair.
    struct UnknownPair: Error, Hashable, Sendable, CustomStringConvertible {
        let name: String

        var description: String { "'\(name)' is no pair, and no beginning of one" }
    }

    /// The pair of this name, or else all whose names begin with its parts.
    private static func pairs(named name: String, among all: [LeavePair]) -> [LeavePair] {
        if let pair = all.first(where: { $0.description == name }) { return [pair] }
        return all.filter { $0.description.hasPrefix(name + "/") || $0.description.hasPrefix(name + ".") }
    }

    private func pairs(of crossings: [LeavingLink.Crossing]) -> [LeavePair] {
        // A single pair is found among all.
        let step = only.isEmpty ? max(1, every) : 1
        var pairs = LeaveReturn.departures.map { LeavePair(.connect, $0) }
        for (number, crossing) in crossings.enumerated() where number.isMultiple(of: step) {
            for side in LeavePlace.Side.allCases where hasSide(side, crossing) {
                let place = LeavePlace.frame(number, crossing.direction, side)
                pairs += LeaveReturn.departures.map { LeavePair(place, $0) }
            }
            pairs += occasions(at: .frame(number, crossing.direction, .after))
        }
        pairs += LeaveReturn.departures.map { LeavePair(.idle, $0) }
        return pairs + occasions(at: .idle)
    }

    /// Half a frame reaches a radio over a stream alone: a Bluetooth value is written whole or not at all.
    private func hasSide(_ side: LeavePlace.Side, _ crossing: LeavingLink.Crossing) -> Bool {
        side != .inside || crossing.direction == .toRadio && run.over == .direct
    }

    private func occasions(at place: LeavePlace) -> [LeavePair] {
        LeaveOccasion.allCases.flatMap { occasion in
            // A radio that restarts ends the link itself.
            (occasion == .reboot ? [.stays] : [.stays, .fiveSeconds]).map { LeavePair(place, $0, occasion) }
        }
    }

    /// Carries out the pairs of a plan; the results do not depend on the number of threads.
    ///
    /// It blocks the calling thread, which must not be one of the cooperative pool. `progress` receives the number of
    /// finished runs now and then.
    func perform(_ plan: Plan, progress: (Int) -> Void = { _ in }) -> LeaveReport {
        let clock = ContinuousClock()
        let start = clock.now
        let run = run
        var outcomes: [LeaveOutcome] = []
        let batch = max(1, jobs) * 32
        while outcomes.count < plan.pairs.count {
            let pairs = [LeavePair](plan.pairs[outcomes.count...].prefix(batch))
            outcomes += SeedJobs(jobs).map(pairs) { run.play($0) }
            progress(outcomes.count)
        }
        var report = LeaveReport(run: run, crossings: plan.crossings, outcomes: outcomes)
        report.seconds = (clock.now - start) / .seconds(1)
        return report
    }
}
