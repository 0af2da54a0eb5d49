import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

@testable import MeshWorlds

/// The end of a message: once nothing of it is on the air or in a queue, and not before.
@Suite struct MessageEndTests {
    /// All lines of a trace about one message.
    private struct Course {
        var end: (word: String, at: Instant)?
        var acknowledged: Instant?
        var written = Instant.start
        var isTransmitted = false
        var lastUse = Instant.start
        var isDelivered = false
    }

    private func courses(_ trace: TraceFile) throws -> [Int: Course] {
        var courses: [Int: Course] = [:]
        for line in trace.lines {
            switch line.content {
            case .message(let number, _, _): courses[number] = Course(written: line.time)
            case .acknowledged(let number): courses[number]?.acknowledged = line.time
            case .ended(let number, let end):
                // Each ends once.
                #expect(courses[number]?.end == nil, "message \(number)")
                courses[number]?.end = (end, line.time)
            default: break
            }
        }
        for number in courses.keys {
            guard let fate = try? MessageFate("\(number)", in: trace) else { continue }
            courses[number]?.isTransmitted = true
            courses[number]?.lastUse = fate.hops.map(\.end).max() ?? .start
            courses[number]?.isDelivered = !fate.reached.isEmpty
        }
        return courses
    }

    private func trace(_ world: String, _ traffic: String, seconds: Int, faults: Int = 0) throws -> TraceFile {
        var plan = try WorldSource(world, seed: Seed(5)).plan
        plan.traffic = try Traffic(traffic)
        plan.addRandomFaults(faults, span: .seconds(seconds), seed: Seed(5))
        return try TraceFile(RunFixture(plan, seconds: seconds, seed: 5).trace)
    }

    @Test(arguments: ["grid:4x4", "line:6", "town"])
    func `after its end nothing of a message is transmitted, and every message has one`(world: String) throws {
        let trace = try trace(world, "chat:5s,direct:7s,flood:11s", seconds: 600, faults: 3)
        let courses = try courses(trace)

        #expect(courses.count > 100)
        var ended = 0
        for (number, course) in courses.sorted(by: { $0.key < $1.key }) {
            if let end = course.end {
                ended += 1
                #expect(course.lastUse <= end.at, "message \(number) ended at \(end.at) with \(end.word)")
                #expect(MessageEnd(rawValue: end.word)?.hasArrived == course.isDelivered, "message \(number)")
            } else if course.acknowledged == nil {
                // Two minutes are more than any of them takes.
                #expect(trace.lines.last.map { $0.time - course.written < .seconds(120) } == true, "message \(number)")
            }
        }
        #expect(ended > 50)
    }

    @Test func `the same run has the same digest whether its messages are followed or not, and the same trace`() throws
    {
        let first = try RunFixture("grid:4x4", traffic: "chat:5s", seconds: 120)
        let second = try RunFixture("grid:4x4", traffic: "chat:5s", seconds: 120)

        #expect(first.trace == second.trace)
    }

    @Test func `a text that nobody hears is given up when its transmission is over`() throws {
        var plan = WorldPlan(try TopologyName("line:3").topology(seed: Seed(42)))
        plan.traffic = try Traffic("direct:10s")
        plan.silenceAdverts()
        let alice = try #require(plan.topology.nodes.firstIndex { $0.label == "alice" })
        plan.faults = [Fault(.partition([NodeID(index: alice)]), from: .start, to: .seconds(600))]
        let trace = try TraceFile(RunFixture(plan, seconds: 60).trace)

        let fate = try MessageFate("1", in: trace)
        let end = try #require(try courses(trace)[1]?.end)

        #expect(end.word == "notReceived" || end.word == "lost")
        #expect(end.at == fate.hops.first?.end)
        #expect(fate.standing == .givenUp)
        #expect(fate.text.contains("given up: "))
        #expect(!fate.text.contains("was cut"))
    }

    @Test func `a trace that stops behind the end of a message is not cut as far as it goes`() throws {
        let whole = try RunFixture("line:4", traffic: "flood:10s", seconds: 39).trace
        let lines = whole.split(separator: UInt8(ascii: "\n"))
        let last = try #require(
            lines.lastIndex { String(decoding: $0, as: UTF8.self).contains(#""e":"ended","number":1"#) })
        let newline = UInt8(ascii: "\n")

        let cut = try TraceFile(Array(lines[...last].joined(separator: [newline])) + [newline])
        let before = try TraceFile(Array(lines[..<last].joined(separator: [newline])) + [newline])

        #expect(try !MessageFate("1", in: cut).text.contains("was cut"))
        #expect(try MessageFate("1", in: before).text.contains("the trace was cut at "))
    }

    @Test func `of a run that goes on a message may still arrive until it has ended`() throws {
        let whole = try RunFixture("line:4", traffic: "flood:10s", seconds: 39).trace
        let lines = whole.split(separator: UInt8(ascii: "\n"))
        let first = try #require(lines.firstIndex { String(decoding: $0, as: UTF8.self).contains(#""e":"rxEnd""#) })
        let soFar = try TraceFile(Array(lines[...first].joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")])

        let running = try MessageFate("1", in: soFar, isRunning: true)

        #expect(running.standing == .sent && running.mayStillArrive)
        #expect(running.text.contains("something of it is on its way still") && !running.text.contains("was cut"))
        #expect(!running.isCut)
        #expect(try !MessageFate("1", in: TraceFile(whole), isRunning: true).mayStillArrive)
    }

    // MARK: The ledger

    /// A ledger of a line of three with a text of alice to bob, which her radio has accepted.
    private func ledger() throws -> (ledger: MeshLedger, number: Int) {
        let topology = try TopologyName("line:3").topology(seed: Seed(42))
        let (alice, bob) = (
            try #require(topology.nodes.firstIndex { $0.label == "alice" }),
            try #require(topology.nodes.firstIndex { $0.label == "bob" })
        )
        var ledger = MeshLedger(topology)
        let event = Traffic.Event(at: .seconds(1), from: alice, message: .directText(to: bob, "hello"))
        let number = ledger.open(event, at: .seconds(1))
        return (ledger, number)
    }

    @Test(arguments: [TraceEvent.poweredOff, .rebooted])
    func `a text that goes down with its radio is given up, and one that its app still has is not`(down: TraceEvent)
        throws
    {
        var (ledger, number) = try ledger()
        let alice = NodeID(index: ledger.account(of: number, at: .seconds(1)).event.from)
        var waiting = ledger
        waiting.enter(TraceRecord(time: .seconds(2), node: alice, event: down))
        #expect(waiting.account(of: number, at: .seconds(60)).standing == .waiting)

        var sent = Resp.Sent()
        sent.tag = 7
        _ = ledger.enter(.taken(message: number, sent), of: alice.index, at: .seconds(1))
        ledger.enter(TraceRecord(time: .seconds(2), node: alice, event: down))

        #expect(ledger.account(of: number, at: .seconds(2)).isOpen)
        let account = ledger.account(of: number, at: .seconds(3))
        #expect(account.standing == .givenUp && account.end == .radioDown && !account.isOpen)
        #expect(ledger.takeEnds(before: .seconds(3)) { _ in false }.map(\.end) == [.radioDown])
        // It ends once.
        #expect(ledger.takeEnds(before: .seconds(60)) { _ in false }.isEmpty)
        #expect(ledger.account(of: number, at: .seconds(60)).end == .radioDown)
    }

    @Test func `an acknowledgement that its radio has is not lost, and an app that is not there learns nothing of it`()
        throws
    {
        var (ledger, number) = try ledger()
        let alice = ledger.account(of: number, at: .seconds(1)).event.from
        var sent = Resp.Sent()
        sent.tag = 7
        _ = ledger.enter(.taken(message: number, sent), of: alice, at: .seconds(1))
        let text: [UInt8] = [0x0A, 0x00, 0xB0, 0xA1, 1, 2, 3, 4]
        let node = NodeID(index: alice)
        ledger.enter(
            TraceRecord(time: .seconds(1), node: node, event: .txBegin(frame: 0, bytes: text, airtime: .seconds(1))))
        ledger.enter(TraceRecord(time: .seconds(2), node: node, event: .txEnd(frame: 0)))
        ledger.enter(TraceRecord(time: .seconds(2), node: node, event: .reported(.acked(7))))

        #expect(ledger.takeEnds(before: .seconds(6)) { _ in false }.isEmpty)
        var told = ledger
        #expect(told.enter(.confirmed(tag: 7), of: alice, at: .seconds(6)) == number)
        #expect(told.account(of: number, at: .seconds(60)).standing == .acknowledged)
        #expect(told.takeEnds(before: .seconds(60)) { _ in false }.isEmpty)
        #expect(ledger.account(of: number, at: .seconds(60)).end == .notTold)
        #expect(ledger.account(of: number, at: .seconds(60)).standing == .delivered)
    }

    @Test func `a text that its app will send again has not ended`() throws {
        var (ledger, number) = try ledger()
        ledger.lose(number, at: .seconds(2))

        #expect(ledger.takeEnds(before: .seconds(3)) { $0 == number }.isEmpty)
        #expect(ledger.takeEnds(before: .seconds(9)) { _ in false }.map(\.number) == [number])
    }

    @Test func `a text that its radio does not take is refused`() throws {
        var (ledger, number) = try ledger()
        let alice = ledger.account(of: number, at: .seconds(1)).event.from
        _ = ledger.enter(.refused(message: number), of: alice, at: .seconds(1))

        let account = ledger.account(of: number, at: .seconds(2))
        #expect(account.standing == .refused && account.end == .refused && !account.isOpen)
    }

    @Test func `one word follows from what is known of a message`() {
        func word(_ isTransmitted: Bool, _ isDelivered: Bool, _ isAcknowledged: Bool, _ end: MessageEnd?)
            -> MessageStanding
        {
            MessageStanding(
                isTransmitted: isTransmitted, isDelivered: isDelivered, isAcknowledged: isAcknowledged, end: end)
        }
        #expect(word(false, false, false, nil) == .waiting)
        #expect(word(true, false, false, nil) == .sent)
        #expect(word(true, true, false, nil) == .delivered)
        #expect(word(true, true, true, nil) == .acknowledged)
        #expect(word(false, false, false, .refused) == .refused)
        #expect(word(false, false, false, .radioDown) == .givenUp)
        for end in MessageEnd.allCases {
            #expect(word(true, false, true, end) == .acknowledged)
            #expect(!end.words.isEmpty)
        }
    }
}
