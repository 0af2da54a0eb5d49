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

    @Test(
        arguments: [
            (
                #"""
                [{"public_key":"aa","adv_name":"a","adv_lat":50,"adv_lon":6,"params":{"freq":0,"bw":62.5,"sf":8}},
                {"public_key":"bb","adv_name":"Junk","adv_lat":1853.45,"adv_lon":-1598.75},
                {"public_key":"cc","adv_name":"half","adv_lat":50},{"public_key":"dd","adv_lat":"50","adv_lon":6},
                {"public_key":"ee","adv_name":"b","adv_lat":50.01,"adv_lon":6,"params":{"freq":869.5,"bw":250,"sf":9}}]
                """#, [0, 1113],
                [
                    "3 nodes left out, whose coordinates are no place: Junk, half, dd",
                    "1 nodes have radio settings that no radio has",
                ]
            ),
            (
                #"""
                {"nodes":[{"public_key":"aa","name":"a","lat":50,"lon":6},{"public_key":"bb","name":"x","lat":500,"lon":6},
                {"public_key":"cc","name":"b","lat":50.01,"lon":6}]}
                """#, [0, nil, 1113], ["1 node left without a place, as the coordinates are none: x"]
            ),
            (
                #"""
                {"nodes":[{"Name":"a","Position":{"Lat":50,"Lon":6}},{"Name":"x","Position":{}},{"Name":"y"},
                {"Name":"z","Position":{"Lat":50}},{"Name":"b","Position":{"Lat":50.01,"Lon":6}}]}
                """#, [0, nil, nil, nil, 1113], ["1 node left without a place, as the coordinates are none: z"]
            ),
            (
                #"""
                {"format":"meshbed-network/1","nodes":[{"i":0,"x":0,"y":5},{"i":1,"x":1e9,"y":0},{"i":2,"x":3}]}
                """#, [5, nil, nil], ["2 nodes left without a place, as the coordinates are none: n1, n2"]
            ),
        ] as [(String, [Int32?], [String])])
    func `one junk place costs its node the place, and is told with its name`(
        text: String, north: [Int32?], notes: [String]
    ) throws {
        let network = try SyntheticNetwork.network(text)

        #expect(network.nodes.map { $0.place?.northMetres } == north)
        #expect(notes.allSatisfy(network.notes.contains), "\(network.notes)")
        _ = try WorldFile.read([UInt8](network.worldFile(TwinParameters()).utf8), name: "a", seed: Seed(1))
    }

    @Test func `adverts without a place on the earth are told, and a long list is cut`() {
        #expect(Globe.note(misplaced: []) == nil)
        #expect(
            Globe.note(misplaced: (1...12).map { "n\($0)" }, isNodeLeftOut: true)
                == "12 nodes left out, whose coordinates are no place: n1, n2, n3, n4, n5, n6, n7, n8, n9, n10 and 2 more"
        )
    }

    @Test func `a network that goes round the earth becomes a world`() throws {
        let nodes = [-157, -100, -70, -30, 0, 50, 100, 140].map {
            #"{"public_key":"\#($0)","adv_name":"n\#($0)","adv_lat":1,"adv_lon":\#($0)}"#
        }
        let network = try SyntheticNetwork.network("[\(nodes.joined(separator: ","))]")

        let world = try WorldFile.read([UInt8](network.worldFile(TwinParameters()).utf8), name: "a", seed: Seed(1))

        #expect(world.topology.nodes.last?.place?.eastMetres ?? 0 > 33_000_000)
    }

    @Test(arguments: [
        "", "hello", "{}", "[]", "[1,2]", #"{"format":"other"}"#, #"{"nodes":7}"#, "{\"edges\":[", "\u{0}",
        #"{"format":"meshbed-network/1","nodes":[]}"#, #"{"format":"meshbed-network/1","nodes":[{"i":1e300}]}"#,
        #"{"format":"meshbed-network/1","nodes":[{"i":0},{"i":0}]}"#,
        #"{"format":"meshbed-network/1","nodes":[{"i":0}],"links":[{"from":0,"to":9}]}"#,
        #"{"edges":[{"source":"a"}]}"#, #"[{"adv_name":"x","adv_lat":500}]"#,
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
