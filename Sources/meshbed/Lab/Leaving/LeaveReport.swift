import MeshCompanion
import MeshEmulator
import MeshTime

/// The results of a survey: how many pairs there were, what failed, and how long apps needed to recover.
struct LeaveReport: Sendable {
    let run: LeaveRun
    let crossings: [LeavingLink.Crossing]
    let outcomes: [LeaveOutcome]
    /// Seconds that the survey lasted.
    var seconds = 0.0

    init(run: LeaveRun, crossings: [LeavingLink.Crossing], outcomes: [LeaveOutcome]) {
        self.run = run
        self.crossings = crossings
        self.outcomes = outcomes
    }

    /// The runs that did not end as they have to.
    var failures: [LeaveOutcome] { outcomes.filter { !$0.faults.isEmpty } }
    /// Messages that the radio had forgotten by itself, in all runs together.
    var forgotten: Int { outcomes.reduce(0) { $0 + $1.forgotten } }
    /// Runs in which the user had to connect again although the link came back by itself.
    var givenUp: Int { outcomes.count { $0.isByHand && $0.pair.back != .byHand } }

    /// The times of some runs, in seconds.
    struct Row: Hashable, Sendable, Codable {
        let name: String
        let runs: Int
        let failures: Int
        let least: Double
        let median: Double
        let ninetieth: Double
        let ninetyNinth: Double
        let most: Double

        init(_ name: String, _ outcomes: [LeaveOutcome]) {
            self.name = name
            runs = outcomes.count
            failures = outcomes.count { !$0.faults.isEmpty }
            let times = outcomes.map { $0.recovery / .seconds(1) }.sorted()
            (least, most) = (times.first ?? 0, times.last ?? 0)
            (median, ninetieth, ninetyNinth) = (Self.rank(50, times), Self.rank(90, times), Self.rank(99, times))
        }

        /// The least of sorted values that so many of a hundred do not exceed; 0 without values.
        private static func rank(_ percent: Int, _ sorted: [Double]) -> Double {
            sorted.isEmpty ? 0 : sorted[max(0, (sorted.count * percent + 99) / 100 - 1)]
        }
    }

    /// Runs whose link ended and nothing else happened, by the return.
    var byReturn: [Row] {
        LeaveReturn.departures.map { back in
            Row("left, " + back.words, plain.filter { $0.pair.back == back })
        }
    }

    /// The same by the phase in which the link ended.
    var byPhase: [Row] {
        LeavePhase.allCases.map { phase in
            Row("in \(phase.rawValue)", plain.filter { self.phase(of: $0.pair.place) == phase })
        }
    }

    /// The same by the synchronisation: the first, and the second, which asks for changes.
    var bySync: [Row] {
        [1, 2].map { number in
            Row(
                "in the \(number == 1 ? "first" : "second") sync",
                plain.filter { connection(of: $0.pair.place) == number })
        }
    }

    /// The connection that a place belongs to; `nil` for one without a frame.
    private func connection(of place: LeavePlace) -> Int? {
        guard case .frame(let number, _, _) = place, crossings.indices.contains(number) else { return nil }
        return crossings[number].connection
    }

    /// Runs with an event at the radio, by the event and whether the link stayed.
    var byOccasion: [Row] {
        LeaveOccasion.allCases.flatMap { occasion in
            [LeaveReturn.stays, .fiveSeconds].map { back in
                Row(
                    occasion.rawValue + (back == .stays ? "" : ", left, " + back.words),
                    outcomes.filter { $0.pair.occasion == occasion && $0.pair.back == back })
            }
        }
    }

    /// Runs without an event at the radio.
    private var plain: [LeaveOutcome] { outcomes.filter { $0.pair.occasion == nil } }

    /// The phase that a place belongs to.
    func phase(of place: LeavePlace) -> LeavePhase {
        switch place {
        case .connect: .connect
        case .idle: .idle
        case .frame(let number, _, _): crossings.indices.contains(number) ? crossings[number].phase : .idle
        }
    }

    /// The seconds to recovery of the runs that ended well, by the return, for the plot.
    var series: [(name: String, seconds: [Double])] {
        LeaveReturn.departures.map { back in
            (back.words, plain.filter { $0.pair.back == back && $0.faults.isEmpty }.map { $0.recovery / .seconds(1) })
        }
    }

    /// The command line that repeats one pair alone.
    func command(repeating pair: LeavePair) -> String {
        var words = ["meshbed bench leave", "--only", pair.description]
        let load = run.load
        for (option, value, usual) in [
            ("--contacts", load.contacts, 350), ("--channels", load.channels, 40), ("--messages", load.messages, 100),
        ] where value != usual {
            words += [option, "\(value)"]
        }
        if run.over != .direct { words += ["--over", run.over.rawValue] }
        if run.firmware != .standard { words += ["--firmware", run.firmware.name] }
        if let order = run.order { words += ["--order", "\(order.value)"] }
        if run.seed.value != 1 { words += ["--seed", "\(run.seed.value)"] }
        return words.joined(separator: " ")
    }
}

extension LeaveReturn {
    /// The return in a sentence.
    var words: String {
        switch self {
        case .stays: "the link stays"
        case .oneSecond: "back after 1 s"
        case .fiveSeconds: "back after 5 s"
        case .thirtyOneSeconds: "back after 31 s"
        case .byHand: "connected by hand"
        }
    }
}
