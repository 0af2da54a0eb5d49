import FoundationEssentials
import MeshWire

/// All figures of one benchmark, and where they were measured: what one run saves and another one compares itself with.
struct BenchReport: Hashable, Sendable, Encodable {
    /// The build that was measured; members as in the provenance of every other output.
    struct Build: Hashable, Sendable, Codable {
        var version: String
        var commit: String?
    }

    /// The benchmark's name in `meshbed bench`.
    let bench: String
    let provenance: Build
    /// Times of two machines say nothing of two programs.
    let machine: String
    var figures: [BenchFigure] = []
    /// Results that are no numbers and the same in equal runs: digests by name.
    var digests: [String: String] = [:]

    init(_ bench: String, provenance: Build, machine: String = Self.thisMachine) {
        self.bench = bench
        self.provenance = provenance
        self.machine = machine
    }

    /// Adds figures. Those of a name that is there already are another repetition.
    mutating func add(_ new: [BenchFigure]) {
        for figure in new {
            if let index = figures.firstIndex(where: { $0.name == figure.name }) {
                figures[index].samples += figure.samples
            } else {
                figures.append(figure)
            }
        }
    }

    mutating func add(digest: String, of name: String) { digests[name] = digest }

    /// The processor of this machine, as its kernel calls it, and how many of them there are.
    static let thisMachine: String = {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = text.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last
        let name = model.map { String($0).trimmed } ?? "unknown processor"
        return "\(ProcessInfo.processInfo.activeProcessorCount) × \(name)"
    }()
}
