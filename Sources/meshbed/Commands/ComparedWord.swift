import ArgumentParser
import MeshCompanion
import MeshFiles
import MeshReleases
import MeshReports

/// One side of `compare-firmware`: a version of the firmware, or a report of a node that was asked elsewhere.
enum ComparedWord: Hashable, Sendable {
    case version(FirmwareVersion)
    /// The path of a file that `comply --json` has written.
    case report(String)

    /// Reads an argument: a version by its name, else a path that ends in `.json`, has a slash, or is `-`.
    static func read(_ text: String) throws -> ComparedWord {
        if let version = FirmwareVersion(named: text) { return .version(version) }
        if text == "-" || text.contains("/") || text.lowercased().hasSuffix(".json") { return .report(text) }
        return .version(try Emulate.version(text))
    }

    var isReport: Bool { if case .report = self { true } else { false } }

    /// The release, or the node of the report; throws the first mistake of a file that is none.
    func release() throws -> ComparedRelease {
        switch self {
        case .version(let version): return ComparedRelease(version)
        case .report(let path):
            let bytes = try FileSystem.readInput(path, atMost: TestReport.longestFile)
            return try ComparedRelease(NodeReport(reading: bytes, of: path))
        }
    }
}
