import MeshBluetoothHost
import MeshCompanion
import MeshWire
import Testing

@testable import BluetoothCapture

/// Sniffers' records of every kind, from their link type to companion frames.
@Suite struct AirContainerTests {
    private let session = SniffedSession.whole(seed: 12)

    /// The session as records of this kind, read to its frames.
    private func read(_ kind: SniffedRecord, _ options: AirOptions) -> GatheringSink {
        var decoder = LinkDecoder(CaptureReader(GatheringSink(), options))
        for (index, packet) in session.packets.enumerated() {
            let bytes = kind.bytes(packet, number: index + 1)
            let header = RecordHeader(
                number: index + 1, offset: 0, nanoseconds: packet.nanoseconds, link: kind.link,
                originalLength: bytes.count)
            decoder.take(header, bytes.span)
        }
        decoder.sink.finish()
        return decoder.sink.sink
    }

    private func frames(_ log: GatheringSink, _ direction: FrameDirection) -> [[UInt8]] {
        log.frames.filter { $0.direction == direction }.map(\.bytes)
    }

    @Test(arguments: SniffedRecord.allCases)
    func `with the PIN the frames of both connections are read`(kind: SniffedRecord) {
        let log = read(kind, AirOptions(pin: SniffedSession.pin))

        #expect(frames(log, .toRadio) == SniffedSession.commands + SniffedSession.commands)
        #expect(frames(log, .toApp) == SniffedSession.answers + SniffedSession.answers)
        #expect(log.events.contains(.pairing(.legacy(pin: SniffedSession.pin))))
        #expect(log.events.count { $0 == .closed(reason: 0x13) } == 2)
    }

    @Test(arguments: SniffedRecord.allCases)
    func `with the long term key the frames of the second connection are read`(kind: SniffedRecord) {
        let log = read(kind, AirOptions(keys: [SniffedSession.longTermKey]))

        #expect(frames(log, .toRadio) == SniffedSession.commands)
        #expect(frames(log, .toApp) == SniffedSession.answers)
    }

    @Test(arguments: SniffedRecord.allCases)
    func `without a key there are no frames, and it says why`(kind: SniffedRecord) {
        let log = read(kind, AirOptions())

        #expect(log.frames.isEmpty)
        #expect(log.events.count { $0 == .encrypted(isReadable: false) } == 2)
        #expect(log.events.count { if case .unreadable = $0 { true } else { false } } == 2)
    }

    /// Records that another decoder read: a write of APP_START, and an advertisement of the Nordic UART service.
    struct Example: Sendable {
        var link: LinkType
        var isAdvertisement: Bool
        var head: String
    }

    static let write = "5a5d65500212" + "0e0004005209000103202020202020616263b3b6a2"
    static let advertisement = "d6be898e401b55443322110002010611079ecadc240ee5a9e093f3a3b50100406eb579a4"

    static let examples = [
        Example(link: .lowEnergy, isAdvertisement: false, head: ""),
        Example(link: .lowEnergy, isAdvertisement: true, head: ""),
        Example(link: .lowEnergyWithRadio, isAdvertisement: false, head: "05ce80005a5d6550130d"),
        Example(link: .lowEnergyWithRadio, isAdvertisement: true, head: "00ce8000d6be898e130c"),
        Example(link: .nordicSniffer, isAdvertisement: false, head: "00062501630006" + "0a030532070" + "0d2040000"),
        Example(link: .nordicSniffer, isAdvertisement: false, head: "00250003630006" + "0a030532070" + "0d2040000"),
        Example(link: .nordicSniffer, isAdvertisement: true, head: "002e0003630002" + "0a012532000" + "0d2040000"),
    ]

    @Test(arguments: examples)
    func `known records are read`(example: Example) throws {
        let packet = example.isAdvertisement ? Self.advertisement : Self.write
        let bytes = try #require([UInt8](hex: example.head + packet))
        var decoder = LinkDecoder(CaptureReader(GatheringSink()))
        // A bare packet is believed when a second one agrees on what the check sums start from.
        let times = example.link == .lowEnergy && !example.isAdvertisement ? 2 : 1
        for number in 1...times {
            let header = RecordHeader(
                number: number, offset: 0, nanoseconds: nil, link: example.link, originalLength: bytes.count)
            decoder.take(header, bytes.span)
        }
        decoder.sink.finish()

        let reader = decoder.sink
        if example.isAdvertisement {
            #expect(reader.air.advertisers.map(\.hasNordicUART) == [true])
            #expect(reader.air.advertisers.map(\.address.bytes) == [[0x00, 0x11, 0x22, 0x33, 0x44, 0x55]])
        } else {
            let value = Array([UInt8](hex: "0103202020202020616263") ?? [])
            #expect(
                reader.sink.events.contains(.value(handle: 9, .toRadio, value))
                    || reader.sink.frames.map(\.bytes) == [value])
        }
        #expect(reader.air.counts.badCheckSums == 0)
    }
}
