import MeshCrypto
import MeshFiles
import MeshPacket
import MeshSimulator
import MeshTestSupport
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

    @Test func `lines that cannot be read are left out, and told`() throws {
        let advert = advert(1, .repeater, "Roof", at: (48_000_000, 11_000_000)).hex

        let file = try read([advert, "0d0", "{\"hex\"", "{\"hex\": 3}", String(advert.dropLast(9))])

        #expect(file.plan.topology.nodes.map(\.label) == ["Roof"])
        #expect(
            file.leftOut == [
                "2 records with no packet in a known form, lines 2, 5: column 3 ends in the middle of a byte",
                "1 record of broken JSON, line 3: there is no \":\" behind the key \"hex\"",
                "1 record without a packet, line 4",
            ])
        #expect(file.notes.contains("left out: 1 record without a packet, line 4"))
    }

    @Test(arguments: [
        ("zz", "looked for a packet in hex"), ("{\"hex\": 3}", "1 record without a packet"),
        ("0d0011223344", "no advert"), ("0d0011223344\nzz", "no packet in a known form, line 2"), ("", "is empty"),
    ])
    func `a file without an advert says what it has`(text: String, reason: String) {
        let problem = #expect(throws: FileProblem.self) {
            try AdvertFile([UInt8](text.utf8), name: "heard", seed: Seed(1))
        }
        #expect(problem?.description.contains(reason) == true, "\(problem?.description ?? "")")
    }

    @Test func `records of observers and cards give nodes, too`() throws {
        let records = try AdvertFile(FieldExample.bytes("observers.jsonl"), name: "heard", seed: Seed(1))
        let cards = try AdvertFile(FieldExample.bytes("cards-forged.txt"), name: "cards", seed: Seed(1))

        #expect(records.plan.topology.nodes.map(\.label) == ["Hill", "Roof", "Ann"])
        #expect([records.adverts, records.others, records.placeless] == [5, 3, 1])
        #expect(cards.plan.topology.nodes.map(\.label) == ["Ann", "Hill"])
        #expect(cards.others == 1)
    }

    @Test(arguments: [
        ("0d0011223344", true), ("{\"hex\": \"0d00\", \"n\": 1}\n{}", true),
        ("{\"format\": \"meshbed world 1\"}", false), ("{\"status\": 1}\n{\"raw\": \"0d00\"}", true),
        ("{\n\"hex\": \"00\"}", false), ("{\n10\n}", false), ("", false), ("hello", false),
    ])
    func `files of adverts are told from world files by their first lines`(text: String, isOne: Bool) {
        #expect(AdvertFile.looksLikeOne([UInt8](text.utf8)) == isOne)
    }
}
