import MeshBoards
import MeshCompanion

extension Section {
    /// Texts and datagrams on channels, and the errors when no packet is free.
    static let channelMessages: [Statement] = [
        Statement(126, "A channel text is answered OK and sent under the node's name") { radio in
            try useChannel(radio)
            try radio.ask("08 'Me'", "00")
            try radio.ask("03 00 01 \(radio.sentAt) 'hi'", "00")
            try radio.expectSilence()
            try requireOnAir("\(radio.sentAt) 00 'Me: hi' 00×5", radio)
        },
        Statement(127, "Other text types and channels that do not exist are refused") { radio in
            let count = try radio.channelCount()
            try radio.ask("03 01 00 \(radio.sentAt) 'hi'", "01 01")
            try radio.ask("03 01 \(count) \(radio.sentAt) 'hi'", "01 01")
            try radio.ask("03 00 \(count) \(radio.sentAt) 'hi'", "01 02")
            try radio.ask("03 00 FF \(radio.sentAt) 'hi'", "01 02")
        },
        Statement(128, "An unused slot sends with the key of zeros", needs: .air) { radio in
            try radio.ask("03 00 05 \(radio.sentAt) 'hi'", "00")
            let packet = try radio.expectAir(.groupText, .flood)
            let name = try radio.selfInfo()["name"]
            let text = try radio.require(try radio.open(packet, on: .zero), "\(radio.sentAt) 00 text…")["text"]
            try radio.require("text", text, is: (name + [UInt8](": hi".utf8)).padded(to: text.count))
        },
        Statement(129, "Name and text together are cut at 160 bytes") { radio in
            try useChannel(radio)
            try radio.ask("08 'EightLet'", "00")
            try radio.ask("03 00 01 \(radio.sentAt) \(bytes(0x61, radio.switches.frameLimit - 7))", "00")
            // Radios tell of no packet that is as long as this one.
            guard radio.target.abilities.contains(.air) else { return }
            try requireOnAir("\(radio.sentAt) 00 'EightLet: ' 61×150 00×11", radio)
        },
        Statement(130, "A channel datagram floods with type and length") { radio in
            try useChannel(radio)
            try radio.ask("3E 01 FF FFFF A1B2", "00")
            try requireOnAir("FFFF 02 A1B2 00×11", radio, .groupData)
        },
        Statement(131, "A channel datagram with a path goes along it") { radio in
            try useChannel(radio)
            try radio.ask("3E 01 02 AABB 3412 A1", "00")
            guard radio.seesAir else { return }
            let packet = try radio.expectAir(.groupData, .direct)
            try radio.require("path", packet.path, is: [0xAA, 0xBB])
            try radio.require(try radio.open(packet, on: testChannel), "3412 01 A1 00×12")
        },
        Statement(132, "Bad channel datagrams are ILLEGAL_ARG, a bad channel NOT_FOUND") { radio in
            let count = try radio.channelCount()
            try radio.ask("3E 00 FF", "01 06")
            try radio.ask("3E 00 C0 010203", "01 06")
            try radio.ask("3E 00 FF 0000", "01 06")
            try radio.ask("3E \(count) FF 0000", "01 02")
            try radio.ask("3E \(count) FF 0100 AA", "01 02")
        },
        Statement(133, "A channel datagram holds 165 bytes; two more are TABLE_FULL, three ILLEGAL_ARG") { radio in
            try useChannel(radio)
            let limit = radio.switches.channelDataOfCommand
            let isKnown = radio.version.has(command: 0x3E)
            // What is longer than a frame is no datagram: it is cut or dropped, by the interface.
            for count in 163...min(168, radio.switches.frameLimit - 5) {
                let reply: Pattern = !isKnown ? "01 01" : count > limit ? "01 06" : count > 165 ? "01 03" : "00"
                try radio.ask("3E 01 FF FFFF \(bytes(0xA1, count))", reply)
            }
        },
        Statement(134, "Without a free packet every sender fails in its own way", needs: .freshRadio) { radio in
            let bob = Peer.bob
            try radio.ask("12 \(bob.advert(radio.sentAt).bytes)", "00", "80 \(bob.key)")
            for _ in 0..<16 { try radio.ask("41 FF 11 00 AA", "00") }
            try radio.ask("03 00 00 \(radio.sentAt) 'hi'", "01 02")
            try radio.ask("12 \(bob.advert(radio.sentAt + 1).bytes)", "01 06")
            let others: [Pattern] = [
                "02 00 00 \(radio.sentAt) \(bob.prefix) 'hi'", "02 01 00 \(radio.sentAt) \(bob.prefix) 'ver'", "07",
                "07 01", "10 \(bob.key)", "11", "19 00 01020304", "1A \(bob.key) 'pw'", "1B \(bob.key)",
                "24 00×8 00 AA", "27 00×3 \(bob.key)", "32 \(bob.key) 01", "34 00 \(bob.key)", "37 80",
                "39 \(bob.key) 01", "3E 00 FF FFFF A1", "41 00 11 00 AA",
            ]
            for command in others { try radio.ask(command, "01 03") }
            let flags = try radio.ask("38 00", "18 00 ?6 flags2 queue1")
            try radio.require("error flags", flags["flags"].littleEndian & 1, is: 1)
            try radio.require("waiting packets", flags["queue"], is: [16])
        },
        Statement(135, "The name in a channel text is the one at the time of sending") { radio in
            try useChannel(radio)
            try radio.ask("08 'Before'", "00")
            try radio.ask("03 00 01 \(radio.sentAt) 'x'", "00")
            try requireOnAir("\(radio.sentAt) 00 'Before: x' 00×2", radio)
            try radio.ask("08 'After'", "00")
            try radio.ask("03 00 01 \(radio.sentAt) 'x'", "00")
            try requireOnAir("\(radio.sentAt) 00 'After: x' 00×3", radio)
        },
    ]

    /// A channel that nobody else has, in slot 1: people on the public one are not bothered by a test.
    static let testChannel = Channel(key: bytes(0x5C, 16))

    static func useChannel(_ radio: Probe) throws {
        try radio.ask("20 01 'comply' 00×26 \(testChannel.key)", "00")
    }

    /// Requires the next packet to be a flood on the test channel with this plaintext, where the air can be watched.
    private static func requireOnAir(
        _ plaintext: Pattern, _ radio: Probe, _ kind: AirPacket.Kind = .groupText
    ) throws {
        guard radio.seesAir else { return }
        let packet = try radio.expectAir(kind, .flood)
        try radio.require("channel hash", packet.payload.prefix(1) + [], is: [testChannel.hash])
        _ = try radio.require(try radio.open(packet, on: testChannel), plaintext)
    }
}
