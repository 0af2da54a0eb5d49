import MeshCapture
import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds
import Testing

@testable import MeshEmulator

/// Driven worlds with apps at several interfaces of one radio, without a socket.
@Suite struct SeveralInterfacesDriverTests {
    private static let (phone, laptop) = (0, 1)

    @Test func `both apps receive each answer, whoever has asked`() throws {
        var bench = try SharedRadio()

        bench.ask(Self.phone, GetDeviceTime())
        #expect(bench.codes() == [[9], [9]])
        bench.ask(Self.laptop, GetAutoaddConfig())

        #expect(bench.codes() == [[25], [25]])
        #expect(bench.driver.world.now == .start)
    }

    @Test func `an app that leaves, comes back or is hung up on leaves the other one alone`() throws {
        var bench = try SharedRadio()
        bench.disconnect(Self.laptop)

        bench.ask(Self.phone, GetDeviceTime())
        #expect(bench.codes() == [[9], []])
        bench.connect(Self.laptop)
        bench.ask(Self.phone, GetDeviceTime())

        #expect(bench.codes() == [[9], [9]])
    }

    @Test func `a board that restarts has lost both apps`() throws {
        var bench = try SharedRadio()
        bench.ask(Self.laptop, Reboot())
        try bench.step(.seconds(5))

        #expect(!bench.driver.hasClient(bench.alice))
        #expect(bench.count { if case .restarts = $0 { true } else { false } } == 2)
        #expect(bench.count { if case .booted = $0 { true } else { false } } == 2)
        _ = bench.codes()

        bench.connect(Self.laptop)
        bench.ask(Self.laptop, GetDeviceTime())
        #expect(bench.codes() == [[], [9]])
    }

    @Test func `going back in time disconnects both apps, and both can come again`() throws {
        var bench = try SharedRadio()
        try bench.steer { try $0.takeSnapshot("then") }
        bench.ask(Self.laptop, GetDeviceTime())
        _ = bench.codes()

        try bench.steer { try $0.restore("then") }
        #expect(bench.driver.world.companion(bench.alice)?.isConnected == false)
        #expect(bench.count { if case .forgets = $0 { true } else { false } } == 2)
        for interface in [Self.phone, Self.laptop] { bench.connect(interface) }
        bench.ask(Self.phone, GetDeviceTime())

        #expect(bench.codes() == [[9], [9]])
    }

    @Test func `time that waits for clients waits for each app`() throws {
        var bench = try SharedRadio()
        bench.ask(Self.laptop, GetDeviceTime(), isAwaited: false)

        // Both were told something, and may be about to answer.
        try bench.driver.add(1, lasting: .seconds(1))
        bench.turn()
        #expect(bench.driver.world.now == .start)
        bench.rest()

        #expect(bench.driver.world.now == .seconds(1))
    }

    @Test func `the same acts give the same run, and a further app is in its digest`() throws {
        func digest(_ interface: Int) throws -> Digest {
            var bench = try SharedRadio()
            bench.ask(interface, SendSelfAdvert())
            try bench.step(.seconds(10))
            return bench.driver.world.digest
        }

        #expect(try digest(0) == digest(0))
        #expect(try digest(1) == digest(1))
    }

    @Test func `texts of both apps have accounts, each from its own answers`() throws {
        var bench = try SharedRadio()
        bench.ask(Self.phone, SendChannelTxtMsg(channelIndex: 0, timestamp: 1, text: "from the phone"))
        bench.ask(Self.laptop, SendChannelTxtMsg(channelIndex: 0, timestamp: 2, text: "from the laptop"))
        try bench.step(.seconds(10))

        let people = try #require(bench.driver.people)
        let now = bench.driver.world.now
        let texts = (1...2).compactMap { people.account(of: $0, at: now).map { "\($0.event.message)" } }
        #expect(people.messageCount == 2)
        #expect(texts.contains { $0.contains("from the phone") } && texts.contains { $0.contains("from the laptop") })
    }

    // MARK: Firmware without it

    @Test(arguments: FirmwareVersion.all.dropLast())
    func `older firmware has one interface, and runs as if no other had been named`(version: FirmwareVersion) throws {
        func run(_ further: [AppLink]) throws -> Digest {
            var bench = try SharedRadio(version, further: further)
            bench.ask(Self.phone, GetDeviceTime())
            try bench.step(.seconds(10))
            return bench.driver.world.digest
        }

        #expect(try run([.ethernet]) == run([]))
        var bench = try SharedRadio(version, further: [.ethernet])
        _ = bench.codes()
        bench.ask(Self.laptop, GetDeviceTime())
        #expect(bench.codes() == [[], []])
    }

    // MARK: Modelled Bluetooth

    @Test func `over modelled Bluetooth the slow app misses what the fast one fetches`() throws {
        var bench = try SharedRadio(role: .bluetooth, further: [.wifi], link: .bluetoothESP32)
        try bench.step(.seconds(10))
        #expect(bench.driver.world.companion(bench.alice)?.isConnected == true)
        _ = bench.codes()

        for _ in 1...9 { bench.ask(Self.laptop, GetAutoaddConfig()) }
        try bench.step(.seconds(2))

        let codes = bench.codes()
        #expect(codes[1] == [UInt8](repeating: 25, count: 9))
        // Four may wait for Bluetooth, behind the one that is on its way.
        #expect(codes[0] == [UInt8](repeating: 25, count: 5))
    }
}

/// A pair of radios, of which Alice's has apps at two interfaces.
private struct SharedRadio {
    var driver: WorldDriver
    let alice: NodeID
    private var clock = TimeSpan.zero
    private var effects: [DriverEffect] = []
    private var read = 0
    private var latestStep = 1000
    private let isModelled: Bool

    init(
        _ version: FirmwareVersion = .v1_18, role: AppLink = .wifi, further: [AppLink] = [.ethernet],
        link: LoopbackLink = .direct
    ) throws {
        let source = try WorldSource("pair", seed: Seed(7))
        var description = source.world
        for index in description.nodes.indices { description.nodes[index].run(version) }
        description.nodes[0].role = .companion(role)
        description.nodes[0].furtherLinks = further
        isModelled = link != .direct
        let bluetooth = link == .direct ? nil : link.prepare(&description, seed: Seed(7))
        var settings = WorldDriver.Settings()
        settings.pace = .stepped
        settings.isSteered = true
        var made = World(description, seed: Seed(7), traceCapacity: .max)
        alice = made.node(labelled: "alice") ?? NodeID(index: 0)
        let people = MeshPeople(
            source.plan, seed: Seed(7), span: nil, in: &made, foreign: [alice], keepsInboxes: true,
            keepsLines: true)
        driver = WorldDriver(made, settings, people: people)
        for interface in 0...1 {
            driver.attach(
                alice, at: interface, over: interface == 0 && isModelled ? .ble : .tcp,
                bluetooth: interface == 0 ? bluetooth : nil)
        }
        driver.start(at: clock, into: &effects)
        for interface in 0...1 { connect(interface) }
        rest()
    }

    mutating func turn() {
        repeat {
            driver.handle(.woke, at: clock, into: &effects)
        } while driver.isInterrupted || driver.isLate || driver.wantsTurn
    }

    /// Lets the clock go on until all clients have been quiet.
    mutating func rest() {
        clock = clock + ClientGate.Rules().quiet
        turn()
    }

    mutating func connect(_ interface: Int) {
        let client = ClientID(alice, interface: interface)
        driver.handle(.link(client, .open), at: clock, into: &effects)
        driver.handle(.client(client, .connected), at: clock, into: &effects)
        turn()
    }

    mutating func disconnect(_ interface: Int) {
        let client = ClientID(alice, interface: interface)
        driver.handle(.link(client, LinkState()), at: clock, into: &effects)
        driver.handle(.client(client, .disconnected), at: clock, into: &effects)
        turn()
    }

    mutating func ask(_ interface: Int, _ command: some CommandFrame, isAwaited: Bool = true) {
        let bytes = StreamFraming.encode(toRadio: command.encoded())
        driver.handle(.client(ClientID(alice, interface: interface), .bytes(bytes)), at: clock, into: &effects)
        turn()
        if isAwaited { rest() }
    }

    mutating func step(_ span: TimeSpan) throws {
        latestStep += 1
        let place = effects.count
        try driver.add(latestStep, lasting: span)
        for _ in 0..<10_000 {
            turn()
            for case .stepEnded(latestStep, _) in effects[place...] { return }
            clock = clock + .milliseconds(50)
        }
    }

    mutating func steer<R>(_ body: (inout WorldDriver) throws -> R) rethrows -> R {
        let result = try driver.steer(at: clock, into: &effects, body)
        turn()
        return result
    }

    /// The codes of what both apps have been written since the last look.
    mutating func codes() -> [[UInt8]] {
        var codes: [[UInt8]] = [[], []]
        for case .write(let bytes, let client) in effects[read...] where client.node == alice {
            codes[client.interface].append(bytes[StreamFraming.headerSize])
        }
        read = effects.count
        return codes
    }

    func count(_ isMeant: (DriverEffect) -> Bool) -> Int { effects.count(where: isMeant) }
}

/// The interfaces that endpoints of one node have.
@Suite struct EndpointInterfaceTests {
    private static func node(_ version: FirmwareVersion = .v1_18, _ links: [AppLink] = [.wifi]) -> NodeDescription {
        var node = NodeDescription("alice", .companion(links[0]))
        node.run(version)
        node.furtherLinks = Array(links.dropFirst())
        return node
    }

    private static func links(
        _ endpoints: [String], of node: NodeDescription, over link: LoopbackLink = .direct
    ) throws -> [AppLink] {
        var node = node
        let isGiven = !node.furtherLinks.isEmpty
        var interfaces = EndpointInterfaces()
        for text in endpoints {
            try interfaces.connect(NodeEndpoint("alice=" + text), to: &node, over: link, isGiven: isGiven)
        }
        return node.links
    }

    @Test(
        arguments: [
            (["tcp://:0"], [.wifi]), (["pty:x"], [.serial]), (["tcp://:0", "pty:x"], [.wifi, .serial]),
            (["pty:x", "tcp://:0", "tcp://:0"], [.serial, .wifi, .ethernet]),
            (["ble:hci0", "tcp://:0", "pty:x", "tcp://:0"], [.bluetooth, .wifi, .serial, .ethernet]),
        ] as [([String], [AppLink])])
    func `each endpoint gives a radio of 1_18 the interface that it needs`(endpoints: [String], links: [AppLink]) throws
    {
        #expect(try Self.links(endpoints, of: Self.node()) == links)
    }

    @Test func `with a modelled link the first endpoint is the Bluetooth interface`() throws {
        let links = try Self.links(["tcp://:0", "tcp://:0"], of: Self.node(), over: .bluetoothNRF52)

        #expect(links == [.bluetooth, .wifi])
    }

    @Test func `interfaces that a world has given stay as they are`() throws {
        let given: [AppLink] = [.bluetooth, .wifi, .serial]

        #expect(try Self.links(["pty:x"], of: Self.node(.v1_18, given)) == given)
        #expect(throws: EmulatorError.self) { try Self.links(["tcp://:0", "tcp://:0"], of: Self.node(.v1_18, given)) }
    }

    @Test(arguments: [["pty:x", "pty:y"], ["tcp://:0", "tcp://:0", "tcp://:0"], ["ble:hci0", "ble:hci1"]])
    func `an endpoint without an interface that is free is refused`(endpoints: [String]) {
        #expect(throws: EmulatorError.self) { try Self.links(endpoints, of: Self.node()) }
    }

    @Test(arguments: FirmwareVersion.all.dropLast())
    func `older firmware has one endpoint`(version: FirmwareVersion) {
        #expect(throws: EmulatorError.secondEndpoint(label: "alice")) {
            try Self.links(["tcp://:0", "pty:x"], of: Self.node(version))
        }
    }
}
