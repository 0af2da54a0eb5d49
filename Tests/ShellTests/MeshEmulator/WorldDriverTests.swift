import MeshCapture
import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds
import Testing

@testable import MeshEmulator

/// Driven worlds without a socket, on a clock that the test sets.
@Suite struct WorldDriverTests {
    private static let session: [[UInt8]] = [[1, 3, 0, 0, 0, 0, 0, 0, 0x61], [22, 3], [5], [7, 1]]

    // MARK: Stepped time

    @Test func `a client is answered while time stands still`() throws {
        var bench = DriverBench(.pair, .stepped, clients: ["alice"])
        bench.connect("alice")

        let answers = Self.session.map { bench.ask("alice", $0).first?.first }

        #expect(answers == [5, 13, 9, 0])
        #expect(bench.driver.world.now == .start)
    }

    @Test func `a step ends at its moment, and the same acts give the same digest`() throws {
        var digests: Set<Digest> = []
        for _ in 0..<2 {
            var bench = DriverBench(.pair, .stepped, clients: ["alice", "bob"])
            bench.connect("alice")
            bench.connect("bob")
            for command in Self.session { bench.ask("alice", command) }
            #expect(try bench.step(.seconds(20)) == false)
            #expect(bench.driver.world.now == .seconds(20))
            digests.insert(bench.driver.world.digest)
        }
        #expect(digests.count == 1)
    }

    @Test func `bytes give the same run in whatever pieces they come`() throws {
        var digests: Set<Digest> = []
        for length in [1, 3, 1000] {
            var bench = DriverBench(.pair, .stepped, clients: ["alice"])
            bench.connect("alice")
            let bytes = Self.session.flatMap(StreamFraming.encode(toRadio:))
            for start in stride(from: 0, to: bytes.count, by: length) {
                bench.send("alice", Array(bytes[start...].prefix(length)))
            }
            #expect(try bench.step(.seconds(10)) == false)
            digests.insert(bench.driver.world.digest)
        }
        #expect(digests.count == 1)
    }

    @Test func `a condition ends a step where it is met`() throws {
        var bench = DriverBench(.pair, .stepped, clients: ["alice"])
        bench.connect("alice")
        bench.ask("alice", [7, 1])

        let isMet = try bench.step(.seconds(60)) { $0.world.statistics.transmissions > 0 }

        #expect(isMet == true)
        #expect(bench.driver.world.now < .seconds(60))
    }

    @Test func `a step waits for a client that is about to answer`() throws {
        var bench = DriverBench(.pair, .stepped, clients: ["alice"])
        bench.connect("alice")
        bench.ask("alice", [5])

        // Nothing has passed for less than the gate's quiet: the client may still speak.
        try bench.driver.add(1, lasting: .seconds(1))
        bench.turn()
        #expect(bench.driver.world.now == .start)
        bench.clock = bench.clock + ClientGate.Rules().quiet
        bench.turn()
        #expect(bench.driver.world.now == .seconds(1))
    }

    // MARK: Effects

    @Test func `a change of flash is to be durable before the answer that tells of it leaves`() throws {
        var bench = DriverBench(.pair, .stepped, clients: ["alice"])
        bench.connect("alice")
        bench.effects = []

        // SET_ADVERT_NAME
        bench.ask("alice", [8, 0x62])

        let persisted = try #require(bench.effects.firstIndex { if case .persist = $0 { true } else { false } })
        let answered = try #require(bench.effects.firstIndex { if case .write = $0 { true } else { false } })
        #expect(persisted < answered)
    }

    @Test func `what passes is in the recording before it leaves`() throws {
        var bench = DriverBench(.pair, .stepped, clients: ["alice"]) { $0.emitsRecordings = true }
        bench.connect("alice")
        bench.effects = []

        bench.ask("alice", [5])

        let kinds = bench.effects.compactMap { effect -> String? in
            switch effect {
            case .recorded(let entry, _):
                guard case .frame(let way, _) = entry.event else { return nil }
                return way == .toApp ? "answer recorded" : "question recorded"
            case .write: return "answer written"
            default: return nil
            }
        }
        #expect(kinds == ["question recorded", "answer recorded", "answer written"])
    }

    @Test func `a client without power is written nothing, and the next one is answered after the boot`() throws {
        var bench = DriverBench(.pair, .stepped, clients: ["alice"])
        bench.connect("alice")
        let alice = bench.node("alice")
        bench.steer { $0.withWorld { $0.powerOff(alice) } }
        bench.disconnect("alice")
        bench.effects = []

        #expect(bench.ask("alice", [5]).isEmpty)
        bench.steer { $0.withWorld { $0.powerOn(alice) } }
        #expect(try bench.step(.seconds(10)) == false)
        bench.connect("alice")

        #expect(bench.ask("alice", [5]).first?.first == 9)
    }

    @Test func `a new client does not wait for what the one before it has left unread`() {
        var bench = DriverBench(.pair, .clock(speed: 1), clients: ["alice"])
        bench.connect("alice")
        // A length that can never arrive, and more than the board has room for.
        bench.send("alice", [0x3C, 0xFF, 0xFF] + [UInt8](repeating: 0x41, count: 20_000))
        #expect(!bench.driver.isReady(for: bench.client("alice")))

        bench.connect("alice")

        #expect(bench.driver.isReady(for: bench.client("alice")))
    }

    // MARK: Snapshots

    @Test(arguments: [LoopbackLink.direct, .bluetoothESP32, .bluetoothNRF52])
    func `a run that goes back takes the same course again`(link: LoopbackLink) throws {
        var bench = DriverBench(.pair, .stepped, clients: ["alice"], link: link)
        bench.connect("alice")
        for command in Self.session { try bench.askInTime("alice", command) }
        try bench.steer { try $0.takeSnapshot("then") }
        let then = bench.driver.world.digest

        func goOn() throws -> (back: Digest, end: Digest) {
            try bench.steer { try $0.restore("then") }
            let back = bench.driver.world.digest
            bench.disconnect("alice")
            #expect(try bench.step(.seconds(5)) == false)
            bench.connect("alice")
            for command in Self.session { try bench.askInTime("alice", command) }
            #expect(try bench.step(.seconds(30)) == false)
            return (back, bench.driver.world.digest)
        }
        let (first, second) = (try goOn(), try goOn())

        #expect(first == second)
        #expect(first.end != then)
        #expect(bench.driver.restores == 2)
    }

    @Test func `going back puts the files of nodes back, and fails who waits for time`() throws {
        var bench = DriverBench(.pair, .stepped, clients: ["alice"])
        bench.connect("alice")
        try bench.steer { try $0.takeSnapshot("then") }
        let flash = bench.driver.world.flash(of: bench.node("alice"))
        bench.ask("alice", [8, 0x62])
        #expect(bench.driver.world.flash(of: bench.node("alice")) != flash)
        try bench.driver.add(1, lasting: .seconds(1))
        bench.effects = []

        try bench.steer { try $0.restore("then") }

        let alice = bench.node("alice")
        #expect(
            bench.effects.contains { effect in
                if case .replaceFiles(flash, alice) = effect { true } else { false }
            })
        #expect(
            bench.effects.contains { effect in
                if case .stepFailed(1) = effect { true } else { false }
            })
    }
}

extension WorldDriverTests {
    @Test func `going back leaves its mark in the trace and in recordings`() throws {
        var bench = DriverBench(.pair, .stepped, clients: ["alice"]) {
            $0.emitsLines = true
            $0.emitsRecordings = true
        }
        bench.connect("alice")
        #expect(try bench.step(.seconds(1)) == false)
        try bench.steer { try $0.takeSnapshot("met") }
        bench.ask("alice", [7, 1])
        #expect(try bench.step(.seconds(5)) == false)
        // Half a frame, whose end never comes.
        bench.send("alice", [0x3C, 5, 0, 1])
        try bench.steer { try $0.restore("met") }
        #expect(try bench.step(.seconds(2)) == false)

        var writer = TraceWriter()
        writer.begin(.line(bench.driver.world.nodes.count), seed: Seed(7), span: .zero)
        var recording = Recording(RecordingHeader())
        for effect in bench.effects {
            switch effect {
            case .happened(let line): writer.add(line.time, line.node, line.happening)
            case .turned(let turn, let time): writer.add(turn, at: time)
            case .recorded(let entry, _): recording.entries.append(entry)
            default: break
            }
        }
        let trace = try TraceFile(writer.takeText())
        #expect(trace.restores == 1)
        #expect(trace.abandoned > 0, "the advert")
        #expect(recording.history.restores == 1)
        let place = try #require(recording.entries.firstIndex { $0.event == .turn(.restored("met")) })
        #expect(recording.entries[place].time == .seconds(1))
        #expect(recording.entries[place - 1].event == .problem("a frame to the radio ends after 1 of 5 bytes"))
        #expect(recording.entries[place - 1].time == .seconds(6))
        #expect(recording.entries[place...].allSatisfy { $0.time >= .seconds(1) })
    }
}

/// Apps in the process of a driven world, which waits for nobody.
@Suite struct WorldDriverAppTests {
    @Test func `a frame of an app waits for one turn where nothing is due before it`() throws {
        var bench = DriverBench(.pair, .clock(speed: 1), clients: ["alice"])
        let alice = bench.node("alice")
        bench.driver.connectApp(ClientID(alice), at: bench.clock, into: &bench.effects)
        bench.settle()
        #expect(bench.driver.world.companion(alice)?.isConnected == true)
        let mustCatchUp = bench.driver.catchesUp(beforeFrameOf: ClientID(alice), at: bench.clock)
        #expect(!mustCatchUp)

        try bench.driver.send([22, 3], of: ClientID(alice), at: bench.clock, into: &bench.effects)
        #expect(bench.driver.wantsTurn)
        #expect(!bench.driver.isReady(for: ClientID(alice)))
        bench.driver.handle(.woke, at: bench.clock, into: &bench.effects)

        #expect(!bench.driver.wantsTurn)
        #expect(bench.driver.isReady(for: ClientID(alice)))
    }

    @Test func `a frame that finds no room is refused, and changes nothing`() {
        var bench = DriverBench(.pair, .clock(speed: 1), clients: ["alice"])
        let alice = bench.node("alice")
        bench.driver.connectApp(ClientID(alice), at: bench.clock, into: &bench.effects)
        bench.settle()
        let long = [UInt8](repeating: 3, count: bench.driver.window(of: ClientID(alice)))

        #expect(throws: FrameRefusal.failed("the radio's receive buffer is full")) {
            try bench.driver.send(long, of: ClientID(alice), at: bench.clock, into: &bench.effects)
        }
        #expect(bench.driver.isReady(for: ClientID(alice)))
    }

    @Test(arguments: [LoopbackLink.direct, .bluetoothESP32])
    func `an app that has left is not connected again`(link: LoopbackLink) {
        var bench = DriverBench(.pair, .clock(speed: 1), clients: ["alice"], link: link)
        let alice = bench.node("alice")
        bench.driver.connectApp(ClientID(alice), at: bench.clock, into: &bench.effects)
        bench.pass(.seconds(20))
        #expect(bench.driver.world.companion(alice)?.isConnected == true)

        bench.driver.disconnectApp(ClientID(alice), at: bench.clock, into: &bench.effects)
        bench.pass(.seconds(20))

        #expect(!bench.driver.hasClient(alice))
        #expect(bench.driver.world.companion(alice)?.isConnected == false)
    }
}

/// A driver whose clients are the test: it reads every effect, and turns the driver until nothing is due.
struct DriverBench {
    var driver: WorldDriver
    var clock = TimeSpan.zero
    var effects: [DriverEffect] = []
    private var latestStep = 1000

    init(
        _ world: WorldDescription, _ pace: Pace, clients: [String], link: LoopbackLink = .direct,
        _ change: (inout WorldDriver.Settings) -> Void = { _ in }
    ) {
        var settings = WorldDriver.Settings()
        settings.pace = pace
        settings.isSteered = true
        change(&settings)
        var description = world
        for index in description.nodes.indices where clients.contains(description.nodes[index].label) {
            if case .companion = description.nodes[index].role { description.nodes[index].role = .companion(.wifi) }
        }
        let bluetooth = link == .direct ? nil : link.prepare(&description, seed: Seed(7))
        let made = World(description, seed: Seed(7), traceCapacity: .max)
        driver = WorldDriver(made, settings)
        for label in clients {
            guard let node = made.node(labelled: label) else { continue }
            driver.attach(node, over: bluetooth == nil ? .tcp : .ble, bluetooth: bluetooth)
        }
        driver.start(at: clock, into: &effects)
        turn()
    }

    func client(_ label: String) -> ClientID { ClientID(node(label)) }

    func node(_ label: String) -> NodeID { driver.world.node(labelled: label) ?? NodeID(index: 0) }

    /// Turns the driver until it has nothing more to do at this moment of the clock.
    mutating func turn() {
        repeat {
            driver.handle(.woke, at: clock, into: &effects)
        } while driver.isInterrupted || driver.isLate || driver.wantsTurn
    }

    /// Turns the driver until nothing is due at this moment of the clock.
    mutating func settle() {
        repeat { turn() } while driver.isDue(at: clock)
    }

    /// Lets time pass.
    mutating func pass(_ span: TimeSpan) {
        let end = clock + span
        settle()
        while let wake = driver.nextWake(at: clock), wake <= end {
            clock = wake
            settle()
        }
        clock = end
        settle()
    }

    mutating func connect(_ label: String) {
        driver.handle(.link(client(label), .open), at: clock, into: &effects)
        driver.handle(.client(client(label), .connected), at: clock, into: &effects)
        turn()
    }

    mutating func disconnect(_ label: String) {
        driver.handle(.link(client(label), LinkState()), at: clock, into: &effects)
        driver.handle(.client(client(label), .disconnected), at: clock, into: &effects)
        turn()
    }

    mutating func send(_ label: String, _ bytes: [UInt8]) {
        driver.handle(.client(client(label), .bytes(bytes)), at: clock, into: &effects)
        turn()
    }

    /// The frames that the client was written since an effect.
    func frames(since place: Int) -> [[UInt8]] {
        effects[place...].compactMap { effect in
            guard case .write(let bytes, _) = effect else { return nil }
            return Array(bytes.dropFirst(StreamFraming.headerSize))
        }
    }

    /// Writes a command, and returns what is answered while time stands still.
    @discardableResult
    mutating func ask(_ label: String, _ command: [UInt8]) -> [[UInt8]] {
        let place = effects.count
        send(label, StreamFraming.encode(toRadio: command))
        return frames(since: place)
    }

    /// Writes a command, and lets time pass until it is answered: a modelled link takes its own.
    mutating func askInTime(_ label: String, _ command: [UInt8]) throws {
        let place = effects.count
        send(label, StreamFraming.encode(toRadio: command))
        var rounds = 0
        while frames(since: place).allSatisfy({ $0.first ?? 0xFF >= 0x80 }), rounds < 100 {
            _ = try step(.milliseconds(100))
            rounds += 1
        }
        #expect(rounds < 100)
    }

    mutating func steer<R>(_ body: (inout WorldDriver) throws -> R) rethrows -> R {
        let result = try driver.steer(at: clock, into: &effects, body)
        turn()
        return result
    }

    /// Lets time pass, while the clock goes on as clients need it to; returns whether the condition was met.
    mutating func step(_ span: TimeSpan, until condition: DriverStep.Condition? = nil) throws -> Bool? {
        latestStep += 1
        let place = effects.count
        try driver.add(latestStep, lasting: span, until: condition)
        for _ in 0..<10_000 {
            turn()
            for case .stepEnded(latestStep, let isMet) in effects[place...] { return isMet }
            clock = clock + .milliseconds(50)
        }
        return nil
    }
}
