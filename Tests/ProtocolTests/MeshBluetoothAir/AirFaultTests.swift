import MeshBluetoothHost
import MeshTime
import MeshWire
import Testing

/// Controllers that vanish, packets that are lost, and hosts that do not keep the rules.
@Suite struct AirFaultTests {
    /// A phase of an app and a radio; phases follow each other.
    enum Phase: Int, CaseIterable, Sendable {
        case advertising, scanning, connected, discovered, subscribed, written, notified

        func reach(_ bench: inout AirBench) throws {
            switch self {
            case .advertising: try bench.ask(0, .advertise(.init(data: AdvertisedData.services([.nordicUART]))))
            case .scanning: try bench.ask(1, .scan(.init(service: .nordicUART)))
            case .connected: try bench.ask(1, .connect(AirBench.addresses[0]))
            case .discovered: try bench.ask(1, .discover(try bench.link(1), service: .nordicUART))
            case .subscribed: try bench.ask(1, .subscribe(try bench.link(1), value: AirBench.tx, .notifications))
            case .written:
                let value = [UInt8](repeating: 7, count: 18)
                try bench.ask(1, .write(try bench.link(1), handle: AirBench.rx, value: value, withResponse: true))
            case .notified: try bench.ask(0, .notify(try bench.link(0), handle: AirBench.tx, value: [1, 2, 3]))
            }
        }
    }

    /// `within`: how much of the last phase has passed when the controller vanishes.
    @Test(arguments: Phase.allCases, [0, 1])
    func `a controller that vanishes in any phase is missed, and the next attempt works`(
        phase: Phase, side: Int
    ) throws {
        for within in [TimeSpan.zero, .milliseconds(17), .milliseconds(51), .seconds(3)] {
            var bench = AirBench()
            for reached in Phase.allCases.prefix(phase.rawValue) {
                try reached.reach(&bench)
                bench.pass(.seconds(3))
            }
            try phase.reach(&bench)
            bench.pass(within)
            for side in 0...1 { _ = bench.events(side) }
            let left = 1 - side
            let link = bench.hosts[left].openLinks.first
            let before = bench.now

            bench.vanish(side)
            bench.pass(.seconds(40))

            let told = bench.told[left].filter { if case .disconnected = $0.event { true } else { false } }
            let sides = bench.hosts.map(\.openLinks.count)
            #expect(sides == [0, 0])
            if let link {
                #expect(told.map(\.event) == [.disconnected(link, reason: 0x08)])
                // The timeout of 4.2 s counts from the last event before, which is 50 ms old at most.
                let missed = try #require(told.first).at - before
                #expect(missed > .milliseconds(4_140) && missed <= .milliseconds(4_200) || within == .zero)
            }
            #expect(bench.air.deadline == nil || bench.hosts[1].deadline != nil)
            bench.comeBack(side)
            if side == AirBench.app || phase != .advertising { try? bench.ask(0, .stopAdvertising) }
            bench.pass(.seconds(31))
            for side in 0...1 { _ = bench.events(side) }
            for reached in Phase.allCases where reached != .scanning {
                try reached.reach(&bench)
                bench.pass(.seconds(3))
            }
            let isNotified = bench.events(1).contains { if case .notified = $0 { true } else { false } }
            #expect(isNotified)
        }
    }

    @Test func `lost packets are sent again, and arrive once and in order`() throws {
        var settings = AirSettings()
        settings.lossPerTenThousand = 2000
        var bench = AirBench(settings, seed: 11)
        for phase in Phase.allCases.prefix(Phase.written.rawValue) where phase != .scanning {
            try phase.reach(&bench)
            bench.pass(.seconds(10))
        }
        for side in 0...1 { _ = bench.events(side) }
        for number in 0..<60 as Range<UInt8> {
            let value = [UInt8](repeating: number, count: 18)
            try bench.ask(1, .write(try bench.link(1), handle: AirBench.rx, value: value, withResponse: false))
            try bench.ask(0, .notify(try bench.link(0), handle: AirBench.tx, value: value))
            bench.pass(.milliseconds(200))
        }
        bench.pass(.seconds(5))

        let written = bench.events(0).compactMap { event -> UInt8? in
            if case .written(_, _, let value) = event { value.first } else { nil }
        }
        let notified = bench.events(1).compactMap { event -> UInt8? in
            if case .notified(_, _, let value) = event { value.first } else { nil }
        }
        #expect(written == Array(0..<60) && notified == Array(0..<60))
        #expect(bench.air.use.repeats > 20)
    }

    @Test func `a link on which nothing arrives any more is lost`() throws {
        var bench = try AirBench.subscribed()
        var settings = AirSettings()
        settings.lossPerTenThousand = 10_000
        var deaf = AirBench(settings)
        try deaf.ask(0, .advertise(.init(data: AdvertisedData.flags())))
        try deaf.ask(1, .connect(AirBench.addresses[0]))
        deaf.pass(.seconds(8))
        let ends = (0...1).map { deaf.events($0).last }
        #expect(ends.allSatisfy { if case .disconnected(_, reason: 0x08)? = $0 { true } else { false } })
        bench.pass(.seconds(60))
        #expect(bench.hosts.map(\.openLinks.count) == [1, 1])
    }

    /// The peer's host hangs; the controllers keep the link.
    @Test func `keys that are not given end the link after forty seconds`() throws {
        var bench = AirBench(protected: true)
        try bench.connect()
        var start = HCI.StartEncryption()
        start.handle = 0x40
        bench.deaf = [0]
        bench.air.receive([1] + HCI.Command.startEncryption(start).encoded, from: 1, at: bench.now)
        _ = bench.events(1)

        let asked = bench.now
        let lost = try { () throws -> Instant in
            bench.pass(.milliseconds(39_990))
            let early = bench.events(1)
            #expect(early.isEmpty)
            return try bench.wait(1) { if case .disconnected(_, reason: 0x22) = $0 { true } else { false } }
        }()
        #expect(lost - asked == .seconds(40))
    }

    @Test func `different keys end the link`() throws {
        var bench = AirBench(protected: true)
        try bench.connect()
        let links = [try bench.link(0), try bench.link(1)]
        bench.deaf = [0]
        var start = HCI.StartEncryption()
        (start.handle, start.key) = (0x40, FixedBytes([1]))
        bench.air.receive([1] + HCI.Command.startEncryption(start).encoded, from: 1, at: bench.now)
        bench.pass(.milliseconds(60))
        var reply = HCI.LongTermKeyReply()
        (reply.handle, reply.key) = (0x40, FixedBytes([2]))
        bench.deaf = []
        bench.air.receive([1] + HCI.Command.longTermKeyReply(reply).encoded, from: 0, at: bench.now)
        bench.pass(.seconds(10))

        let ends = (0...1).map { bench.events($0).last }
        #expect(ends == [.disconnected(links[0], reason: 0x3D), .disconnected(links[1], reason: 0x08)])
    }

    /// Drops the packets of a host beyond its eight fragments, and reports eight.
    @Test func `a host that does not count its credits loses what there is no room for`() throws {
        var bench = try AirBench.subscribed()
        let packet: [UInt8] = [2, 0x40, 0, 5, 0, 1, 0, 4, 0, 0x0A]
        for _ in 0..<40 { bench.air.receive(packet, from: 1, at: bench.now) }
        let before = bench.air.use.packets
        bench.pass(.milliseconds(60))

        #expect(bench.air.use.packets - before == 8)
    }
}
