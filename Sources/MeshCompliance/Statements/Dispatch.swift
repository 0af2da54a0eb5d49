import MeshBoards
import MeshCompanion
import MeshSimulator
import MeshTime

extension Section {
    static let dispatch = Section(
        letter: "D", title: "Dispatch and buffers",
        statements: [
            Statement(33, "Unknown codes are refused as UNSUPPORTED_CMD") { radio in
                let first =
                    UInt8(0x3E) + UInt8((0x3E...0x42 as ClosedRange<UInt8>).count { radio.version.has(command: $0) })
                let unknown = [0x00] + [UInt8](0x2C...0x31) + [0x35] + [UInt8](first...0xFF)
                for code in unknown { try radio.ask("\(code)", "01 01") }
                try radio.expectSilence()
            },
            Statement(34, "A frame shorter than its command is refused as UNSUPPORTED_CMD") { radio in
                for (code, longest) in shortFrames where radio.version.has(command: code) || longest < 3 {
                    for count in 0...longest where count < 3 || count == longest {
                        try radio.ask("\(code) \(bytes(0, count))", "01 01")
                    }
                }
                try radio.ask("27 00×4", "01 01")
                try radio.ask("3E 00 FF", radio.version.has(command: 0x3E) ? "01 06" : "01 01")
            },
            Statement(35, "Bytes behind the last field are ignored") { radio in
                try radio.ask("05 39 39 39", "09 time4")
                try radio.ask("14 39", "0C ?10")
                try radio.ask("16 03 39 39", "0D …")
                try radio.ask("1F 00 39", "12 00 ?48")
                try radio.ask("2B 39", "17 ?8")
                try radio.ask("3B 39 39", "19 ?2")
            },
            Statement(36, "A command without length check reads what earlier frames left behind") { radio in
                try radio.ask("08 07 7A 7A", "00")
                try radio.ask("26", "00")
                try radio.require("manual_add", try radio.selfInfo()["manual"], is: [0x07])
                guard radio.isAlone else { return }
                // A login to nobody leaves a NUL behind itself, and there the name of a contact without one ends.
                try radio.ask("08 \(bytes(0x6E, 140))", "00")
                try radio.ask("1A \(bytes(0x11, 32)) \(bytes(0x70, 69))", "01 02")
                try radio.ask("09 \(Peer.bob.key) 01 00 FF", "00")
                let name = try radio.contact(Peer.bob.key)["name"]
                try radio.require("name", Array(name.prefix(3)), is: [0x70, 0x70, 0])
            },
            Statement(37, "REBOOT without text may be executed on stale bytes", needs: .restart) { radio in
                try radio.ask("08 'reboot'", "00")
                try radio.send("13")
                try radio.comeBack()
                try radio.ask("05", "09 time4")
            },
            Statement(38, "A command has exactly one immediate reply") { radio in
                let commands: [Pattern] = [
                    "05", "14", "16 03", "1F 00", "28", "2B", "38 00", "38 01", "38 02", "3B", "3C", "40", "44",
                ]
                for command in commands {
                    try radio.send(command)
                    _ = try radio.expect("…")
                    try radio.expectSilence()
                }
            },
            Statement(
                39, "Replies made while nobody is connected are lost", needs: [.link, .time, .emptyContacts],
                on: .wifi
            ) { radio in
                for number in 0..<20 { try radio.add(Peer(number: number)) }
                try radio.ask("04", "02 count4", contactLayout)
                try radio.disconnect()
                try radio.wait(.seconds(1))
                try radio.connect()
                try radio.send("05")
                let frames = try radio.collect { $0.first == 9 }
                try radio.require(
                    frames.count <= 3 && !frames.contains { $0.first == 4 },
                    "what was queued, then CURR_TIME", got: "\(frames.count) frames")
            },
        ])
}

/// Commands with a minimum length, each with the most bytes behind the code that are too few.
private let shortFrames: [(code: UInt8, longest: Int)] = [
    (0x01, 6), (0x02, 12), (0x06, 3), (0x08, 0), (0x09, 34), (0x0D, 31), (0x0E, 7), (0x12, 97), (0x16, 0),
    (0x18, 63), (0x19, 4), (0x1A, 31), (0x1B, 31), (0x1C, 31), (0x1D, 31), (0x1F, 0), (0x20, 48), (0x22, 0),
    (0x24, 9), (0x25, 3), (0x27, 2), (0x27, 34), (0x29, 2), (0x2A, 32), (0x32, 32), (0x34, 32), (0x36, 0),
    (0x37, 0), (0x38, 0), (0x39, 32), (0x3D, 1), (0x41, 2),
]
