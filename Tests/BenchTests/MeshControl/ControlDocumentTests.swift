import Foundation
import MeshBluetoothHost
import MeshControl
import MeshHTTP
import MeshTransports
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
        var components = try #require(try document()["components"] as? [String: [String: Any]])
        components["securitySchemes"] = nil
        let defined = components.flatMap { kind, parts in parts.keys.map { "\(kind)/\($0)" } }

        let names = text.matches(of: /"#\/components\/(\w+\/\w+)"/).map { String($0.1) }

        #expect(names.count > 300 && components.count == 4)
        #expect(text.matches(of: /"\$ref"/).count == names.count)
        #expect(Set(names).subtracting(defined) == [], "a component that is not there")
        #expect(Set(defined).subtracting(names) == [], "a component that nothing refers to")
    }

    /// The parts of a document that describe something, each as JSON with sorted keys.
    private func described(in value: Any) throws -> [String] {
        if let values = value as? [Any] { return try values.flatMap(described) }
        guard let members = value as? [String: Any] else { return [] }
        let inner = try members.values.flatMap(described)
        guard members["description"] is String, members.count > 1 else { return inner }
        let bytes = try JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
        return inner + [String(decoding: bytes, as: UTF8.self)]
    }

    @Test func `a part that the document needs in several places is a component`() throws {
        let parts = try described(in: document())

        let repeated = Dictionary(grouping: parts) { $0 }.filter { $0.value.count > 1 }.keys.sorted()

        #expect(parts.count > 150)
        #expect(repeated == [], "let them be below components, and refer to them")
    }

    private func properties(of schema: String) throws -> [String: [String: Any]] {
        let schemas = try #require(
            (try document()["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
        return try #require(schemas[schema]?["properties"] as? [String: [String: Any]])
    }

    @Test func `a planned fault has the kinds of the reader, of frames and of Bluetooth`() throws {
        let frames = try properties(of: "FrameLinkFault")
        let bluetooth = try properties(of: "BluetoothLinkFault")

        #expect(frames["fault"]?["enum"] as? [String] == LinkFaultKind.Name.allCases.map(\.rawValue))
        #expect(bluetooth["fault"]?["enum"] as? [String] == BluetoothFault.kindNames)
        let members = Set(BluetoothFault.Kind.examples.flatMap(\.members))
        #expect(Set(bluetooth.keys) == members.union(["fault", "at", "times", "mayNotFire"]))
        let operations = BluetoothFault.Operation.allCases.map(\.rawValue)
        #expect(try properties(of: "BluetoothOccasion")["operation"]?["enum"] as? [String] == operations)
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
