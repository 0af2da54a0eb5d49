import MeshBluetoothHost
import MeshFirmware
import MeshTestSupport
import MeshTime
import Testing

@testable import MeshEmulator

/// A companion radio on sockets of a kernel: its effects there, in their order.
@Suite struct DesktopPeripheralTests {
    private static let (transmit, configuration, receive): (UInt16, UInt16, UInt16) = (16, 17, 20)
    private static let phone = BluetoothAddress(number: 0x1122_3344_5566, isRandom: false)

    /// A radio that has started, and what it has led to.
    private struct Bench {
        var peripheral: RadioPeripheral<AttributeHost>
        var orders: [AttributeHost.Order] = []
        var inputs: [NodeInput.App] = []
        var notes: [String] = []
        private var random = SystemRandomNumberGenerator()

        init(_ traits: BluetoothTraits) {
            peripheral = RadioPeripheral(onSockets: PeripheralBench.radio(traits))
            change { $0.start(at: .start, random: &$1) }
        }

        mutating func change(
            _ body: (inout RadioPeripheral<AttributeHost>, inout SystemRandomNumberGenerator) ->
                [RadioPeripheral<AttributeHost>.Output]
        ) {
            for output in body(&peripheral, &random) {
                switch output {
                case .send(let order): orders.append(order)
                case .input(let input): inputs.append(input)
                case .note(let text): notes.append(text)
                case .keep, .ready, .failed: break
                }
            }
        }

        mutating func happens(_ input: AttributeHost.Input, after span: TimeSpan = .zero) {
            change { $0.take(input, at: .start + span, random: &$1) }
        }

        mutating func writes(
            _ value: [UInt8], to handle: UInt16, _ level: SecurityLevel = .authenticatedSecure, on number: UInt32 = 1
        ) {
            happens(.received(number, [0x12, UInt8(handle & 0xFF), UInt8(handle >> 8)] + value, level))
        }

        mutating func sends(_ frame: [UInt8]) { change { $0.send(frame, at: .start, random: &$1) } }

        mutating func expires(at moment: Instant) { change { $0.expire(at: moment, random: &$1) } }

        mutating func takeOrders() -> [AttributeHost.Order] {
            defer { orders = [] }
            return orders
        }
    }

    @Test func `a radio is found until a central connects, and again when its chip would be`() throws {
        var bench = Bench(.esp32)
        #expect(bench.takeOrders() == [.advertise])

        bench.happens(.opened(1, Self.phone))
        #expect(bench.takeOrders() == [.stopAdvertising])
        bench.happens(.closed(1))
        #expect(bench.takeOrders().isEmpty, "an ESP32 takes its time")
        let moment = try #require(bench.peripheral.deadline)
        #expect(moment == .start + BluetoothTraits.esp32.advertisingDelay)
        bench.expires(at: moment)

        #expect(bench.takeOrders() == [.advertise])
        #expect(bench.inputs.isEmpty, "who proved nothing was no app")
    }

    @Test func `only who has typed the PIN is an app`() {
        var bench = Bench(.nrf52)
        bench.happens(.opened(1, Self.phone))
        _ = bench.takeOrders()

        for level in [SecurityLevel.none, .encrypted] {
            bench.writes([22, 3], to: Self.receive, level)
            bench.writes([1, 0], to: Self.configuration, level)
        }
        #expect(bench.inputs.isEmpty && !bench.peripheral.isSecure)
        let refused = bench.takeOrders().compactMap { order -> UInt8? in
            if case .send(1, let packet) = order { packet.last } else { nil }
        }
        #expect(refused == [5, 5, 5, 5])
        bench.writes([22, 3], to: Self.receive, .authenticated)

        #expect(bench.inputs == [.connected, .bytes([22, 3])])
        bench.happens(.closed(1))
        #expect(bench.inputs.last == .disconnected)
    }

    @Test func `frames wait for the subscription, and follow the answer to it`() {
        var bench = Bench(.nrf52)
        bench.happens(.opened(1, Self.phone))
        bench.writes([22, 3], to: Self.receive)
        bench.sends([5, 1])
        _ = bench.takeOrders()

        bench.writes([1, 0], to: Self.configuration)

        #expect(bench.takeOrders() == [.send(1, [0x13]), .send(1, [0x1B, UInt8(Self.transmit), 0, 5, 1])])
    }

    @Test(.proves("CMP-029"))
    func `an nRF52 has room for frames as long as the kernel has`() {
        var bench = Bench(.nrf52)
        bench.happens(.opened(1, Self.phone))
        bench.writes([1, 0], to: Self.configuration)
        bench.happens(.sent(1))
        _ = bench.takeOrders()

        // The kernel has taken none: three are on their way, and one waits.
        var sent: UInt8 = 0
        while bench.peripheral.hasRoom, sent < 50 {
            sent += 1
            bench.sends([sent])
        }
        #expect(sent == 4)
        #expect(bench.takeOrders().count == 3)
        bench.happens(.sent(1))

        #expect(bench.peripheral.hasRoom)
        #expect(bench.takeOrders() == [.send(1, [0x1B, UInt8(Self.transmit), 0, 4])])
    }

    @Test func `a board that restarts hangs up, and is not found until it has booted`() {
        var bench = Bench(.nrf52)
        bench.happens(.opened(1, Self.phone))
        bench.writes([22, 3], to: Self.receive)
        _ = bench.takeOrders()

        bench.change { $0.restart(at: .start, random: &$1) }
        #expect(bench.takeOrders() == [.hangUp(1)])
        bench.happens(.closed(1))
        #expect(bench.takeOrders().isEmpty)
        bench.change { $0.boot(as: PeripheralBench.radio(.nrf52), at: .start, random: &$1) }

        #expect(bench.takeOrders() == [.advertise])
        #expect(bench.inputs == [.connected, .bytes([22, 3]), .disconnected])
    }

    @Test func `a board that boots with another name is advertised anew`() {
        var bench = Bench(.nrf52)
        bench.happens(.opened(1, Self.phone))
        bench.writes([22, 3], to: Self.receive)
        _ = bench.takeOrders()

        bench.change { $0.boot(as: PeripheralBench.radio(.nrf52, name: "bob"), at: .start, random: &$1) }

        #expect(bench.takeOrders() == [.hangUp(1), .advertise])
        #expect(bench.inputs.last == .disconnected)
        bench.happens(.closed(1))
        bench.happens(.opened(2, Self.phone))
        bench.happens(.received(2, [0x0A, 3, 0], .none))
        #expect(bench.takeOrders().last == .send(2, [0x0B] + Array("MeshCore-bob".utf8)))
    }

    @Test func `advertising that ends by itself is tried again a second later`() throws {
        var bench = Bench(.nrf52)
        _ = bench.takeOrders()

        bench.happens(.notAdvertised)
        #expect(bench.takeOrders().isEmpty)
        let moment = try #require(bench.peripheral.deadline)
        #expect(moment == .start + .seconds(1))
        bench.expires(at: moment)

        #expect(bench.takeOrders() == [.advertise])
    }
}
