import MeshTime
import MeshWire
import MeshWorlds

/// The words of a report that text, page, article and summary share.
extension StudyResult {
    /// The answer: a line for each arm, or one line with the reason why no verdict counts.
    var answer: [String] {
        guard !comparisons.isEmpty else { return ["Nothing was compared."] }
        guard isValid else {
            guard idleFaults.isEmpty else {
                return idleFaults.map { "\($0): no verdict of this study counts." }
            }
            let metrics = alarms.map(\.metric.name).joined(separator: ", ")
            return ["\(first) differs from itself in \(metrics): no verdict of this study counts."]
        }
        return plan.others.map { arm in
            let answer = "\(arm.name) against \(first): \(findings(of: arm.name))."
            guard equalArms.contains(arm.name) else { return answer }
            return answer + " It equals \(first) in every figure of every seed: its setting changed nothing."
        }
    }

    /// The settings of the arms, read off their nodes; nothing where they were not read.
    var settings: [String] {
        readings.dropFirst().map { reading in
            let found = reading.differences.joined(separator: "; ")
            return "\(reading.arm), read off its nodes: \(found.isEmpty ? "no setting of a node differs" : found)."
        }
    }

    /// The name of the arm with which the others are compared.
    var first: String { plan.arms[0].name }

    func comparisons(of arm: String) -> [Comparison] { comparisons.filter { $0.arm == arm } }

    private func findings(of arm: String) -> String {
        let rows = comparisons(of: arm)
        func metrics(_ verdict: Verdict, _ words: String) -> String? {
            let names = rows.filter { $0.verdict == verdict }.map(\.metric.name)
            return names.isEmpty ? nil : "\(words) \(names.joined(separator: ", "))"
        }
        return [
            metrics(.firstBetter, "better in"), metrics(.secondBetter, "worse in"),
            metrics(.equivalent, "equivalent in"), metrics(.inconclusive, "undecided in"),
        ]
        .compactMap(\.self).joined(separator: "; ")
    }

    /// The method of the study, in sentences.
    package var method: [String] {
        [
            "World \(plan.world), \(plan.span.milliseconds / 1000) s of each seed, \(seeds) of \(plan.seeds) seeds. "
                + "Each seed runs every arm on the same random numbers.",
            "At most \(Self.short(plan.error * 100)) % of such studies have a false verdict, over all "
                + "\(plan.comparisons) comparisons together.",
        ]
    }

    /// The points in which the simulator is kinder than air, and values that were cut; part of every report.
    package var caveats: [String] {
        let clipped = comparisons.filter { $0.clipped > 0 }.map {
            "\($0.arm), \($0.metric.name): \($0.clipped) seeds count as \(Self.short($0.most)), the greatest value."
        }
        return clipped + assumptions
    }

    var assumptions: [String] {
        var lines = plan.air.kinderThanAir
        if plan.arms.contains(where: { $0.habits.walk != nil }) {
            lines.append("Walkers go straight at one speed, and what houses take from a pair is the same all the way.")
        }
        if plan.arms.contains(where: { $0.habits.picture != nil }) {
            lines.append("Each chunk of a picture goes once: chunks that lack are neither asked for nor sent again.")
        }
        if plan.arms.contains(where: { !$0.faults.isEmpty }) {
            lines.append("Spoiled frames have 1 to 4 wrong bytes at any place, drawn evenly.")
        }
        lines.append("A message of the last seconds counts as lost where it arrives after the end of the run.")
        return lines
    }

    static let caveatsTitle = "Kinder than air, and other caveats"

    /// The number with at most four digits after the point.
    static func short(_ number: Double) -> String {
        let rounded = (number * 10_000).rounded() / 10_000
        return Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
    }

    static func signed(_ number: Double) -> String { (number >= 0 ? "+" : "") + short(number) }
}

extension StudyResult.Comparison {
    /// The verdict in words that name the arms.
    func words(first: String) -> String {
        switch verdict {
        case .firstBetter: "\(arm) is better"
        case .secondBetter: "\(first) is better"
        case .equivalent: "equivalent"
        case .inconclusive: "inconclusive"
        }
    }

    /// The difference with its interval.
    package var interval: String {
        "\(StudyResult.signed(last.effect)) [\(StudyResult.signed(last.low)), \(StudyResult.signed(last.high))]"
    }

    package var means: String { "\(StudyResult.short(firstMean)) → \(StudyResult.short(armMean))" }
}
