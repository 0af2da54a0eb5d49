import MeshBluetoothHost
import MeshFirmware
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshEmulator

/// Orders of a companion radio to its Bluetooth controller, and their order.
@Suite struct RadioPeripheralTests {
    /// Client configuration of the value that an nRF52 notifies, and the value itself.
    private static let configuration: UInt16 = 17
    private static let transmit: UInt16 = 16

    @Test func `packets leave in the order in which they were made`() {
        var bench = PeripheralBench(.nrf52)
        bench.connect()
        bench.send([5, 1])
        #expect(bench.takeValues().isEmpty)

        bench.write([1, 0], to: Self.configuration)

        // The answer to the subscription, then the notification that waited for it.
        #expect(bench.takeValues() == [[0x13], [0x1B, UInt8(Self.transmit), 0, 5, 1]])
    }

    @Test(.proves("CMP-029"))
    func `an nRF52 has room for frames as long as its radio has`() {
        var bench = PeripheralBench(.nrf52)
        bench.connect()
        bench.write([1, 0], to: Self.configuration)
        while bench.onAir > 0 { bench.arrive() }
        _ = bench.takeValues()

        // The controller takes eight, the radio's queue three, and one is on its way there.
        var sent: UInt8 = 0
        while bench.peripheral.hasRoom, sent < 50 {
            sent += 1
            bench.send([sent])
        }
        #expect(sent == 12)
        #expect(bench.takeValues().count == 8)
        bench.arrive()
        #expect(bench.peripheral.hasRoom)
        while bench.onAir > 0 { bench.arrive() }

        #expect(bench.takeValues().map(\.last) == [9, 10, 11, 12])
        #expect(bench.peripheral.lost == 0)
    }

    @Test func `an ESP32 does not ask for room`() {
        var bench = PeripheralBench(.esp32)
        bench.connect()
        bench.write([1, 0], to: 43)

        for number in UInt8(1)...100 { bench.send([number]) }

        #expect(bench.peripheral.hasRoom)
    }

    // MARK: Restarts

    @Test func `a board that restarts is not found until it has booted`() {
        var bench = PeripheralBench(.nrf52)
        #expect(bench.isAdvertising)
        bench.change { $0.restart(at: .start, random: &$1) }
        #expect(!bench.isAdvertising)
        bench.change { $0.boot(as: PeripheralBench.radio(.nrf52), at: .start, random: &$1) }
        #expect(bench.isAdvertising)

        bench.connect()
        bench.change { $0.restart(at: .start, random: &$1) }
        bench.leave()
        #expect(!bench.isAdvertising)
        bench.change { $0.boot(as: PeripheralBench.radio(.nrf52), at: .start, random: &$1) }

        #expect(bench.isAdvertising)
        #expect(bench.inputs == [.connected, .disconnected])
    }

    @Test func `a board without power hangs up on nobody, and is not found until it has booted`() {
        var bench = PeripheralBench(.nrf52)
        bench.connect()
        bench.forgetCommands()

        bench.change { $0.losePower(at: .start, random: &$1) }

        // HCI_Reset, and no HCI_Disconnect: the central is to miss the radio.
        #expect(bench.commands.first == 0x0C03)
        #expect(!bench.commands.contains(0x0406))
        #expect(!bench.isAdvertising)
        #expect(bench.peripheral.deadline == nil)
        #expect(!bench.peripheral.isSecure)

        bench.change { $0.boot(as: PeripheralBench.radio(.nrf52), at: .start, random: &$1) }
        #expect(bench.isAdvertising)
        bench.connect()

        // Bonds are in the flash, and no node that boots has had a client before.
        #expect(bench.peripheral.isSecure)
        #expect(bench.inputs == [.connected, .connected])
    }

    @Test func `a board without power that boots with another name is found by it`() {
        var bench = PeripheralBench(.esp32)
        bench.connect()
        bench.change { $0.losePower(at: .start, random: &$1) }

        bench.change { $0.boot(as: PeripheralBench.radio(.esp32, name: "bob"), at: .start, random: &$1) }

        #expect(bench.isAdvertising)
        #expect(bench.peripheral.radio.name == Array("bob".utf8))
    }

    @Test func `a board that boots with another name has no client from before`() {
        var bench = PeripheralBench(.nrf52)
        bench.connect()
        bench.change { $0.restart(at: .start, random: &$1) }

        bench.change { $0.boot(as: PeripheralBench.radio(.nrf52, name: "bob"), at: .start, random: &$1) }

        #expect(bench.inputs == [.connected, .disconnected])
        #expect(bench.isAdvertising)
    }

    // MARK: Advertising

    @Test(arguments: [UInt16(0x2006), 0x200A])
    func `advertising that the controller refuses is said, and tried again a second later`(opcode: UInt16) {
        var bench = PeripheralBench(.nrf52) { $0[opcode] = 0x0C }
        #expect(bench.notes.contains { $0.hasSuffix("error 0x0c") })
        bench.allowAll()
        let moment = Instant.start + .seconds(1)
        #expect(bench.peripheral.deadline == moment)

        bench.change { $0.expire(at: moment, random: &$1) }

        #expect(bench.isAdvertising)
        #expect(bench.peripheral.deadline == nil)
    }

    // MARK: Secrets

    @Test func `no description shows the PIN or a key`() {
        let radio = Self.dumped(PeripheralBench.radio(.nrf52))
        let output = Self.dumped(RadioPeripheral<BluetoothHost>.Output.send([0x01, 0x1A, 0x20, 0xC7]))

        #expect(radio.contains("alice") && !radio.contains("123456"))
        #expect(output.contains("4 bytes") && !output.contains("199"))
    }

    /// All that printing a value may show.
    private static func dumped(_ value: some Any) -> String {
        var text = "\(value) \(String(reflecting: value)) "
        dump(value, to: &text)
        return text
    }
}

/// A radio above a controller that does all that it is told, with a central that has paired before.
struct PeripheralBench {
    private(set) var peripheral: RadioPeripheral<BluetoothHost>
    /// The inputs of the node.
    private(set) var inputs: [NodeInput.App] = []
    private(set) var notes: [String] = []
    /// True while the controller advertises.
    private(set) var isAdvertising = false
    /// The commands that the controller was given, by their opcodes.
    private(set) var commands: [UInt16] = []
    /// The error with which the controller answers a command.
    private var errors: [UInt16: UInt8] = [:]
    /// Fragments on the air that have not arrived.
    private(set) var onAir: UInt16 = 0
    private let now = Instant.start
    private var values: [[UInt8]] = []
    private var random = SystemRandomNumberGenerator()

    private static let peer = BluetoothAddress(number: 0x1122_3344_5566, isRandom: false)
    private static let handle: [UInt8] = [0x40, 0x00]

    init(_ traits: BluetoothTraits, refusing: (inout [UInt16: UInt8]) -> Void = { _ in }) {
        let bond = Bond(
            peer: Self.peer, longTermKey: .init((0..<16).map { UInt8($0) }), diversifier: 0xBEEF, random: 0x0807,
            level: .authenticated)
        peripheral = RadioPeripheral(Self.radio(traits), known: [.init(bond: bond)])
        refusing(&errors)
        take(peripheral.start(at: now, random: &random))
    }

    /// The controller refuses nothing any more.
    mutating func allowAll() { errors = [:] }

    mutating func forgetCommands() { commands = [] }

    static func radio(_ traits: BluetoothTraits, name: String = "alice") -> RadioIdentity {
        RadioIdentity(
            traits: traits, name: Array(name.utf8), pin: 123_456,
            address: BluetoothAddress(number: 0xC0FF_EE00_0001, isRandom: true))
    }

    // MARK: The central

    /// It connects, and encrypts with the key that it has.
    mutating func connect() {
        isAdvertising = false
        let address = Array(Self.peer.bytes.reversed())
        event(0x3E, [0x01, 0] + Self.handle + [1, 0] + address + [24, 0, 0, 0, 200, 0, 0])
        event(0x3E, [0x05] + Self.handle + [0x07, 0x08, 0, 0, 0, 0, 0, 0, 0xEF, 0xBE])
        event(0x08, [0] + Self.handle + [1])
    }

    mutating func leave() { event(0x05, [0] + Self.handle + [0x13]) }

    mutating func write(_ value: [UInt8], to handle: UInt16) {
        let packet = [0x12, UInt8(handle & 0xFF), UInt8(handle >> 8)] + value
        let frame = [UInt8(packet.count), 0, 0x04, 0] + packet
        receive([0x02, Self.handle[0], 0x20, UInt8(frame.count), 0] + frame)
    }

    /// One fragment has arrived.
    mutating func arrive() {
        onAir -= 1
        event(0x13, [1] + Self.handle + [1, 0])
    }

    /// The attribute packets that have left since the last look.
    mutating func takeValues() -> [[UInt8]] {
        defer { values = [] }
        return values
    }

    // MARK: The node

    mutating func send(_ frame: [UInt8]) { take(peripheral.send(frame, at: now, random: &random)) }

    /// Performs an act on the radio itself.
    mutating func change(
        _ body: (inout RadioPeripheral<BluetoothHost>, inout SystemRandomNumberGenerator) ->
            [RadioPeripheral<BluetoothHost>.Output]
    ) {
        take(body(&peripheral, &random))
    }

    // MARK: The controller

    private mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
        receive([0x04, code, UInt8(parameters.count)] + parameters)
    }

    private mutating func receive(_ packet: [UInt8]) {
        take(peripheral.take(.received(packet), at: now, random: &random))
    }

    private mutating func take(_ outputs: [RadioPeripheral<BluetoothHost>.Output]) {
        for output in outputs {
            switch output {
            case .send(let packet) where packet[0] == 0x01: answer(packet)
            case .send(let packet):
                onAir += 1
                // Behind the headers of HCI and of L2CAP, on the channel of attributes.
                if packet[7] == 4 { values.append([UInt8](packet[9...])) }
            case .input(let input): inputs.append(input)
            case .note(let text): notes.append(text)
            case .keep, .ready, .failed: break
            }
        }
    }

    private mutating func answer(_ packet: [UInt8]) {
        let opcode = UInt16(packet[1]) | UInt16(packet[2]) << 8
        let status = errors[opcode] ?? 0
        commands.append(opcode)
        if opcode == 0x0C03 { isAdvertising = false }
        if opcode == 0x200A, status == 0 { isAdvertising = packet[4] == 1 }
        switch opcode {
        // Disconnect, and new intervals: begun now.
        case 0x0406, 0x2013: event(0x0F, [status, 1, packet[1], packet[2]])
        default: event(0x0E, [1, packet[1], packet[2], status] + Self.result(of: opcode))
        }
    }

    private static func result(of opcode: UInt16) -> [UInt8] {
        switch opcode {
        // Bluetooth 4.0; fragments of 251 bytes, eight at once; an address; no features.
        case 0x1001: [6, 0, 0, 6, 0, 0, 0, 0]
        case 0x2002: [251, 0, 8]
        case 0x1009: [1, 2, 3, 4, 5, 6]
        case 0x2003: [UInt8](repeating: 0, count: 8)
        case 0x201A: handle
        default: []
        }
    }
}
