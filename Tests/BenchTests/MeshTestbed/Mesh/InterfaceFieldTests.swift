import MeshCompanion
import MeshFiles
import MeshSimulator
import MeshTime
import MeshWorlds
import Testing

/// Interfaces that a companion radio of a world file has at once.
@Suite struct InterfaceFieldTests {
    private static func read(_ members: String, of role: String = "companion", firmware: String = "1.18")
        throws(FileProblem) -> WorldPlan
    {
        let text = """
            {"format": "meshbed world 1",
            "nodes": [{"name": "a", "role": "\(role)", "firmware": "\(firmware)", \(members)}]}
            """
        return try WorldFile.read([UInt8](text.utf8), name: "file", seed: Seed(1))
    }

    @Test(
        arguments: [
            (#"["wifi", "usb"]"#, [.wifi, .serial]), (#"["bluetooth", "ethernet"]"#, [.ethernet, .bluetooth]),
            (#"["bluetooth", "usb", "wifi", "ethernet"]"#, [.serial, .wifi, .ethernet, .bluetooth]),
        ] as [(String, [AppLink])])
    func `a radio has the interfaces of its list, those that carry bytes first`(list: String, links: [AppLink]) throws {
        let plan = try Self.read(#""interfaces": \#(list)"#)

        let world = plan.world(seed: Seed(1))
        #expect(world.appLinks(of: world.nodes[0]) == links)
        // The emulator starts from this, and a run of it may become a plan again.
        let description = plan.description
        #expect(description.nodes[0].links == links)
        let again = description.plan.description
        #expect(again.nodes[0].links == links)
    }

    @Test func `without a list a radio has one, as always`() throws {
        let world = try Self.read(#""x": 0, "y": 0"#).world(seed: Seed(1))

        #expect(world.appLinks(of: world.nodes[0]) == [.wifi])
    }

    @Test(arguments: [
        (#""interfaces": ["wifi"]"#, "nodes[0].interfaces", "2 to 4"),
        (#""interfaces": []"#, "nodes[0].interfaces", "2 to 4"),
        (#""interfaces": ["wifi", "usb", "ethernet", "bluetooth", "usb"]"#, "nodes[0].interfaces", "2 to 4"),
        (#""interfaces": ["wifi", "wifi"]"#, "nodes[0].interfaces[1]", "already"),
        (#""interfaces": ["wifi", "serial"]"#, "nodes[0].interfaces[1]", "wifi, usb, ethernet, bluetooth"),
        (#""interfaces": ["wifi", 1]"#, "nodes[0].interfaces[1]", "no interface"),
        (#""interfaces": "wifi""#, "nodes[0].interfaces", "list"),
    ])
    func `a list that no radio can have is refused by its place`(members: String, field: String, reason: String) {
        let problem = #expect(throws: FileProblem.self) { try Self.read(members) }
        #expect(problem?.field == field)
        #expect(problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
    }

    @Test func `other roles and older firmware have no such list`() {
        let list = #""interfaces": ["wifi", "usb"]"#
        let role = #expect(throws: FileProblem.self) { try Self.read(list, of: "repeater") }
        #expect(role?.reason.contains("companion") == true)

        for version in FirmwareVersion.all.dropLast() {
            let old = #expect(throws: FileProblem.self) { try Self.read(list, firmware: version.name) }
            #expect(old?.reason.contains("need firmware 1.18: \(version) has one") == true)
        }
    }
}
