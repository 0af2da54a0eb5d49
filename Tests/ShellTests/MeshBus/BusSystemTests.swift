import MeshBus
import MeshTestSupport
import Synchronization
import Testing

/// Connections to a bus of the tests' own.
@Suite struct BusSystemTests {
    /// The events that a connection received, in its order.
    private final class Told: Sendable {
        private let events = Mutex<[BusEvent]>([])
        private let waiting = Mutex<[CheckedContinuation<BusEvent, Never>]>([])

        func take(_ event: BusEvent) {
            let waiter = waiting.withLock { waiting in
                guard !waiting.isEmpty else {
                    events.withLock { $0.append(event) }
                    return nil as CheckedContinuation<BusEvent, Never>?
                }
                return waiting.removeFirst()
            }
            waiter?.resume(returning: event)
        }

        func next() async -> BusEvent {
            await withCheckedContinuation { continuation in
                let event = waiting.withLock { waiting in
                    let first = events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                    if first == nil { waiting.append(continuation) }
                    return first
                }
                if let event { continuation.resume(returning: event) }
            }
        }
    }

    private static let values: [BusValue] = [
        .string("héllo"), .objectPath("/a/b"), .boolean(true), .byte(200), .int16(-7), .uint16(65535), .int32(-70_000),
        .uint32(4_000_000_000), .bytes([1, 2, 3]), .strings([]),
        .variants(["Signal": .int16(-60), "Keys": .strings(["a", "b"])]), .structure([.string("x"), .byte(1)]),
    ]

    @Test func `values pass the bus unchanged, as arguments and as answers`() throws {
        let bus = try PrivateBus()
        let player = try bus.play("org.test.Echo") { _, _, arguments in arguments }

        let answer = try Bus(.address(bus.address)).call(
            BusRequest("org.test.Echo", "/echo", "org.test.Echo", "Echo", Self.values))

        #expect(answer == Self.values)
        #expect(answer[10]["Signal"]?.signed == -60)
        withExtendedLifetime(player) {}
    }

    @Test func `a signal reaches who has asked for it, and nobody else`() async throws {
        let bus = try PrivateBus()
        let (listener, other) = (Told(), Told())
        let sender = try Bus(.address(bus.address))
        let listening = try Bus(.address(bus.address), handler: listener.take)
        let idle = try Bus(.address(bus.address), handler: other.take)
        try listening.listen("type='signal',interface='org.test.Radio'")
        // Both connections are told when their own names are given; that is a signal as well.
        _ = (await listener.next(), await other.next())

        sender.emit("/radio", "org.test.Radio", "Heard", [.byte(7)])
        try idle.own("org.test.Idle")

        let heard = await listener.next()
        guard case .signal(let signal) = heard else {
            Issue.record("\(heard)")
            return
        }
        #expect(signal.path == "/radio" && signal.name == "Heard" && signal.arguments == [.byte(7)])
        // The next that the other hears is about its own name.
        guard case .signal(let next) = await other.next() else { return }
        #expect(next.name == "NameAcquired")
    }

    @Test func `an object of ours answers and refuses calls`() throws {
        let bus = try PrivateBus()
        let player = try bus.play("org.test.Agent") { path, method, _ in
            method == "RequestPasskey" ? [.uint32(123_456), .objectPath(path)] : nil
        }
        let caller = try Bus(.address(bus.address))

        let answer = try caller.call("org.test.Agent", "/agent", "org.bluez.Agent1", "RequestPasskey")

        #expect(answer == [.uint32(123_456), .objectPath("/agent")])
        #expect(throws: BusError.refused(name: "org.freedesktop.DBus.Error.Failed", text: "not today")) {
            try caller.call("org.test.Agent", "/agent", "org.bluez.Agent1", "Release")
        }
        withExtendedLifetime(player) {}
    }

    @Test(arguments: [
        BusRequest("org.test", "no path", "org.test.I", "Method"),
        BusRequest("org test", "/", "org.test.I", "Method"),
        BusRequest("org.test", "/", "no-interface", "Method"),
        BusRequest("org.test", "/", "org.test.I", "no method"),
        BusRequest("org.test", "/", "org.test.I", "Method", [.objectPath("nowhere")]),
        BusRequest("org.test", "/", "org.test.I", "Method", [.array(of: "s", [.byte(1)])]),
        BusRequest("org.test", "/", "org.test.I", "Method", [.array(of: "nonsense", [])]),
        BusRequest("org.test", "/", "org.test.I", "Method", [.variant(.structure([]))]),
        BusRequest("org.test", "/", "org.test.I", "Method", [.entry(key: .byte(1), value: .byte(2))]),
        BusRequest("org.test", "/", "org.test.I", "Method", [.string("a\u{0}b")]),
    ])
    func `what the bus does not take is refused before the library sees it`(request: BusRequest) throws {
        let bus = try PrivateBus()

        let error = #expect(throws: BusError.self) { try Bus(.address(bus.address)).call(request) }

        guard case .invalid = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a service that does not answer in time is given up, and one that is not there at once`() throws {
        let bus = try PrivateBus()
        let silent = try Bus(.address(bus.address))
        try silent.own("org.test.Silent")
        let caller = try Bus(.address(bus.address))

        let late = #expect(throws: BusError.self) {
            try caller.call(BusRequest("org.test.Silent", "/", "org.test.I", "Method"), limit: 1)
        }
        let absent = #expect(throws: BusError.self) {
            try caller.call("org.test.Nobody", "/", "org.test.I", "Method")
        }

        #expect(late?.meansAbsence == true)
        #expect(absent?.meansAbsence == true)
        #expect(try caller.has("org.test.Silent"))
    }

    @Test func `a bus that goes is told, and later calls fail at once`() async throws {
        let told = Told()
        var bus: PrivateBus? = try PrivateBus()
        let caller = try Bus(.address(bus?.address ?? ""), handler: told.take)

        bus = nil

        while await told.next() != .closed {}
        let error = #expect(throws: BusError.self) {
            try caller.call("org.test.Nobody", "/", "org.test.I", "Method")
        }
        #expect(error?.meansAbsence == true)
    }

    @Test func `a name belongs to one program at a time`() throws {
        let bus = try PrivateBus()
        let first = try Bus(.address(bus.address))
        let second = try Bus(.address(bus.address))
        try first.own("org.test.Name")

        #expect(throws: BusError.self) { try second.own("org.test.Name") }
        try first.release("org.test.Name")
        try second.own("org.test.Name")
    }
}
