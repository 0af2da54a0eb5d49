import Glibc
import MeshBluetoothHost
import MeshBus
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import MeshEmulator

/// A radio beside the desktop on a bus of the test's own, with a simulated bluetoothd and pairs of sockets for air.
@Suite(.serialized) struct DesktopRadioSystemTests {
    @Test func `a radio is advertised, shows the PIN, serves its attributes, and leaves the adapter as it was`()
        async throws
    {
        let bluetoothd = try PlayedBluetoothd()
        let desk = try await Desk(bluetoothd)
        var seen = desk.seen
        #expect(await seen.next(.advertised) == "MeshCore-alice")
        #expect(bluetoothd.isPairable)

        bluetoothd.pair("AA_BB_CC_DD_EE_FF", showing: 4_711)
        #expect(await seen.next(.shown) == "alice: PIN 004711 for AA:BB:CC:DD:EE:FF")

        let phone = try desk.connect()
        defer { close(phone.descriptor) }
        _ = await seen.next(.withdrawn)
        phone.write([0x02, 0x05, 0x02])
        #expect(phone.read() == [0x03, UInt8(BluetoothTraits.nrf52.mtu & 0xFF), UInt8(BluetoothTraits.nrf52.mtu >> 8)])
        phone.write([0x12, 20, 0, 22, 3])
        #expect(phone.read() == [0x01, 0x12, 20, 0, 0x05], "nobody has paired on this socket")
        shutdown(phone.descriptor, Int32(SHUT_RDWR))
        #expect(await seen.next(.advertised) == "MeshCore-alice")

        try await desk.stop()

        #expect(!bluetoothd.isPairable)
        #expect(bluetoothd.calls.suffix(3) == ["UnregisterAdvertisement", "UnregisterAgent", "Set"])
        #expect(desk.isListening == false)
        #expect(!desk.notes.contains { $0.contains("4711") })
    }

    @Test func `a second central is hung up on, and the first one stays`() async throws {
        let bluetoothd = try PlayedBluetoothd()
        let desk = try await Desk(bluetoothd)
        var seen = desk.seen
        let phone = try desk.connect()
        defer { close(phone.descriptor) }
        _ = await seen.next(.withdrawn)

        let other = try desk.connect(number: 0x0102_0304_0506)
        defer { close(other.descriptor) }

        #expect(await seen.next(.disconnected) == "/org/bluez/hci1/dev_01_02_03_04_05_06")
        #expect(other.read().isEmpty)
        phone.write([0x0A, 3, 0])
        #expect(phone.read() == [0x0B] + Array("MeshCore-alice".utf8))
        try await desk.stop()
    }

    @Test func `bluetoothd that ends ends the radio with a sentence`() async throws {
        let bluetoothd = try PlayedBluetoothd()
        let desk = try await Desk(bluetoothd)
        var seen = desk.seen

        bluetoothd.leave()

        #expect(
            await seen.next(.failed)
                == "Bluetooth adapter hci1: \(BluetoothCentral.DesktopFault.noDaemon)")
        try await desk.stop()
    }

    @Test func `two nodes cannot have one adapter`() async throws {
        let endpoints = [try NodeEndpoint("alice=ble:hci7"), try NodeEndpoint("bob=ble:hci7")]

        let error = await #expect(throws: EmulatorError.self) {
            try await Emulator.start(.init(world: .village, seed: Seed(7), endpoints: endpoints))
        }

        #expect(error?.description == "Bluetooth adapter hci7: it is the endpoint of alice already")
    }

    @Test func `without a bus, bluetoothd or channel of attributes no radio is opened`() async throws {
        let bluetoothd = try PlayedBluetoothd()
        let prefix = "Bluetooth adapter hci1: "
        let none = await #expect(throws: EmulatorError.self) { try await Desk(bluetoothd, bus: "unix:path=/nowhere") }
        #expect(none?.description.hasPrefix(prefix + "the system has no bus for bluetoothd (") == true)
        let refused = await #expect(throws: EmulatorError.self) { try await Desk(bluetoothd, refuses: true) }
        #expect(refused?.description == prefix + "another program has it")
        bluetoothd.leave()
        let gone = await #expect(throws: EmulatorError.self) { try await Desk(bluetoothd) }
        #expect(gone?.description == prefix + "\(BluetoothCentral.DesktopFault.noDaemon)")
    }
}

/// Events of a desk and its bluetoothd, in their order.
private struct Seen {
    enum Kind: Hashable, Sendable { case advertised, withdrawn, disconnected, shown, failed }

    private var iterator: AsyncStream<(Kind, String)>.Iterator

    init(_ stream: AsyncStream<(Kind, String)>) { iterator = stream.makeAsyncIterator() }

    /// The next one of a kind; others before it are passed over.
    mutating func next(_ kind: Kind) async -> String? {
        while let (found, text) = await iterator.next(isolation: nil) { if found == kind { return text } }
        return nil
    }
}

/// A simulated bluetoothd with one adapter, which was not pairable.
private final class PlayedBluetoothd: Sendable {
    private struct State {
        var calls: [String] = []
        var isPairable = false
        var agent: (sender: String, path: String)?
    }

    let bus: PrivateBus
    let stream: AsyncStream<(Seen.Kind, String)>
    let told: AsyncStream<(Seen.Kind, String)>.Continuation
    private let state = Mutex(State())
    private let line = Mutex<Bus?>(nil)

    init() throws {
        bus = try PrivateBus()
        (stream, told) = AsyncStream.makeStream(of: (Seen.Kind, String).self)
        let opened = try Bus(.address(bus.address)) { [weak self] event in
            if case .call(let call) = event { self?.take(call) }
        }
        line.withLock { $0 = opened }
        try opened.own("org.bluez")
    }

    var isPairable: Bool { state.withLock(\.isPairable) }
    var calls: [String] { state.withLock(\.calls) }

    func leave() { try? line.withLock { $0 }?.release("org.bluez") }

    /// Pairs a device, and asks the agent to show the PIN.
    func pair(_ device: String, showing pin: UInt32) {
        guard let agent = state.withLock(\.agent) else { return }
        let arguments: [BusValue] = [
            .objectPath("/org/bluez/hci1/dev_\(device)"), .uint32(pin), .uint16(0),
        ]
        let request = BusRequest(agent.sender, agent.path, "org.bluez.Agent1", "DisplayPasskey", arguments)
        line.withLock { $0 }?.send(request) { _ in }
    }

    private func take(_ call: BusCall) {
        guard let line = line.withLock({ $0 }) else { return }
        state.withLock { $0.calls.append(call.method) }
        switch call.method {
        case "GetManagedObjects": line.answer(call, [objects])
        case "RegisterAgent":
            state.withLock { $0.agent = (call.sender, call.arguments[0].text ?? "") }
            line.answer(call)
        case "Set":
            state.withLock { $0.isPairable = call.arguments[2].flag ?? false }
            line.answer(call)
        case "RegisterAdvertisement":
            let look = BusRequest(
                call.sender, call.arguments[0].text ?? "", "org.freedesktop.DBus.Properties", "GetAll",
                [.string("org.bluez.LEAdvertisement1")])
            line.send(look) { [told] answer in
                let name = (try? answer.get())?.first?["LocalName"]?.text
                line.answer(call)
                told.yield((.advertised, name ?? ""))
            }
        case "UnregisterAdvertisement":
            line.answer(call)
            told.yield((.withdrawn, ""))
        case "Disconnect":
            line.answer(call)
            told.yield((.disconnected, call.path))
        default: line.answer(call)
        }
    }

    private var objects: BusValue {
        let adapter = BusValue.variants([
            "Address": .string("00:AA:01:01:00:2A"), "AddressType": .string("public"), "Powered": .boolean(true),
            "Pairable": .boolean(isPairable),
        ])
        let interfaces = BusValue.array(
            of: "{sa{sv}}",
            [
                .entry(key: .string("org.bluez.Adapter1"), value: adapter),
                .entry(key: .string("org.bluez.LEAdvertisingManager1"), value: .variants([:])),
            ])
        return .array(
            of: "{oa{sa{sv}}}", [.entry(key: .objectPath("/org/bluez/hci1"), value: interfaces)])
    }
}

/// A port on an event loop, with its owner and its listener.
private final class Desk: Sendable {
    /// The end of a central.
    struct Phone {
        let descriptor: Int32

        func write(_ packet: [UInt8]) { #expect(send(descriptor, packet, packet.count, 0) == packet.count) }

        func read() -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            return Array(buffer.prefix(max(0, count)))
        }
    }

    private final class Owner: PortOwner {
        let eventLoop: any EventLoop
        let halfClosedGrace: TimeAmount? = .zero
        let notes: Lines
        let told: AsyncStream<(Seen.Kind, String)>.Continuation

        init(_ eventLoop: any EventLoop, _ notes: Lines, _ told: AsyncStream<(Seen.Kind, String)>.Continuation) {
            (self.eventLoop, self.notes, self.told) = (eventLoop, notes, told)
        }

        func advance() {}
        func note(_ text: String) { notes.append(text) }
        func show(_ text: String) { told.yield((.shown, text)) }
        func portFailed(_ error: EmulatorError) { told.yield((.failed, "\(error)")) }
    }

    /// Lines of several threads.
    final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }
        func append(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private let list = Lines()
    private let bluetoothd: PlayedBluetoothd
    private let port: NIOLoopBound<any AppPort>
    private let arrival: Listening

    /// A listener to which the test adds sockets; a closed one has no receiver.
    private final class Listening: Sendable {
        let arrived = Mutex<DesktopRadio.Machine.Arrival?>(nil)
    }

    init(_ bluetoothd: PlayedBluetoothd, bus: String? = nil, refuses: Bool = false) async throws {
        self.bluetoothd = bluetoothd
        let (list, told, listening) = (list, bluetoothd.told, Listening())
        arrival = listening
        let place = Bus.Place.address(bus ?? bluetoothd.bus.address)
        let machine = DesktopRadio.Machine(bus: place) { own, address, arrived throws(LinkError) in
            #expect(own == BluetoothAddress(number: 0x00AA_0101_002A, isRandom: false))
            if refuses { throw .unreachable(address, reason: "another program has it") }
            listening.arrived.withLock { $0 = arrived }
            return { listening.arrived.withLock { $0 = nil } }
        }
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        port = try await eventLoop.flatSubmit {
            let owner = NIOLoopBound<any PortOwner>(Owner(eventLoop, list, told), eventLoop: eventLoop)
            return OpenPort.Bluetooth(radio: PeripheralBench.radio(.nrf52), bonds: nil).open(
                .controller(.desktop(1)), label: "alice", owner: owner, machine: machine)
        }.get()
    }

    var seen: Seen { Seen(bluetoothd.stream) }
    var notes: [String] { list.all }
    var isListening: Bool { arrival.arrived.withLock { $0 } != nil }

    func connect(number: UInt64 = 0xAABB_CCDD_EEFF) throws -> Phone {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        let arrived = try #require(arrival.arrived.withLock { $0 })
        arrived(ends[0], BluetoothAddress(number: number, isRandom: false))
        return Phone(descriptor: ends[1])
    }

    func stop() async throws {
        let port = port
        try await port.eventLoop.flatSubmit { port.value.stop() }.get()
    }
}
