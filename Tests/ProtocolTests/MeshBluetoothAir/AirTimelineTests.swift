import MeshBluetoothHost
import MeshTime
import MeshWire
import Testing

/// Two hosts on an air, from the first advertisement to the end.
@Suite struct AirTimelineTests {
    @Test func `a controller says what it is`() {
        let bench = AirBench()

        let ready = bench.told.map { $0.first?.event }

        let isReady = bench.hosts.allSatisfy { $0.isReady }
        #expect(isReady)
        for (side, event) in ready.enumerated() {
            guard case .ready(let controller)? = event else {
                Issue.record("not ready: \(String(describing: event))")
                continue
            }
            #expect(controller.address == AirBench.addresses[side] && controller.dataSize == 251)
        }
    }

    @Test func `a radio that advertises is found with both its parts`() throws {
        var bench = AirBench()
        let name = AdvertisedData.name("MeshCore-alice".utf8)
        try bench.ask(
            AirBench.radio, .advertise(.init(data: AdvertisedData.services([.nordicUART]), scanResponse: name)))
        try bench.ask(AirBench.app, .scan(.init(service: .nordicUART)))
        bench.pass(.milliseconds(40))

        let found = bench.told[AirBench.app].map(\.event).compactMap { event in
            if case .found(let device) = event { device } else { nil }
        }
        #expect(found.last?.facts.name == "MeshCore-alice" && found.last?.address == AirBench.addresses[0])
        try bench.ask(AirBench.app, .stopScanning)
        bench.pass(.seconds(1))
        // Nobody listens any more, and nothing is played.
        #expect(bench.air.deadline == nil)
    }

    @Test(arguments: [nil, 6, 12, 24, 40] as [UInt16?])
    func `the first events of a connection follow the request by the rules`(interval: UInt16?) throws {
        var settings = AirSettings()
        settings.interval = interval
        var bench = AirBench(settings)
        try bench.connect()

        let connected = bench.told.map { told in
            told.last { if case .connected = $0.event { true } else { false } }
        }
        for (side, told) in connected.enumerated() {
            guard let told, case .connected(_, let connection) = told.event else {
                Issue.record("side \(side) is not connected")
                continue
            }
            #expect(connection.isCentral == (side == AirBench.app))
            #expect(connection.parameters.longestInterval == interval ?? 40)
        }
        #expect(connected[0]?.at == connected[1]?.at)
    }

    /// A value written with response: one event for the request, the next for the answer.
    @Test(arguments: [(6, 7500), (24, 30_000), (40, 50_000)] as [(UInt16, Int)])
    func `what is asked in an event is answered in the next`(units: UInt16, interval: Int) throws {
        var settings = AirSettings()
        settings.interval = units
        var bench = try AirBench.subscribed(settings)
        var answers: [Instant] = []
        var events: [Int] = []
        for _ in 0..<5 {
            let before = bench.air.use.events
            try bench.ask(
                AirBench.app, .write(try bench.link(1), handle: AirBench.rx, value: [10], withResponse: true))
            answers.append(try bench.wait(1) { if case .accepted = $0 { true } else { false } })
            events.append(bench.air.use.events - before)
        }

        let gaps = zip(answers.dropFirst(), answers).map { ($0 - $1).microseconds }
        #expect(gaps == [Int64](repeating: Int64(2 * interval), count: 4))
        #expect(events == [2, 2, 2, 2, 2])
    }

    @Test(arguments: [27, 251] as [UInt16])
    func `long values are cut to the packets that both controllers take`(longest: UInt16) throws {
        var settings = AirSettings()
        settings.interval = 40
        var bench = try AirBench.subscribed(settings, longestPayload: longest)
        let before = bench.air.use

        try bench.ask(
            AirBench.radio, .notify(try bench.link(0), handle: AirBench.tx, value: [UInt8](repeating: 7, count: 173)))
        bench.pass(.milliseconds(100))

        // 173 bytes, 3 of ATT and 4 of L2CAP: 180, in packets of 27 or one of 251.
        #expect(bench.air.use.packets - before.packets == (longest == 27 ? 7 : 1))
        #expect(bench.air.use.bytes - before.bytes == 180)
        let values = bench.events(1).compactMap { event -> [UInt8]? in
            if case .notified(_, _, let value) = event { value } else { nil }
        }
        #expect(values == [[UInt8](repeating: 7, count: 173)])
        // One event, and one in which the central says that it has it.
        #expect(bench.air.use.events - before.events == 2)
    }

    @Test func `an event carries no more packets than it may`() throws {
        var settings = AirSettings()
        (settings.interval, settings.packetsPerEvent) = (40, 4)
        var bench = try AirBench.subscribed(settings, longestPayload: 27)
        let before = bench.air.use

        try bench.ask(
            AirBench.radio, .notify(try bench.link(0), handle: AirBench.tx, value: [UInt8](repeating: 7, count: 173)))
        bench.pass(.milliseconds(200))

        // Four packets, three packets, and the last acknowledgement.
        #expect(bench.air.use.packets - before.packets == 7)
        #expect(bench.air.use.events - before.events == 3)
    }

    @Test(arguments: [true, false])
    func `a passkey secures the link, and reads and writes follow`(secureConnections: Bool) throws {
        var bench = AirBench(protected: true, secureConnections: secureConnections)
        try bench.connect()
        try bench.ask(AirBench.app, .discover(try bench.link(1), service: .nordicUART))
        bench.pass(.seconds(3))
        try bench.ask(AirBench.app, .subscribe(try bench.link(1), value: AirBench.tx, .notifications))
        bench.pass(.seconds(3))
        let link = try bench.link(1)
        let asked = bench.events(1).contains(.passkeyWanted(link))
        #expect(asked)
        try bench.ask(AirBench.app, .passkey(try bench.link(1), 123_456))
        bench.pass(.seconds(8))

        let isSubscribed = bench.events(1).contains(.accepted(link, handle: AirBench.tx + 1))
        #expect(isSubscribed)
        let expected: SecurityLevel = secureConnections ? .authenticatedSecure : .authenticated
        let levels = try (0...1).map { bench.hosts[$0].level(of: try bench.link($0)) }
        #expect(levels == [expected, expected])
    }

    @Test func `a link that is ended is ended on both sides`() throws {
        var bench = try AirBench.subscribed()
        let links = [try bench.link(0), try bench.link(1)]
        try bench.ask(AirBench.app, .disconnect(links[1]))
        bench.pass(.seconds(1))

        let ends = (0...1).map { bench.events($0) }
        #expect(ends == [[.disconnected(links[0], reason: 0x13)], [.disconnected(links[1], reason: 0x16)]])
        #expect(bench.air.deadline == nil)
        try bench.connect()
    }

    @Test func `other intervals hold six events later`() throws {
        var bench = try AirBench.subscribed()
        let asked = bench.now
        try bench.ask(
            AirBench.radio,
            .updateParameters(
                try bench.link(0), .init(shortestInterval: 12, longestInterval: 24, latency: 4, timeout: 200)))
        bench.pass(.seconds(2))

        let changes = bench.told.map { told in
            told.first { if case .parameters = $0.event { true } else { false } }
        }
        let wanted = BluetoothHost.ConnectionParameters(
            shortestInterval: 24, longestInterval: 24, latency: 4, timeout: 200)
        for (side, change) in changes.enumerated() {
            let link = try bench.link(side)
            #expect(change?.event == .parameters(link, wanted))
        }
        #expect(changes[0]?.at == changes[1]?.at)
        // The request within 50 ms, the update in the next event of 50 ms, and six more.
        let passed = try #require(changes[0]).at - asked
        #expect(passed > .milliseconds(50 * 7) && passed <= .milliseconds(50 * 8))
    }

    /// Of events of 30 ms it may leave out four.
    @Test(arguments: [(AirSettings.Rest.quiet, 30), (.always, 150)])
    func `a peripheral that rests hears a request when it listens again`(rest: AirSettings.Rest, apart: Int) throws {
        var settings = AirSettings()
        settings.rest = rest
        var bench = try AirBench.subscribed(settings)
        let wanted = BluetoothHost.ConnectionParameters(
            shortestInterval: 12, longestInterval: 24, latency: 4, timeout: 200)
        try bench.ask(AirBench.radio, .updateParameters(try bench.link(0), wanted))
        bench.pass(.seconds(2))
        _ = bench.events(0)
        let asked = bench.now
        var heard: [Instant] = []
        for number in 1...2 as ClosedRange<UInt8> {
            try bench.ask(
                AirBench.app, .write(try bench.link(1), handle: AirBench.rx, value: [number], withResponse: false))
            heard.append(try bench.wait(0) { if case .written = $0 { true } else { false } })
        }

        // After long silence it listens to every fifth event; then it depends.
        #expect(heard[0] - asked <= .milliseconds(151))
        #expect(heard[1] - heard[0] == .milliseconds(apart))
    }
}
