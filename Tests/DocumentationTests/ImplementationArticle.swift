import Foundation
import MeshTestSupport

@testable import MeshCompliance

/// The tables of the article Implementations, printed from what `ci/matrix --store` has stored.
struct ImplementationArticle {
    /// The verdicts on one implementation in one role.
    struct Implementation: Decodable {
        let name: String
        let role: String
        let against: String
        let date: String
        let counts: [String: Int]
        let departures: [String: [String]]

        var departureCount: Int { departures.values.reduce(0) { $0 + $1.count } }

        /// The verdict on a statement; empty where it is no departure.
        func verdict(on id: String) -> String {
            departures.keys.sorted().first { departures[$0]?.contains(id) ?? false } ?? ""
        }
    }

    private struct File: Decodable {
        let format: String
        let implementations: [Implementation]
    }

    /// Departures that an implementation of the second table has at most.
    static let most = 90

    let implementations: [Implementation]

    init() throws {
        let path = "Sources/MeshTestbed/MeshTestbed.docc/Resources/implementations.json"
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: StoredArticle(path: path).url))
        guard file.format == "meshbed-implementations/1" else { throw CocoaError(.fileReadCorruptFile) }
        implementations = file.implementations
    }

    /// A row for each implementation.
    var table: String {
        let verdicts = ["kept", "broken", "differs", "lacks", "not run", "not applicable"]
        let heading = ["implementation", "role", "checked against", "date"] + verdicts
        let rows = implementations.map { one in
            [one.name, one.role, one.against, one.date] + verdicts.map { "\(one.counts[$0] ?? 0)" }
        }
        return Self.lines(heading, rows)
    }

    /// A row for each statement in which an implementation with a few departures departs.
    var departures: String {
        let few = implementations.filter { $0.role == "companion" && 1...Self.most ~= $0.departureCount }
        let rows = Check.all.compactMap { check -> [String]? in
            let verdicts = few.map { $0.verdict(on: check.id) }
            return verdicts.allSatisfy(\.isEmpty) ? nil : [check.id, check.title] + verdicts
        }
        return Self.lines(["statement", "about"] + few.map(\.name), rows)
    }

    private static func lines(_ heading: [String], _ rows: [[String]]) -> String {
        let lines = [heading, heading.map { _ in "---" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n") + "\n"
    }
}
