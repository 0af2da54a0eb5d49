import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshRadio
import MeshTime
import MeshWire
import Testing

@Suite struct KISSModemTests {
    /// Source of the codes and layouts: firmware 1.17.1, `kiss_modem_protocol.md` and `KissModem.cpp`. What is measured
    /// is the board's: 4200 mV, a processor of 38.0 °C, no sensors.
    @Test(arguments: [
        ("17", "97"), ("11", "91 01 00"), ("0b", "8b 00000000 00000000 00 00"), ("0c", "8c 00"),
        ("0a 14", "f0"), ("0a", "f1 01"), ("02", "f1 01"), ("02 00", "f1 02"), ("02 41", "f1 02"),
        ("00", "f1 05"), ("1b", "f1 05"), ("10", "90 92ff"), ("0d", "8d 92"), ("0e", "8e 00"),
        ("12", "92 00000000 00000000 00000000"), ("13", "93 6810"), ("14", "94 7c01"), ("15 07", "95"), ("15", "f1 01"),
        ("16", "96 48656c746563205633"), ("19 00", "9a 00"), ("19 05", "9a 01"), ("19", "f1 01"), ("1a", "9a 01"),
        ("09 0000000000000000 08", "f1 01"), ("0f", "f1 01"), ("04", "f1 01"), ("08", "f1 01"), ("07 00", "f1 01"),
        ("03 00", "f1 01"), ("05 00", "f1 01"), ("06 00", "f1 01"),
        // FIPS 180-2: "abc".
        ("08 616263", "88 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        // What follows a command that takes nothing is overlooked.
        ("17 01 02 03", "97"),
    ])
    func `a command has the answer of the firmware`(command: String, answer: String) throws {
        let bench = ModemBench()

        let request = try #require([UInt8](hex: command))

        #expect(bench.ask(request) == [UInt8](hex: answer))
    }

    @Test func `a board whose processor tells no temperature answers that it has none`() {
        var board = BoardProfile.heltecV3
        board.mcuTemperatureTenths = nil

        #expect(ModemBench(board: board).ask([0x14]) == [0xF1, 0x03])
    }

    @Test func `another port, a type that is no command and the end of KISS mode have no answer`() {
        let bench = ModemBench()
        _ = bench.takeFrames()
        for frame: [UInt8] in [[0x16, 0x17], [0x07, 1], [0x0F], [0xFF], [0x06], [0x00]] {
            bench.pass(.appBytes([0xC0] + frame + [0xC0]))
        }

        #expect(bench.takeFrames() == [])
        #expect(bench.ask(.ping) == [0x97])
    }

    @Test func `the radio is set value by value, and says what it was told`() {
        let bench = ModemBench()
        // 910.525 MHz, 500 kHz, SF 7, 4/5.
        let wanted = [UInt8](hex: "48824536 20a10700 07 05") ?? []
        _ = bench.takeEffects()

        let answer = bench.ask(.setRadio, wanted)

        let tuned = bench.takeEffects().compactMap { effect -> LoRaParameters? in
            if case .tune(let settings) = effect { settings } else { nil }
        }
        #expect(answer == [0xF0])
        #expect(tuned == [LoRaParameters(frequencyKilohertz: 910_525, bandwidthHertz: 500_000, spreadingFactor: 7)])
        #expect(bench.ask(.getRadio) == [0x8B] + wanted)
    }

    @Test func `what the chip refuses changes nothing, and the modem says OK all the same`() {
        let bench = ModemBench()
        _ = bench.takeEffects()
        let nonsense = [UInt8](repeating: 0xFF, count: 9) + [5]

        #expect(bench.ask(.setRadio, nonsense) == [0xF0])
        #expect(bench.ask(.setTxPower, [100]) == [0xF0])

        #expect(bench.ask(.getRadio) == [0x8B] + nonsense)
        #expect(bench.ask(.getTxPower) == [0x8C, 100])
        #expect(bench.takeEffects().isEmpty)
    }

    @Test func `the airtime is that of the settings`() {
        let bench = ModemBench()
        let usual = LoRaParameters().airtimeMilliseconds(bytes: 100)
        #expect(bench.ask(.getAirtime, [100]) == Self.airtime(usual))

        _ = bench.ask(.setRadio, [UInt8](hex: "48824536 20a10700 07 05") ?? [])

        let fast = LoRaParameters(frequencyKilohertz: 910_525, bandwidthHertz: 500_000, spreadingFactor: 7)
            .airtimeMilliseconds(bytes: 100)
        #expect(fast < usual)
        #expect(bench.ask(.getAirtime, [100]) == Self.airtime(fast))
    }

    private static func airtime(_ milliseconds: UInt32) -> [UInt8] {
        [0x8F] + (0..<4).map { UInt8(truncatingIfNeeded: milliseconds >> (8 * $0)) }
    }

    // MARK: Identity and cryptography

    @Test func `it signs, and tells a good signature from a bad one`() {
        let bench = ModemBench()
        let key = [UInt8](bench.ask(.getIdentity).dropFirst())
        let message = [UInt8]("a message".utf8)

        let signature = [UInt8](bench.ask(.signData, message).dropFirst())

        #expect(Ed25519.verify(Signature(signature), of: message, by: PublicKey(key)))
        #expect(bench.ask(.verifySignature, key + signature + message) == [0x83, 1])
        #expect(bench.ask(.verifySignature, key + signature + message + [0]) == [0x83, 0])
    }

    @Test func `what it seals it opens, padded, and nothing that was changed`() {
        let bench = ModemBench()
        let key = [UInt8](repeating: 7, count: 32)

        let sealed = [UInt8](bench.ask(.encryptData, key + [1, 2, 3]).dropFirst())

        #expect(sealed.count == 2 + 16)
        #expect(bench.ask(.decryptData, key + sealed) == [0x86, 1, 2, 3] + [UInt8](repeating: 0, count: 13))
        #expect(bench.ask(.decryptData, key + [sealed[0] ^ 1] + sealed.dropFirst()) == [0xF1, 4])
    }

    @Test func `two modems agree on a secret, and restarts keep their keys`() {
        let (one, other) = (ModemBench(seed: 1), ModemBench(seed: 2))

        let here = one.ask(.keyExchange, other.modem.identity.publicKey.array)
        let there = other.ask(.keyExchange, one.modem.identity.publicKey.array)

        #expect(here == there && here.count == 33)
        #expect(ModemBench(flash: one.modem.flash, seed: 9).modem.identity == one.modem.identity)
        #expect(one.modem.identity != other.modem.identity)
    }

    @Test func `a restart is acknowledged first`() {
        let bench = ModemBench()
        _ = bench.takeEffects()

        bench.send(.setHardware, [ModemCommand.reboot.rawValue])

        let effects = bench.takeEffects()
        guard effects.count == 2, case .appBytes(let bytes) = effects[0], case .reboot = effects[1] else {
            Issue.record("\(effects)")
            return
        }
        #expect(bytes == KISSFraming.encode(.setHardware, [0xF0]))
    }
}
