import MeshEmulator
import Testing

/// Plans of faults in requests, on a link over TCP.
@Suite struct LinkPlanSystemTests {
    private static let path = "/nodes/alice/link-faults"

    private static func with(_ body: (SteeredBench) async throws -> Void) async throws {
        try await SteeredBench.with("pair", endpoints: [NodeEndpoint("alice=tcp://127.0.0.1:0")], body)
    }

    @Test(arguments: [
        // The reader and the link name the same members.
        (#"{"fault":"cut-bytes","bytes":0}"#, "plan.faults[1].bytes"),
        (#"{"fault":"mtu","size":64}"#, "plan.faults[1].fault"),
    ])
    func `a refusal names the member of the request, and nothing is armed`(
        fault: String, member: String
    ) async throws {
        try await Self.with { bench async throws in
            let plan = #"{"plan":{"faults":[{"fault":"lose","at":{"frame":"CONTACT"}},\#(fault)]}}"#

            let answer = await bench.raw("POST", Self.path, plan)

            #expect(answer.status == 400 && answer.text.contains(member), "\(answer.text)")
            #expect(try await bench.ask("GET", "/faults")["total"] as? Int == 0)
        }
    }

    @Test func `a fault that was taken back before it fired is listed as one that did nothing`() async throws {
        try await Self.with { bench async throws in
            try await bench.ask("POST", Self.path, #"{"plan":{"faults":[{"fault":"lose"}]}}"#)
            try await bench.ask("DELETE", Self.path)

            let answer = try await bench.ask("GET", "/faults")

            #expect(answer["total"] as? Int == 1 && answer["idle"] as? Int == 1)
        }
    }
}
