import Foundation
import MeshControl
import MeshHTTP
import Testing

/// The document that describes the control API, and the control API itself.
@Suite struct ControlDocumentTests {
    private func document() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(ControlAPI.document)) as? [String: Any])
    }

    @Test func `the document lists what the control API does, and nothing else`() throws {
        let paths = try #require(try document()["paths"] as? [String: [String: Any]])

        let listed = Set(paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } })

        #expect(listed == Set(ControlAPI.operations))
        #expect(listed.count == ControlAPI.operations.count)
    }

    @Test func `every reference in the document leads somewhere`() throws {
        let text = String(decoding: ControlAPI.document, as: UTF8.self)
        let schemas = try #require(
            (try document()["components"] as? [String: Any])?["schemas"] as? [String: Any])

        let names = text.matches(of: /"#\/components\/schemas\/(\w+)"/).map { String($0.1) }

        #expect(names.count > 50)
        #expect(Set(names).isSubset(of: schemas.keys))
        #expect(Set(schemas.keys).subtracting(names).isEmpty, "a schema that nobody uses")
    }

    @Test func `every refusal of the control API is in the document, with its status`() throws {
        let schemas = try #require(
            (try document()["components"] as? [String: Any])?["schemas"] as? [String: Any])
        let error = try #require((schemas["Error"] as? [String: Any])?["properties"] as? [String: Any])
        let details = try #require((error["error"] as? [String: Any])?["properties"] as? [String: Any])
        let codes = try #require((details["code"] as? [String: Any])?["enum"] as? [String])

        #expect(Set(codes) == Set(WebRefusal.Code.allCases.map(\.rawValue)))
    }
}
