import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@Suite struct PacketViewTests {
    @Test(.proves("OTA-003", "OTA-006"), arguments: OTAVectors.all.tables.parse)
    func `radio and blob take and refuse what the firmware does`(row: OTAVectors.ParseRow) throws {
        let frame = try #require([UInt8](hex: row.raw))

        let heard = try? PacketView(frame, as: .radio)
        let imported = try? PacketView(frame, as: .blob)
        let fast = frame.withUnsafeBytes { PacketView(radio: $0) }

        #expect((heard != nil) == row.radioReceiveAccepts)
        #expect((imported != nil) == row.blobImportAccepts)
        #expect(fast == heard)
        if let count = row.payloadLen { #expect((heard ?? imported)?.payloadCount == count) }
    }

    @Test(.proves("OTA-001")) func `a frame of another version is refused and names the header`() throws {
        var frame = try OTAVectors.vector("txt_flood_hs1").expected
        frame[0] |= 0x40

        #expect(throws: FrameError(field: "header", offset: 0, reason: .invalid("has the reserved payload version 1")))
        {
            try PacketView(frame)
        }
        #expect(try PacketView(frame, as: .blob).version == 1)
    }

    @Test(.proves("OTA-004")) func `a payload of 184 bytes is taken and one of 185 is not`() throws {
        let longest = [0x3E, 0x00] + [UInt8](repeating: 7, count: 184)

        #expect(try PacketView(longest).payloadCount == 184)
        #expect(throws: FrameError(field: "payload", offset: 2, reason: .tooLong(count: 185, limit: 184))) {
            try PacketView(longest + [7])
        }
    }

    @Test(.proves("OTA-004")) func `the longest frame of all has 254 bytes and one more is refused`() throws {
        let path = [0x0B, 1, 2, 3, 4, 0x60] + [UInt8](repeating: 0x11, count: 64)
        let longest = path + [UInt8](repeating: 7, count: 184)

        #expect(try PacketView(longest).count == 254)
        #expect(throws: FrameError.self) { try PacketView(longest + [7]) }
        #expect(throws: FrameError.self) { try PacketView(longest + [UInt8](repeating: 7, count: 400)) }
    }

    @Test(.proves("OTA-005")) func `the last forwarder turns an empty direct payload into an empty frame`() throws {
        var view = try PacketView([0x0A, 0x01, 0xCA])

        view.removeFirstHop()

        #expect(view.bytes == [0x0A, 0x00])
    }

    @Test(
        .proves("OTA-003"),
        arguments: [
            ([], "header", 0), ([0x0B], "transport_codes[0]", 1), ([0x0B, 1, 2, 3], "transport_codes[1]", 3),
            ([0x0B, 1, 2, 3, 4], "path_len", 5), ([0x0B, 1, 2, 3, 4, 0x42, 1, 2, 3], "path", 6),
            ([0x09], "path_len", 1),
            ([0x09, 0xC0], "path_len", 1), ([0x09, 0x61], "path_len", 1), ([0x09, 0x02, 1], "path", 2),
        ] as [([UInt8], String, Int)])
    func `a frame that ends too early names the field that is cut`(frame: [UInt8], field: String, offset: Int) throws {
        let error = try #require(throws: FrameError.self) { try PacketView(frame) }

        #expect(error.field == field)
        #expect(error.offset == offset)
    }

    @Test func `a view shows every part of a frame in place`() throws {
        let view = try PacketView([UInt8](hex: "0b1122334442ca936e7a818aef3f") ?? [], snr: -29)

        #expect(view.type == .txtMsg)
        #expect(view.route == .transportDirect)
        #expect(view.isDirect && !view.isFlood)
        #expect(view.transportCodes == TransportCodes(region: 0x2211, reserved: 0x4433))
        #expect(view.pathLength == PathLength(hashSize: 2, hops: 2))
        #expect(view.path.hex == "ca936e7a")
        #expect(view.payload.hex == "818aef3f")
        #expect(view.payloadByte(at: 3) == 0x3F)
        #expect(view.payloadByte(at: 4) == nil)
        #expect(view.count == 14 && view.timeoutLength == 10)
        #expect(view.snr == -29)
    }

    @Test func `routes, paths and payloads are exchanged in place`() throws {
        var view = try PacketView([UInt8](hex: "0a01ca1122") ?? [])

        view.setRoute(.transportFlood, codes: TransportCodes(region: 0xDB13))
        #expect(view.bytes.hex == "0813db000001ca1122")
        view.setPath(PathLength(hashSize: 2, hops: 2), [1, 2, 3, 4])
        #expect(view.bytes.hex == "0813db000042010203041122")
        view.setPayload([9, 8, 7])
        #expect(view.bytes.hex == "0813db00004201020304090807")
        view.setRoute(.flood)
        #expect(view.bytes.hex == "094201020304090807")
        view.setPath(.empty)
        #expect(view.bytes.hex == "0900090807")
    }

    @Test func `changes that do not fit are refused and change nothing`() throws {
        var view = try PacketView([UInt8](hex: "0a01ca1122") ?? [])
        let before = view

        let reserved = view.setPath(PathLength(rawValue: 0xC1), [1, 2, 3, 4])
        let short = view.setPath(PathLength(hashSize: 2, hops: 2), [1, 2, 3])
        let long = view.setPayload([UInt8](repeating: 0, count: 185))

        #expect(!reserved && !short && !long)
        #expect(view == before)
    }

    @Test func `a fresh packet is routed as the firmware routes it`() throws {
        let payload: [UInt8] = [0x11, 0x22, 0x33, 0x44]
        var view = try #require(payload.withUnsafeBytes { PacketView(unrouted: .ack, payload: $0) })
        #expect(view.count == view.timeoutLength)

        view.routeFlood(hashSize: 3)
        #expect(view.bytes.hex == "0d8011223344")
        view.routeFlood(hashSize: 1, codes: TransportCodes(region: 0xDB13))
        #expect(view.bytes.hex == "0c13db00000011223344")
        view.routeDirect(PathLength(hashSize: 1, hops: 2), [0xCA, 0x6E])
        #expect(view.bytes.hex == "0e02ca6e11223344")
        view.routeZeroHop(codes: .zero)
        #expect(view.bytes.hex == "0f000000000011223344")
        let refused = !view.routeFlood(hashSize: 4)
        #expect(refused)
    }

    @Test func `a million drawn bytes never trap and what is taken is rebuilt from its parts`() throws {
        var random = Seed(4711).stream("packet", "view")
        var drawn = 0
        var taken = 0
        while drawn < 1_000_000 {
            let frame = (0..<Int(random.draw(0, 260))).map { _ in random.nextByte() }
            drawn += frame.count
            guard let view = try? PacketView(frame, as: .blob) else { continue }
            taken += 1
            #expect(view.bytes == frame)
            var again = try #require(
                PacketView(
                    type: view.type, route: view.route, codes: view.transportCodes, pathLength: view.pathLength,
                    path: view.path, payload: view.payload))
            again.setVersion(view.version)
            #expect(again == view)
        }
        #expect(taken > 1000)
    }
}
