import MeshCrypto
import MeshRadio
import MeshWire
import Testing

@testable import MeshFirmware

/// Settings and facts that depend on the board, and keys.
@Suite struct PreferenceFactTests {
    private func board(_ change: (inout BoardProfile) -> Void) -> BoardProfile {
        var board = BoardProfile.hostBoard
        change(&board)
        return board
    }

    @Test func `a key is stored for the next start, and the node stays who it is`() {
        var bench = PreferenceBench(.repeater, isSerial: false)
        let alice = InfrastructureVectors.identity("alice")

        let reply = bench.set("prv.key", alice.privateKey.array.hex.uppercased())

        #expect(reply == "OK, reboot to apply! New pubkey: " + alice.publicKey.hex.uppercased())
        #expect(bench.effects == [.storeIdentity(alice)])
        #expect(bench.get("public.key") == "> " + InfrastructureVectors.server.publicKey.hex.uppercased())
    }

    @Test func `a key of the wrong length, or that fails the trial agreement, is refused`() {
        var bench = PreferenceBench(.sensor)
        let good = InfrastructureVectors.identity("alice").privateKey.array.hex
        var unclamped = InfrastructureVectors.identity("alice").privateKey.array
        unclamped[0] |= 7

        for text in ["", String(good.dropLast()), good + "0", unclamped.hex] {
            #expect(bench.set("prv.key", text) == "Error, bad key")
            #expect(bench.effects.isEmpty)
        }
    }

    @Test func `boosted gain is kept and saved where it does nothing`() {
        var sensor = PreferenceBench(.sensor)
        #expect(sensor.set("radio.rxgain", "on") == "Error: unsupported")
        #expect(sensor.effects == [.save])
        #expect(sensor.get("radio.rxgain") == "> on")

        var old = PreferenceBench(.repeater, board: board { $0.chip = .sx127x })
        #expect(old.set("radio.rxgain", "on") == "Error: unsupported")
        #expect(old.get("radio.rxgain") == "> on")

        var new = PreferenceBench(.roomServer)
        #expect(new.set("radio.rxgain", "on") == "OK")
        #expect(new.effects == [.save, .setBoostedGain(true)])
    }

    @Test func `an amplifier that is not there is neither shown nor changed`() {
        var bench = PreferenceBench(.repeater)
        let fresh = bench.preferences
        for keyword in ["radio.fem.rxgain", "radio.fem.txgain"] {
            #expect(bench.get(keyword) == "Error: unsupported")
            #expect(bench.set(keyword, "off") == "Error: unsupported")
        }
        #expect(bench.preferences == fresh)

        bench.context.board.hasSwitchedReceiveAmplifier = true
        #expect(bench.set("radio.fem.rxgain", "off") == "OK - LoRa FEM RX gain off")
        #expect(bench.effects == [.save, .setReceiveAmplifier(false)])
        #expect(bench.get("radio.fem.txgain") == "Error: unsupported")
    }

    @Test func `a battery factor that a board cannot have is forgotten`() {
        var bench = PreferenceBench(.repeater)
        bench.preferences.adcMultiplier = 2

        #expect(bench.set("adc.multiplier", "1.5") == "Error: unsupported")

        #expect(bench.preferences.adcMultiplier == 0)
        #expect(bench.effects.isEmpty)
        #expect(bench.preferences.advertInterval == 1)
    }

    @Test func `what follows from a setting is asked of the node`() {
        var bench = PreferenceBench(
            .repeater,
            board: board {
                $0.bridge = .espNow
                $0.adcMultiplier = 5.42
            })
        let expected: [(String, [PreferenceEffect])] = [
            ("set tx 14", [.save, .setTxPower(14)]), ("set advert.interval 60", [.save, .restartLocalAdverts]),
            ("set flood.advert.interval 3", [.save, .restartFloodAdverts]),
            ("set bridge.enabled off", [.save, .switchBridge(false)]),
            ("set bridge.channel 14", [.save, .restartBridge]), ("set bridge.secret x", [.save, .restartBridge]),
            ("set bridge.delay 1", [.save]), ("set adc.multiplier 5", [.save, .setADCMultiplier(5)]),
            ("set radio 868,250,7,6", [.save]), ("set lat 1", [.save]), ("set lat", []), ("set latitude 1", []),
        ]

        for (line, effects) in expected {
            _ = bench.type(line)
            #expect(bench.effects == effects, "\(line)")
        }
        #expect(bench.set("bridge.channel", "15") == "Error: channel must be between 1-14")
        #expect(bench.set("bridge.channel", "0") == "Error: channel must be between 1-14")
    }

    @Test func `only repeaters have a bridge, and one kind of it`() {
        let cable = board { $0.bridge = .rs232 }
        var bench = PreferenceBench(.repeater, board: cable)
        #expect(bench.get("bridge.type") == "> rs232")
        #expect(bench.get("bridge.baud") == "> 115200")
        #expect(bench.get("bridge.secret") == "??: bridge.secret")
        #expect(bench.set("bridge.channel", "2") == "unknown config: bridge.channel 2")

        var room = PreferenceBench(.roomServer, board: cable)
        #expect(room.get("bridge.type") == "> none")
        #expect(room.get("bridge.enabled") == "??: bridge.enabled")

        var wireless = PreferenceBench(.repeater, board: board { $0.bridge = .espNow })
        #expect(wireless.get("bridge.type") == "> espnow")
        #expect(wireless.get("bridge.secret") == "> LVSITANOS")
        #expect(wireless.get("bridge.baud") == "??: bridge.baud")
    }

    @Test func `an LR2021 hears spreading factors above its own`() {
        var bench = PreferenceBench(.repeater, board: board { $0.chip = .lr2021 })
        #expect(bench.set("extra.sf", "9,10,12") == "OK - extra SFs set")
        #expect(bench.effects == [.save, .setSideDetectors([9, 10, 12])])
        #expect(bench.get("extra.sf") == "9,10,12")
        for refused in ["8", "13", "7,9", "9,10,11,12", "0", "x"] {
            #expect(bench.set("extra.sf", refused) == "Invalid extra SF config", "\(refused)")
        }
        #expect(bench.get("extra.sf") == "9,10,12")
        bench.context.spreadingFactor = 10
        #expect(bench.set("extra.sf", "11,12") == "Invalid extra SF config")
        #expect(bench.set("extra.sf", "12") == "OK - extra SFs set")
        #expect(bench.set("extra.sf", "") == "OK - extra SFs set")
        #expect(bench.get("extra.sf") == "No extra SF configured")

        var sensor = PreferenceBench(.sensor, board: board { $0.chip = .lr2021 })
        #expect(sensor.set("extra.sf", "9") == "Invalid extra SF config")
    }

    @Test func `power and boot loader are told by those who know`() {
        var bench = PreferenceBench(.repeater, board: .rak4631)
        #expect(bench.get("bootloader.ver") == "> unknown")
        #expect(bench.get("pwrmgt.support") == "> supported")
        #expect(bench.get("pwrmgt.source") == "> battery")
        #expect(bench.get("pwrmgt.bootmv") == "> 4200 mV")
        #expect(bench.get("pwrmgt.bootreason") == "> Reset: Cold Boot; Shutdown: Unknown")
        bench.context.isExternallyPowered = true
        bench.context.wasRestarted = true
        bench.context.board.bootloaderVersion = "0.9.2"
        #expect(bench.get("pwrmgt.source") == "> external")
        #expect(bench.get("pwrmgt.bootreason") == "> Reset: Soft Reset; Shutdown: Unknown")
        #expect(bench.get("bootloader.ver") == "> 0.9.2")

        var esp32 = PreferenceBench(.repeater, board: .heltecV3)
        #expect(esp32.get("pwrmgt.bootreason") == "> Reset: Power-on reset; Shutdown: Not available")
        #expect(esp32.get("pwrmgt.bootmv") == "ERROR: Power management not supported")
        #expect(esp32.get("bootloader.ver") == "Error: unsupported")
    }

    @Test func `what is unknown is repeated, and cut after 142 bytes where it was to be set`() {
        var bench = PreferenceBench(.repeater)
        let long = String(repeating: "x", count: 150)

        #expect(bench.get("") == "??: ")
        #expect(bench.get(long) == "??: " + long)
        #expect(bench.set(long, "1") == "unknown config: " + long.prefix(142))
        #expect(bench.type("set name") == "unknown config: name")
        #expect(bench.type("set public.key 00") == "unknown config: public.key 00")
        #expect(bench.type([UInt8]("get af".utf8) + [0, 0x78]) == [UInt8]("> 1.0".utf8))
        #expect(bench.effects.isEmpty)
    }

    @Test(
        arguments: [
            (1.0, "1.000"), (1.2345, "1.235"), (0.0625, "0.062"), (0.1875, "0.188"), (0.9996, "1.000"),
            (-0.0, "-0.000"),
            (16_777_216, "16777216.000"), (1e30, "1000000015047466219876688855040.000"), (.infinity, "inf"),
            (-.infinity, "-inf"), (.nan, "nan"), (9.9995, "10.000"), (123_456.789, "123456.789"),
        ] as [(Float, String)])
    func `three digits are those of the exact value`(value: Float, text: String) {
        #expect(Double(value).fixed(3) == text)
    }

    @Test(
        arguments: [
            (0, "0"), (-0.5, "0.5"), (-1.5, "-1.5"), (0.0004, "0"), (0.0005, "0.001"), (.infinity, "2147483.647"),
            (-.infinity, "-2147483.648"), (.nan, "0"), (100, "100"),
        ] as [(Float, String)])
    func `a bandwidth of any value has a text`(value: Float, text: String) {
        #expect(NumberWriting.thousandths(value) == text)
    }

    @Test func `a duty cycle of any factor has a text`() {
        #expect(NumberWriting.dutyCycle(airtimeFactor: -1) == "2147483647.2147483647%")
        #expect(NumberWriting.dutyCycle(airtimeFactor: .nan) == "0.0%")
        #expect(NumberWriting.dutyCycle(airtimeFactor: -3) == "-50.0%")
        #expect(NumberWriting.decimal(0x1p31) == "0")
        #expect(NumberWriting.decimal(-2_147_483_520) == "-2147483520.0")
        #expect(NumberWriting.decimal(0x1p-23) == "0.0000001")
        #expect(NumberWriting.decimal(-0.0) == "0.0")
    }
}

@Suite struct NumberReadingTests {
    @Test(
        arguments: [
            ("12", 12), (" \t\n\u{B}\u{C}\r-7x", -7), ("+5", 5), ("--5", 0), ("", 0), ("-", 0), ("x1", 0),
            ("2147483647", .max), ("2147483648", .max), ("-2147483649", .min), ("99999999999999999999999", .max),
            ("1\u{0}2", 1),
        ] as [(String, Int32)])
    func `whole numbers are read from the beginning and stop at 32 bits`(text: String, number: Int32) {
        #expect(NumberReading.integer(text.utf8) == number)
    }

    @Test(
        arguments: [("12", 12), ("4294967296", 0), ("4294967297x", 1), ("-1", 0), (" 1", 0), ("", 0)]
            as [(String, UInt32)])
    func `digits alone wrap at 32 bits`(text: String, number: UInt32) {
        #expect(NumberReading.digits(text.utf8) == number)
    }

    @Test(
        arguments: [
            ("51.5", 51.5), ("  -0.1278abc", -0.1278), (".5", 0.5), ("5.", 5), (".", 0), ("1e3", 1000), ("1e", 1),
            ("1e+", 1),
            ("1E-2", 0.01), ("1e999", .infinity), ("-1e999", -.infinity), ("1e-999", 0), ("inf", .infinity),
            ("-Infinity", -.infinity), ("0x10", 16), ("0x1.8p1", 3), ("0x.8", 0.5), ("0x", 0), ("0xg", 0),
            ("1\u{0}5", 1),
            ("869.618", 869.618), ("1.2.3", 1.2), ("", 0), ("+2", 2), ("infant", .infinity),
        ] as [(String, Double)])
    func `fractions are read from the beginning`(text: String, number: Double) {
        #expect(NumberReading.double(text.utf8) == number)
    }

    @Test func `single precision is rounded once, and no number is no number`() {
        // Half-way between two singles, and a hair above: by way of double precision it would be rounded down.
        let text = "1.00000005960464477540000000001"
        #expect(NumberReading.float(text.utf8) == Float(1).nextUp)
        #expect(NumberReading.double("nan".utf8).isNaN)
        #expect(NumberReading.float("-NaN".utf8).isNaN)
    }

    @Test func `hexadecimal digits that are none count as nought`() {
        #expect(NumberReading.hex([UInt8]("aBzz".utf8), count: 2) == [0xAB, 0])
        #expect(NumberReading.hex([UInt8]("aB0".utf8), count: 2) == nil)
        #expect(NumberReading.hex([], count: 0) == [])
    }
}
