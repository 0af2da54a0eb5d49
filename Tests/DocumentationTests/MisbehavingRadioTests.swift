import Foundation
import MeshBluetoothHost
import MeshTestSupport
import Testing

/// The article about a radio that misbehaves has each kind of fault, with the operations at which it can happen.
@Suite struct MisbehavingRadioTests {
    private typealias Operation = BluetoothFault.Operation

    /// The rows of a section's table: the name that each begins with, and the other cells.
    private static func rows(of heading: String) throws -> [(name: String, cells: [String])] {
        let article = StoredArticle(module: "MeshTestbed", name: "MisbehavingRadio")
        let text = try String(contentsOf: article.url, encoding: .utf8)
        let section = text.split(separator: "\n### ").first { $0.hasPrefix(heading) } ?? ""
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return (cells[0].trimmingCharacters(in: ["`"]), Array(cells.dropFirst()))
        }
    }

    private static func words(_ operations: [Operation]) -> String {
        let all = Operation.allCases.filter { $0 != .advertising }
        return Set(operations) == Set(all) && operations.first == .write
            ? "write, or any other but advertising" : operations.map(\.rawValue).joined(separator: ", ")
    }

    @Test func `each kind is in the list, with its operations`() throws {
        let listed = try Self.rows(of: "The kinds").map { "\($0.name): \($0.cells[0])" }

        #expect(listed == BluetoothFault.Kind.examples.map { "\($0.name): \(Self.words($0.operations))" })
        #expect(listed.count == 40)
    }

    @Test func `each operation is in the list`() throws {
        let listed = try Self.rows(of: "When it happens").map(\.name)

        #expect(listed == Operation.allCases.map(\.rawValue))
    }
}
