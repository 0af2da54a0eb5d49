import MeshWire

extension SoakResult {
    /// For people: counts, then states with their shares, those that were never reached last. Failures are printed
    /// elsewhere.
    public var text: String {
        var lines = [
            "\(path): \(played) seeds, \(kept) kept, \(failures.count) broken"
                + (notRun > 0 ? ", \(notRun) not run" : "")
                + (invalid.isEmpty ? "" : ", \(invalid.count) invalid")
                + (problems.isEmpty ? "" : ", \(problems.count) could not be run")
                + "; \(seedsPerSecond.fixed(1)) seeds/s"
        ]
        for state in states where state.count > 0 {
            let share = (share(of: state) * 100).fixed(1).alignedRight(to: 5)
            lines.append("  " + "\(state.count)".alignedRight(to: 6) + "  \(share) %  " + state.name)
        }
        for name in neverReached { lines.append("   never           " + name) }
        if faults.begun > 0 { lines.append("  \(faults.fired) of \(faults.begun.counted("fault")) took effect") }
        for seed in invalid { lines.append("  INVALID seed \(seed.seed): " + seed.reasons.joined(separator: "; ")) }
        for problem in problems { lines.append("  FAILED seed \(problem.seed): \(problem.reason)") }
        return lines.joined(separator: "\n")
    }
}
