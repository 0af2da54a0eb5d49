import MeshFiles
import MeshFirmware
import MeshRadio
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds
import Testing

/// Room servers and sensors in world files, and the settings of all infrastructure nodes there.
@Suite struct ServerFieldTests {
    private func read(_ text: String) throws(FileProblem) -> WorldPlan {
        try WorldFile.read([UInt8](text.utf8), name: "file", seed: Seed(1))
    }

    private let village = """
        {"format": "meshbed world 1", "radio": "eu-narrow", "board": "rak4631",
         "repeater": {"advert_minutes": 4, "flood_max": 9},
         "room_server": {"guest_password": "hello", "allow_read_only": true, "advert_interval": 120},
         "sensor": {"password": "geheim"},
         "nodes": [
          {"name": "rep", "repeater": {"txdelay": 0.75}, "radio": {"spreading_factor": 9}},
          {"name": "room", "role": "room_server", "room_server": {"multi_acks": 1}},
          {"name": "sens", "role": "sensor", "sensor": {"rxdelay": 2.5, "path_hash_mode": 2, "repeat": "on"}}],
         "links": [{"from": "rep", "to": "room"}, {"from": "rep", "to": "sens"}]}
        """

    @Test func `rooms and sensors have their settings, those of the file first`() throws {
        let plan = try read(village)
        let settings = plan.equipment.map(\.setup.preferences)

        #expect(plan.topology.nodes.map(\.role) == [.repeater, .roomServer, .sensor])
        #expect(plan.equipment.map(\.setup.role) == [.repeater, .roomServer, .sensor])
        #expect(settings[0].floodMax == 9 && settings[0].advertInterval == 2 && settings[0].floodDelayFactor == 0.75)
        #expect(settings[1].guestPassword == "hello" && settings[1].allowsReadOnly == 1)
        #expect(settings[1].advertInterval == 60 && settings[1].extraAcks == 1)
        #expect(settings[2].password == "geheim" && settings[2].receiveDelayBase == 2.5)
        #expect(settings[2].pathHashMode == 2 && !settings[2].isForwardingDisabled)
    }

    @Test func `infrastructure nodes work with the radio that the file says`() throws {
        let plan = try read(village)
        let world = plan.world(seed: Seed(1))

        for (index, equipment) in plan.equipment.enumerated() {
            #expect(world.parameters(of: NodeID(index: index)) == equipment.board.radio)
        }
        #expect(world.parameters(of: NodeID(index: 0)).spreadingFactor == 9)
    }

    private static func file(_ settings: String) -> String {
        "{\"format\": \"meshbed world 1\", \(settings),\n\"nodes\": [{\"name\": \"a\"}]}"
    }

    @Test(arguments: [
        (#""room_server": {"txdelay": 3}"#, "room_server.txdelay", "Error, must be 0-2"),
        (#""room_server": {"loop_detect": "off"}"#, "room_server.loop_detect", "not known"),
        (#""sensor": {"guest_password": "x"}"#, "sensor.guest_password", "not known"),
        (#""sensor": {"advert_interval": 7}"#, "sensor.advert_interval", "60-240"),
        (#""sensor": {"password": "0123456789abcdef"}"#, "sensor.password", "1 to 15 bytes"),
        (#""repeater": {"owner_info": []}"#, "repeater.owner_info", "must be a text"),
    ])
    func `what the firmware refuses is refused with its words, whether or not a node has the role`(
        settings: String, field: String, reason: String
    ) {
        let problem = #expect(throws: FileProblem.self) { try read(Self.file(settings)) }

        #expect(problem?.field == field)
        #expect(problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
    }

    @Test func `a picture tells rooms and sensors from the others, and its legend names them`() throws {
        let town = MeshDrawing(try TopologyName("town").topology(seed: Seed(1))).svg
        let grid = MeshDrawing(try TopologyName("grid:3x3").topology(seed: Seed(1))).svg

        #expect(town.contains("2 companions, 3 repeaters, 1 room server, 1 sensor, 6"))
        for sign in ["class=\"node room_server\"", "class=\"node sensor\""] {
            #expect(town.ranges(of: sign).count == 2, "a sign on the map and one in the legend")
            #expect(!grid.contains(sign))
        }
        #expect(town.contains("room1, room server"))
    }
}
