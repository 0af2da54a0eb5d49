import MeshCapture
import MeshCompanion
import MeshSimulator
import MeshTime
import MeshWorlds
import Testing

@testable import MeshControl

/// Player documents, compared with the events that they pack.
@Suite struct PlayerDocumentTests {
    /// Returns the trace that `meshbed mesh run` writes with `--trace`.
    static func trace(_ world: String, seed: UInt64, seconds: Int64 = 60) throws -> TraceFile {
        var plan = try WorldSource(world, seed: Seed(seed)).plan
        plan.traffic = try Traffic("chat:5s")
        var writer = TraceWriter()
        writer.begin(plan.topology, seed: Seed(seed), span: .seconds(seconds))
        var run = MeshRun(plan, seed: Seed(seed), span: .seconds(seconds)) { writer.add($0, $1, $2) }
        let summary = run.perform()
        writer.end(summary, at: .start + .seconds(seconds))
        return try TraceFile(writer.takeText())
    }

    @Test(arguments: ["village", "town", "grid:4x4", "line:6"], [1, 2, 3] as [UInt64])
    func `every line of a trace is in its document, in its place`(world: String, seed: UInt64) throws {
        let trace = try Self.trace(world, seed: seed)

        let packed = try PackedReader(PlayerDocument(trace).packed)

        #expect(try packed.column("time") == trace.lines.map(\.time.microseconds))
        #expect(try packed.column("node") == trace.lines.map { Int64($0.node) })
        #expect(packed.names == trace.topology.nodes.map(\.label))
        #expect(try packed.column("linkFrom") == trace.topology.links.map { Int64($0.from) })
        let strings = packed.head["strings"] as? [String] ?? []
        let (kinds, firsts, seconds) = (
            try packed.column("kind"), try packed.column("first"), try packed.column("second")
        )
        for (row, line) in trace.lines.enumerated() {
            switch line.content {
            case .rxEnd(let frame, let snr, let rssi):
                #expect(kinds[row] == 4 && firsts[row] == Int64(frame))
                #expect(seconds[row] >> 16 == Int64(snr))
                #expect(Int16(truncatingIfNeeded: seconds[row]) == rssi)
            case .rxDrop(_, let reason, _): #expect(kinds[row] == 5 && strings[Int(seconds[row])] == reason)
            case .discard(let reason): #expect(kinds[row] == 6 && strings[Int(firsts[row])] == reason)
            case .message(let number, _, _): #expect(kinds[row] == 17 && firsts[row] == Int64(number))
            default: break
            }
        }
        let bytes = trace.lines.flatMap { line -> [UInt8] in
            switch line.content {
            case .txBegin(_, let bytes, _), .replayBegin(_, let bytes, _): bytes
            default: []
            }
        }
        #expect(!bytes.isEmpty)
        #expect(try packed.column("bytes") == bytes.map(Int64.init))
    }

    @Test func `the same trace gives the same bytes`() throws {
        let trace = try Self.trace("town", seed: 7)

        #expect(PlayerDocument(trace).packed == PlayerDocument(trace).packed)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `drawn events come back as they were`(seed: UInt64) throws {
        var source = Seed(seed).stream("player", "events")
        var events = PlayerEvents()
        var wanted: [(time: Int64, node: Int64, first: Int64)] = []
        var time: Int64 = 0
        for _ in 0..<Int.random(in: 0...300, using: &source) {
            // Gaps of all widths, up to weeks.
            time += Int64.random(in: 0...1, using: &source) << Int64.random(in: 0...40, using: &source)
            let node = Int.random(in: 0...3, using: &source)
            let number = Int.random(in: 0...Int(UInt32.max), using: &source)
            events.add(Instant(microseconds: time), node, .txEnd(frame: number))
            wanted.append((time, Int64(node), Int64(number)))
        }
        var world = PlayerWorld()
        world.nodes = (0..<4).map { .init(name: "n\($0)", role: "repeater") }
        var document = PlayerDocument(.trace, title: "drawn", world: world)
        document.events = events

        let packed = try PackedReader(document.packed)

        #expect(try packed.column("time") == wanted.map(\.time), "seed \(seed)")
        #expect(try packed.column("node") == wanted.map(\.node), "seed \(seed)")
        #expect(try packed.column("first") == wanted.map(\.first), "seed \(seed)")
    }

    @Test func `of a run that went back the player shows what went on, and says what is left out`() throws {
        var writer = TraceWriter()
        writer.begin(.line(2), seed: Seed(1), span: .zero)
        writer.add(.snapshot("met"), at: .seconds(1))
        writer.add(.seconds(5), NodeID(index: 0), .message(number: 1, to: "bob", text: "left"))
        writer.add(.restored("met"), at: .seconds(1))
        writer.add(.seconds(2), NodeID(index: 0), .message(number: 1, to: "bob", text: "said"))
        let document = PlayerDocument(try TraceFile(writer.takeText()))

        #expect(document.events.messages.map(\.text) == ["said"])
        #expect(document.events.times == [2_000_000])
        let note = "the run went back to a snapshot once; what it left behind is left out, 1 line"
        #expect(document.facts.contains { $0.name == "Left out" && $0.value == note })
    }

    @Test func `of a recording the player shows the run that went on`() {
        let entries: [RecordingEntry] = [
            .init(.zero, .tcp, .connected), .init(.seconds(1), .tcp, .turn(.snapshot("met"))),
            .init(.seconds(5), .tcp, .frame(.toRadio, [0x05])), .init(.seconds(1), .tcp, .turn(.restored("met"))),
            .init(.seconds(2), .tcp, .frame(.toRadio, [0x14])),
        ]
        let document = PlayerDocument(Recording(RecordingHeader(), entries), title: "forked")

        #expect(document.events.times == [0, 1_000_000, 1_000_000, 2_000_000])
        #expect(document.events.notes.map(\.label).dropLast() == ["connected", "snapshot", "went back"])
        #expect(document.facts.map(\.name) == ["Left out"])
        #expect(document.span == .seconds(2))
    }

    @Test func `different reasons are kept up to a bound, whatever a file says`() {
        var events = PlayerEvents()
        for number in 0..<20_000 { events.add(.start, 0, .discard(reason: "reason \(number)")) }

        #expect(events.count == 20_000)
        #expect(events.strings.count == PlayerEvents.mostStrings + 1)
        #expect(events.strings[Int(events.firsts[19_999])] == "…")
    }

    @Test func `a document of a busy mesh takes few bytes an event`() throws {
        let document = PlayerDocument(try Self.trace("grid:5x5", seed: 7, seconds: 300))

        let packed = document.packed

        #expect(document.events.count > 2000)
        #expect(packed.count < 26 * document.events.count)
    }
}
