import MeshRadio
import Testing

@testable import MeshFirmware

/// A value to set, the answer, and the output of `get` after it.
private struct PreferenceCase: Sendable, CustomTestStringConvertible {
    let keyword: String
    let value: String
    let reply: String
    let shown: String

    init(_ keyword: String, _ value: String, _ reply: String, _ shown: String) {
        self.keyword = keyword
        self.value = value
        self.reply = reply
        self.shown = shown
    }

    var testDescription: String { "\(keyword) \(value)" }
}

/// The table of settings, and `get` and `set` that follow it.
@Suite struct PreferenceRowTests {
    /// A board with everything; its bridge is a cable.
    private static let richBoard: BoardProfile = {
        var board = BoardProfile.rak4631
        board.chip = .lr2021
        board.hasSwitchedReceiveAmplifier = true
        board.hasSwitchedTransmitAmplifier = true
        board.adcMultiplier = 1.815
        board.bootloaderVersion = "0.9.2"
        board.bridge = .rs232
        return board
    }()

    private static let espNowBoard: BoardProfile = {
        var board = richBoard
        board.platform = .esp32
        board.bridge = .espNow
        return board
    }()

    // MARK: The table

    @Test func `keywords and file keys stand once each, and every row can be reached`() {
        let rows = ServerPreferences.rows

        #expect(Set(rows.compactMap(\.keyword)).count == rows.compactMap(\.keyword).count)
        #expect(Set(rows.compactMap(\.fileKey)).count == rows.compactMap(\.fileKey).count)
        #expect(rows.allSatisfy { $0.keyword != nil || $0.fileKey != nil })
        // A key of the file has a place, and so has what is set without being special.
        #expect(rows.allSatisfy { $0.fileKey == nil || $0.field != nil })
        #expect(rows.compactMap(\.fileName).allSatisfy { (1...15).contains($0.utf8.count) })
    }

    /// The order in which the firmware looks for keywords.
    private static let documentedOrder = """
        dutycycle af int.thresh cad agc.reset.interval multi.acks allow.read.only flood.advert.interval advert.interval
        guest.password prv.key name repeat lat lon radio.rxgain radio.fem.rxgain radio.fem.txgain radio rxdelay txdelay
        flood.max.advert flood.max.unscoped flood.max direct.txdelay owner.info path.hash.mode loop.detect tx freq
        public.key role bridge.type bridge.enabled bridge.delay bridge.source bridge.baud bridge.channel bridge.secret
        bootloader.ver adc.multiplier pwrmgt.support pwrmgt.source pwrmgt.bootreason pwrmgt.bootmv extra.sf
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    @Test(arguments: [richBoard, espNowBoard, .hostBoard], [true, false])
    func `get finds what the documented order finds`(board: BoardProfile, isSerial: Bool) {
        let bench = PreferenceBench(.repeater, board: board, isSerial: isSerial)
        let keywords = Self.documentedOrder
        #expect(Set(keywords) == Set(ServerPreferences.rows.compactMap(\.keyword)))
        let known = keywords.filter { keyword in
            switch keyword {
            case "bridge.enabled", "bridge.delay", "bridge.source": board.bridge != .none
            case "bridge.baud": board.bridge == .rs232
            case "bridge.channel", "bridge.secret": board.bridge == .espNow
            case "prv.key": isSerial
            default: true
            }
        }
        let texts = keywords.flatMap { keyword -> [String] in
            let beginnings = (0...keyword.count).map { String(keyword.prefix($0)) }
            return beginnings + ["\(keyword) ", "\(keyword)x", "\(keyword).max.advert"]
        }

        for text in texts {
            let expected = known.first { keyword in
                text.hasPrefix(keyword) && (keyword != "tx" || text == "tx" || text.hasPrefix("tx "))
            }
            #expect(ServerPreferences.row(namedBy: [UInt8](text.utf8), bench.context)?.keyword == expected, "\(text)")
        }
    }

    // MARK: Values

    private static let wholeNumbers: [PreferenceCase] = [
        .init("int.thresh", "14", "OK", "14"), .init("int.thresh", "256", "OK", "0"),
        .init("int.thresh", "-1", "OK", "255"),
        .init("int.thresh", "x", "OK", "0"), .init("int.thresh", " \t+7dB", "OK", "7"),
        .init("int.thresh", "", "OK", "0"),
        .init("multi.acks", "1", "OK", "1"), .init("multi.acks", "99999999999", "OK", "255"),
        .init("agc.reset.interval", "3", "OK - interval rounded to 0", "0"),
        .init("agc.reset.interval", "1023", "OK - interval rounded to 1020", "1020"),
        .init("agc.reset.interval", "-5", "OK - interval rounded to 1020", "1020"),
        .init("flood.advert.interval", "2", "Error: interval range is 3-168 hours", "47"),
        .init("flood.advert.interval", "1", "Error: interval range is 3-168 hours", "47"),
        .init("flood.advert.interval", "0", "OK", "0"), .init("flood.advert.interval", "3", "OK", "3"),
        .init("flood.advert.interval", "168", "OK", "168"),
        .init("flood.advert.interval", "169", "Error: interval range is 3-168 hours", "47"),
        // Only digits are read, and 2^32 − 1 is −1, of which a byte is kept.
        .init("flood.advert.interval", "-5", "OK", "0"), .init("flood.advert.interval", "4294967295", "OK", "255"),
        .init("flood.advert.interval", "4294967299", "OK", "3"),
        .init("advert.interval", "59", "Error: interval range is 60-240 minutes", "2"),
        .init("advert.interval", "1", "Error: interval range is 60-240 minutes", "2"),
        .init("advert.interval", "60", "OK", "60"), .init("advert.interval", "61", "OK", "60"),
        .init("advert.interval", "240", "OK", "240"), .init("advert.interval", "0", "OK", "0"),
        .init("advert.interval", "241", "Error: interval range is 60-240 minutes", "2"),
        .init("advert.interval", "4294967294", "OK", "510"),
        .init("flood.max", "0", "OK", "0"), .init("flood.max", "64", "OK", "64"),
        .init("flood.max", "65", "Error, max 64", "64"),
        .init("flood.max", "-1", "Error, max 64", "64"), .init("flood.max", "256", "OK", "0"),
        .init("flood.max", "320", "OK", "64"),
        .init("flood.max.unscoped", "3", "OK", "3"), .init("flood.max.unscoped", "65", "Error, max 64", "64"),
        .init("flood.max.advert", "64", "OK", "64"), .init("flood.max.advert", "321", "Error, max 64", "8"),
        .init("path.hash.mode", "2", "OK", "2"), .init("path.hash.mode", "3", "Error, must be 0,1, or 2", "0"),
        .init("path.hash.mode", "257", "OK", "1"), .init("path.hash.mode", "-1", "Error, must be 0,1, or 2", "0"),
        .init("tx", "-9", "OK", "-9"), .init("tx", "200", "OK", "-56"), .init("tx", "30", "OK", "30"),
        .init("bridge.delay", "10000", "OK", "10000"), .init("bridge.delay", "0", "OK", "0"),
        .init("bridge.delay", "10001", "Error: delay must be between 0-10000 ms", "500"),
        .init("bridge.delay", "4294967295", "Error: delay must be between 0-10000 ms", "500"),
        .init("bridge.baud", "9600", "OK", "9600"), .init("bridge.baud", "115200", "OK", "115200"),
        .init("bridge.baud", "9599", "Error: baud rate must be between 9600-115200", "115200"),
        .init("bridge.baud", "115201", "Error: baud rate must be between 9600-115200", "115200"),
        .init("bridge.baud", "-9600", "Error: baud rate must be between 9600-115200", "115200"),
    ]

    private static let fractions: [PreferenceCase] = [
        .init("af", "2.5x", "OK", "2.5"), .init("af", "-1", "OK", "-1.0"), .init("af", "nan", "OK", "0"),
        .init("af", "inf", "OK", "0"),
        .init("af", "1e1", "OK", "10.0"), .init("af", "0x10", "OK", "16.0"), .init("af", "", "OK", "0.0"),
        .init("lat", "-91.25", "OK", "-91.25"), .init("lon", "1e999", "OK", "0"), .init("lon", ".5.", "OK", "0.5"),
        .init("freq", "433.3", "OK - reboot to apply", "433.2999877"),
        .init("freq", "-1", "OK - reboot to apply", "-1.0"),
        .init("rxdelay", "0", "OK", "0.0"), .init("rxdelay", "20", "OK", "20.0"),
        .init("rxdelay", "20.001", "Error, must be 0-20", "0.0"),
        // So close above 20 that single precision does not tell them apart.
        .init("rxdelay", "20.0000001", "OK", "20.0"), .init("rxdelay", "-0.1", "Error, must be 0-20", "0.0"),
        .init("rxdelay", "nan", "Error, must be 0-20", "0.0"),
        .init("txdelay", "2", "OK", "2.0"), .init("txdelay", "2.01", "Error, must be 0-2", "0.5"),
        .init("txdelay", "0", "OK", "0.0"),
        .init("direct.txdelay", "2", "OK", "2.0"), .init("direct.txdelay", "inf", "Error, must be 0-2", "0.3"),
        .init("dutycycle", "1", "OK - 1.0%", "1.0%"), .init("dutycycle", "100", "OK - 100.0%", "100.0%"),
        .init("dutycycle", "0.99", "ERROR: dutycycle must be 1-100", "50.0%"),
        .init("dutycycle", "100.1", "ERROR: dutycycle must be 1-100", "50.0%"),
        .init("dutycycle", "x", "ERROR: dutycycle must be 1-100", "50.0%"),
        .init("dutycycle", "nan", "OK - 0.0%", "0.0%"),
        .init("adc.multiplier", "1.2345", "OK - multiplier set to 1.235", "1.235"),
        .init("adc.multiplier", "0", "OK - using default board multiplier", "1.815"),
        .init("adc.multiplier", "-2.5", "OK - multiplier set to -2.500", "-2.500"),
    ]

    private static let words: [PreferenceCase] = [
        .init("cad", "on", "OK", "on"), .init("cad", "only", "OK", "on"), .init("cad", "On", "OK", "off"),
        .init("cad", "", "OK", "off"),
        .init("allow.read.only", "on", "OK", "on"), .init("allow.read.only", "1", "OK", "off"),
        .init("repeat", "off", "OK - repeat is now OFF", "off"),
        .init("repeat", "offline", "OK - repeat is now OFF", "off"),
        .init("repeat", "no", "OK - repeat is now ON", "on"), .init("repeat", "", "OK - repeat is now ON", "on"),
        .init("radio.rxgain", "on", "OK", "on"), .init("radio.rxgain", "off", "OK", "off"),
        .init("radio.fem.rxgain", "off", "OK - LoRa FEM RX gain off", "off"),
        .init("radio.fem.rxgain", "onwards", "OK - LoRa FEM RX gain on", "on"),
        .init("radio.fem.rxgain", "1", "Error: state must be on or off", "on"),
        .init("radio.fem.txgain", "on", "OK - LoRa FEM TX gain on", "on"),
        .init("radio.fem.txgain", "", "Error: state must be on or off", "off"),
        .init("loop.detect", "minimal", "OK", "minimal"), .init("loop.detect", "moderately", "OK", "moderate"),
        .init("loop.detect", "strict", "OK", "strict"), .init("loop.detect", "off", "OK", "off"),
        .init("loop.detect", "min", "Error, must be: off, minimal, moderate, or strict", "off"),
        .init("bridge.enabled", "off", "OK", "off"), .init("bridge.enabled", "on", "OK", "on"),
        .init("bridge.source", "rx", "OK", "logRx"), .init("bridge.source", "logRx", "OK", "logTx"),
        .init("name", "Zo\u{EB} 7", "OK", "Zo\u{EB} 7"), .init("name", "", "OK", ""),
        .init("name", "a*", "Error, bad chars", "repeater"),
        .init("name", "0123456789012345678901234567890123456789", "OK", "0123456789012345678901234567890"),
        // What would be cut off counts, too.
        .init("name", "0123456789012345678901234567890123456789?", "Error, bad chars", "repeater"),
        .init("guest.password", " with spaces ", "OK", " with spaces "),
        .init("guest.password", "sixteen bytes...", "OK", "sixteen bytes.."),
        .init("owner.info", "a|b||", "OK", "a|b||"),
    ]

    private static let radios: [PreferenceCase] = [
        .init("radio", "150,7,5,5", "OK - reboot to apply", "150.0,7,5,5"),
        .init("radio", "2500,500,12,8", "OK - reboot to apply", "2500.0,500,12,8"),
        .init("radio", "869.525,250,267,261,junk", "OK - reboot to apply", "869.5250244,250,11,5"),
        .init("radio", "149.9,62.5,8,5", "Error, invalid radio params", fresh),
        .init("radio", "2500.1,62.5,8,5", invalid, fresh),
        .init("radio", "869,6.99,8,5", invalid, fresh), .init("radio", "869,500.1,8,5", invalid, fresh),
        .init("radio", "869,62.5,4,5", invalid, fresh), .init("radio", "869,62.5,13,5", invalid, fresh),
        .init("radio", "869,62.5,8,4", invalid, fresh), .init("radio", "869,62.5,8,9", invalid, fresh),
        .init("radio", "869,62.5,8", invalid, fresh), .init("radio", "", invalid, fresh),
        .init("radio", "nan,62.5,8,5", invalid, fresh),
        .init("radio", "869,,62.5,8,5", invalid, fresh),
    ]
    private static let invalid = "Error, invalid radio params"
    private static let fresh = "869.6179809,62.5,8,5"

    @Test(arguments: [wholeNumbers, fractions, words, radios].flatMap { $0 })
    private func `a value is accepted or refused, and shown`(row: PreferenceCase) {
        var bench = PreferenceBench(.repeater, board: Self.richBoard)
        let before = bench.preferences

        #expect(bench.set(row.keyword, row.value) == row.reply)

        #expect(bench.get(row.keyword) == "> \(row.shown)")
        if row.reply.lowercased().hasPrefix("error") {
            #expect(bench.preferences == before)
            #expect(bench.effects.isEmpty)
        } else {
            #expect(bench.effects.first == .save)
        }
    }

    @Test func `what is set survives the file, to the decimals that it keeps`() {
        var bench = PreferenceBench(.repeater, board: Self.richBoard)
        for row in [Self.wholeNumbers, Self.words].joined() where row.reply.hasPrefix("OK") {
            _ = bench.set(row.keyword, row.value)

            var loaded = ServerPreferences(role: .sensor, board: .hostBoard)
            #expect(loaded.load(bench.preferences.fileContent()) == nil)

            #expect(loaded == bench.preferences, "\(row.keyword) \(row.value)")
        }
    }
}
