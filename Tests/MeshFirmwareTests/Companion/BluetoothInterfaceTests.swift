import MeshCompanion
import MeshTestSupport
import MeshTime
import Testing

@testable import MeshFirmware

/// The Bluetooth of both chip families, as far as it is queues, pace and who is there.
@Suite struct BluetoothInterfaceTests {
    private static let families = [BluetoothTraits.nrf52, .esp32]

    private static func connected(_ traits: BluetoothTraits) -> FrameInterface {
        var interface = FrameInterface(isConnected: false, pace: .init(traits))
        interface.clientArrived()
        return interface
    }

    /// The milliseconds at which frames leave, when the link is looked at in each.
    private static func departures(_ interface: inout FrameInterface, within milliseconds: Int64) -> [Int64] {
        (0..<milliseconds).filter { millisecond in
            var effects: [NodeEffect] = []
            _ = interface.poll(at: .start + .milliseconds(millisecond), into: &effects)
            return !effects.isEmpty
        }
    }

    @Test(.proves("CMP-025"), arguments: families)
    func `before the link is secure no frame is sent and none is executed`(traits: BluetoothTraits) {
        var bench = CompanionBench(interface: .bluetooth(traits))
        let name = bench.radio.name
        // SET_ADVERT_NAME.
        bench.pass(.appBytes([8] + Array("eve".utf8)))
        bench.wait(milliseconds: 200)
        #expect(bench.takeFrames().isEmpty)
        #expect(bench.radio.name == name)

        bench.connect()
        bench.wait(milliseconds: 200)
        #expect(bench.takeFrames().isEmpty)
        bench.pass(.appBytes(DeviceQuery(appTargetVersion: 8).encoded()))
        bench.wait(milliseconds: 200)

        #expect(bench.takeFrames().map(\.first) == [ResponseCode.deviceInfo.rawValue])
    }

    @Test(.proves("CMP-020"), arguments: families)
    func `a value is one frame, without a header`(traits: BluetoothTraits) {
        var bench = CompanionBench(interface: .bluetooth(traits))
        bench.connect()

        bench.pass(.appBytes([UInt8(ascii: "<"), 1, 0, 5]))
        bench.pass(.appBytes(GetDeviceTime().encoded()))
        bench.wait(milliseconds: 200)

        // What a serial line would take for a header is the command 3C, GET_ALLOWED_REPEAT_FREQ.
        #expect(bench.takeFrames().map { $0[0] } == [26, 9])
    }

    @Test(.proves("CMP-026"), arguments: families)
    func `a value that is longer than a frame is dropped without a reply`(traits: BluetoothTraits) {
        var bench = CompanionBench(interface: .bluetooth(traits))
        bench.connect()

        bench.pass(.appBytes([UInt8](repeating: 0x35, count: 177)))
        bench.wait(milliseconds: 200)
        #expect(bench.takeFrames().isEmpty)
        bench.pass(.appBytes([UInt8](repeating: 0x35, count: 176)))
        bench.wait(milliseconds: 200)

        #expect(bench.takeFrames() == [[1, 1]])
    }

    @Test(.proves("CMP-027", "CMP-028"))
    func `an ESP32 keeps four frames, and sends them sixty milliseconds apart`() {
        var interface = Self.connected(.esp32)
        var effects: [NodeEffect] = []
        for number in 1...7 { interface.write([UInt8(number)], into: &effects) }

        #expect(effects.isEmpty)
        #expect(interface.lostOutputs == 3)
        #expect(Self.departures(&interface, within: 400) == [0, 60, 120, 180])
    }

    @Test(.proves("CMP-029"))
    func `an nRF52 keeps twelve frames, and is busy for a listing while eight or more wait`() {
        var interface = Self.connected(.nrf52)
        var effects: [NodeEffect] = []
        var busy: [Bool] = []
        for number in 1...14 {
            interface.write([UInt8(number)], into: &effects)
            busy.append(interface.isBusy(at: .start))
        }

        #expect(busy == (1...14).map { $0 >= 8 })
        #expect(interface.lostOutputs == 2)
        // One in each pass, without a rest.
        #expect(Self.departures(&interface, within: 100) == [Int64](0..<12))
        #expect(!interface.isBusy(at: .start))
    }

    @Test(.proves("CMP-029"))
    func `on a slow link an nRF52 pauses its listing at eight frames, and loses none of two hundred contacts`() {
        var bench = CompanionBench(board: .rak4631, interface: .bluetooth(.nrf52))
        bench.connect()
        for seed in 1...200 {
            bench.add(Peer("N", seed: UInt8(seed)))
            bench.wait(milliseconds: 50)
        }
        bench.toApp = []
        bench.hold(true)

        bench.send(GetContacts())
        bench.wait(milliseconds: 1000)
        guard case .frames(var link) = bench.radio.interface else { return }
        var effects: [NodeEffect] = []
        for number in UInt8(1)...5 { link.write([number], into: &effects) }
        #expect(bench.takeFrames().isEmpty)
        #expect(bench.radio.interface.isBusy(at: bench.now))
        #expect(link.lostOutputs == 1)
        for _ in 0..<202 {
            bench.hold(false)
            bench.hold(true)
            bench.wait(milliseconds: 50)
        }

        #expect(bench.takeFrames().map { $0[0] } == [2] + [UInt8](repeating: 3, count: 200) + [4])
    }

    @Test func `the next client finds a link with room`() {
        var interface = Self.connected(.nrf52)
        var effects: [NodeEffect] = []
        _ = interface.hold(true)
        interface.clientLeft()
        interface.clientArrived()
        interface.write([1], into: &effects)

        #expect(Self.departures(&interface, within: 10) == [0])
    }

    @Test(arguments: families)
    func `as many frames of the app wait as of the radio, and further ones are lost`(traits: BluetoothTraits) {
        var interface = Self.connected(traits)
        for number in 0..<(traits.queueSize + 2) { interface.receive([UInt8(number)]) }

        var effects: [NodeEffect] = []
        var taken: [UInt8] = []
        while let frame = interface.poll(at: .start, into: &effects) { taken += frame }

        #expect(taken == (0..<traits.queueSize).map { UInt8($0) })
        #expect(interface.lostInputs == 2)
    }

    @Test(.proves("CMP-030"), arguments: families)
    func `after a disconnect both queues are empty`(traits: BluetoothTraits) {
        var interface = Self.connected(traits)
        var effects: [NodeEffect] = []
        interface.write([1], into: &effects)
        interface.receive([2])

        interface.clientLeft()
        interface.clientArrived()

        #expect(interface.poll(at: .start + .seconds(1), into: &effects) == nil)
        #expect(effects.isEmpty)
    }

    @Test(.proves("CMP-030"))
    func `the radio advertises again at once on nRF52, and after a second on ESP32`() {
        #expect(BluetoothTraits.nrf52.advertisingDelay == .zero)
        #expect(BluetoothTraits.esp32.advertisingDelay == .milliseconds(1000))
    }

    @Test(.proves("CMP-023", "CMP-024", "CMP-032"))
    func `properties and the MTU are those of the family`() {
        #expect(BluetoothTraits.nrf52.receiveProperties == 0x0C)
        #expect(BluetoothTraits.nrf52.transmitProperties == 0x10)
        #expect(BluetoothTraits.nrf52.mtu == 247)
        #expect(BluetoothTraits.esp32.receiveProperties == 0x08)
        #expect(BluetoothTraits.esp32.transmitProperties == 0x12)
        #expect(BluetoothTraits.esp32.mtu == 176)
        var other = BoardProfile.heltecV3
        #expect(other.bluetooth == .esp32)
        other.platform = .other
        #expect(other.bluetooth == nil)
    }
}
