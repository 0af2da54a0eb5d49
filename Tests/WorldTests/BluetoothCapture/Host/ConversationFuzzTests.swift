import MeshBluetoothHost
import MeshCapture
import MeshCompanion
import MeshTime
import MeshWire
import Testing

@testable import BluetoothCapture

/// Ten million bytes between hosts and controllers, made of real conversations and damaged in every way.
///
/// They have commands, events, fragments, attribute packets and frames.
@Suite struct ConversationFuzzTests {
    private static let bytesASeed = 2_600_000

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `damaged conversations are survived, reach frames, and nothing grows`(seed: UInt64) {
        var fuzzer = ConversationFuzzer(seed: seed)
        fuzzer.run(bytes: Self.bytesASeed)

        let counts = fuzzer.reader.counts
        let tally = fuzzer.reader.finder.sink
        #expect(fuzzer.bytes >= Self.bytesASeed)
        // The deep states were reached, not just the first check.
        #expect(counts.attributes * 2 > counts.data)
        #expect(counts.advertisements > 500)
        #expect(counts.lost > 500)
        #expect(counts.malformed > 100)
        #expect(tally.frames > 5_000)
        #expect(tally.joined > 100)
        for source: NordicHandles.Source in [.discovered, .remembered, .inferred] {
            #expect(tally.handles.contains { $0.source == source }, "\(source)")
        }
        for kind in ["opened", "mtuChanged", "rejected", "truncated", "oversize", "value", "lost", "closed", "named"] {
            #expect(tally.kinds[kind, default: 0] > 0, "\(kind)")
        }
        // What is held has bounds, whatever came.
        #expect(fuzzer.most.links <= HostLinks.limit)
        #expect(fuzzer.most.adapters <= HostAdapters.limit)
        #expect(fuzzer.most.connections <= HostLinks.limit + 1)
        #expect(fuzzer.most.held <= (HostLinks.limit + 1) * 3 * HeldValues.byteLimit)
        #expect(
            fuzzer.most.partial <= HostAdapters.limit * 16 * 2 * 1650 + ReportedData.limit * AdvertisedFacts.longestData
        )
        #expect(fuzzer.reader.advertisers.count <= AdvertiserTable.limit)
    }

    /// Nothing is ever finished: values of unknown handles, fragments, sets, reports, names.
    @Test func `a flood of what is never whole stays within its bounds`() {
        var script = HostScript()
        script.reader = HostReader(GatheringSink())
        let value = [UInt8](repeating: 0xEE, count: 500)
        for handle in 0..<(HostLinks.limit + 16) {
            script.handle = UInt16(handle)
            script.adapter = UInt16(handle)
            for _ in 0..<150 {
                script.l2cap(.received, ATT.Notification(handle: 9, value: value).encoded(), isSent: false)
            }
            script.data(.sent, flags: 0, [0xFF, 0xFF, 4, 0] + value)
            for set in 0..<20 as Range<UInt8> {
                var data = HCI.ExtendedAdvertisingData()
                (data.set, data.operation, data.data) = (set, 0, [UInt8](value.prefix(250)))
                let command = HCI.Command.extendedAdvertisingData(data).encoded
                for _ in 0..<8 { script.packet(.command, .sent, command) }
            }
            var report = HCI.ExtendedAdvertisingReport()
            (report.eventType, report.data) = (0x20, [UInt8](value.prefix(220)))
            report.address = FixedBytes([UInt8(handle), 1])
            for _ in 0..<9 { script.event(.extendedAdvertising(.init([report]))) }
        }

        let (own, finder) = (script.reader.footprint, script.reader.finder.footprint)
        #expect(own.links == HostLinks.limit)
        #expect(own.adapters == HostAdapters.limit)
        #expect(finder.connections <= HostLinks.limit + 1)
        #expect(finder.bytes > HostLinks.limit * HeldValues.byteLimit / 2)
        #expect(finder.bytes <= HostLinks.limit * 2 * (HeldValues.byteLimit + 512))
        let (sets, parts) = (HostLinks.limit * 16 * 1650, ReportedData.limit * AdvertisedFacts.longestData)
        #expect(own.bytes == sets + parts)
    }

    @Test func `the same bytes are read the same, handle by handle`() {
        var first = ConversationFuzzer(seed: 9)
        var second = ConversationFuzzer(seed: 9)
        first.run(bytes: 300_000)
        second.run(bytes: 300_000)

        let (one, other) = (first.reader.finder.sink, second.reader.finder.sink)
        #expect(one.handles == other.handles)
        #expect(one.digest == other.digest)
        #expect(one.handles.count > 10)
        #expect(first.reader.advertisers == second.reader.advertisers)
    }
}

/// Plays conversations to a reader, and damages what it plays.
struct ConversationFuzzer {
    private struct Packet {
        var kind: HostPacketHeader.Kind
        var way: HostWay
        var bytes: [UInt8]
    }

    /// The most of each that was ever held.
    struct Footprint {
        var links = 0
        var adapters = 0
        var connections = 0
        /// Bytes of values that wait.
        var held = 0
        /// Bytes of advertisements that are not whole.
        var partial = 0
    }

    var reader = HostReader(TallySink())
    private(set) var bytes = 0
    private(set) var most = Footprint()
    private var stream: RandomStream
    private var number = 0

    init(seed: UInt64) { stream = Seed(seed).stream("conversations") }

    mutating func run(bytes limit: Int) {
        while bytes < limit {
            let packets = conversation()
            let adapter = UInt16(stream.draw(0, 3))
            var position = 0
            // One in eight conversations is as it was.
            let isDamaged = stream.draw(0, 8) > 0
            while position < packets.count {
                var packet = packets[position]
                position += 1
                if isDamaged, stream.draw(0, 12) == 0 { damage(&packet, &position) }
                take(packet, adapter)
            }
            look()
        }
        reader.finish()
        look()
    }

    private mutating func look() {
        let (own, finder) = (reader.footprint, reader.finder.footprint)
        most.links = max(most.links, own.links)
        most.adapters = max(most.adapters, own.adapters)
        most.partial = max(most.partial, own.bytes)
        most.connections = max(most.connections, finder.connections)
        most.held = max(most.held, finder.bytes)
    }

    private mutating func take(_ packet: Packet, _ adapter: UInt16) {
        number += 1
        bytes += packet.bytes.count
        let record = RecordHeader(
            number: number, offset: UInt64(bytes), nanoseconds: Int64(number) * 1000, link: .h4,
            originalLength: packet.bytes.count)
        let hasWay = stream.draw(0, 50) > 0
        reader.take(
            HostPacketHeader(record: record, adapter: adapter, kind: packet.kind, way: hasWay ? packet.way : nil),
            packet.bytes.span)
    }

    private mutating func damage(_ packet: inout Packet, _ position: inout Int) {
        guard !packet.bytes.isEmpty else { return }
        let place = Int(stream.draw(0, UInt32(packet.bytes.count)))
        switch stream.draw(0, 10) {
        case 0, 1: packet.bytes[place] = stream.nextByte()
        // The headers decide most.
        case 2, 3: packet.bytes[min(place, Int(stream.draw(0, 12)))] ^= 1 << UInt8(stream.draw(0, 8))
        case 4: packet.bytes.removeLast(place)
        case 5: packet.bytes += (0..<stream.draw(1, 300)).map { _ in stream.nextByte() }
        // Again, or left out.
        case 6: position -= 1
        case 7: position += 1
        case 8: packet.way = packet.way == .sent ? .received : .sent
        default: packet = Packet(kind: kind(), way: .received, bytes: noise())
        }
    }

    private mutating func kind() -> HostPacketHeader.Kind {
        [.command, .event, .data, .adapter(opcode: 0), .adapter(opcode: 9)][Int(stream.draw(0, 5))]
    }

    private mutating func noise() -> [UInt8] { (0..<stream.draw(0, 80)).map { _ in stream.nextByte() } }

    // MARK: Conversations

    /// Returns the packets of a host and a controller while an app talks to a radio; one in four begins in the
    /// middle.
    private mutating func conversation() -> [Packet] {
        var list = TalkList()
        SyntheticCapture(
            recording(), fragmentSize: stream.draw(0, 4) == 0 ? .plain : .extended,
            mtu: stream.draw(0, 3) == 0 ? 60 : 517, peer: [0xC0, 0, 0, 0, 0, UInt8(stream.draw(0, 4))]
        ).write(into: &list)
        var packets = advertising() + list.all.map { Packet(kind: $0.0, way: $0.1, bytes: $0.2) }
        if stream.draw(0, 4) == 0 {
            packets.removeAll { $0.kind == .event }
            packets = [Packet(kind: .command, way: .sent, bytes: HCI.Command.reset.encoded)] + packets.dropFirst(24)
        }
        let end = packets.lastIndex { $0.kind == .event } ?? packets.endIndex
        packets.insert(contentsOf: oddities(), at: end)
        return packets
    }

    private mutating func recording() -> Recording {
        var entries = [RecordingEntry(.zero, .ble, .connected)]
        let commands: [[UInt8]] = [[0x05], [0x16, 0x03], [0x0A], [0x01, 0x03] + Array("      abc".utf8)]
        let answers = SniffedSession.answers
        for _ in 0..<stream.draw(4, 24) {
            let turn = Int(stream.draw(0, 4))
            entries.append(RecordingEntry(.zero, .ble, .frame(.toRadio, commands[(turn + 3) % 4])))
            entries.append(RecordingEntry(.zero, .ble, .frame(.toApp, answers[turn])))
            let frame = (0..<stream.draw(1, 182)).map { _ in stream.nextByte() }
            entries.append(RecordingEntry(.zero, .ble, .frame(stream.draw(0, 2) == 0 ? .toRadio : .toApp, frame)))
        }
        return Recording(RecordingHeader(transport: .ble), entries)
    }

    private mutating func advertising() -> [Packet] {
        var report = HCI.AdvertisingReport()
        report.addressType = 1
        report.address = FixedBytes([UInt8(stream.draw(0, 4)), 0, 0, 0, 0, 0xC0])
        report.data = [7, 0x09] + Array("Mesh\(stream.draw(10, 99))".utf8)
        var long = HCI.ExtendedAdvertisingReport()
        long.address = FixedBytes([stream.nextByte(), stream.nextByte()])
        long.addressType = UInt8(stream.draw(0, 2))
        long.eventType = 0x20
        long.data = noise()
        let own: [HCI.Command] = [
            .advertisingData(HCI.AdvertisingData([5, 0x08] + Array("MeshCore".utf8.prefix(4)))),
            .randomAddress(HCI.RandomAddress()), .createConnection(HCI.CreateConnection()),
        ]
        return own.map { Packet(kind: .command, way: .sent, bytes: $0.encoded) } + [
            Packet(kind: .event, way: .received, bytes: HCI.Event.advertising(.init([report])).encoded),
            Packet(kind: .event, way: .received, bytes: HCI.Event.extendedAdvertising(.init([long])).encoded),
        ]
    }

    /// Returns unusual packets: the radio's name, a frame in two parts, a refused write, several values in one
    /// packet.
    private func oddities() -> [Packet] {
        var script = TalkList()
        script.attribute(.sent, ATT.ReadByTypeRequest(first: 1, last: 0xFFFF, type: [0x00, 0x2A]).encoded())
        let name = [3, 0] + Array("Mesh".utf8)
        script.attribute(.received, ATT.ReadByTypeResponse(itemLength: UInt8(name.count), items: name).encoded())
        let info = SniffedSession.answers[2]
        script.attribute(.sent, ATT.ExchangeMTURequest(mtu: 60).encoded())
        script.attribute(.received, ATT.ExchangeMTUResponse(mtu: 60).encoded())
        script.attribute(.received, ATT.Notification(handle: 0x12, value: [UInt8](info[..<57])).encoded())
        script.attribute(.received, ATT.Notification(handle: 0x12, value: [UInt8](info[57...])).encoded())
        script.attribute(.sent, ATT.WriteRequest(handle: 0x15, value: [5]).encoded())
        script.attribute(
            .received,
            ATT.ErrorResponse(request: .writeRequest, handle: 0x15, error: .insufficientAuthentication).encoded())
        script.attribute(.received, ATT.MultipleNotification([(0x12, [0]), (0x12, [0x0A])]).encoded())
        script.attribute(.sent, ATT.PrepareWriteRequest(handle: 0x15, offset: 0, part: [5]).encoded())
        script.attribute(.sent, ATT.ExecuteWriteRequest(flag: 1).encoded())
        script.attribute(.sent, ATT.WriteCommand(handle: 0x15, value: [UInt8](repeating: 7, count: 200)).encoded())
        return script.all.map { Packet(kind: $0.0, way: $0.1, bytes: $0.2) }
    }
}

/// Keeps packets with their direction.
struct TalkList: HostPacketSink {
    var all: [(HostPacketHeader.Kind, HostWay, [UInt8])] = []

    mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) {
        all.append((header.kind, header.way ?? .sent, bytes.withUnsafeBufferPointer { [UInt8]($0) }))
    }

    mutating func note(_ problem: CaptureProblem) {}

    /// An attribute packet on handle 0x40.
    mutating func attribute(_ way: HostWay, _ packet: [UInt8]) {
        let count = UInt16(packet.count)
        let l2cap = count.littleEndianBytes + L2CAP.Channel.attributes.littleEndianBytes + packet
        let word: UInt16 = way == .sent ? 0x0040 : 0x2040
        all.append((.data, way, word.littleEndianBytes + UInt16(l2cap.count).littleEndianBytes + l2cap))
    }
}

/// Counts the reports of a reader by kind, and digests all of them in their order.
struct TallySink: CaptureSink {
    var frames = 0
    var joined = 0
    var kinds: [String: Int] = [:]
    var handles: [NordicHandles] = []
    /// FNV-1a, so that the same is the same in every run.
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func frame(_ place: CapturePlace, _ direction: FrameDirection, _ bytes: Span<UInt8>, isJoined: Bool) {
        frames += 1
        if isJoined { joined += 1 }
        mix(UInt64(place.record) << 16 | UInt64(bytes.count))
    }

    mutating func event(_ place: CapturePlace, _ event: CaptureEvent) {
        let kind =
            switch event {
            case .opened: "opened"
            case .mtuChanged: "mtuChanged"
            case .encrypted: "encrypted"
            case .peerNamed: "named"
            case .handlesKnown: "handlesKnown"
            case .rejected: "rejected"
            case .truncated: "truncated"
            case .oversize: "oversize"
            case .value: "value"
            case .pairing, .unreadable: "air"
            case .lost: "lost"
            case .closed: "closed"
            }
        kinds[kind, default: 0] += 1
        if case .handlesKnown(let known) = event { handles.append(known) }
        mix(UInt64(place.record) << 32 | UInt64(place.connection) << 8 | UInt64(kind.utf8.count))
    }

    mutating func note(_ problem: CaptureProblem) { mix(problem.offset) }

    private mutating func mix(_ number: UInt64) { digest = (digest ^ number) &* 0x0000_0100_0000_01B3 }
}
