import MeshCompanion
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// `/prefs.json` and its binary predecessor.
@Suite struct PreferenceFileTests {
    private func loaded(_ text: String) -> (preferences: ServerPreferences, fault: SettingsSyntaxError?) {
        var preferences = ServerPreferences(role: .repeater, board: .hostBoard)
        let fault = preferences.load([UInt8](text.utf8))
        return (preferences, fault)
    }

    /// Something unusual in every setting.
    private var unusual: ServerPreferences {
        var preferences = ServerPreferences(role: .repeater, board: .hostBoard)
        preferences.name = "a\"b\\c\nd\re/é"
        preferences.password = ""
        preferences.ownerInfo = ByteText(bytes: [0xFF, 0x80, 1])
        preferences.latitude = -33.868800
        preferences.longitude = 151.209300
        preferences.frequency = 433.375
        preferences.txPower = -9
        preferences.airtimeFactor = 0.0625
        preferences.bridgeDelay = 65535
        preferences.bridgeBaud = 115_200
        preferences.gpsInterval = 2_147_483_647
        preferences.advertLocationPolicy = 7
        preferences.loopDetect = 255
        preferences.forwardingDisabled = 2
        return preferences
    }

    @Test func `every setting is read back as it was written`() {
        let content = unusual.fileContent()

        var read = ServerPreferences(role: .sensor, board: .heltecV3)
        let fault = read.load(content)

        #expect(fault == nil)
        #expect(read == unusual)
        #expect(read.fileContent() == content)
    }

    @Test func `unknown keys are skipped, and white space and order do not matter`() {
        let (read, fault) = loaded(
            " \n{ foo:1,bar:{lat:9,lon:{x:\"y\"}} , radio:{ sf:9\t},lat:1.5,\r\n name : \"x\",nam:\"z\",repeat:{f_max:3}}\n"
        )
        // A blank behind a key is one too many.
        #expect(fault?.key == "name")
        #expect(read.spreadingFactor == 9)
        #expect(read.latitude == 1.5)
        #expect(read.name == "repeater")

        let (whole, none) = loaded("{foo:1,bar:{lat:9},name:\"x\",repeat:{f_max:3}}")
        #expect(none == nil)
        #expect(whole.name == "x")
        #expect(whole.latitude == 0)
        #expect(whole.floodMax == 3)
    }

    @Test func `what is behind a fault keeps its default`() {
        let (read, fault) = loaded("{name:\"Hill\",lat:1,radio:{sf:7,cr:!},lon:2}")

        #expect(fault == SettingsSyntaxError(offset: 34, key: "radio.cr", reason: "no value"))
        #expect(read.name == "Hill")
        #expect(read.spreadingFactor == 7)
        #expect(read.longitude == 0)
    }

    @Test(arguments: [
        ("", "", "'{' is missing"), ("[]", "", "'{' is missing"), ("{}", "", "no key"),
        ("{\"name\":\"x\"}", "", "no key"),
        ("{name:\"x\"", "name", "the file ends too early"), ("{name:\"x", "name", "the file ends inside a text"),
        ("{name:\"\\x\"}", "name", "an unknown escape"), ("{lat:1}}", "", "one brace too many"),
        ("{lat:1}x", "", "text behind the last brace"), ("{lat:1 2}", "lat", "neither comma nor brace"),
        ("{lat:1\"}", "lat", "not a byte of a number"), ("{lat 1}", "lat", "':' is missing"),
        ("{lat:north}", "lat", "'north' is no number"), ("{lat:nan}", "lat", "'nan' is no number"),
        ("{radio:{sf:x}}", "radio.sf", "'x' is no whole number"),
        ("{radio:{sf:256}}", "radio.sf", "256 is out of range"),
        ("{radio:{tx:-129}}", "radio.tx", "-129 is out of range"),
        ("{averyveryverylongkey:1}", "averyveryverylo", "too long a key"),
        ("{a:{a:{a:{a:{a:{a:{a:{a:1}}}}}}}}", "a.a.a.a.a.a.a", "nested too deeply"),
    ])
    func `a fault is named with its key`(_ text: String, _ key: String, _ reason: String) {
        let fault = loaded(text).fault

        #expect(fault?.key == key)
        #expect(fault?.reason == reason)
        #expect {
            try ServerPreferences.validate(Flash(files: [("/prefs.json", [UInt8](text.utf8))]))
        } throws: { error in
            (error as? StorageError).map { $0.file == "/prefs.json" && $0.field == key } == true
        }
    }

    @Test func `tokens have at most 127 bytes, and texts are cut to their field`() {
        let long = String(repeating: "n", count: 127)
        #expect(loaded("{name:\"\(long)\"}").preferences.name == ByteText(long.prefix(31)))
        #expect(loaded("{name:\"\(long)n\"}").fault?.reason == "a value of more than 127 bytes")
        #expect(loaded("{name:\"\(long)n\"}").preferences.name == "repeater")
        #expect(loaded("{lat:\(String(repeating: "1", count: 128))}").fault?.key == "lat")
    }

    @Test func `a value looks at the outer keys alone`() {
        // The firmware compares as many keys as its structure is deep, and remembers inner ones.
        #expect(loaded("{name:{x:\"deep\"}}").preferences.name == "deep")
        #expect(loaded("{radio:{sf:7},radio:9}").preferences.spreadingFactor == 9)
        #expect(loaded("{radio:{sf:{x:10}}}").preferences.spreadingFactor == 10)
        #expect(loaded("{x:{y:1}z:2,lat:3}").preferences.latitude == 3)
        #expect(loaded("{name:untitled,lat:\"1.25\"}").preferences.name == "untitled")
        #expect(loaded("{name:untitled,lat:\"1.25\"}").preferences.latitude == 1.25)
    }

    @Test func `numbers that do not fit lose their highest bits, and no number is 0`() {
        #expect(loaded("{radio:{sf:260}}").preferences.spreadingFactor == 4)
        #expect(loaded("{bridge:{baud:9999999999}}").preferences.bridgeBaud == 2_147_483_647)
        #expect(loaded("{radio:{tx:200}}").preferences.txPower == -56)
        #expect(loaded("{radio:{sf:abc}}").preferences.spreadingFactor == 0)
        #expect(loaded("{radio:{af:inf}}").preferences.airtimeFactor == .infinity)
    }

    // MARK: Hostile files

    @Test(arguments: ServerRole.allCases)
    func `a file cut at any byte leaves what it said before`(role: ServerRole) {
        let content = unusual.fileContent()
        for count in 0...content.count {
            var preferences = ServerPreferences(role: role, board: .hostBoard)
            let fault = preferences.load(Array(content.prefix(count)))
            #expect((fault == nil) == (count == content.count), "\(count)")
            #expect(
                preferences.name == (count > 23 ? unusual.name : ServerPreferences(role: role, board: .hostBoard).name))
        }
    }

    @Test(arguments: ServerRole.allCases)
    func `no file makes the settings or a node trap`(role: ServerRole) {
        var stream = RandomStream(state: UInt64(role.rawValue))
        let words = ["nan", "inf", "-1e99", "1e999", "4294967295", "-2147483648", "0", "{", "}", "\"", ",", ":"]
        let original = unusual.fileContent()
        for _ in 0..<400 {
            var bytes = original
            for _ in 0..<stream.draw(1, 6) {
                let at = Int(stream.draw(0, UInt32(bytes.count)))
                if stream.draw(0, 2) == 0 {
                    bytes[at] = stream.nextByte()
                } else {
                    let word = words[Int(stream.draw(0, UInt32(words.count)))].utf8
                    bytes.replaceSubrange(at..<min(at + Int(stream.draw(0, 9)), bytes.count), with: word)
                }
            }
            var preferences = ServerPreferences(role: role, board: .hostBoard)
            preferences.load(bytes)
            // What was read can be written, and read again without a fault of syntax.
            var again = ServerPreferences(role: role, board: .hostBoard)
            let fault = again.load(preferences.fileContent())
            #expect(fault == nil || fault?.reason.contains("is no ") == true || fault?.reason.contains("range") == true)
            for row in ServerPreferences.rows { #expect(preferences.shown(row).count <= 130) }
        }
    }

    // MARK: The older file

    /// A file of release 1.16, by the offsets of its fields.
    private func legacy(_ change: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 295)
        func put(_ value: some Sequence<UInt8>, at offset: Int) {
            for (index, byte) in value.enumerated() { bytes[offset + index] = byte }
        }
        func put(_ value: Float, at offset: Int) {
            put(withUnsafeBytes(of: value.bitPattern.littleEndian) { [UInt8]($0) }, at: offset)
        }
        func put(_ value: Double, at offset: Int) {
            put(withUnsafeBytes(of: value.bitPattern.littleEndian) { [UInt8]($0) }, at: offset)
        }
        put(2.5 as Float, at: 0)
        put("Old hill".utf8, at: 4)
        put(51.5 as Double, at: 40)
        put(-0.25 as Double, at: 48)
        put("secret".utf8, at: 56)
        put(868.5 as Float, at: 72)
        put([14, 1, 45], at: 76)
        put(3 as Float, at: 80)
        put(0.75 as Float, at: 84)
        put("visitor".utf8, at: 88)
        put(0.25 as Float, at: 104)
        put([9, 6, 1, 1], at: 112)
        put(125 as Float, at: 116)
        put([4, 2, 3], at: 120)
        put([32, 12, 14, 1], at: 124)
        put([0xE8, 0x03, 1, 0x80, 0x25, 0, 0, 11], at: 128)
        put("BRIDGE".utf8, at: 136)
        put([1], at: 152)
        put([1, 0x2C, 1, 0, 0, 1, 0x78, 0x56, 0x34, 0x12], at: 156)
        put(1.5 as Float, at: 166)
        put("me\nyou".utf8, at: 170)
        put([1, 7, 5, 0, 1], at: 290)
        change(&bytes)
        return bytes
    }

    private func converted(_ bytes: [UInt8]) -> ServerPreferences {
        var preferences = ServerPreferences(role: .repeater, board: .hostBoard)
        preferences.loadLegacy(bytes)
        return preferences
    }

    @Test func `the older file is converted`() throws {
        var preferences = ServerPreferences(role: .repeater, board: .hostBoard)

        let loaded = preferences.load(from: Flash(files: [("/com_prefs", legacy())]), FirmwareSwitches())
        let content = try #require(loaded)

        #expect(
            String(decoding: content, as: UTF8.self) == """
                {name:"Old hill",pass:"secret",guest:"visitor",owner:"me\\nyou",adv_int:45,f_adv_int:12,lat:51.500000,\
                lon:-0.250000,radio:{freq:868.5000,bw:125.0000,sf:9,cr:6,cad:1,int_thr:14,rxgain:1,fem_rxgain:0,\
                fem_txgain:0,tx:14,af:2.5000,rxdelay:3.0000,f_txdelay:0.7500,d_txdelay:0.2500,agc_int:4,hash_mode:2,\
                multi_ack:1},bridge:{en:1,delay:1000,src:1,baud:9600,ch:11,secret:"BRIDGE"},\
                gps:{en:1,int:300,adv_loc:1},repeat:{disable:1,f_max:32,f_max_uns:7,f_max_adv:5,loop:3},\
                room:{rd_only:1},power:{adc_mult:1.5000,pwr_sav_en:1}}
                """)
        #expect(preferences.discoveryModified == 0x1234_5678)
    }

    @Test func `the newer file wins, and nothing is converted`() {
        var preferences = ServerPreferences(role: .repeater, board: .hostBoard)
        let flash = Flash(files: [("/com_prefs", legacy()), ("/prefs.json", [UInt8]("{name:\"New\"}".utf8))])

        let content = preferences.load(from: flash, FirmwareSwitches())

        #expect(content == nil)

        #expect(preferences.name == "New")
        #expect(preferences.password == "password")
    }

    @Test func `values of the older file are put into their ranges`() {
        let high = converted(legacy { bytes in for at in 0..<bytes.count where !(40..<56 ~= at) { bytes[at] = 0x7E } })
        #expect(high.airtimeFactor == 9)
        #expect([high.frequency, high.bandwidth] == [2500, 500])
        #expect([high.receiveDelayBase, high.floodDelayFactor, high.directDelayFactor] == [20, 2, 2])
        #expect([high.spreadingFactor, high.codingRate, high.pathHashMode, high.extraAcks] == [12, 8, 2, 1])
        #expect(high.txPower == 30)
        #expect([UInt32(high.bridgeDelay), high.bridgeBaud, UInt32(high.bridgeChannel)] == [10_000, 115_200, 14])
        #expect(
            [high.boostedGain, high.femReceiveGain, high.cadEnabled, high.powerSaving, high.gpsEnabled] == [
                1, 1, 1, 1, 1,
            ])
        #expect(high.adcMultiplier == 10)
        #expect(high.advertLocationPolicy == 2)
        // These are taken as they are.
        #expect(
            [high.floodMax, high.loopDetect, high.forwardingDisabled, high.advertInterval] == [126, 126, 126, 126])
        #expect([high.name.count, high.ownerInfo.count] == [31, 119])

        let low = converted([UInt8](repeating: 0x80, count: 295))
        #expect([low.airtimeFactor, low.frequency, low.bandwidth] == [0, 150, 7.8])
        #expect(low.txPower == -9)
        #expect(converted([UInt8](repeating: 0, count: 295)).spreadingFactor == 5)
    }

    @Test func `a shorter older file leaves the rest as it was`() {
        let whole = converted(legacy())
        let fresh = ServerPreferences(role: .repeater, board: .hostBoard)
        for count in 0...295 {
            let cut = converted(Array(legacy().prefix(count)))
            #expect(cut.floodMaxAdvert == (count > 292 ? whole.floodMaxAdvert : fresh.floodMaxAdvert))
            #expect(cut.spreadingFactor == (count > 112 ? whole.spreadingFactor : fresh.spreadingFactor))
            if count >= 4 { #expect(cut.airtimeFactor == 2.5) }
        }
        #expect(converted(legacy() + [1, 2, 3]) == whole)
    }

    @Test func `faults of the older file are named`() {
        let noEnd = legacy { $0.replaceSubrange(4..<36, with: repeatElement(0x41, count: 32)) }
        let noNumber = legacy { $0.replaceSubrange(40..<48, with: repeatElement(0xFF, count: 8)) }
        for (bytes, field, offset) in [(noEnd, "name", 4), (noNumber, "lat", 40)] {
            #expect {
                try ServerPreferences.validate(Flash(files: [("/com_prefs", bytes)]))
            } throws: { error in
                let error = error as? StorageError
                return error?.field == field && error?.reason.hasSuffix("at byte \(offset)") == true
            }
        }
        #expect(throws: Never.self) { try ServerPreferences.validate(Flash(files: [("/com_prefs", legacy())])) }
        #expect(throws: Never.self) { try ServerPreferences.validate(Flash()) }
    }

    @Test func `no older file makes a trap`() {
        var stream = RandomStream(state: 11)
        for _ in 0..<300 {
            let bytes = (0..<Int(stream.draw(0, 320))).map { _ in stream.nextByte() }
            let preferences = converted(bytes)
            #expect(!preferences.fileContent().isEmpty)
            #expect(preferences.name.count <= 31)
        }
    }
}
