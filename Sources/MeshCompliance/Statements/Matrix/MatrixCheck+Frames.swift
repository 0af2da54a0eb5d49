import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshWire

extension MatrixCheck {
    /// The shortest and the longest of the radio's own frames that no statement brings about.
    ///
    /// Some of the table cannot be: what a peer seals is padded to blocks of 16 bytes, so responses have steps.
    static let frameLengths: [MatrixCheck] = messages + lists + packets

    private static let messages: [MatrixCheck] = [
        MatrixCheck("frame-07-lengths", "CONTACT_MSG_RECV without text and with the longest", needs: .air) { radio in
            try hearTexts(version: 2, "07", radio)
        },
        MatrixCheck("frame-10-lengths", "CONTACT_MSG_RECV_V3 without text", needs: .air) { radio in
            try hearTexts(version: 3, "10 ?3", radio)
        },
        MatrixCheck("frame-08-lengths", "CHANNEL_MSG_RECV without text and with the longest", needs: .air) { radio in
            try radio.ask("16 02", "0D …")
            try hearChannelText([], "08 00 00 00 \(radio.sentAt)", radio)
            let longest = radio.switches.frameLimit - 8
            try hearChannelText(bytes(0x61, 168), "08 00 00 00 \(radio.sentAt) \(bytes(0x61, longest))", radio)
        },
        MatrixCheck("frame-11-lengths", "CHANNEL_MSG_RECV_V3 without text and with the longest", needs: .air) { radio in
            try radio.deviceInfo()
            try hearChannelText([], "11 ?3 00 00 00 \(radio.sentAt)", radio)
            let longest = radio.switches.frameLimit - 11
            try hearChannelText(bytes(0x61, 165), "11 ?3 00 00 00 \(radio.sentAt) \(bytes(0x61, longest))", radio)
        },
        MatrixCheck("frame-1B-lengths", "CHANNEL_DATA_RECV without data", needs: .air, since: "1.15") { radio in
            try radio.hear(Channel.everyone.data(0xFF00, []))
            try radio.expect("83")
            try radio.ask("0A", "1B ?3 00 00 00FF 00")
        },
    ]

    private static let lists: [MatrixCheck] = [
        MatrixCheck("frame-0B-lengths", "EXPORT_CONTACT of a nameless self and of the longest advert", needs: .air) {
            radio in
            try radio.ask("08 00", "00")
            try radio.send("11")
            try radio.require("bytes", UInt32(try radio.expect("0B 11 00 …").frame.count), is: 104)
            let room = radio.switches.frameLimit - 1
            let longest = Peer.bob.advert(radio.sentAt, name: "Bob far a")
                .by(.flood, path: bytes(0xAA, room - 112))
            try radio.require(longest.bytes.count == room, "a packet of \(room) bytes")
            try radio.hear(longest)
            try radio.expect("80 \(Peer.bob.key)")
            try radio.ask("11 \(Peer.bob.key)", "0B \(longest.bytes)")
        },
        MatrixCheck("frame-16-lengths", "ADVERT_PATH of 64 bytes", needs: .air) { radio in
            let path = (0..<64).map { UInt8($0 + 1) }
            try radio.hear(Peer.bob.advert(radio.sentAt).by(.flood, path: path, hashSize: 2))
            try radio.expect("80 \(Peer.bob.key)")
            try radio.ask("2A 00 \(Peer.bob.key)", "16 time4 60 \(path)")
        },
        MatrixCheck(
            "frame-1A-shortest", "ALLOWED_REPEAT_FREQ of a build without any",
            board: { $0.allowedRepeatFrequencies = [] }, since: "1.16"
        ) { radio in
            try radio.ask("3C", "1A")
        },
        MatrixCheck(
            "frame-1A-longest", "ALLOWED_REPEAT_FREQ of 21 ranges",
            board: { $0.allowedRepeatFrequencies = [ClosedRange<UInt32>](repeating: 869_000...869_500, count: 21) },
            since: "1.16"
        ) { radio in
            let range: Pattern = "\(UInt32(869_000)) \(UInt32(869_500))"
            let list = try (0..<21).flatMap { _ in try range.bytes() }
            try radio.ask("3C", "1A \(list)")
        },
    ]

    private static let packets: [MatrixCheck] = [
        MatrixCheck("frame-84-lengths", "RAW_DATA without payload", needs: .air) { radio in
            try radio.hear(AirPacket(.raw, .direct, payload: []))
            try radio.expect("84 ?2 FF")
        },
        MatrixCheck("frame-88-lengths", "LOG_RX_DATA of one byte", needs: .air) { radio in
            try radio.hear([0xFF])
            try radio.expect("88 ?2 FF")
        },
        MatrixCheck("frame-89-lengths", "TRACE_DATA of a trace without hops", needs: .packets) { radio in
            let payload = radio.sentAt.wireBytes + bytes(0, 5)
            try radio.hear(AirPacket(.trace, .direct, payload: payload))
            try radio.expect("89 00 00 00 \(radio.sentAt) 00000000 ?1")
        },
        MatrixCheck("frame-8D-lengths", "PATH_DISCOVERY_RESPONSE without paths and with the longest", needs: .packets) {
            radio in
            try radio.add(.rep, type: 2)
            let path = (0..<64).map { UInt8($0 + 1) }
            try discover(out: [], back: [], length: 0, radio)
            try discover(out: path, back: path.reversed(), length: 0x60, radio)
        },
        MatrixCheck("frame-8E-lengths", "CONTROL_DATA of one byte", needs: .air) { radio in
            try radio.hear(AirPacket(.control, .direct, payload: [0x80]))
            try radio.expect("8E ?2 00 80")
        },
    ]

    /// A text without characters, and one that fills the frame.
    private static func hearTexts(version: UInt8, _ head: Pattern, _ radio: Probe) throws {
        try radio.ask("16 \(version)", "0D …")
        try radio.add(.room, type: 3)
        let (room, me) = (Peer.room, try radio.me())
        try radio.hear(room.text([], at: radio.sentAt, to: me).by(.direct))
        try radio.expect("83")
        try radio.ask("0A", "\(head) \(room.prefix) FF 00 \(radio.sentAt)")
        try radio.hear(room.text(bytes(0x62, 171), at: radio.sentAt, type: 2, to: me).by(.direct))
        try radio.expect("83")
        let left = radio.switches.frameLimit - (version < 3 ? 13 : 16)
        try radio.ask("0A", "\(head) \(room.prefix) FF 02 \(radio.sentAt) \(bytes(0x62, left))")
    }

    private static func hearChannelText(_ text: [UInt8], _ expected: Pattern, _ radio: Probe) throws {
        try radio.hear(Channel.everyone.seal(.groupText, radio.sentAt.wireBytes + [0] + text))
        try radio.expect("83")
        try radio.ask("0A", expected)
    }

    /// Path discovery whose answer names these paths, with this path length byte each.
    private static func discover(out: [UInt8], back: [UInt8], length: UInt8, _ radio: Probe) throws {
        let rep = Peer.rep
        let tag = try radio.ask("34 00 \(rep.key)", "06 01 tag4 timeout4")["tag"]
        _ = try radio.expectAir(.request, .flood)
        var answer = rep.returnedPath(out, length: length, extra: .response, tag + bytes(0, 4), to: try radio.me())
        answer = answer.by(.flood, path: back, hashSize: length >> 6 + 1)
        try radio.hear(answer)
        try radio.expect("8D 00 \(rep.prefix) \(length) \(out) \(length) \(back)")
        try radio.skipAir()
    }
}
