import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshReports
import MeshTime

extension Section {
    static let settings = Section(
        letter: "F", title: "Settings",
        statements: (nameAndPlace + clockAndRadio + behaviour + scopes).sorted { $0.number < $1.number })

    private static let nameAndPlace: [Statement] = [
        Statement(50, "A name is cut at 31 bytes") { radio in
            try radio.ask("08 41×40", "00")
            try radio.require("name", try radio.selfInfo()["name"], is: bytes(0x41, 31))
        },
        Statement(51, "A NUL ends the name, and it may be empty") { radio in
            try radio.ask("08 'ab' 00 'cd'", "00")
            try radio.require("name", try radio.selfInfo()["name"], is: [0x61, 0x62])
            try radio.ask("08 00", "00")
            try radio.require("bytes of SELF_INFO", UInt32(try radio.selfInfo().frame.count), is: 58)
        },
        Statement(52, "A name is bytes: cutting may split a character") { radio in
            let name = (0..<20).flatMap { _ in [0xC3, 0xA9] as [UInt8] }
            try radio.ask("08 \(name)", "00")
            try radio.require("name", try radio.selfInfo()["name"], is: [UInt8](name.prefix(31)))
        },
        Statement(53, "A position is held to ±90° and ±180°") { radio in
            for (lat, lon) in [(90_000_000, 180_000_000), (-90_000_000, -180_000_000)] as [(Int32, Int32)] {
                try radio.ask("0E \(lat) \(lon)", "00")
                let info = try radio.selfInfo()
                try radio.require("position", info["lat"] + info["lon"], is: lat.wireBytes + lon.wireBytes)
            }
            let outside: [(Int32, Int32)] = [(90_000_001, 0), (-90_000_001, 0), (0, 180_000_001), (0, -180_000_001)]
            for (lat, lon) in outside { try radio.ask("0E \(lat) \(lon)", "01 06") }
            let info = try radio.selfInfo()
            let kept = Int32(-90_000_000).wireBytes + Int32(-180_000_000).wireBytes
            try radio.require("position", info["lat"] + info["lon"], is: kept)
        },
        Statement(54, "An altitude behind the position is ignored") { radio in
            try radio.ask("0E \(Int32(1_000_000)) \(Int32(-2_000_000)) 01020304", "00")
            let info = try radio.selfInfo()
            let place = Int32(1_000_000).wireBytes + Int32(-2_000_000).wireBytes
            try radio.require("position", info["lat"] + info["lon"], is: place)
        },
        Statement(55, "A position passes through floating point: 16653532 comes back as 16653531") { radio in
            try radio.ask("0E DC1CFE00 00000000", "00")
            try radio.require("latitude", try radio.selfInfo().number("lat"), is: 16_653_531)
        },
        Statement(56, "The clock is set forward only") { radio in
            let now = try radio.now()
            try radio.ask("06 \(now - 1)", "01 06")
            try radio.requireNow("clock", now)
            // A second may end between question and answer; then the same time is the past.
            var replies: [[UInt8]] = []
            while replies.count < 3, replies.last != [0] {
                replies.append(try radio.ask("06 \(try radio.now())", "…").frame)
            }
            try radio.require("the answer to the same time", replies.last ?? [], is: [0])
            try radio.ask("06 \(now + 20)", "00")
            try radio.requireNow("clock", now + 20)
        },
        Statement(57, "The clock has no upper bound", needs: .clock) { radio in
            try radio.ask("06 FFFFFFFF", "00")
            try radio.require(try radio.now() >= 0xFFFF_FFF0, "the end of the clock", got: "an earlier time")
        },
    ]

    private static let clockAndRadio: [Statement] = [
        Statement(58, "Radio parameters are held to their ranges") { radio in
            let info = try radio.selfInfo()
            let good = (info.number("freq"), info.number("bw"), info["sf"].littleEndian, info["cr"].littleEndian)
            func set(_ freq: UInt32?, _ bw: UInt32?, _ sf: UInt32?, _ cr: UInt32?, _ reply: Pattern) throws {
                let small = [UInt8(truncatingIfNeeded: sf ?? good.2), UInt8(truncatingIfNeeded: cr ?? good.3)]
                try radio.ask("0B \(freq ?? good.0) \(bw ?? good.1) \(small)", reply)
            }
            let lowest = radio.switches.lowestFrequency
            for freq in [0, lowest - 1, 2_500_001] as [UInt32] { try set(freq, nil, nil, nil, "01 06") }
            for bw in [0, 6999, 500_001] as [UInt32] { try set(nil, bw, nil, nil, "01 06") }
            for sf in [4, 13] as [UInt32] { try set(nil, nil, sf, nil, "01 06") }
            for cr in [4, 9] as [UInt32] { try set(nil, nil, nil, cr, "01 06") }
            try radio.require("SELF_INFO", try radio.selfInfo().frame, is: info.frame)
            // On a radio that somebody uses, only values are accepted that it has.
            guard radio.isAlone else { return try set(nil, nil, nil, nil, "00") }
            for freq in [lowest, 2_500_000] as [UInt32] { try set(freq, nil, nil, nil, "00") }
            for bw in [7000, 500_000] as [UInt32] { try set(nil, bw, nil, nil, "00") }
            for sf in [5, 12] as [UInt32] { try set(nil, nil, sf, nil, "00") }
            for cr in [5, 8] as [UInt32] { try set(nil, nil, nil, cr, "00") }
        },
        Statement(59, "Radio parameters take effect at once and show in SELF_INFO") { radio in
            try radio.ask("0B 9C3C0D00 90D00300 0B 06", "00")
            let info = try radio.selfInfo()
            let parameters = ["freq", "bw", "sf", "cr"].flatMap { info[$0] }
            try radio.require("parameters", parameters, is: try Pattern("9C3C0D00 90D00300 0B 06").bytes())
            guard radio.isAlone else { return }
            // How long an answer may take follows from the parameters that the radio works with.
            try radio.add(.bob)
            let text: Pattern = "02 00 00 \(radio.sentAt) \(Peer.bob.prefix) 'hey'"
            let slow = try radio.ask(text, "06 01 ?4 timeout4").number("timeout")
            try radio.ask("0B 9C3C0D00 20A10700 07 05", "00")
            let fast = try radio.ask(text, "06 01 ?4 timeout4").number("timeout")
            try radio.require(fast < slow && fast < 2000, "a time-out that follows", got: "\(slow), then \(fast) ms")
        },
        Statement(60, "Repeating is allowed on the listed frequencies only") { radio in
            let info = try radio.selfInfo().frame
            // A build may have a list of its own.
            let listed = try radio.target.board?.repeatFrequencies ?? radio.repeatRanges()
            let stray = (869_490...870_000).first { freq in !listed.contains { $0.contains(freq) } }
            try radio.ask("0B \(stray ?? 869_490) 24F40000 08 05 01", "01 06")
            try radio.require("SELF_INFO", try radio.selfInfo().frame, is: info)
            guard radio.isAlone else { return }
            for range in listed {
                for freq in Set([range.lowerBound, range.upperBound]).sorted() {
                    try radio.ask("0B \(freq) 24F40000 08 05 01", "00")
                    try radio.require("repeat", try radio.deviceInfo()["repeat"], is: [1])
                }
                for near in [range.lowerBound - 1, range.upperBound + 1]
                where !listed.contains(where: { $0.contains(near) }) {
                    try radio.ask("0B \(near) 24F40000 08 05 01", "01 06")
                }
                try radio.require("frequency", try radio.selfInfo().number("freq"), is: range.upperBound)
            }
        },
        Statement(61, "Radio parameters without the repeat byte switch repeating off", needs: .freshRadio) { radio in
            let freq = radio.switches.middleRepeatFrequency
            try radio.ask("0B \(freq) 24F40000 08 05 01", "00")
            try radio.require("repeat", try radio.deviceInfo()["repeat"], is: [1])
            try radio.ask("0B \(freq) 24F40000 08 05", "00")
            try radio.require("repeat", try radio.deviceInfo()["repeat"], is: [0])
        },
        Statement(62, "GET_ALLOWED_REPEAT_FREQ lists pairs of frequencies") { radio in
            let ranges = try radio.ask("3C", "1A ranges…")["ranges"]
            try radio.require(ranges.count.isMultiple(of: 8), "pairs of four bytes", got: FrameText.hex(ranges))
            guard let board = radio.target.board else { return }
            let expected = board.repeatFrequencies.flatMap { $0.lowerBound.wireBytes + $0.upperBound.wireBytes }
            try radio.require("ranges", ranges, is: expected)
        },
        Statement(63, "Transmit power is held to −9 dBm and the maximum") { radio in
            let top = Int8(bitPattern: try radio.selfInfo()["max"].first ?? 0)
            for power in [-9, 0, top] as [Int8] {
                try radio.ask("0C \(power)", "00")
                try radio.require("power", try radio.selfInfo()["power"], is: power.wireBytes)
            }
            for power in [-128, -10, top + 1, 127] as [Int8] { try radio.ask("0C \(power)", "01 06") }
            try radio.require("power", try radio.selfInfo()["power"], is: top.wireBytes)
        },
        Statement(64, "Of SET_RADIO_TX_POWER only one byte counts") { radio in
            try radio.ask("0C 05 01 02 03", "00")
            try radio.require("power", try radio.selfInfo()["power"], is: [5])
        },
        Statement(65, "Tuning parameters are stored as they come") { radio in
            try radio.ask("15 DC050000 D0070000", "00")
            try radio.ask("2B", "17 DC050000 D0070000")
        },
        Statement(66, "Tuning parameters pass through floating point: 2041 and 4082 lose one") { radio in
            try radio.ask("15 \(UInt32(2041)) \(UInt32(4082))", "00")
            try radio.ask("2B", "17 \(UInt32(2040)) \(UInt32(4081))")
        },
        Statement(67, "Tuning parameters are clamped at boot", needs: .restart) { radio in
            try radio.ask("15 \(UInt32(50_000)) \(UInt32(20_000))", "00")
            try radio.reboot()
            try radio.ask("2B", "17 \(UInt32(20_000)) \(UInt32(9000))")
        },
    ]

    private static let behaviour: [Statement] = [
        Statement(68, "SET_OTHER_PARAMS changes only the fields that are there") { radio in
            try radio.ask("26 00 00 00 00", "00")
            func require(_ settings: Pattern) throws {
                let info = try radio.selfInfo()
                let values = ["acks", "policy", "telemetry", "manual"].flatMap { info[$0] }
                try radio.require("SELF_INFO 44..47", values, is: try settings.bytes())
            }
            try radio.ask("26 01", "00")
            try require("00 00 00 01")
            try radio.ask("26 00 15", "00")
            try require("00 00 15 00")
            try radio.ask("26 00 15 01 02", "00")
            try require("02 01 15 00")
            try radio.ask("26 01", "00")
            try require("02 01 15 01")
        },
        Statement(69, "Of the telemetry byte six bits are stored, of the others all") { radio in
            try radio.ask("26 FF FF FE FD", "00")
            let info = try radio.selfInfo()
            let values = ["acks", "policy", "telemetry", "manual"].flatMap { info[$0] }
            try radio.require("SELF_INFO 44..47", values, is: [0xFD, 0xFE, 0x3F, 0xFF])
        },
        Statement(70, "The path hash mode is 0, 1 or 2") { radio in
            for mode in [1, 2, 0] as [UInt8] {
                try radio.ask("3D 00 \(mode)", "00")
                try radio.require("mode", try radio.deviceInfo()["mode"], is: [mode])
            }
            for mode in [3, 0xFF] as [UInt8] { try radio.ask("3D 00 \(mode)", "01 06") }
            try radio.ask("3D 01 00", "01 01")
            try radio.ask("3D 00", "01 01")
            try radio.require("mode", try radio.deviceInfo()["mode"], is: [0])
        },
        Statement(71, "The path hash mode is the hash size of floods that the node begins", needs: .packets) { radio in
            try useChannel(radio)
            for (mode, length) in [(0, 0x00), (1, 0x40), (2, 0x80)] as [(UInt8, UInt8)] {
                try radio.ask("3D 00 \(mode)", "00")
                try radio.ask("07 01", "00")
                try radio.require("path_len", [try radio.expectAir(.advert, .flood).pathLength], is: [length])
                try radio.ask("03 00 01 \(radio.sentAt) 'hi'", "00")
                try radio.require("path_len", [try radio.expectAir(.groupText, .flood).pathLength], is: [length])
            }
        },
        Statement(72, "A PIN is 0 or has six digits") { radio in
            for pin in [100_000, 999_999, 0] as [UInt32] {
                try radio.ask("25 \(pin)", "00")
                try radio.require("PIN", try radio.deviceInfo().number("pin"), is: pin)
            }
            for pin in [1, 99_999, 1_000_000, .max] as [UInt32] { try radio.ask("25 \(pin)", "01 06") }
            try radio.require("PIN", try radio.deviceInfo().number("pin"), is: 0)
        },
        Statement(73, "The auto-add mask is stored whole, its hop limit is at most 64") { radio in
            try radio.ask("3A FF FF", "00")
            try radio.ask("3B", "19 FF 40")
            try radio.ask("3A 05", "00")
            try radio.ask("3B", "19 05 40")
            try radio.ask("3A 00 3F", "00")
            try radio.ask("3B", "19 00 3F")
        },
        Statement(82, "Settings are stored before the OK and survive a loss of power", needs: .power) { radio in
            let settings: [Pattern] = [
                "08 'Kept name'", "0E \(Int32(48_137_154)) \(Int32(11_576_124))",
                "0B \(radio.switches.middleRepeatFrequency) 24F40000 07 06 01",
                "0C 0B", "15 DC050000 D0070000", "25 41E20100", "26 01 15 01 02", "3A 1F 07", "3D 00 02",
                "3F \(try Pattern("'region'").bytes().padded(to: 31)) 55×16",
            ]
            let questions: [Pattern] = ["01 00×7", "16 03", "2B", "3B", "40"]
            for setting in settings where radio.version.has(command: try setting.bytes()[0]) {
                try radio.ask(setting, "00")
                let before = try questions.map { try radio.ask($0, "…").frame }
                try radio.powerCycle()
                for (question, answer) in zip(questions, before) { try radio.ask(question, "\(answer)") }
            }
        },
    ]

    private static let scopes: [Statement] = [
        Statement(74, "GET_DEFAULT_FLOOD_SCOPE has one byte without a scope, 48 with one") { radio in
            try radio.ask("3F", "00")
            try radio.ask("40", "1C")
            let name = try Pattern("'europe'").bytes().padded(to: 31)
            try radio.ask("3F \(name) 55×16", "00")
            try radio.ask("40", "1C 'europe' ?25 55×16")
        },
        Statement(75, "A default scope needs a name") { radio in
            try radio.ask("3F 00×31 55×16", "01 06")
            try radio.ask("40", "1C")
        },
        Statement(76, "A short SET_DEFAULT_FLOOD_SCOPE clears the scope, whatever it holds") { radio in
            for short in ["3F", "3F 'x'", "3F 41×46"] as [Pattern] {
                try radio.ask("3F 'region' 00×25 55×16", "00")
                try radio.ask("40", "1C ?47")
                try radio.ask(short, "00")
                try radio.ask("40", "1C")
            }
        },
        Statement(77, "A shorter scope name leaves the tail of a longer one behind its NUL") { radio in
            try radio.ask("3F 'Region' 00×25 55×16", "00")
            try radio.ask("3F 'AB' 00×29 55×16", "00")
            try radio.ask("40", "1C 'AB' 00 'ion' 00×25 55×16")
        },
        Statement(78, "The session scope marks floods; un-scoped and default follow", needs: .packets) { radio in
            let key = bytes(0x55, 16)
            try radio.ask("36 00 \(key)", "00")
            try requireScope(key, radio)
            try radio.ask("36 01", "00")
            try requireScope(nil, radio)
            try radio.ask("36 00", "00")
            try requireScope(nil, radio)
            try radio.ask("3F 'default' 00×24 66×16", "00")
            try requireScope(bytes(0x66, 16), radio)
            try radio.ask("36 01", "00")
            try requireScope(nil, radio)
            try radio.ask("36 00 \(key)", "00")
            try requireScope(key, radio)
            try radio.ask("36 00", "00")
            try requireScope(bytes(0x66, 16), radio)
        },
        Statement(79, "Other scope sub-types are refused, a short key resets") { radio in
            if !radio.switches.hasUnscopedFloods { try radio.ask("36 01", "01 01") }
            try radio.ask("36 02", "01 01")
            try radio.ask("36 FF 55×16", "01 01")
            try radio.ask("36", "01 01")
            try radio.ask("36 00 55×16", "00")
            try radio.ask("36 00 55×15", "00")
            if radio.seesAir { try requireScope(nil, radio) }
        },
        Statement(80, "A flooded self advert uses the default scope only", needs: .packets) { radio in
            try radio.ask("3F 'default' 00×24 66×16", "00")
            let overrides: [Pattern] = radio.switches.hasUnscopedFloods ? ["36 01"] : []
            for override in overrides + ["36 00 55×16"] {
                try radio.ask(override, "00")
                try radio.ask("07 01", "00")
                let advert = try radio.expectAir(.advert, .scopedFlood)
                try radio.require("codes", advert.codes, is: advert.code(of: bytes(0x66, 16)).wireBytes + [0, 0])
                try radio.wait(.seconds(1))
            }
        },
        Statement(
            81, "The session scope survives a reconnect and is lost at reboot", needs: [.packets, .link, .restart]
        ) { radio in
            let key = bytes(0x55, 16)
            try radio.ask("36 00 \(key)", "00")
            try radio.reconnect()
            _ = try radio.selfInfo()
            try requireScope(key, radio)
            try radio.reboot()
            try requireScope(nil, radio)
        },
    ]

    /// A channel text must go out scoped by this key, or not scoped.
    private static func requireScope(_ key: [UInt8]?, _ radio: Probe) throws {
        // The time differs, so that the packets do.
        let sentAt = try radio.now()
        try useChannel(radio)
        try radio.ask("03 00 01 \(sentAt) 'scope'", "00")
        guard let key else {
            _ = try radio.expectAir(.groupText, .flood)
            return try radio.wait(.seconds(1))
        }
        let packet = try radio.expectAir(.groupText, .scopedFlood)
        try radio.require("codes", packet.codes, is: packet.code(of: key).wireBytes + [0, 0])
        try radio.wait(.seconds(1))
    }
}
