import MeshTime
import Testing

@testable import MeshBluetoothHost

/// A host above a kernel that pairs by itself, on time that the test passes.
@Suite struct AttributeHostTests {
    private static let (rx, tx): (UInt16, UInt16) = (0x12, 0x14)
    private static let phone = BluetoothAddress(number: 0x1122_3344_5566, isRandom: false)
    private static let other = BluetoothAddress(number: 0xC0FF_EE00_0002, isRandom: true)

    /// A host that has started, and what it has had done since.
    private struct Bench {
        var host: AttributeHost
        var orders: [AttributeHost.Order] = []
        var events: [BluetoothHost.Event] = []

        init() {
            host = AttributeHost(HostTimelineTests.radio(.authenticated).attributes, mtu: 247)
            take(host.start(at: .start))
        }

        private mutating func take(_ effects: [AttributeHost.Effect]) {
            for effect in effects {
                switch effect {
                case .send(let order): orders.append(order)
                case .tell(let event): events.append(event)
                }
            }
        }

        /// Passes one input to the host, and keeps only the orders and events that follow from it.
        mutating func happens(_ input: AttributeHost.Input) {
            (orders, events) = ([], [])
            take(host.take(input, at: .start))
        }

        mutating func ask(_ request: BluetoothHost.Request) throws {
            (orders, events) = ([], [])
            take(try host.ask(request, at: .start))
        }

        mutating func receives(_ packet: [UInt8], _ level: SecurityLevel) { happens(.received(1, packet, level)) }

        /// The packets that were ordered to be sent.
        var packets: [[UInt8]] {
            orders.compactMap { if case .send(_, let packet) = $0 { packet } else { nil } }
        }

        var link: BluetoothHost.Link? {
            events.lazy.compactMap { if case .connected(let link, _) = $0 { link } else { nil } }.first
        }
    }

    private static func connected() throws -> (Bench, BluetoothHost.Link) {
        var bench = Bench()
        bench.happens(.opened(1, phone))
        return (bench, try #require(bench.link))
    }

    private static func words(_ handle: UInt16) -> [UInt8] { [UInt8(handle & 0xFF), UInt8(handle >> 8)] }
    private static var write: [UInt8] { [0x12] + words(rx) + [7] }
    private static var subscribe: [UInt8] { [0x12] + words(tx + 1) + [1, 0] }

    @Test func `before its start a host takes nothing`() {
        var host = AttributeHost(.init(), mtu: 23)

        #expect(throws: BluetoothHost.Refusal.notReady) { _ = try host.ask(.stopAdvertising, at: .start) }
        #expect(host.take(.opened(1, Self.phone), at: .start).contains(.send(.hangUp(1))))
    }

    @Test func `advertising that ends by itself is reported, and may be asked for again`() throws {
        var bench = Bench()
        try bench.ask(.advertise(HostTimelineTests.advertisement))

        bench.happens(.notAdvertised)

        #expect(bench.events == [.notAdvertised] && bench.orders.isEmpty)
        try bench.ask(.advertise(HostTimelineTests.advertisement))
        #expect(bench.orders == [.advertise])
    }

    @Test func `a host that is renewed serves the other attributes from its start on`() throws {
        var (bench, _) = try Self.connected()
        var settings = BluetoothHost.Settings()
        settings.attributes.addService(.nordicUART)

        bench.host = bench.host.renewed(settings)
        let effects = bench.host.start(at: .start)

        #expect(bench.host.attributes == settings.attributes)
        #expect(effects.first == .send(.hangUp(1)))
    }

    @Test func `a central that connects ends the advertising, and one more is sent away`() throws {
        var bench = Bench()
        try bench.ask(.advertise(HostTimelineTests.advertisement))
        #expect(bench.orders == [.advertise])
        #expect(throws: BluetoothHost.Refusal.busy) { try bench.ask(.advertise(HostTimelineTests.advertisement)) }

        bench.happens(.opened(1, Self.phone))
        #expect(bench.orders == [.stopAdvertising])
        bench.happens(.opened(2, Self.other))

        #expect(bench.orders == [.hangUp(2)])
        #expect(bench.events == [.turnedAway(Self.other)])
        bench.happens(.closed(2))
        #expect(bench.events.isEmpty, "the one before is still there")
    }

    @Test func `a central that connects again takes the place of its own connection`() throws {
        var (bench, link) = try Self.connected()

        bench.happens(.opened(2, Self.phone))

        #expect(bench.orders == [.hangUp(1)])
        #expect(bench.events.first == .disconnected(link, reason: 0x13))
        #expect(bench.link != link)
        bench.happens(.closed(1))
        #expect(bench.events.isEmpty)
    }

    @Test(arguments: [SecurityLevel.none, .encrypted])
    func `who has not typed the PIN is refused, and a word of it is not told`(level: SecurityLevel) throws {
        var (bench, _) = try Self.connected()

        bench.receives(Self.write, level)

        #expect(bench.packets == [[0x01, 0x12] + Self.words(Self.rx) + [0x05]])
        #expect(!bench.events.contains { if case .written = $0 { true } else { false } })
    }

    @Test func `with the passkey of the kernel a value is written, and the security told before it`() throws {
        var (bench, link) = try Self.connected()
        bench.receives(Self.write, .none)

        bench.receives(Self.write, .authenticatedSecure)

        #expect(bench.packets == [[0x13]])
        #expect(
            bench.events == [
                .secured(link, .authenticatedSecure), .written(link, handle: Self.rx, value: [7]),
            ])
    }

    @Test func `notifications are cut to the MTU that was agreed on`() throws {
        var (bench, link) = try Self.connected()
        bench.receives([0x02, 40, 0], .none)
        #expect(bench.packets == [[0x03, 247, 0]])
        #expect(bench.events == [.mtu(link, 40)])
        #expect(throws: BluetoothHost.Refusal.notSubscribed(Self.tx)) {
            try bench.ask(.notify(link, handle: Self.tx, value: [1]))
        }
        bench.receives(Self.subscribe, .authenticated)

        try bench.ask(.notify(link, handle: Self.tx, value: [UInt8](repeating: 9, count: 100)))

        #expect(bench.packets.map(\.count) == [40])
    }

    @Test func `more waits for the kernel only up to a limit, and room is told`() throws {
        var (bench, link) = try Self.connected()
        bench.receives(Self.subscribe, .authenticated)
        bench.happens(.sent(1))
        var count = 0
        while (try? bench.ask(.notify(link, handle: Self.tx, value: [1]))) != nil { count += 1 }
        #expect(count == BluetoothHost.Settings().queueLimit)
        #expect(bench.host.waiting(on: link) == count)

        bench.happens(.sent(1))

        #expect(bench.events == [.hasRoom(link)])
        #expect(bench.host.waiting(on: link) == count - 1)
    }

    @Test func `a central that asks and does not read is hung up on`() throws {
        var (bench, link) = try Self.connected()

        for _ in 0..<100 { bench.receives(Self.write, .none) }
        #expect(bench.packets.isEmpty && bench.events.isEmpty, "nobody is heard after the end")
        bench.happens(.closed(1))

        #expect(bench.events == [.disconnected(link, reason: 0x13)])
    }

    @Test func `a central that comes back finds its subscription once it is proved`() throws {
        var (bench, _) = try Self.connected()
        bench.receives(Self.subscribe, .authenticated)
        bench.happens(.closed(1))

        bench.happens(.opened(2, Self.other))
        bench.happens(.received(2, Self.write, .authenticated))
        #expect(!bench.events.contains { if case .subscribed = $0 { true } else { false } }, "it is another one's")
        bench.happens(.closed(2))
        bench.happens(.opened(3, Self.phone))
        let link = try #require(bench.link)
        bench.happens(.received(3, Self.write, .encrypted))
        #expect(!bench.events.contains { if case .subscribed = $0 { true } else { false } }, "anybody has its address")
        bench.happens(.received(3, Self.write, .authenticated))

        #expect(bench.events.contains(.subscribed(link, .init(value: Self.tx, configuration: .notifications))))
    }

    @Test func `a host that begins anew hangs up, and is not advertised`() throws {
        var (bench, link) = try Self.connected()

        let effects = bench.host.start(at: .start)

        #expect(effects.first == .send(.hangUp(1)))
        #expect(throws: BluetoothHost.Refusal.noSuchLink) { try bench.ask(.disconnect(link)) }
    }

    @Test func `bytes of any kind neither trap nor are let in`() throws {
        var stream = Seed(7).stream("packets")
        var (bench, _) = try Self.connected()
        for _ in 0..<20_000 {
            let packet = (0..<stream.draw(0, 60)).map { _ in stream.nextByte() }
            bench.receives(packet, .none)
            #expect(!bench.events.contains { if case .written = $0 { true } else { false } })
            for _ in bench.packets { bench.happens(.sent(1)) }
        }
    }
}
