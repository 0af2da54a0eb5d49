/// All figures of one benchmark, and where they were measured: what one run saves and another one compares itself with.
package struct BenchReport: Hashable, Sendable, Encodable {
    /// The build that was measured; members as in the provenance of every other output.
    package struct Build: Hashable, Sendable, Codable {
        var version: String
        var commit: String?

        package init(version: String, commit: String?) { (self.version, self.commit) = (version, commit) }
    }

    /// The benchmark's name in `meshbed bench`.
    package let bench: String
    let provenance: Build
    /// Times of two machines say nothing of two programs.
    let machine: String
    var figures: [BenchFigure] = []
    /// Results that are no numbers and the same in equal runs: digests by name.
    var digests: [String: String] = [:]

    package init(_ bench: String, provenance: Build, machine: String) {
        self.bench = bench
        self.provenance = provenance
        self.machine = machine
    }

    /// Adds figures. Those of a name that is there already are another repetition.
    package mutating func add(_ new: [BenchFigure]) {
        for figure in new {
            if let index = figures.firstIndex(where: { $0.name == figure.name }) {
                figures[index].samples += figure.samples
            } else {
                figures.append(figure)
            }
        }
    }

    package mutating func add(digest: String, of name: String) { digests[name] = digest }
}
