import MeshTestbed

/// Scenarios that a seed makes, about meshes in which versions of the firmware meet.
enum DrawnMixes {
    static let all = [mixedVersions]

    static let mixedVersions = DrawnScenario(
        "mixed-versions", .flood,
        """
        Every radio and every repeater runs a version of its own, from 1.14 to 1.18. Whatever the mix, no rule of the air \
        is broken, and each text is delivered or given up in the end.
        """,
        over: .seconds(90), mesh: { $0.mixed($0.mesh(people: 2...4, repeaters: 1...6, loss: 0...0.2)) }
    ) { draw, mesh in
        sometimes(States.wayLearnt)

        draw.texts(2...8, among: mesh.people, over: .seconds(60))
        draw.adverts(0...3, of: mesh.people, over: .seconds(60))
        draw.faults(0...2, of: [.loss, .deafRepeater, .repeaterRestart], in: mesh, over: .seconds(60))
    }
}

extension Draw {
    /// The mesh with a version drawn for each node.
    mutating func mixed(_ mesh: DrawnMesh) -> DrawnMesh {
        var mesh = mesh
        var versions: [String: FirmwareVersion] = [:]
        let nodes = mesh.people.map(\.member) + mesh.repeaters.map(\.member)
        for node in nodes { versions[node.name] = pick("version of \(node.name)", from: FirmwareVersion.all) }
        mesh.people = mesh.people.map { $0.runs(versions[$0.member.name] ?? .standard) }
        mesh.repeaters = mesh.repeaters.map { $0.runs(versions[$0.member.name] ?? .standard) }
        for index in mesh.links.indices {
            mesh.links[index].one.settings.firmware = versions[mesh.links[index].one.name]
            mesh.links[index].other.settings.firmware = versions[mesh.links[index].other.name]
        }
        return mesh
    }
}
