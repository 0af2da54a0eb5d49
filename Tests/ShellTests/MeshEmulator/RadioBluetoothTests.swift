import Foundation
import MeshBluetoothHost
import MeshCapture
import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import MeshWire
import Testing

@testable import MeshEmulator

/// The appearance of a companion radio over Bluetooth before a connection, and the peers that it remembers.
@Suite struct RadioBluetoothTests {
    private static func radio(_ traits: BluetoothTraits, name: String = "alice") -> RadioIdentity {
        RadioIdentity(
            traits: traits, name: Array(name.utf8), pin: 123_456,
            address: BluetoothAddress(number: 0xC0FF_EE00_0001, isRandom: true))
    }

    /// Handle and type of each attribute, as a scan of the server lists them.
    private static func layout(_ attributes: RadioAttributes) -> [String] {
        attributes.table.attributes.map { "\($0.handle) \($0.type)" }
    }

    @Test(.proves("CMP-019", "CMP-023"))
    func `an nRF52 has its attributes in the order of its build`() throws {
        let attributes = RadioAttributes(Self.radio(.nrf52))

        #expect(
            Self.layout(attributes).joined(separator: "\n") == """
                1 2800
                2 2803
                3 2a00
                4 2803
                5 2a01
                6 2803
                7 2a04
                8 2803
                9 2aa6
                10 2800
                11 2803
                12 2a05
                13 2902
                14 2800
                15 2803
                16 6e400003-b5a3-f393-e0a9-e50e24dcca9e
                17 2902
                18 2901
                19 2803
                20 6e400002-b5a3-f393-e0a9-e50e24dcca9e
                21 2901
                """)
        #expect((attributes.transmit, attributes.receive) == (16, 20))
        #expect(try #require(attributes.table[16]).properties.rawValue == 0x10)
        #expect(try #require(attributes.table[20]).properties.rawValue == 0x0C)
    }

    @Test(.proves("CMP-019", "CMP-024"))
    func `an ESP32 has its attributes in the order of its build`() throws {
        let attributes = RadioAttributes(Self.radio(.esp32))

        #expect(
            Self.layout(attributes).joined(separator: "\n") == """
                1 2800
                2 2803
                3 2a05
                4 2902
                20 2800
                21 2803
                22 2a00
                23 2803
                24 2a01
                25 2803
                26 2aa6
                40 2800
                41 2803
                42 6e400003-b5a3-f393-e0a9-e50e24dcca9e
                43 2902
                44 2803
                45 6e400002-b5a3-f393-e0a9-e50e24dcca9e
                """)
        #expect((attributes.transmit, attributes.receive) == (42, 45))
        #expect(try #require(attributes.table[42]).properties.rawValue == 0x12)
        #expect(try #require(attributes.table[45]).properties.rawValue == 0x08)
    }

    @Test(.proves("CMP-021"), arguments: [BluetoothTraits.nrf52, .esp32])
    func `values of the service are for links with MITM protection alone`(traits: BluetoothTraits) throws {
        let attributes = RadioAttributes(Self.radio(traits))

        let receive = try #require(attributes.table[attributes.receive])
        let transmit = try #require(attributes.table[attributes.transmit])
        #expect((receive.read, receive.write) == (.never, .authenticated))
        #expect(transmit.write == .never)
        #expect(transmit.read == (traits.transmitProperties & 0x02 == 0 ? .never : .authenticated))
    }

    @Test(.proves("CMP-031"), arguments: [BluetoothTraits.nrf52, .esp32])
    func `it advertises the service, and answers scans with its name`(traits: BluetoothTraits) {
        let advertisement = RadioAdvertisement.advertisement(Self.radio(traits))

        #expect(advertisement.data.count <= 31)
        #expect(Array(advertisement.data.suffix(16)) == BluetoothUUID.nordicUART.bytes)
        #expect(advertisement.scanResponse == [15, 0x09] + Array("MeshCore-alice".utf8))
    }

    @Test func `a name that is too long is told as a shortened one`() {
        let radio = Self.radio(.esp32, name: String(repeating: "n", count: 31))

        let response = RadioAdvertisement.advertisement(radio).scanResponse

        #expect(response.count == 31)
        #expect(response.starts(with: [30, 0x08] + Array("MeshCore-nnn".utf8)))
    }

    @Test(.proves("CMP-022"))
    func `the PIN is the one of the build until another one is set`() throws {
        var world = World(.solo, seed: Seed(7))
        let node = try #require(world.nodes.first)
        #expect(RadioIdentity(node, in: world)?.pin == 123_456)

        world.inject(.appConnected, into: node)
        // SET_DEVICE_PIN 654321, with the header of TCP.
        world.inject(.appBytes([0x3C, 5, 0, 37, 0xF1, 0xFB, 0x09, 0]), into: node)
        world.run(until: .start + .seconds(5))

        let radio = try #require(RadioIdentity(node, in: world))
        #expect(radio.pin == 654_321)
        #expect(radio.address.isRandom && radio.address.isLasting)
    }

    @Test func `a recording holds the frames that pass over Bluetooth`() {
        var recorder = RadioRecorder(nodes: 1)
        let node = ClientID(NodeID(index: 0))
        recorder.add(node, over: .ble)

        recorder.took(.appConnected, node, at: .start)
        recorder.took(.appBytes([5]), node, at: .start)

        let entries = recorder.takeLines().map(\.entry)
        #expect(entries.map(\.link) == [.ble, .ble])
        #expect(entries.last?.event == .frame(.toRadio, [5]))
    }

    @Test func `a node that comes into a recorded world stands in no recording, and is recorded when asked for`() {
        var recorder = RadioRecorder(nodes: 1)
        let newcomer = ClientID(NodeID(index: 3))

        recorder.happened([TraceRecord(time: .start, node: newcomer.node, event: .appBytes([0x3E, 1, 0, 9]))])
        recorder.took(.appBytes([0x3C, 1, 0, 5]), newcomer, at: .start)
        #expect(recorder.takeLines().isEmpty)

        recorder.add(newcomer, over: .tcp)
        recorder.took(.appBytes([0x3C, 1, 0, 5]), newcomer, at: .start)

        #expect(recorder.takeLines().last?.entry.event == .frame(.toRadio, [5]))
    }
}
