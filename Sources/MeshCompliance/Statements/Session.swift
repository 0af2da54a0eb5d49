import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshReports
import MeshSimulator
import MeshTime

extension Section {
    static let session = Section(
        letter: "E", title: "Session",
        statements: [
            Statement(40, "DEVICE_QUERY returns 82 bytes and protocol level 13") { radio in
                let info = try radio.ask(
                    "16 03", "0D level1 contacts1 channels1 pin4 date12 model40 firmware20 repeat1 mode1")
                try radio.require("level", info["level"], is: [radio.switches.level])
                guard let board = radio.target.board else { return }
                let half = UInt8(truncatingIfNeeded: board.maxContacts / 2)
                try radio.require("half of \(board.maxContacts) contacts", info["contacts"], is: [half])
                try radio.require("channels", info["channels"], is: [UInt8(truncatingIfNeeded: board.maxChannels)])
                let rest = ["pin", "repeat", "mode"].flatMap { info[$0] }
                try radio.require("PIN, repeat and hash mode", rest, is: bytes(0, 6))
                for text in ["date", "model", "firmware"] {
                    let padding = info[text].drop { $0 != 0 }
                    let isText = info[text].first != 0 && padding.allSatisfy { $0 == 0 }
                    try radio.require(isText, "a zero-padded \(text)", got: FrameText.hex(info[text]))
                }
            },
            Statement(41, "A message keeps the layout of the version in force when it arrived", needs: .packets) {
                radio in
                let bob = Peer.bob
                try radio.add(bob, path: [])
                let me = try radio.me()
                var versions: [Pattern] = ["16 01", "16 02", "16 03", "16 07"]
                for number in 0..<UInt32(4) {
                    try radio.ask(versions.removeFirst(), "0D …")
                    try radio.hear(bob.text("m", at: radio.sentAt + number, to: me).by(.direct))
                    try radio.expect("83")
                }
                for (number, layout) in ["07 ?6", "07 ?6", "10 ?9", "10 ?9"].enumerated() {
                    let sentAt = radio.sentAt + UInt32(number)
                    try radio.ask("0A", "\(Pattern(layout)) FF 00 \(sentAt) 'm'")
                }
                try radio.ask("0A", "0A")
            },
            Statement(42, "After a boot the version in force is 0", needs: [.air, .power]) { radio in
                let bob = Peer.bob
                try radio.add(bob, path: [])
                let me = try radio.me()
                try radio.hear(bob.text("first", at: radio.sentAt, to: me).by(.direct))
                try radio.expect("83")
                try radio.ask("0A", "07 \(bob.prefix) FF 00 \(radio.sentAt) 'first'")
                try radio.ask("16 03", "0D …")
                try radio.wait(.seconds(6))
                try radio.powerCycle()
                try radio.hear(bob.text("second", at: radio.sentAt, to: me).by(.direct))
                try radio.expect("83")
                try radio.ask("0A", "07 \(bob.prefix) FF 00 \(radio.sentAt) 'second'")
            },
            Statement(43, "APP_START and reconnects keep the version in force", needs: [.packets, .link]) { radio in
                let bob = Peer.bob
                try radio.add(bob, path: [])
                try radio.deviceInfo()
                try radio.reconnect()
                let me = try radio.me()
                try radio.hear(bob.text("hi", at: radio.sentAt, to: me).by(.direct))
                try radio.expect("83")
                try radio.ask("0A", "10 ?3 \(bob.prefix) FF 00 \(radio.sentAt) 'hi'")
            },
            Statement(44, "APP_START returns SELF_INFO; a new node is named by its key") { radio in
                let info = try radio.selfInfo()
                guard radio.isAlone else { return }
                let name = Pattern("\(info["key"].prefix(4))").source
                try radio.require("name", info["name"], is: [UInt8](name.utf8))
                let settings = ["lat", "lon", "acks", "policy", "telemetry", "manual"].flatMap { info[$0] }
                try radio.require("position and other settings", settings, is: bytes(0, 12))
            },
            Statement(45, "Version and name in APP_START are ignored") { radio in
                let info = try radio.selfInfo().frame
                try radio.ask("01 03 20×6 'mccli'", "\(info)")
                try radio.require("SELF_INFO", try radio.selfInfo().frame, is: info)
                guard radio.isAlone else { return }
                // No DEVICE_QUERY has announced a version, so a message comes in the oldest layout.
                try radio.add(.bob)
                let me = try radio.me()
                try radio.ask("01 03 20×6", "\(info)")
                try radio.hear(Peer.bob.text("hi", at: radio.sentAt, to: me).by(.direct))
                try radio.expect("83")
                try radio.ask("0A", "07 \(Peer.bob.prefix) FF 00 \(radio.sentAt) 'hi'")
            },
            Statement(
                46, "APP_START aborts a listing", needs: [.time, .emptyContacts], on: .serial
            ) { radio in
                for number in 0..<6 { try radio.add(Peer(number: number)) }
                try radio.ask("04", "02 06000000", contactLayout, contactLayout)
                try radio.ask("01 00×7", "05 …")
                try radio.expectSilence()
                try radio.require("contacts listed again", UInt32(try radio.contacts().keys.count), is: 6)
            },
            Statement(47, "No command needs APP_START or DEVICE_QUERY first", needs: .freshRadio) { radio in
                try radio.ask("14", "0C ?10")
            },
            Statement(48, "DEVICE_INFO does not depend on the announced version") { radio in
                let info = try radio.ask("16 01", "0D …").frame
                try radio.ask("16 FF", "\(info)")
                try radio.ask("16 03", "\(info)")
            },
            Statement(49, "DEVICE_INFO carries the stored PIN") { radio in
                try radio.ask("25 41E20100", "00")
                try radio.require("PIN", try radio.deviceInfo().number("pin"), is: 123_457)
                try radio.ask("25 00000000", "00")
                try radio.require("PIN", try radio.deviceInfo().number("pin"), is: 0)
            },
        ])
}
