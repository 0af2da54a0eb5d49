import MeshCapture
import Testing

@testable import BluetoothCapture

/// The content of records, by link type.
///
/// Source: CaptureFormats, "Link types" and "Byte examples".
@Suite struct LinkDecoderTests {
    @Test func `the examples of link type 201 are read both ways`() throws {
        let sent = PacketLog.decoding(.h4WithDirection, Example.sent)
        let received = PacketLog.decoding(.h4WithDirection, Example.received)

        let first = try #require(sent.sink.hosts.first)
        #expect((first.header.kind, first.header.way) == (.data, .sent))
        #expect(first.bytes == Example.data)
        #expect(first.header.record.originalLength == 22)
        #expect(received.sink.hosts.map(\.header.way) == [.received])
        #expect(received.sink.hosts.map(\.bytes) == [Example.receivedData])
    }

    @Test func `the example of link type 254 is read`() {
        let log = PacketLog.decoding(.linuxMonitor, bytes("00 00 00 04") + Example.data).sink

        #expect(log.hosts.map(\.header.kind) == [.data])
        #expect(log.hosts.map(\.header.way) == [.sent])
        #expect(log.hosts.map(\.bytes) == [Example.data])
    }

    @Test func `the example of link type 251 is read`() {
        let log = PacketLog.decoding(.lowEnergy, Example.air).sink

        #expect(log.airs.map(\.bytes) == [Example.air])
        #expect(log.airs.map(\.header.channelIndex) == [nil])
        #expect(log.airs.map(\.header.isCRCGood) == [nil])
    }

    @Test func `the examples of link type 256 are read, data and advertising`() throws {
        let data = PacketLog.decoding(.lowEnergyWithRadio, Example.radio).sink
        let advertisement = PacketLog.decoding(
            .lowEnergyWithRadio, bytes("00 ce 80 00 d6 be 89 8e 13 0c") + Example.advertisement
        ).sink

        let packet = try #require(data.airs.first)
        #expect(packet.bytes == Example.air)
        #expect(packet.header.channelIndex == 4)
        #expect(packet.header.rssi == -50)
        #expect(packet.header.way == .fromCentral)
        #expect(packet.header.isCRCGood == true)
        #expect(packet.header.isDecrypted == false)
        #expect(packet.header.record.originalLength == 27)
        #expect(advertisement.airs.map(\.header.channelIndex) == [37])
        #expect(advertisement.airs.map(\.header.way) == [nil])
        #expect(advertisement.airs.map(\.bytes) == [Example.advertisement])
    }

    @Test func `the examples of link type 272 are read, versions 1 to 3`() throws {
        var version2 = Example.nordic3
        version2[3] = 2
        for record in [Example.nordic1, version2, Example.nordic3] {
            let packet = try #require(PacketLog.decoding(.nordicSniffer, record).sink.airs.first)
            #expect(packet.bytes == Example.air)
            #expect(packet.header.channelIndex == 5)
            #expect(packet.header.rssi == -50)
            #expect(packet.header.way == .fromCentral)
            #expect(packet.header.isCRCGood == true)
        }
        let advertising = bytes("00 2e 00 03 63 00 02 0a 01 25 32 07 00 d2 04 00 00") + Example.advertisement
        let packet = try #require(PacketLog.decoding(.nordicSniffer, advertising).sink.airs.first)
        #expect(packet.bytes == Example.advertisement)
        #expect(packet.header.way == nil)
        #expect(packet.header.channelIndex == 37)
    }

    @Test func `a sniffer's own talk is counted and not named`() {
        var record = Example.nordic3
        record[6] = 0x0E

        let decoder = PacketLog.decoding(.nordicSniffer, record)

        #expect(decoder.sink == PacketLog())
        #expect(decoder.drops[.snifferTalk] == 1)
    }

    @Test func `a packet with a bad check sum is dropped`() {
        var radio = Example.radio
        radio[9] = 0x05
        var nordic = Example.nordic3
        nordic[8] = 0x02
        for (link, record) in [(LinkType.lowEnergyWithRadio, radio), (.nordicSniffer, nordic)] {
            let decoder = PacketLog.decoding(link, record)

            #expect(decoder.sink.airs.isEmpty)
            #expect(decoder.drops[.badCheckSum] == 1)
            #expect(decoder.sink.problems.map(\.reason) == ["the check sum is bad"])
        }
    }

    @Test func `a check sum that nobody checked is unknown`() {
        var radio = Example.radio
        radio[9] = 0x01

        #expect(PacketLog.decoding(.lowEnergyWithRadio, radio).sink.airs.map(\.header.isCRCGood) == [nil])
    }

    @Test func `a whitened packet is dewhitened with its channel`() {
        // The first bytes of the sequence of channel 37 are known: 8d d2 57 a1 3d a7.
        let sequence = bytes("8d d2 57 a1 3d a7")
        let white = Array(zip(bytes("40 01 99 aa bb cc"), sequence).map { $0 ^ $1 })
        let record = bytes("00 ce 80 00 d6 be 89 8e 12 00 d6 be 89 8e") + white

        let log = PacketLog.decoding(.lowEnergyWithRadio, record).sink

        #expect(log.airs.map(\.bytes) == [bytes("d6 be 89 8e 40 01 99 aa bb cc")])
        #expect(log.airs.map(\.header.record.originalLength) == [10])
        #expect(PacketLog.decoding(.lowEnergyWithRadio, [99] + record.dropFirst()).drops[.whitened] == 1)
    }

    @Test func `the coding of a long-range packet is no part of it`() {
        let coded = Array(Example.air[..<4]) + [1] + Example.air[4...]
        let record = bytes("05 ce 80 00 5a 5d 65 50 13 8d") + coded

        let log = PacketLog.decoding(.lowEnergyWithRadio, record).sink

        #expect(log.airs.map(\.bytes) == [Example.air])
        #expect(log.airs.map(\.header.record.originalLength) == [27])
    }

    @Test(arguments: [
        (UInt8(0), UInt8(37) as UInt8?), (1, 0), (11, 10), (12, 38), (13, 11), (38, 36), (39, 39), (40, nil),
    ])
    func `radio channels become channel indices`(radio: UInt8, index: UInt8?) {
        let record = [radio] + Example.radio.dropFirst()

        #expect(PacketLog.decoding(.lowEnergyWithRadio, record).sink.airs.map(\.header.channelIndex) == [index])
    }

    @Test func `isochronous packets are counted`() {
        let record = bytes("05 ce 80 00 5a 5d 65 50 13 0e") + Example.air

        #expect(PacketLog.decoding(.lowEnergyWithRadio, record).drops[.isochronous] == 1)
    }

    @Test(arguments: [
        (UInt8(0x00), HostWay.sent as HostWay?), (0x20, .received), (0x10, nil), (0x30, nil),
    ])
    func `data of link type 187 have the direction of their boundary flag`(flag: UInt8, way: HostWay?) {
        let record: [UInt8] = [2, 0x40, flag] + Example.data[2...]

        #expect(PacketLog.decoding(.h4, record).sink.hosts.map(\.header.way) == [way])
        // The container's word counts more.
        #expect(PacketLog.decoding(.h4, record, way: .received).sink.hosts.map(\.header.way) == [.received])
    }

    @Test func `commands and events of H4 have their directions`() {
        #expect(PacketLog.decoding(.h4, [1, 3, 0x0C, 0]).sink.hosts.map(\.header.way) == [.sent])
        #expect(PacketLog.decoding(.h4, [4, 5, 4, 0, 0x40, 0, 0x13]).sink.hosts.map(\.header.kind) == [.event])
        #expect(PacketLog.decoding(.h4, [0x30, 1]).sink.hosts.map(\.header.kind) == [.other])
    }

    @Test func `directions that were written the wrong way round are turned`() {
        var decoder = LinkDecoder(PacketLog())
        let header = RecordHeader(number: 1, offset: 24, nanoseconds: 0, link: .h4WithDirection, originalLength: 27)
        decoder.take(header, bytes("00 00 00 01 01 03 0c 00"))
        decoder.take(header, Example.received)
        decoder.take(header, bytes("00 00 00 00 04 0e 01 00"))
        decoder.take(header, Example.sent)

        #expect(decoder.sink.hosts.map(\.header.way) == [.sent, .sent, .received, .received])
        #expect(decoder.sink.problems.map(\.reason) == ["directions are the wrong way round"])
    }

    @Test(arguments: [
        (UInt32(2), HostPacketHeader.Kind.command, HostWay.sent), (3, .event, .received), (0, .data, .sent),
        (1, .data, .received),
    ])
    func `btsnoop 1001 has the kind in its flags`(flags: UInt32, kind: HostPacketHeader.Kind, way: HostWay) {
        let log = PacketLog.decoding(.hciByFlags, Example.data, kind: flags).sink

        #expect(log.hosts.map(\.header.kind) == [kind])
        #expect(log.hosts.map(\.header.way) == [way])
    }

    @Test func `the monitor's adapters are kept apart, in pcap and in btsnoop`() {
        let pcap = PacketLog.decoding(.linuxMonitor, bytes("00 03 00 05") + Example.data).sink
        let btsnoop = PacketLog.decoding(.linuxMonitorByFlags, Example.data, kind: 0x0003_0005).sink

        #expect(pcap.hosts.map(\.header.adapter) == [3])
        #expect(pcap.hosts.map(\.header.way) == [.received])
        #expect(btsnoop.hosts.map(\.header.adapter) == [3])
        #expect(btsnoop.hosts.map(\.header.way) == [.received])
    }

    @Test func `the monitor's notes are the text alone`() {
        let note = PacketLog.decoding(.linuxMonitor, bytes("ff ff 00 0c") + Array("Linux".utf8) + [0]).sink
        let log = PacketLog.decoding(.linuxMonitor, bytes("ff ff 00 0d 06 02") + Array("bdhello".utf8)).sink
        let cut = PacketLog.decoding(.linuxMonitor, bytes("ff ff 00 0d 06 f2") + Array("bdhello".utf8))

        #expect(note.hosts.map(\.header.kind) == [.note])
        #expect(log.hosts.map(\.bytes) == [Array("hello".utf8)])
        #expect(cut.drops[.tooShort] == 1)
    }

    @Test(arguments: [
        (UInt32(0), HostPacketHeader.Kind.command), (1, .event), (2, .data), (3, .data), (8, .other), (0xFC, .note),
    ])
    func `PacketLogger has the kind in its type`(type: UInt32, kind: HostPacketHeader.Kind) {
        #expect(PacketLog.decoding(.packetLogger, Example.data, kind: type).sink.hosts.map(\.header.kind) == [kind])
    }

    @Test func `what is unknown or too short is counted, and named once`() {
        var decoder = LinkDecoder(PacketLog())
        var header = RecordHeader(number: 1, offset: 24, nanoseconds: 0, link: .other(1), originalLength: 3)
        for _ in 0..<3 { decoder.take(header, [1, 2, 3]) }
        header.link = .linuxMonitor
        decoder.take(header, [1, 2, 3])
        decoder.take(header, bytes("00 00 00 63"))

        #expect(
            decoder.drops.counts.map(\.cause) == [.unknownLink(1), .tooShort, .unknownType(0x63)])
        #expect(decoder.drops.counts.map(\.records) == [3, 1, 1])
        #expect(decoder.sink.problems.count == 3)
    }

    @Test func `a record without end of new causes is counted in one`() {
        var decoder = LinkDecoder(PacketLog())
        for link in 1000..<1200 {
            let header = RecordHeader(
                number: 1, offset: 0, nanoseconds: 0, link: .other(UInt32(link)), originalLength: 0)
            decoder.take(header, [])
        }

        #expect(decoder.drops.counts.count == 65)
        #expect(decoder.drops[.others] == 136)
    }
}
