import MeshCrypto
import MeshPacket
import MeshTime
import MeshWire
import Testing

@Suite struct PayloadTests {
    static let types = (UInt8(0)...15).map(PayloadType.init(rawValue:))
    static let routes = RouteType.allCases

    /// A payload of this type drawn from `random`; sealed ones have a whole cipher block.
    static func payload(_ type: PayloadType, _ random: inout RandomStream) -> Payload {
        let first = type == .control ? [0x80, 0x90, 0x10][Int(random.draw(0, 3))] : UInt8(0)
        var payload = Payload(emptyOf: type, firstByte: first)
        var fuzzer = FieldFuzzer(random, longestRest: 32)
        payload.walk(&fuzzer)
        random = fuzzer.randomness
        if case .control(.other(var data)) = payload {
            data.head = data.head & 0x7F
            payload = .control(.other(data))
        }
        return payload
    }

    static func packet(_ type: PayloadType, _ random: inout RandomStream) -> Packet {
        let hashSize = Int(random.draw(1, 4))
        let length = PathLength(hashSize: hashSize, hops: Int(random.draw(0, UInt32(64 / hashSize))))
        let route = routes[Int(random.draw(0, 4))]
        let codes = TransportCodes(
            region: UInt16(truncatingIfNeeded: random.next()), reserved: UInt16(truncatingIfNeeded: random.next()))
        return Packet(
            route: route, transportCodes: route.hasTransportCodes ? codes : .zero, pathLength: length,
            path: (0..<length.byteCount).map { _ in random.nextByte() }, payload: payload(type, &random))
    }

    @Test(arguments: types)
    func `every payload is written and read again unchanged`(type: PayloadType) throws {
        var random = Seed(1).stream("payload", type.name)
        var read = 0
        for _ in 0..<500 {
            let packet = Self.packet(type, &random)
            let bytes = packet.encoded()
            guard packet.payload.written().count >= type.shortestProcessed else { continue }
            let again = try Packet(bytes)
            #expect(again == packet)
            #expect(again.encoded() == bytes)
            read += 1
        }
        #expect(read > 200)
    }

    @Test(arguments: types)
    func `a packet cut anywhere is read as far as it goes or names the field that is cut`(type: PayloadType) throws {
        var random = Seed(2).stream("cut", type.name)
        for _ in 0..<40 {
            let packet = Self.packet(type, &random)
            let bytes = packet.encoded()
            var fields = packet.envelope.printed()
            var printer = FieldPrinter(from: fields.map { $0.offset + $0.size }.max() ?? 0)
            var payload = packet.payload
            payload.walk(&printer)
            fields += printer.fields
            for count in 0..<bytes.count {
                let cut = Array(bytes.prefix(count))
                let inside = fields.first { $0.offset <= count && count < $0.offset + $0.size }
                let field = try #require(inside)
                do {
                    let shorter = try Packet(cut)
                    #expect(shorter.encoded() == cut)
                } catch {
                    #expect(error.field == field.name, "\(bytes.hex) at \(count)")
                    #expect(error.offset == field.offset, "\(bytes.hex) at \(count)")
                }
            }
        }
    }

    @Test(arguments: [
        ("0900", "dest_hash", 2), ("090081", "src_hash", 3), ("0900818a", "mac", 4), ("0900818aef", "mac", 4),
        ("0900818aef3f", "ciphertext", 6), ("0d00112233", "ack", 2), ("1100", "pub_key", 2),
        ("1500", "channel_hash", 2), ("1500118888", "ciphertext", 5), ("2600010203", "tag", 2),
        ("260001020304050607", "auth_code", 6), ("26000102030405060708", "flags", 10),
        ("2a00", "remaining_and_type", 2), ("2a0013112233", "ack", 3), ("2e00", "sub_type", 2), ("2e0080", "filter", 3),
        ("2e008004", "tag", 4), ("2e0092", "snr", 3), ("2e0092e3", "tag", 4),
    ])
    func `a payload that is too short names its field`(frame: String, field: String, offset: Int) throws {
        let bytes = try #require([UInt8](hex: frame))

        let error = #expect(throws: FrameError.self) { try Packet(bytes) }

        #expect(error?.field == field)
        #expect(error?.offset == offset)
    }

    @Test func `envelope and view say the same of a million drawn bytes`() throws {
        var random = Seed(3).stream("envelope")
        var drawn = 0
        var agreed = 0
        while drawn < 1_000_000 {
            let frame = (0..<Int(random.draw(0, 200))).map { _ in random.nextByte() }
            drawn += frame.count
            do {
                let view = try PacketView(frame, as: .blob)
                let envelope = try frame.withUnsafeBytes { try PacketEnvelope(reading: $0) }
                let start = envelope.written().count
                agreed += 1
                #expect(envelope.written() == Array(frame.prefix(view.payloadOffset)))
                #expect(start == view.payloadOffset)
                #expect(envelope.route == view.route && envelope.type == view.type)
                #expect(envelope.path == view.path)
            } catch let error as FrameError {
                let walked = #expect(throws: FrameError.self) {
                    try frame.withUnsafeBytes { _ = try PacketEnvelope(reading: $0) }
                    throw error
                }
                if case .truncated = error.reason, error.field != "payload" { #expect(walked == error) }
            }
        }
        #expect(agreed > 1000)
    }

    @Test func `a million drawn bytes are read as packets or refused and never trap`() throws {
        var random = Seed(5).stream("packets")
        let printer = PacketPrinter(
            channels: [.init(name: "Public", secret: Fixture.publicChannel)], identities: [Fixture.alice])
        var drawn = 0
        var read = 0
        while drawn < 1_000_000 {
            var frame = (0..<Int(random.draw(0, 260))).map { _ in random.nextByte() }
            drawn += frame.count
            // Most drawn frames would stop at version or path, so half of them get past both.
            if frame.count > 1, random.draw(0, 2) == 0 {
                frame[0] = frame[0] & 0x3D | 1
                frame[1] &= 0x07
            }
            if read % 16 == 0 { #expect(!printer.printed(frame).description.isEmpty) }
            guard let packet = try? Packet(frame) else { continue }
            read += 1
            #expect(packet.encoded() == frame)
            if case .advert(let advert) = packet.payload { _ = try? advert.data() }
        }
        #expect(read > 1000)
    }

    @Test func `reserved types and unknown control keep their bytes`() throws {
        let reserved = try Packet([0x31, 0x00, 1, 2, 3])
        let control = try Packet([0x2E, 0x00, 0x45, 1, 2])

        #expect(reserved.payload == .reserved(PayloadType(rawValue: 12), OpaquePayload([1, 2, 3])))
        #expect(control.payload == .control(.other(ControlData(head: 0x45, data: [1, 2]))))
    }

    @Test func `a trace shows the SNR of each hop`() throws {
        let packet = try Packet(OTAVectors.vector("fwd_trace_hop2_revisit").expected)

        #expect(packet.traceSNRs == [5, 6, 12])
        #expect(
            packet.payload == .trace(Trace(tag: 0x1234_5678, authCode: 0xCAFE_F00D, pathHashes: [0xCA, 0x6E, 0xCA])))
    }

    @Test func `a discover request says what it wants`() {
        let request = DiscoverRequest(filter: 4, tag: 1)

        #expect(request.wants(.repeater) && !request.wants(.sensor))
        #expect(!request.wants(NodeType(rawValue: 9)))
    }
}
