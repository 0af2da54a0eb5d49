import MeshBoards

extension Section {
    static let channels = Section(
        letter: "J", title: "Channels",
        statements: [
            Statement(152, "Every slot can be read; a new radio has Public in slot 0") { radio in
                let count = try radio.channelCount()
                for index in 0..<count { try radio.ask("1F \(index)", "12 \(index) ?48") }
                try radio.ask("1F \(count)", "01 02")
                try radio.ask("1F FF", "01 02")
                guard radio.isAlone else { return }
                try radio.ask("1F 00", "12 00 'Public' 00 ?25 \(Channel.publicKey)")
            },
            Statement(153, "Behind the name's NUL stands what the frame before left", needs: .freshRadio) { radio in
                let info = try radio.selfInfo().frame
                try radio.ask("1F 01", "12 01 00 \(info[3...33]) 00×16")
            },
            Statement(154, "A channel can be set and read at once") { radio in
                let key = (0..<16).map { UInt8($0) }
                try radio.ask("20 01 'Test' 00×28 \(key)", "00")
                try radio.ask("1F 01", "12 01 'Test' 00 ?27 \(key)")
            },
            Statement(155, "SET_CHANNEL has 50 to 65 bytes, and a name is cut at 31") { radio in
                let count = try radio.channelCount()
                try radio.ask("20 01 41×32 11×15", "01 01")
                try radio.ask("20 01 41×32 11×32", "01 01")
                try radio.ask("20 \(count) 41×32 11×16", "01 02")
                for extra in [0, 1, 15] {
                    try radio.ask("20 01 41×32 \(bytes(UInt8(extra + 1), 16)) \(bytes(0xEE, extra))", "00")
                    try radio.ask("1F 01", "12 01 41×31 00 \(bytes(UInt8(extra + 1), 16))")
                }
            },
            Statement(156, "A channel is stored at once", needs: .power) { radio in
                try radio.ask("20 02 'Kept' 00×28 22×16", "00")
                try radio.powerCycle()
                try radio.ask("1F 02", "12 02 'Kept' 00 ?27 22×16")
            },
            Statement(157, "Public can be deleted and stays so", needs: .restart) { radio in
                try radio.ask("20 00 00×48", "00")
                try radio.ask("1F 00", "12 00 00 ?31 00×16")
                try radio.reboot()
                try radio.ask("1F 00", "12 00 00 ?31 00×16")
            },
            Statement(158, "Setting and erasing a channel is effective at once", needs: .packets) { radio in
                let channel = Channel(key: bytes(0x33, 16))
                try radio.deviceInfo()
                try radio.hear(channel.text("Bob: early", at: radio.sentAt))
                try radio.expectSilence()
                try radio.ask("20 02 'Two' 00×29 \(channel.key)", "00")
                try radio.hear(channel.text("Bob: heard", at: radio.sentAt))
                try radio.expect("83")
                try radio.ask("0A", "11 ?3 02 00 00 \(radio.sentAt) 'Bob: heard'")
                try radio.ask("20 02 00×48", "00")
                try radio.hear(channel.text("Bob: late", at: radio.sentAt))
                try radio.expectSilence()
            },
        ])
}
