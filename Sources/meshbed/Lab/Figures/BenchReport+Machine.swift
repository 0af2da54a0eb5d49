import FoundationEssentials
import MeshStudy
import MeshWire

extension BenchReport {
    /// The processor of this machine, as its kernel calls it, and how many of them there are.
    static let thisMachine: String = {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = text.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last
        let name = model.map { String($0).trimmed } ?? "unknown processor"
        return "\(ProcessInfo.processInfo.activeProcessorCount) × \(name)"
    }()
}
