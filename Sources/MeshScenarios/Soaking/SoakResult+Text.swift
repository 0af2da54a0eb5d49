import Foundation

extension SoakResult {
    /// For people: counts, then states with their shares, those that were never reached last. Failures are printed
    /// elsewhere.
    public var text: String {
        var lines = [
            "\(path): \(played) seeds, \(kept) kept, \(failures.count) broken"
                + (notRun > 0 ? ", \(notRun) not run" : "")
                + (problems.isEmpty ? "" : ", \(problems.count) could not be run")
                + String(format: "; %.1f seeds/s", seedsPerSecond)
        ]
        for state in states where state.count > 0 {
            lines.append(String(format: "  %6d  %5.1f %%  ", state.count, share(of: state) * 100) + state.name)
        }
        for name in neverReached { lines.append("   never           " + name) }
        for problem in problems { lines.append("  FAILED seed \(problem.seed): \(problem.reason)") }
        return lines.joined(separator: "\n")
    }
}
