import MeshFiles
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWorlds
import Testing

@Suite struct TraceFileTests {
    private static let grid = try? RunFixture("grid:3x3", traffic: "flood:20s,direct:50s")
    private static var bytes: [UInt8] { grid?.trace ?? [] }

    /// The lines of the trace, one of them changed.
    private func changed(_ line: Int, _ change: (String) -> String) -> [UInt8] {
        var lines = String(decoding: Self.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        lines[line - 1] = change(lines[line - 1])
        return [UInt8](lines.joined(separator: "\n").utf8)
    }

    @Test func `a trace file gives back what was run`() throws {
        let summary = try #require(Self.grid).summary
        let trace = try TraceFile(Self.bytes)

        #expect(trace.topology == Topology.grid(3, 3))
        #expect(trace.seed == 42)
        #expect(trace.span == .seconds(120))
        #expect(trace.digest == summary.digest)
        func count(_ isOne: (TraceFile.Line.Content) -> Bool) -> Int { trace.lines.count { isOne($0.content) } }
        #expect(count { if case .txBegin = $0 { true } else { false } } == summary.transmissions)
        #expect(count { if case .rxEnd = $0 { true } else { false } } == summary.receptions)
        #expect(count { if case .rxDrop = $0 { true } else { false } } == summary.lost)
        #expect(count { if case .message = $0 { true } else { false } } == 9)
        #expect(count { if case .other = $0 { true } else { false } } == 0)
    }

    @Test(arguments: [
        ("{\"t\":", "{\"t\":-", "t"), ("\"n\":", "\"n\":9", "n"), ("\"e\":", "\"x\":", "e"),
        ("\"e\":\"", "\"e\":\"\",\"q\":\"", ""),
        ("\"t\":", "\"t\":0.5,\"u\":", "t"),
    ])
    func `damage is named with line and field`(old: String, new: String, field: String) {
        let bytes = changed(5) { $0.replacingOccurrences(old, with: new) }

        if field.isEmpty {
            #expect(throws: Never.self) { try TraceFile(bytes) }
        } else {
            let problem = #expect(throws: FileProblem.self) { try TraceFile(bytes) }
            #expect(problem?.line == 5)
            #expect(problem?.field == field)
        }
    }

    @Test(arguments: [
        (1, "\"world\":\"", "world"), (1, "\"name\":\"", "nodes[0].name"), (2, "\"e\":\"", "e"), (2, "\"to\":\"", "to"),
    ])
    func `a label may have the longest length, and not a byte more`(line: Int, key: String, field: String) throws {
        func labelled(_ length: Int) -> [UInt8] {
            changed(line) { text in
                guard let start = text.firstRange(of: key)?.upperBound, let end = text[start...].firstIndex(of: "\"")
                else { return text }
                return text[..<start] + String(repeating: "x", count: length) + text[end...]
            }
        }

        #expect(throws: Never.self) { try TraceFile(labelled(128)) }
        let problem = #expect(throws: FileProblem.self) { try TraceFile(labelled(129)) }
        #expect(problem?.description == "line \(line): \(field): is longer than 128 bytes")
    }

    @Test func `the trace of a world with a long name can be read`() throws {
        var writer = TraceWriter()
        writer.begin(Topology(name: String(repeating: "é", count: 90)), seed: Seed(1), span: .seconds(1))
        writer.end(digest: "none", unseed: "none", at: .start)

        #expect(try TraceFile(writer.takeText()).topology.name == String(repeating: "é", count: 64))
    }

    @Test func `reasons and rules are labels, too`() {
        let long = String(repeating: "x", count: 129)
        for event in [
            #""e":"rxDrop","frame":1,"reason":""#, #""e":"discard","reason":""#, #""e":"violated","rule":""#,
            #""e":"end","digest":""#,
        ] {
            let line = "{\"t\":120000000,\"n\":0,\(event)\(long)\"}"
            let problem = #expect(throws: FileProblem.self) {
                try TraceFile(Array(Self.bytes.prefix { $0 != UInt8(ascii: "\n") }) + [UInt8]("\n\(line)".utf8))
            }
            #expect(problem?.reason == "is longer than 128 bytes", "\(event)")
        }
    }

    @Test func `a line that is nested too deep is refused`() {
        let problem = #expect(throws: FileProblem.self) {
            try TraceFile(changed(5) { _ in "{\"t\":" + String(repeating: "[", count: 513) })
        }

        #expect(problem?.description == "line 5: is no JSON: nested deeper than 32 levels")
    }

    @Test func `a trace cut anywhere is read or refused, and has no digest`() throws {
        for length in stride(from: 0, to: Self.bytes.count - 1, by: 997) {
            let trace = try? TraceFile(Array(Self.bytes.prefix(length)))
            #expect(trace?.digest == nil)
        }
    }

    @Test func `time does not run backwards in a trace, and nothing follows its end`() {
        let back = changed(40) { "{\"t\":1," + $0.drop { $0 != "," }.dropFirst() }
        #expect(throws: FileProblem.self) { try TraceFile(back) }
        let behind = Self.bytes + [UInt8]("\n{\"t\":120000000,\"n\":0,\"e\":\"booted\"}".utf8)
        let problem = #expect(throws: FileProblem.self) { try TraceFile(behind) }
        #expect(problem?.reason.contains("behind the end") == true)
    }

    // MARK: Differences

    @Test func `equal traces have no difference`() throws {
        #expect(try TraceDifference.first(in: Self.bytes, Self.bytes) == nil)
    }

    @Test func `the first differing event is named with its time and its node`() throws {
        let trace = try TraceFile(Self.bytes)
        let place = try #require(
            trace.lines.firstIndex { if case .rxEnd = $0.content { $0.time > .seconds(30) } else { false } })
        let line = trace.lines[place]
        let other = changed(place + 2) { $0.replacingOccurrences("\"snr\":800", with: "\"snr\":801") }

        let difference = try #require(try TraceDifference.first(in: Self.bytes, other))

        #expect(difference.time == line.time)
        #expect(difference.node == trace.topology.nodes[line.node].label)
        #expect(difference.lines == [place + 2, place + 2])
        #expect(difference.first != difference.second)
    }

    @Test func `a trace that ends early, another seed and another world differ`() throws {
        let short = try #require(try TraceDifference.first(in: Self.bytes, changed(90) { _ in "" }))
        #expect(short.lines[0] == 90)
        let seed = try RunFixture("grid:3x3", seconds: 1, seed: 7).trace
        #expect(try TraceDifference.first(in: Self.bytes, seed)?.second == "seed 7")
        let world = try RunFixture("grid:3x4", seconds: 1).trace
        #expect(try TraceDifference.first(in: Self.bytes, world)?.first == "world grid:3x3")
    }

    @Test func `a trace that cannot be read is named as the first or the second`() {
        let problem = #expect(throws: TraceDifferenceProblem.self) { try TraceDifference.first(in: Self.bytes, [0x7B]) }
        #expect(problem?.file == 2)
    }

    // MARK: Fates

    @Test func `of a trace that was cut nobody learns what came after`() throws {
        let whole = try RunFixture("line:4", traffic: "flood:10s", seconds: 39).trace
        let lines = whole.split(separator: UInt8(ascii: "\n"))
        let cut = try TraceFile(Array(lines.prefix(12).joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")])

        #expect(try MessageFate("1", in: cut).text.contains("the trace was cut at "))
        #expect(try !MessageFate("1", in: TraceFile(whole)).text.contains("was cut"))
    }

    @Test func `the fate of a message is its way hop by hop to whom it was for`() throws {
        let trace = try TraceFile(try RunFixture("line:5", seconds: 39).trace)
        let fate = try MessageFate("1", in: trace)

        #expect(fate.hops.map { trace.topology.nodes[$0.sender].label } == ["alice", "r1", "r2", "r3"])
        #expect(fate.hops.map(\.cause) == [nil, 0, 1, 2])
        #expect(fate.reached.map { trace.topology.nodes[$0].label } == ["bob"])
        #expect(fate.missing.isEmpty)
        #expect(fate.text.contains("delivered to bob"))
    }

    @Test func `messages are found by number, frame, hash and words`() throws {
        let trace = try TraceFile(Self.bytes)
        let fate = try MessageFate("2", in: trace)
        let words = try #require(fate.words)

        for name in ["#\(fate.hops[0].frame)", fate.packet, String(fate.packet.prefix(8)), words.text] {
            #expect(try MessageFate(name, in: trace).packet == fate.packet, "by \(name)")
        }
        #expect(throws: FateProblem.self) { try MessageFate("flood", in: trace) }
        #expect(throws: FateProblem.self) { try MessageFate("99", in: trace) }
        #expect(throws: FateProblem.self) { try MessageFate("nobody wrote this", in: trace) }
    }

    @Test func `an acknowledgement belongs to the fate of a direct text`() throws {
        let trace = try TraceFile(try RunFixture("line:4", traffic: "direct", seconds: 40).trace)
        let fate = try MessageFate("direct 0001", in: trace)

        #expect(try #require(fate.acknowledged) > fate.hops[0].begin)
        #expect(fate.text.contains("acknowledged at"))
    }

    @Test func `a message dies where the way ends, and the fate says so`() throws {
        // r2 hears r1, and bob does not hear r2.
        var plan = WorldPlan(.line(4), traffic: try Traffic("flood"))
        plan.topology.links[2].there = nil
        plan.silenceAdverts()
        let trace = try TraceFile(RunFixture(plan, seconds: 30).trace)
        let fate = try MessageFate("1", in: trace)

        #expect(fate.missing.map { trace.topology.nodes[$0].label } == ["bob"])
        #expect(fate.text.contains("bob did not get it: there is no way to it"))
    }

    @Test func `a message that a repeater will not forward ends there`() throws {
        var plan = WorldPlan(.line(5), traffic: try Traffic("flood"))
        plan.silenceAdverts()
        plan.equipment[2].setup.preferences.isForwardingDisabled = true
        let trace = try TraceFile(RunFixture(plan, seconds: 30).trace)
        let text = try MessageFate("1", in: trace).text

        #expect(text.contains("bob did not get it: it ended at r2, 2 hops away: forwardingDenied"))
    }

    @Test func `a message whose every copy is lost dies with the reason`() throws {
        var plan = WorldPlan(.line(3), traffic: try Traffic("flood"))
        plan.silenceAdverts()
        plan.topology.links[1].lossPerTenThousand = 10_000
        let trace = try TraceFile(RunFixture(plan, seconds: 30).trace)

        #expect(
            try MessageFate("1", in: trace).text.contains("bob did not get it: it lost every copy: #1 of r1 (linkLoss)")
        )
    }
}

extension String {
    fileprivate func replacingOccurrences(_ old: String, with new: String) -> String {
        guard let range = firstRange(of: old) else { return self }
        return replacingCharacters(range, with: new)
    }

    private func replacingCharacters(_ range: Range<Index>, with new: String) -> String {
        String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
    }
}
