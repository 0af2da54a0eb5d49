import MeshBoards
import MeshCompanion
import MeshTime

// Direct messages; channel messages are in `Sending+Channels`.
extension Section {
    static let sending = Section(
        letter: "H", title: "Sending messages", statements: directMessages + confirmations + channelMessages)

    private static let directMessages: [Statement] = [
        Statement(114, "A text to a contact without path floods; SENT carries its ack") { radio in
            try radio.add(.bob)
            let ack = try radio.ack("hey")
            let sent = try radio.ask("02 00 00 \(radio.sentAt) \(Peer.bob.prefix) 'hey'", "06 01 \(ack) timeout4")
            if radio.isAlone {
                try radio.require("time-out", sent.number("timeout"), is: radio.timeOut(5684, before16: 4644))
            }
            guard radio.seesAir else { return }
            let packet = try radio.expectAir(.text, .flood)
            let plaintext = try Pattern("\(radio.sentAt) 00 'hey'").bytes().blockPadded
            try radio.require("plaintext", try radio.open(packet, by: .bob), is: plaintext)
        },
        Statement(115, "A text to a contact with a path goes direct") { radio in
            try radio.add(.bob, path: [0xAA, 0xBB])
            let ack = try radio.ack("hey")
            let sent = try radio.ask("02 00 00 \(radio.sentAt) \(Peer.bob.prefix) 'hey'", "06 00 \(ack) timeout4")
            if radio.isAlone {
                try radio.require("time-out", sent.number("timeout"), is: radio.timeOut(7082, before16: 5912))
            }
            guard radio.seesAir else { return }
            try radio.require("path", try radio.expectAir(.text, .direct).path, is: [0xAA, 0xBB])
        },
        Statement(116, "A text to an unknown prefix is NOT_FOUND") { radio in
            try radio.ask("02 00 00 \(radio.sentAt) 99×6 'A'", "01 02")
        },
        Statement(117, "Other text types are UNSUPPORTED_CMD, if the recipient is known") { radio in
            try radio.add(.bob)
            for type in [2, 3, 0xFF] as [UInt8] where type != 3 || !radio.switches.hasRemoteCommands {
                try radio.ask("02 \(type) 00 \(radio.sentAt) \(Peer.bob.prefix) 'A'", "01 01")
                try radio.ask("02 \(type) 00 \(radio.sentAt) 99×6 'A'", "01 02")
            }
        },
        Statement(118, "A text has at most 160 bytes, with an attempt above 3 at most 158") { radio in
            try radio.add(.bob)
            // A frame takes 13 bytes before the text; what is longer than it can hold cannot be asked.
            let room = radio.switches.frameLimit - 13
            let tries = [(0, min(160, room), true), (0, 161, false), (4, 158, true), (4, 159, false)]
            for (attempt, count, isTaken) in tries where count <= room {
                let text = bytes(0x61, count)
                let command: Pattern = "02 00 \(UInt8(attempt)) \(radio.sentAt) \(Peer.bob.prefix) \(text)"
                let ack = try radio.ack(text, attempt: UInt8(attempt))
                try radio.ask(command, isTaken ? "06 01 \(ack) ?4" : "01 03")
            }
        },
        Statement(119, "The attempt is sent modulo 4; above 3 it follows the text behind a NUL") { radio in
            try radio.add(.bob)
            let ack = try radio.ack("x", attempt: 1)
            for attempt in [1, 5] as [UInt8] {
                try radio.ask(
                    "02 00 \(attempt) \(radio.sentAt) \(Peer.bob.prefix) 'x'", "06 01 \(ack) ?4")
                guard radio.seesAir else { continue }
                let text: Pattern = attempt > 3 ? "78 00 \(attempt)" : "78"
                let plaintext = try Pattern("\(radio.sentAt) 01 \(text)").bytes().blockPadded
                let packet = try radio.expectAir(.text, .flood)
                try radio.require("plaintext", try radio.open(packet, by: .bob), is: plaintext)
            }
        },
        Statement(120, "CLI data has no ack, and the radio's time instead of the app's") { radio in
            try radio.add(.rep, type: 2)
            try radio.ask("02 01 00 \(radio.sentAt) \(Peer.rep.prefix) 'ver'", "06 01 00000000 ?4")
            guard radio.seesAir else { return }
            let packet = try radio.expectAir(.text, .flood)
            let text = try radio.require(try radio.open(packet, by: .rep), "time4 04 'ver' 00×8")
            try radio.requireNow("timestamp", text.number("time"))
        },
        Statement(121, "A text ends at its first NUL") { radio in
            try radio.add(.bob)
            let ack = try radio.ack("ab")
            try radio.ask("02 00 00 \(radio.sentAt) \(Peer.bob.prefix) 61 62 00 63", "06 01 \(ack) ?4")
            guard radio.seesAir else { return }
            let packet = try radio.expectAir(.text, .flood)
            try radio.require(try radio.open(packet, by: .bob), "\(radio.sentAt) 00 'ab' 00×9")
        },
    ]

    private static let confirmations: [Statement] = [
        Statement(122, "An ack is pushed as SEND_CONFIRMED, once", needs: .packets) { radio in
            try radio.add(.bob)
            let ack = try send("hey", radio)
            try radio.wait(.milliseconds(2500))
            try radio.hear(AirPacket(.ack, .flood, payload: ack + [0, 1]))
            let trip = try radio.expect("82 \(ack) trip4").number("trip")
            // On an air that is not ours the way there takes as long as it takes.
            let isPlausible = trip >= 2500 && (trip <= 5000 || !radio.isAlone)
            try radio.require(isPlausible, "a trip time of about 2500 ms", got: "\(trip)")
            try radio.hear(AirPacket(.ack, .flood, payload: ack + [0, 2]))
            try radio.expectSilence()
            // An unused entry is one of 0, and matches, unless such an acknowledgement counts as seen.
            guard radio.switches.seenAcks == 0 else { return }
            try radio.hear(AirPacket(.ack, .flood, payload: [0, 0, 0, 0]))
            try radio.expect("82 00×4 trip4")
        },
        Statement(123, "The last eight texts can be confirmed", needs: .packets) { radio in
            try radio.add(.bob)
            let acks = try (1...9).map { try send("text \($0)", radio) }
            for (number, ack) in acks.enumerated() {
                try radio.hear(AirPacket(.ack, .flood, payload: ack))
                if number == 0 { try radio.expectSilence() } else { try radio.expect("82 \(ack) ?4") }
            }
        },
        Statement(124, "An ack in a returned path follows PATH_UPDATED", needs: .packets) { radio in
            try radio.add(.bob)
            let ack = try send("hey", radio)
            let path = Peer.bob.returnedPath([0xAA, 0xBB], extra: .ack, ack + [0, 7], to: try radio.me())
            try radio.hear(path.by(.flood, path: [0xBB, 0xAA]))
            try radio.expect("81 \(Peer.bob.key)")
            try radio.expect("82 \(ack) ?4")
            let contact = try radio.contact(Peer.bob.key)
            try radio.require("path", contact["plen"] + contact["path"].prefix(2), is: [2, 0xAA, 0xBB])
        },
        Statement(125, "A missing ack is not reported", needs: [.air, .time]) { radio in
            try radio.add(.bob)
            _ = try send("hey", radio)
            try radio.expectSilence(for: .seconds(120))
        },
    ]

    /// Sends a text to Bob, lets it leave the radio, and returns what will confirm it.
    private static func send(_ text: String, _ radio: Probe) throws -> [UInt8] {
        let ack = try radio.ack(text)
        try radio.ask("02 00 00 \(radio.sentAt) \(Peer.bob.prefix) \([UInt8](text.utf8))", "06 01 \(ack) ?4")
        _ = try radio.expectAir(.text, .flood)
        return ack
    }
}
