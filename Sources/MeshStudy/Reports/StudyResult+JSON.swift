import MeshTime

/// As an object for programs: what was asked, on what it rests, and every look.
extension StudyResult: Encodable {
    private enum Key: String, CodingKey {
        case study, question, threads, world, simulatedSeconds, version, fingerprint, seeds, plannedSeeds, error
        case errorPerInterval, valid, comparisons, control, assumptions, equalArms, settings, idleFaults
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(plan.name, forKey: .study)
        try members.encode(plan.question, forKey: .question)
        try members.encode(plan.threads, forKey: .threads)
        try members.encode(plan.world, forKey: .world)
        try members.encode(Double(plan.span.milliseconds) / 1000, forKey: .simulatedSeconds)
        try members.encode(version, forKey: .version)
        try members.encode(plan.fingerprint, forKey: .fingerprint)
        try members.encode(seeds, forKey: .seeds)
        try members.encode(plan.seeds, forKey: .plannedSeeds)
        try members.encode(plan.error, forKey: .error)
        try members.encode(share, forKey: .errorPerInterval)
        try members.encode(isValid, forKey: .valid)
        try members.encode(comparisons, forKey: .comparisons)
        try members.encode(control, forKey: .control)
        try members.encode(assumptions, forKey: .assumptions)
        try members.encode(equalArms, forKey: .equalArms)
        try members.encode(settings, forKey: .settings)
        try members.encode(idleFaults, forKey: .idleFaults)
    }
}

extension StudyResult.Comparison: Encodable {
    private enum Key: String, CodingKey {
        case arm, metric, margin, most, firstMean, armMean, verdict, decidedAt, clipped, looks
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(arm, forKey: .arm)
        try members.encode(metric.name, forKey: .metric)
        try members.encode(margin, forKey: .margin)
        try members.encode(most, forKey: .most)
        try members.encode(firstMean, forKey: .firstMean)
        try members.encode(armMean, forKey: .armMean)
        try members.encode(Self.name(verdict), forKey: .verdict)
        try members.encodeIfPresent(decidedAt, forKey: .decidedAt)
        try members.encode(clipped, forKey: .clipped)
        try members.encode(looks, forKey: .looks)
    }

    private static func name(_ verdict: Verdict) -> String {
        switch verdict {
        case .firstBetter: "arm-better"
        case .secondBetter: "first-better"
        case .equivalent: "equivalent"
        case .inconclusive: "inconclusive"
        }
    }
}
