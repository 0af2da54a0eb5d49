import MeshCompanion
import MeshCompliance
import MeshFiles
import MeshStudy

/// As an object for programs: the answer, every difference, and the fate of every value.
extension FirmwareComparisonReport: Encodable {
    private enum Key: String, CodingKey {
        case old, new, safe, answer, findings, table, statementsAsked, statementsKept, state, mesh, method, caveats
        case role, against, notCompared, notAsked
    }

    private struct Table: Encodable {
        let switches: [TableDifferences.Switch]
        let commandsGone: [String]
        let commandsNew: [String]
        let statements: [[String: String]]
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(old.name, forKey: .old)
        try members.encode(new.name, forKey: .new)
        try members.encode(counting.isEmpty, forKey: .safe)
        try members.encode(answer, forKey: .answer)
        try members.encode(findings, forKey: .findings)
        let (gone, fresh) = table.commands
        let statements = table.statements.map { ["id": $0.id, "title": $0.title, "difference": $0.words] }
        try members.encode(
            Table(switches: table.switches, commandsGone: gone, commandsNew: fresh, statements: statements),
            forKey: .table)
        try members.encode(statementsAsked, forKey: .statementsAsked)
        try members.encode(statementsKept, forKey: .statementsKept)
        try members.encode(fates, forKey: .state)
        try members.encodeIfPresent(mesh, forKey: .mesh)
        if let reported {
            try members.encode(reported.subject.words, forKey: .role)
            try members.encode(reported.reference, forKey: .against)
            try members.encode(reported.uncompared, forKey: .notCompared)
            try members.encode(ReportedExtent.unasked, forKey: .notAsked)
        }
        try members.encode(method, forKey: .method)
        try members.encode(caveats, forKey: .caveats)
    }

    /// The object as text, with a line for each member.
    package var json: String { get throws { try jsonText() + "\n" } }
}
