import Foundation
import MeshSimulator
import MeshTime
import Testing

@testable import MeshWorlds

/// The text of a message's fate.
@Suite struct FateTextTests {
    @Test func `the verdict comes first, then the path that succeeded, then every transmission`() throws {
        let trace = try TraceFile(try RunFixture("line:5", seconds: 39).trace)
        let fate = try MessageFate("1", in: trace)
        let lines = fate.text.split(separator: "\n").map(String.init)

        #expect(lines[0].hasPrefix("delivered to 1 of 1: message 1 of alice to #public \"flood 0001"))
        #expect(lines[1].hasPrefix("path to bob: 4 transmissions, "))
        #expect(
            lines[2...5].map { String($0.split(separator: "  ").last ?? "") } == [
                "alice → r1", "r1 → r2", "r2 → r3", "r3 → bob",
            ])
        #expect(lines[6] == "all 4 transmissions:")
    }

    @Test func `a path leaves out who was heard on the side`() throws {
        let trace = try TraceFile(try RunFixture("grid:4x4", traffic: "flood:20s", seconds: 120).trace)
        let fate = try #require(
            (1...5).lazy.compactMap { try? MessageFate("\($0)", in: trace) }.first { !$0.paths.isEmpty })
        let path = try #require(fate.paths.first)

        #expect(path.hops.count < fate.hops.count)
        #expect(fate.label(path.nodes.first ?? -1) == "alice")
        #expect(fate.label(path.to) == "bob")
        for (hop, next) in zip(path.hops, path.hops.dropFirst()) {
            #expect(next.cause == hop.frame)
            #expect(hop.heard.contains { $0.node == next.sender })
        }
        #expect(path.hops.last?.delivered.contains(path.to) == true)
    }

    @Test func `many recipients have a line each, by arrival`() throws {
        let trace = try TraceFile(try RunFixture("city:60", traffic: "chat:5s", seconds: 60, seed: 7).trace)
        let flood = try #require(
            (1...12).lazy.compactMap { try? MessageFate("\($0)", in: trace) }.first { $0.paths.count > 3 })

        #expect(flood.text.contains("paths, by arrival:"))
        #expect(flood.paths.map(\.end) == flood.paths.map(\.end).sorted())
        #expect(flood.paths.map(\.to).sorted() == flood.reached.sorted())
    }

    @Test func `a message that reached nobody says so first, with the reason`() throws {
        var plan = WorldPlan(.line(3), traffic: try Traffic("flood"))
        plan.silenceAdverts()
        plan.topology.links[1].lossPerTenThousand = 10_000
        let fate = try MessageFate("1", in: TraceFile(RunFixture(plan, seconds: 30).trace))
        let lines = fate.text.split(separator: "\n").map(String.init)

        #expect(lines[0].hasPrefix("not delivered to 0 of 1: message 1"))
        #expect(lines[1] == "bob did not get it: it lost every copy: #1 of r1 (linkLoss)")
        #expect(!fate.text.contains("path to"))
    }

    @Test func `JSON has the verdict, the paths and every transmission`() throws {
        let trace = try TraceFile(try RunFixture("line:4", traffic: "direct", seconds: 40).trace)
        let fate = try MessageFate("direct 0001", in: trace)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(fate.json.utf8)) as? [String: Any])
        let paths = try #require(object["paths"] as? [[String: Any]])
        let sent = try #require(object["transmissions"] as? [[String: Any]])

        #expect(object["verdict"] as? String == "delivered")
        #expect(object["missing"] as? [String] == [])
        #expect(object["recipients"] as? [String] == ["bob"])
        #expect(object["acknowledged"] as? Int64 == fate.acknowledged?.microseconds)
        #expect(paths.first?["nodes"] as? [String] == ["alice", "r1", "r2", "bob"])
        #expect(paths.first?["at"] as? Int64 == fate.paths[0].end.microseconds)
        #expect(sent.map { $0["frame"] as? Int } == fate.hops.map(\.frame))
        #expect(sent[0]["heardIn"] == nil && sent[1]["heardIn"] as? Int == fate.hops[0].frame)
        #expect((object["message"] as? [String: Any])?["from"] as? String == "alice")
    }

    @Test func `a damaged trace, in which what follows comes first, ends a path`() throws {
        let whole = try RunFixture("line:5", seconds: 39).trace
        let text = String(decoding: whole, as: UTF8.self).replacing("\"frame\":1,", with: "\"frame\":3,")

        let fate = try MessageFate("1", in: TraceFile([UInt8](text.utf8)))

        #expect(fate.paths.allSatisfy { $0.hops.count <= fate.hops.count })
    }
}
