import MeshFiles
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshWire
import MeshWorlds
import Testing

@testable import MeshStudy

/// Networks of observers' records.
@Suite struct RecordNetworkTests {
    private func network(_ names: String...) throws -> ObservedNetwork {
        let sources = names.map { ObservedNetwork.Source(path: $0, bytes: FieldExample.bytes($0)) }
        return try ObservedNetwork(reading: sources, name: "valley", seed: Seed(1))
    }

    /// The links with direction, counts and signals, by the names of the nodes.
    private func links(_ network: ObservedNetwork) -> [String] {
        network.links.map { link in
            let seen = link.observation
            let (from, to) = (network.nodes[link.from].label, network.nodes[link.to].label)
            return "\(from)>\(to) \(seen.there) \(seen.back) \(seen.snr.map { "\($0)" } ?? "-") "
                + (seen.snrBack.map { "\($0)" } ?? "-")
        }
    }

    @Test func `the paths of floods tell who hears whom, and the last hop how well`() throws {
        let network = try network("observers.jsonl")

        #expect(network.nodes.map(\.label) == ["Hill", "Roof", "Ann", "Mast", "Valley observer"])
        #expect(network.nodes.map(\.role) == [.repeater, .repeater, .companion, .repeater, .repeater])
        #expect(network.observers == [0, 4])
        #expect(network.nodes.map(\.forwards) == [true, true, true, true, false])
        #expect(network.nodes.map { $0.place == nil } == [false, false, false, true, true])
        #expect(
            links(network) == [
                "Hill>Valley observer 3 0 8.92 -", "Roof>Hill 4 0 3.5 -", "Ann>Roof 1 0 - -", "Mast>Roof 1 0 - -",
                "Mast>Hill 1 0 -4.5 -",
            ])
    }

    @Test func `what was left out is told, and the world is one`() throws {
        let network = try network("observers.jsonl")

        #expect(
            network.notes == [
                "5 nodes from 5 adverts and 2 observers", "left out: 1 hop of unknown nodes",
                "left out: 1 record without a packet, line 1: its type is STATUS",
                "left out: 1 record equal to one before, line 3",
                "left out: 1 record with the bytes of another packet, line 11: 22 of 23 bytes",
                "left out: 1 record with a packet that is cut, line 12: 57 of 115 bytes",
                "left out: 1 record of broken JSON, line 13: a text does not end",
            ])
        let text = network.worldFile(TwinParameters())
        let world = try WorldFile.content(of: [UInt8](text.utf8), name: "a", seed: Seed(1))
        #expect(world.observers == [0, 4])
        #expect(try ObservedNetwork(world: [UInt8](text.utf8), name: "a").links == network.links)
    }

    @Test func `several files of records make one network`() throws {
        let network = try network("observers.jsonl", "corescope-packets.json")

        #expect(network.nodes.contains { $0.label == "Hall" && $0.role == .roomServer })
        #expect(links(network).contains("Hall>Valley observer 1 0 - -"))
        #expect(network.notes.contains("observers.jsonl: left out: 1 record equal to one before, line 3"))
    }

    @Test func `records without an observer give places alone`() throws {
        let console = try network("console.log")

        #expect(console.nodes.map(\.label) == ["Hill"])
        #expect(console.links.isEmpty && console.observers.isEmpty)
        #expect(throws: FileProblem.self) { try network("console.log", "cards.txt") }
    }

    @Test func `hops without an advert, other routes and packets of observers tell of no link`() throws {
        let text = """
            {"raw":"1501aa00112233","observer_id":"\(String(repeating: "aa", count: 32))","snr":4}
            {"raw":"150200aa112233","observer_id":"\(String(repeating: "bb", count: 32))","snr":4}
            {"raw":"160100112233","observer_id":"\(String(repeating: "bb", count: 32))","snr":4}
            {"raw":"150100112233","observer_id":"\(String(repeating: "bb", count: 32))","direction":"tx"}
            """
        let source = ObservedNetwork.Source(path: "x", bytes: [UInt8](text.utf8))

        let network = try ObservedNetwork(reading: [source], name: "x", seed: Seed(1))

        #expect(network.links.isEmpty && network.nodes.count == 2)
        #expect(network.notes.contains("left out: 3 hops of unknown nodes"))
        #expect(network.notes.contains("left out: 1 packet without the path of a flood"))
        #expect(network.notes.contains("left out: 1 packet of the observers themselves"))
    }

    @Test func `a hash that two relays share tells of no link, and two bytes tell them apart`() {
        var reader = RelayPrefixes()
        reader.add(FixedBytes([0xAA, 0x01]), 0, isRelay: true)
        reader.add(FixedBytes([0xAA, 0x02]), 1, isRelay: true)
        reader.add(FixedBytes([0xBB, 0x01]), 2, isRelay: false)
        reader.add(FixedBytes([0xBB, 0x02]), 3, isRelay: true)

        #expect(reader.find([0xAA]) == .several)
        #expect(reader.find([0xAA, 0x02]) == .one(1))
        #expect(reader.find([0xBB]) == .one(3))
        #expect(reader.find([0xBB, 0x01]) == .one(2))
        #expect(reader.find([0xCC]) == .unknown)
    }

    @Test(arguments: ["nodes.json", "observers.jsonl"])
    func `records and node lists are not mixed`(other: String) throws {
        let nodes = ObservedNetwork.Source(
            path: "nodes.json", bytes: [UInt8](#"{"nodes":[{"public_key":"aa","name":"a"}]}"#.utf8))
        let records = ObservedNetwork.Source(path: "observers.jsonl", bytes: FieldExample.bytes("observers.jsonl"))
        let sources = other == nodes.path ? [records, nodes] : [nodes, records]

        let problem = #expect(throws: FileProblem.self) {
            try ObservedNetwork(reading: sources, name: "x", seed: Seed(1))
        }
        #expect(problem?.file == other)
    }
}
