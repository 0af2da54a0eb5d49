import MeshCrypto
import MeshFiles
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds
import Testing

@Suite struct AdvertFileTests {
    /// A signed advert as it is on the air.
    private func advert(
        _ seed: UInt8, _ type: NodeType, _ name: String, at place: (Int32, Int32)?, time: UInt32 = 1
    ) -> [UInt8] {
        let identity = LocalIdentity(seed: Seed32(repeatElement(seed, count: 32)))
        let data = AdvertData(
            type: type, location: place.map { AdvertData.Location(latitude: $0.0, longitude: $0.1) },
            name: ByteText(name)
        ).written()
        let head = identity.publicKey.array + (0..<4).map { UInt8(truncatingIfNeeded: time >> (8 * $0)) }
        return [0x11, 0x00] + head + identity.sign(head + data).array + data
    }

    private func read(_ lines: [String]) throws(FileProblem) -> AdvertFile {
        try AdvertFile([UInt8](lines.joined(separator: "\n").utf8), name: "heard", seed: Seed(1))
    }

    @Test func `a record that is nested too deep is refused`() {
        let problem = #expect(throws: FileProblem.self) {
            try read([#"{"hex": "# + String(repeating: "[", count: 513)])
        }

        #expect(problem?.reason.contains("nested deeper than 32 levels") == true)
    }

    @Test func `nodes, roles and places come from adverts, the newest of each key`() throws {
        let file = try read([
            "# heard on a hill",
            advert(1, .chat, "Ann", at: (48_000_000, 11_000_000)).hex,
            "{\"hex\": \"\(advert(2, .repeater, "Roof", at: (48_010_000, 11_000_000)).hex)\", \"snr\": 4}",
            "", advert(1, .chat, "Anna", at: (48_000_000, 11_010_000), time: 5).hex,
            advert(1, .chat, "Ann", at: (49_000_000, 11_000_000), time: 3).hex,
            advert(3, .room, "Room", at: nil).hex, "0d0011223344",
        ])

        #expect(file.plan.topology.nodes.map(\.label) == ["Anna", "Roof"])
        #expect(file.plan.topology.nodes.map(\.role) == [.companion, .repeater])
        #expect(file.plan.topology.nodes.map { $0.place?.northMetres } == [0, 1113])
        #expect(file.plan.topology.links.count == 1)
        #expect([file.adverts, file.others, file.placeless] == [5, 1, 1])
    }

    @Test func `a damaged advert does not count, two nodes of one name get two labels`() throws {
        var damaged = advert(4, .chat, "Ann", at: (48_000_000, 11_000_000))
        damaged[60] ^= 1
        let file = try read([
            damaged.hex, advert(1, .chat, "Ann", at: (1, 0)).hex, advert(2, .chat, "Ann", at: (0, 9000)).hex,
        ])

        #expect(file.others == 1)
        #expect(file.plan.topology.nodes.map(\.label) == ["Ann", "Ann 813977"])
    }

    @Test func `coordinates that are no place cost their node its place, and no other`() throws {
        let file = try read([
            advert(1, .repeater, "Roof", at: (48_000_000, 11_000_000)).hex,
            advert(2, .repeater, "Junk", at: (1_853_450_000, -1_598_750_000)).hex,
            advert(3, .repeater, "Unset", at: (0, 0)).hex,
            advert(4, .repeater, "Hill", at: (48_010_000, 11_000_000)).hex,
        ])

        #expect(file.plan.topology.nodes.map(\.label) == ["Roof", "Hill"])
        #expect(file.plan.topology.nodes.map { $0.place?.northMetres } == [0, 1113])
        #expect(file.misplaced == ["Junk"])
        #expect([file.adverts, file.others, file.placeless] == [4, 0, 1])
    }

    @Test func `nodes on both sides of 180 degrees are neighbours`() throws {
        let file = try read([
            advert(1, .repeater, "East", at: (-16_800_000, 179_980_000)).hex,
            advert(2, .repeater, "West", at: (-16_800_000, -179_980_000)).hex,
        ])

        #expect(file.plan.topology.nodes.map { $0.place?.eastMetres } == [0, 4263])
    }

    @Test(arguments: [
        ("zz", 1, "neither hex"), ("0d0011223344\n\n0d0", 3, "neither hex"),
        ("0d00\n{\"hex\": 3}", 2, "must be a text"),
        ("0d00\n{\"hex\"", 2, "is no JSON"), ("0d0011223344", 0, "no advert"), ("", 0, "no advert"),
    ])
    func `a complaint names the line`(text: String, line: Int, reason: String) {
        let problem = #expect(throws: FileProblem.self) {
            try AdvertFile([UInt8](text.utf8), name: "heard", seed: Seed(1))
        }
        #expect(problem?.line == line)
        #expect(problem?.description.contains(reason) == true)
    }

    @Test(arguments: [
        ("0d0011223344", true), ("{\"hex\": \"0d00\", \"n\": 1}\n{}", true),
        ("{\"format\": \"meshbed world 1\"}", false),
        ("{\n\"hex\": \"00\"}", false), ("", false), ("hello", false),
    ])
    func `files of adverts are told from world files by their first line`(text: String, isOne: Bool) {
        #expect(AdvertFile.looksLikeOne([UInt8](text.utf8)) == isOne)
    }
}
