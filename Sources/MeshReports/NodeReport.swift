package import MeshFiles
import MeshWire

/// A report of `comply` on one implementation, with the name of its file.
package struct NodeReport: Sendable {
    /// The path as the user gave it.
    package let file: String
    package let report: TestReport
    package let node: TestedNode
    /// The entries by their identifiers.
    package let entries: [String: TestReport.Entry]

    /// Statements that a report may have.
    private static let mostChecks = 10_000

    /// Throws when it is no report of `comply`, says nothing of its node, has a statement twice or too many of them.
    package init(_ report: TestReport, of file: String) throws(FileProblem) {
        func problem(_ reason: String) -> FileProblem { FileProblem(file: file, line: 0, reason: reason) }
        guard report.command == "comply" else {
            throw problem("is a report of '\(report.command.visibleLine)', not of comply")
        }
        guard let node = report.node else { throw problem("says nothing of the node that was checked") }
        guard report.entries.count <= Self.mostChecks else {
            throw problem("has \(report.entries.count) statements, and \(Self.mostChecks) are read")
        }
        var entries: [String: TestReport.Entry] = [:]
        for entry in report.entries where entries.updateValue(entry, forKey: entry.id) != nil {
            throw problem("has the statement \(entry.id.visibleLine) twice")
        }
        (self.file, self.report, self.node, self.entries) = (file, report, node, entries)
    }

    /// Reads the bytes of a file that `comply --json` has written; the first mistake is thrown with the file's name.
    package init(reading bytes: [UInt8], of file: String) throws(FileProblem) {
        try self.init(TestReport(reading: bytes, of: file), of: file)
    }

    /// The name of the implementation: its own, or the target that was asked.
    package var name: String { node.title.isEmpty ? report.target : node.title }
}
