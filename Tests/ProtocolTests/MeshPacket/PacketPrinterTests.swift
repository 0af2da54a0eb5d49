import MeshCrypto
import MeshPacket
import MeshWire
import Testing

@Suite struct PacketPrinterTests {
    private let printer = PacketPrinter(
        channels: [.init(name: "Public", secret: Fixture.publicChannel)], identities: [Fixture.alice],
        peers: [Fixture.bob.publicKey, Fixture.repeater1.publicKey])

    @Test func `a frame is listed field by field with absolute offsets`() throws {
        let printed = printer.printed(try OTAVectors.vector("txt_direct_2hop_hs2").expected)

        #expect(printed.summary == "TXT_MSG DIRECT, 2 hops of 2 B, payload of 20 bytes")
        #expect(
            printed.fields.map(\.name) == ["header", "path_len", "path", "dest_hash", "src_hash", "mac", "ciphertext"])
        #expect(printed.fields.map(\.offset) == [0, 1, 2, 6, 7, 8, 10])
        #expect(printed.fields.map(\.size) == [1, 1, 4, 1, 1, 2, 16])
        #expect(printed.fields[0].note == "TXT_MSG, DIRECT, version 0")
        #expect(printed.fields[1].note == "2 hops of 2 B")
        #expect(printed.fields[2].note == "ca93 6e7a")
        #expect(printed.description.contains("\n   1   1  path_len             0x42  (2 hops of 2 B)\n"))
        #expect(printed.failure == nil)
    }

    @Test func `a sealed message is opened by the sender's own key`() throws {
        let printed = printer.printed(try OTAVectors.vector("txt_flood_hs1").expected)

        #expect(printed.openedBy == "8a88e3dd with 8139770e")
        #expect(printed.plaintext.map(\.name) == ["timestamp", "type_and_attempt", "text"])
        #expect(printed.plaintext.last?.value == "\"Hello Bob\"")
        #expect(printed.description.contains("opened by 8a88e3dd with 8139770e"))
    }

    @Test(arguments: [
        ("grp_txt_public", "Public", "\"Alice: hi all\""), ("grp_data_public_flood", "Public", "0102030405"),
        ("path_flood_ack6_2hop_hs1", "8a88e3dd with 8139770e", "1122334400a7000000000000"),
        ("login_repeater_flood", "8a88e3dd with ca93ac17", "\"password\""),
        ("anon_req_clock_direct", "8a88e3dd with ca93ac17", ""),
        ("req_status_flood", "8a88e3dd with ca93ac17", "0000000001020304000000"),
        ("resp_login_direct_zero", "8a88e3dd with 8139770e", "000001030a0b0c0d02000000"),
    ])
    func `every sealed type is opened and its last field shown`(name: String, opener: String, last: String) throws {
        let printed = printer.printed(try OTAVectors.vector(name).expected)

        #expect(printed.openedBy == opener)
        #expect(printed.plaintext.last?.value == last)
    }

    @Test func `an advert shows its application data and whether the signature holds`() throws {
        let frame = try OTAVectors.vector("advert_zerohop_chat_loc").expected
        var damaged = frame
        damaged[40] ^= 1

        let printed = printer.printed(frame)

        #expect(printed.fields.suffix(4).map(\.name) == ["flags", "lat", "lon", "name"])
        #expect(printed.fields.suffix(4).map(\.offset) == [102, 103, 107, 111])
        #expect(printed.fields.last?.value == "\"Alice\"")
        #expect(printed.notes == ["signature valid"])
        #expect(printer.printed(damaged).notes == ["signature INVALID"])
    }

    @Test func `a trace shows its path as SNRs`() throws {
        let printed = printer.printed(try OTAVectors.vector("fwd_trace_hop0").expected)

        #expect(printed.fields.first { $0.name == "path" }?.note == "-7.25 dB")
    }

    @Test(
        arguments: [
            ("", "header", 0, []), ("0901", "path", 2, ["header", "path_len"]),
            ("09c0", "path_len", 1, ["header", "path_len"]), ("4900", "header", 0, ["header"]),
            ("0801020304", "path_len", 5, ["header", "transport_codes[0]", "transport_codes[1]"]),
            ("0900818aef", "mac", 4, ["header", "path_len", "path", "dest_hash", "src_hash"]),
        ] as [(String, String, Int, [String])])
    func `a malformed frame is listed up to the field that fails`(
        frame: String, field: String, offset: Int, listed: [String]
    ) throws {
        let bytes = try #require([UInt8](hex: frame))

        let printed = printer.printed(bytes)

        #expect(printed.failure?.field == field)
        #expect(printed.failure?.offset == offset)
        #expect(
            printed.fields.filter { $0.size > 0 || $0.name == "path" && listed.contains("path") }.map(\.name) == listed)
        #expect(printed.description.contains("malformed: \(field) at offset \(offset)"))
    }

    @Test func `application data that is cut is named with its offset in the frame`() throws {
        let data: [UInt8] = [0x91, 1, 2]
        var view = try #require(
            data.withUnsafeBytes { PacketFactory.advert(of: Fixture.alice, timestamp: 1, appData: $0) })
        view.routeZeroHop()

        let printed = printer.printed(view)

        #expect(printed.failure == FrameError(field: "lat", offset: 103, reason: .truncated(needed: 4, left: 2)))
    }
}
