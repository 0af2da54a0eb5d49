import MeshTime
import MeshWire
import Testing

@testable import BluetoothCapture

/// The packets that sniffers miss, mistake and make up.
@Suite struct AirLossTests {
    private let session = SniffedSession.whole(seed: 2, repeatsEvery: 0)
    private let known = AirOptions(keys: [SniffedSession.longTermKey], pin: SniffedSession.pin)

    /// Returns the places of the payload packets, in their order: not empty, not advertising.
    private func packets(of kind: UInt8? = nil) -> [Int] {
        session.packets.indices.filter {
            let packet = session.packets[$0]
            return packet.side != nil && packet.bytes[5] > 0 && (kind == nil || packet.bytes[4] & 3 == kind)
        }
    }

    @Test func `every packet but those of keys and beginnings may be missed: the rest is read`() throws {
        let encryption = try #require(packets(of: 3).first { session.packets[$0].bytes[6] == 0x05 })
        for missed in packets() where missed > encryption {
            // Without both halves of the second session's key nothing of it can be read.
            guard ![13, 23].contains(session.packets[missed].bytes[5]) else { continue }

            let reader = session.read(.telling, known) { index, _ in index != missed }

            let read = Set(reader.sink.payloads)
            #expect(session.sent.count { !read.contains($0) } <= 1, "packet \(missed)")
            #expect(reader.counts.missed <= 1, "packet \(missed)")
        }
    }

    @Test func `many missed packets move the counter, and are counted`() throws {
        var session = SniffedSession(seed: 8)
        session.repeatsEvery = 0
        session.connect()
        session.encrypt(SniffedSession.longTermKey, random: 1, diversifier: 2)
        let begin = session.packets.count
        for number in 0..<100 { session.send(.peripheral, [0x1B, 9, 0, UInt8(number)]) }
        let end = session.packets.count
        session.send(.peripheral, [0x1B, 9, 0, 0xFF])

        let reader = session.read(.telling, known) { index, _ in !(begin..<end).contains(index) }

        #expect(reader.sink.payloads.map(\.payload) == [[0x1B, 9, 0, 0xFF]])
        #expect(reader.counts.missed == 100)
        #expect(reader.sink.losses == ["100 encrypted packets of the peripheral were not heard"])
    }

    @Test func `a beginning and an end that were missed are told apart`() throws {
        var session = SniffedSession(seed: 8)
        session.repeatsEvery = 0
        session.connect()
        session.send(.central, [UInt8](repeating: 7, count: 60))
        session.send(.central, [1, 2, 3])
        let parts = session.packets.indices.filter { session.packets[$0].bytes[5] > 0 && $0 > 0 }

        let withoutStart = session.read(.telling) { index, _ in index != parts[0] }
        let withoutEnd = session.read(.telling) { index, _ in index != parts[2] }

        #expect(withoutStart.counts.withoutStart == 2)
        #expect(withoutStart.counts.withoutContinuation == 0)
        #expect(withoutEnd.counts.withoutStart == 0)
        #expect(withoutEnd.counts.withoutContinuation == 1)
        #expect(withoutStart.sink.payloads.map(\.payload) == [[1, 2, 3]])
        #expect(withoutEnd.sink.payloads.map(\.payload) == [[1, 2, 3]])
    }

    @Test(arguments: Sniffer.allCases)
    func `a capture that begins in the middle of a connection is read`(sniffer: Sniffer) throws {
        var session = SniffedSession(seed: 8)
        session.connect()
        session.discover()

        let reader = session.read(sniffer) { index, _ in index >= 1 }

        #expect(reader.sink.opened.map(\.isInTheMiddle) == [true])
        #expect(reader.sink.opened.map(\.peer) == [nil])
        #expect(reader.sink.payloads == session.sent)
    }

    @Test func `a capture that begins in the middle of an encrypted connection says so`() throws {
        let encryption = try #require(packets(of: 3).first { session.packets[$0].bytes[6] == 0x05 })
        let end = try #require(session.packets.indices.last { session.packets[$0].side == nil }) - 2

        let reader = session.read(.telling) { index, _ in (encryption + 8..<end).contains(index) }

        #expect(reader.sink.encrypted == [false])
        #expect(reader.sink.payloads.isEmpty)
        guard case .unreadable(let packets) = reader.sink.events.last else {
            Issue.record("\(reader.sink.events)")
            return
        }
        #expect(packets.packets > 10)
    }

    @Test func `a packet with a bad check sum is left out`() {
        var damaged = session
        let victim = packets(of: 2)[0]
        damaged.damage(victim)

        let reader = damaged.read(.bare, known)

        #expect(reader.counts.badCheckSums == 1)
        #expect(!reader.sink.payloads.contains(session.sent[0]))
        #expect(reader.sink.payloads.first == session.sent[1])
    }

    @Test func `what the sniffer decrypted is read, with its integrity code or without`() {
        for code in [[], [0xAA, 0xBB, 0xCC, 0xDD]] as [[UInt8]] {
            var reader = AirReader(AirLog())
            for payload in [[0x02, 0x05, 0x02], [0x0A, 9, 0]] as [[UInt8]] {
                let body = [UInt8(payload.count), 0, 4, 0] + payload + code
                let bytes: [UInt8] = [1, 2, 3, 4, payload[0] == 2 ? 0x02 : 0x0A, UInt8(body.count)] + body + [9, 9, 9]
                let record = RecordHeader(
                    number: 1, offset: 0, nanoseconds: nil, link: .nordicSniffer, originalLength: bytes.count)
                let header = AirPacketHeader(record: record, way: .fromCentral, isCRCGood: true, isDecrypted: true)
                reader.take(header, bytes.span)
            }

            #expect(reader.sink.payloads.map(\.payload) == [[0x02, 0x05, 0x02], [0x0A, 9, 0]])
            #expect(reader.counts.withExcess == 0)
        }
    }
}

/// Bytes that were sent by no device.
@Suite struct AirFuzzTests {
    @Test(arguments: 1...8)
    func `mutated sessions neither trap nor grow`(seed: UInt64) {
        var random = Seed(seed).stream("mutations")
        let session = SniffedSession.whole(seed: seed)
        var reader = AirReader(AirLog(), AirOptions(keys: [SniffedSession.longTermKey], pin: SniffedSession.pin))
        for round in 0..<20 {
            for (index, packet) in session.packets.enumerated() {
                var packet = packet
                for _ in 0..<random.draw(0, 3) where !packet.bytes.isEmpty {
                    let place = Int(random.draw(0, UInt32(packet.bytes.count)))
                    switch random.draw(0, 4) {
                    case 0: packet.bytes[place] = random.nextByte()
                    case 1: packet.bytes.removeLast(packet.bytes.count - place)
                    case 2: packet.bytes.insert(random.nextByte(), at: place)
                    default: packet.bytes[place] ^= 1 << UInt8(random.draw(0, 8))
                    }
                }
                packet.nanoseconds = random.draw(0, 50) == 0 ? Int64(bitPattern: random.next()) : packet.nanoseconds
                let sniffer: Sniffer = random.draw(0, 2) == 0 ? .bare : .telling
                reader.take(session.header(packet, number: round * 1000 + index, sniffer), packet.bytes.span)
            }
        }
        reader.finish()

        #expect(reader.sink.payloads.count > 20)
        #expect(reader.connectionCount <= AirLimits.connections)
    }

    @Test func `noise of any kind opens no more connections than the table holds`() {
        var random = Seed(11).stream("noise")
        var reader = AirReader(AirLog(), AirOptions(keys: [SniffedSession.longTermKey]))
        for number in 1...20_000 {
            var bytes = (0..<random.draw(0, 60)).map { _ in random.nextByte() }
            if bytes.count > 5, random.draw(0, 2) == 0 { bytes[5] = UInt8(bytes.count - 6) }
            if bytes.count > 5, random.draw(0, 4) == 0 { bytes.replaceSubrange(0..<4, with: [0xD6, 0xBE, 0x89, 0x8E]) }
            let record = RecordHeader(
                number: number, offset: 0, nanoseconds: nil, link: .lowEnergy, originalLength: bytes.count)
            let isGood: Bool? = random.draw(0, 2) == 0 ? true : nil
            reader.take(AirPacketHeader(record: record, isCRCGood: isGood), bytes.span)
        }
        reader.finish()

        #expect(reader.connectionCount == AirLimits.connections)
        #expect(reader.advertisers.count <= AdvertiserTable.limit)
        #expect(reader.counts.forgottenConnections > 1000)
        #expect(reader.counts.packets == 20_000)
    }
}
