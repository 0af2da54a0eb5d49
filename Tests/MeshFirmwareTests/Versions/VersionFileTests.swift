import MeshCompanion
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// The effect on the files of a start with another version (FWV-150 to FWV-157).
@Suite struct VersionFileTests {
    /// The bench of a radio that runs this version on the flash of another one.
    private func bench(_ version: FirmwareVersion, on flash: Flash) -> CompanionBench {
        var board = BoardProfile.vectors
        board.firmware = version
        return CompanionBench(board: board, flash: flash)
    }

    private func name(_ bench: CompanionBench) -> String { bench.radio.preferences.name.string }

    @Test(
        .proves("FWV-150"),
        arguments: [(.v1_14, "/new_prefs", 93), (.v1_15, "/new_prefs", 140), (.v1_16, "/new_prefs", 140)]
            as [(FirmwareVersion, String, Int)])
    func `until 1.16 the settings are in a binary file of the version's length`(
        _ version: FirmwareVersion, _ path: String, _ size: Int
    ) throws {
        var bench = bench(version, on: Flash())
        bench.send(SetAdvertName(name: "Alice"))
        bench.send(SetRadioParams(frequency: 868_123, bandwidth: 125_000, spreadingFactor: 9, codingRate: 6))
        bench.send(SetDevicePin(pin: 123_456))

        let file = try #require(bench.radio.flash[path])

        // Offsets of FWV-150.
        #expect(file.count == size)
        #expect([UInt8](file[4..<9]) == [UInt8]("Alice".utf8))
        #expect([UInt8](file[56..<60]) == Peer.bytes(Float(868.123).bitPattern))
        #expect((file[60], file[61]) == (9, 6))
        #expect([UInt8](file[64..<68]) == Peer.bytes(Float(125).bitPattern))
        #expect([UInt8](file[80..<84]) == Peer.bytes(123_456))
        #expect(bench.radio.flash["/prefs.json"] == nil)
    }

    @Test(.proves("FWV-080", "FWV-151", "FWV-154"))
    func `an upgrade converts the old file once and keeps it, and a downgrade finds the old values`() {
        var old = bench(.v1_16, on: Flash())
        old.send(SetAdvertName(name: "Old"))
        var new = bench(.v1_17_1, on: old.radio.flash)
        #expect(name(new) == "Old")
        #expect(new.radio.flash["/prefs.json"] != nil && new.radio.flash["/new_prefs"] == old.radio.flash["/new_prefs"])

        new.send(SetAdvertName(name: "New"))
        var back = bench(.v1_16, on: new.radio.flash)
        #expect(name(back) == "Old")

        back.send(SetAdvertName(name: "Meanwhile"))
        let again = bench(.v1_17_1, on: back.radio.flash)
        #expect(name(again) == "New")
    }

    @Test func `an upgrade within the binary versions loses nothing and fills in what was not there`() {
        var old = bench(.v1_14, on: Flash())
        old.send(SetAdvertName(name: "Fourteen"))
        old.send(SetAutoaddConfig(config: 6, maxHops: 3))

        let new = bench(.v1_15, on: old.radio.flash).radio.preferences

        #expect((new.name, new.autoAdd, new.autoAddMaxHops) == ("Fourteen", 6, 3))
        #expect(new.scopeKey.isZero)
    }

    @Test(.proves("FWV-152")) func `floats are exact until 1.16 and rounded to four decimals since`() {
        for (version, isExact) in [(FirmwareVersion.v1_16, true), (.v1_17_1, false)] {
            var bench = bench(version, on: Flash())
            bench.withRadio {
                $0.preferences.airtimeFactor = 1.23456
                $0.savePreferences()
            }
            bench.reboot()
            #expect((bench.radio.preferences.airtimeFactor == 1.23456) == isExact)
        }
    }

    @Test(.proves("FWV-156", "FWV-157"))
    func `a default scope and the commander's flag outlast a version that does not heed them`() throws {
        var new = bench(.v1_18, on: Flash())
        new.add(.bob, flags: 0x10)
        new.send(
            SetDefaultFloodScope(
                scope: FloodScope(name: FixedBytes(text: "eu"), key: FixedBytes(repeatElement(7, count: 16)))))
        new.wait(milliseconds: 10_000)
        var old = bench(.v1_17_1, on: new.radio.flash)
        old.send(SetAdvertName(name: "Old"))
        var back = bench(.v1_18, on: old.radio.flash)

        #expect(try back.mustKnow(.bob).flags == 0x10)
        #expect(back.radio.preferences.scopeKey == FixedBytes(repeatElement(7, count: 16)))
    }

    @Test(
        .proves("FWV-092", "FWV-155"),
        arguments: [(.v1_14, 290), (.v1_15, 291), (.v1_16, 293)] as [(FirmwareVersion, Int)])
    func `infrastructure nodes have their own binary file until 1.16`(_ version: FirmwareVersion, _ size: Int) throws {
        var board = BoardProfile.vectors
        board.firmware = version
        var old = ServerStage(.repeater, board: board)
        old.type("set name Hill")
        old.type("set flood.max 9")
        let file = try #require(old.server.flash["/com_prefs"])
        #expect(file.count == size)

        let new = ServerStage(.repeater, flash: old.server.flash)
        #expect(new.server.preferences.name == "Hill" && new.server.preferences.floodMax == 9)
        #expect(new.server.flash["/prefs.json"] != nil && new.server.flash["/com_prefs"] == file)
    }
}
