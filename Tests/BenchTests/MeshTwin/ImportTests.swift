import MeshFiles
import MeshFirmware
import MeshRadio
import MeshSimulator
import MeshTime
import MeshWorlds
import Testing

@testable import MeshStudy

struct ImportTests {
    @Test func `a network becomes a world that keeps observers and counts`() throws {
        let network = try SyntheticNetwork.network()

        let text = network.worldFile(TwinParameters())
        let world = try WorldFile.content(of: [UInt8](text.utf8), name: "a", seed: Seed(1))
        let again = try ObservedNetwork(world: [UInt8](text.utf8), name: "a")

        #expect(world.observers == [3, 7, 11])
        #expect(world.plan.equipment[0].board.radio.codingRate == 8)
        #expect(again.links == network.links)
        #expect(again.worldFile(TwinParameters()) == text)
    }

    @Test func `CoreScope's parts make one network`() throws {
        let nodes = """
            {"nodes":[{"public_key":"AA01","name":"Hill\\u0000","role":"repeater","lat":48.1,"lon":11.5},
            {"public_key":"bb02","name":"Hill","role":"room","lat":48.2,"lon":11.5}],"total":2}
            """
        let graph = """
            {"nodes":[],"edges":[{"source":"aa01","target":"bb02","weight":847,"avg_snr":-8.2,"ambiguous":false},
            {"source":"aa01","target":"cc03","weight":5,"ambiguous":true}]}
            """
        let observers = #"{"observers":[{"id":"BB02","name":"Hill"},{"id":"dd04","name":"roof"}]}"#
        let sources = [nodes, graph, observers].map { ObservedNetwork.Source(path: "x", bytes: [UInt8]($0.utf8)) }

        let network = try ObservedNetwork(reading: sources, name: "town", seed: Seed(1))

        #expect(network.nodes.map(\.label) == ["Hill", "Hill bb02", "roof"])
        #expect(network.observers == [1, 2])
        #expect(network.nodes.map(\.forwards) == [true, true, false])
        #expect(network.links.map(\.observation.either) == [847])
        #expect(network.nodes[1].place?.northMetres == 11132)
    }

    @Test func `a map and a scenario of MeshBench give places`() throws {
        let map = """
            [{"public_key":"aa","type":1,"adv_name":"a","adv_lat":50,"adv_lon":6,
            "params":{"freq":869.618,"bw":62.5,"sf":8,"cr":8}},{"public_key":"bb","type":2,"adv_name":"b"}]
            """
        let bench = """
            {"name":"b","nodes":[{"Name":"A1","Kind":"simple-repeater","PublicKey":"16","Position":{"Lat":57.0,"Lon":-1.0},
            "Radio":{"CentreHz":869618000,"BandwidthHz":62500,"SpreadFactor":8,"CodingRate":4}}]}
            """

        let first = try SyntheticNetwork.network(map)
        let second = try SyntheticNetwork.network(bench)

        #expect(first.nodes.map(\.role) == [.companion])
        #expect(first.radio?.codingRate == 8)
        #expect(first.notes == ["1 nodes left out, which do not say where they are"])
        #expect(second.nodes.map(\.label) == ["A1"])
        #expect(second.radio?.codingRate == 8)
    }

    @Test(arguments: [
        "", "hello", "{}", "[]", "[1,2]", #"{"format":"other"}"#, #"{"nodes":7}"#, "{\"edges\":[", "\u{0}",
        #"{"format":"meshbed-network/1","nodes":[]}"#, #"{"format":"meshbed-network/1","nodes":[{"i":1e300}]}"#,
        #"{"format":"meshbed-network/1","nodes":[{"i":0},{"i":0}]}"#,
        #"{"format":"meshbed-network/1","nodes":[{"i":0}],"links":[{"from":0,"to":9}]}"#,
        #"{"edges":[{"source":"a"}]}"#, #"[{"adv_name":"x","adv_lat":500}]"#,
        #"{"nodes":[{"Name":"x","Position":{}}]}"#,
    ])
    func `a file that makes no sense is refused with its name`(_ text: String) {
        #expect {
            _ = try SyntheticNetwork.network(text, "hostile.json")
        } throws: { error in
            (error as? FileProblem)?.file == "hostile.json"
        }
    }

    @Test func `observers must be nodes, each once`() {
        for list in ["[\"x\"]", "[\"a\",\"a\"]", "[7]"] {
            let text = "{\"format\":\"meshbed world 1\",\"nodes\":[{\"name\":\"a\"}],\"observers\":\(list)}"
            #expect(throws: FileProblem.self) { try WorldFile.read([UInt8](text.utf8), name: "a", seed: Seed(1)) }
        }
    }
}
