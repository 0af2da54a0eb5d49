import MeshCompanion
import MeshTestSupport
import MeshWire
import PocketMeshServices
import Testing

/// Presets by region, and what may be entered.
@Suite struct RadioPresetTests {
    @Test(.proves("SVC-142"))
    func `the fourteen presets fit what radios take, and each is found from its own values`() throws {
        #expect(RadioPreset.all.count == 14)
        #expect(Set(RadioPreset.all.map(\.id)).count == 14)
        for preset in RadioPreset.all {
            try RadioRanges.firmware(maxPower: 22).check(preset.parameters)
            let frame = SetRadioParams(
                frequency: preset.parameters.frequencyKHz, bandwidth: preset.parameters.bandwidthHz,
                spreadingFactor: preset.parameters.spreadingFactor, codingRate: preset.parameters.codingRate)
            #expect(frame.rangeFailure() == nil)
            let found = try #require(RadioPreset.matching(preset.parameters))
            #expect(found.parameters == preset.parameters)
            // Switzerland's is Europe's narrow one.
            #expect(found.id == (preset.id == "ch" ? "eu-narrow" : preset.id))
        }
    }

    @Test(
        .proves("SVC-142"),
        arguments: [
            ("au-915", 915_800, 250_000, 10, 5), ("au-vic", 916_575, 62_500, 7, 8), ("nz-lr", 917_375, 250_000, 11, 5),
            ("nz-narrow", 917_375, 62_500, 7, 5), ("eu-narrow", 869_618, 62_500, 8, 8),
            ("eu-lr", 869_525, 250_000, 11, 5),
            ("eu-mr", 869_525, 250_000, 10, 5), ("cz-narrow", 869_525, 62_500, 7, 5),
            ("eu-433-lr", 433_650, 250_000, 11, 5), ("pt-433", 433_375, 62_500, 9, 6),
            ("pt-868", 869_618, 62_500, 7, 6),
            ("ch", 869_618, 62_500, 8, 8), ("us-ca", 910_525, 62_500, 7, 5), ("vn", 920_250, 250_000, 11, 5),
        ] as [(String, UInt32, UInt32, UInt8, UInt8)])
    func `a preset has the values of its region`(
        id: String, frequency: UInt32, bandwidth: UInt32, spreadingFactor: UInt8, codingRate: UInt8
    ) {
        #expect(
            RadioPreset.all.first { $0.id == id }?.parameters
                == RadioParameters(
                    frequencyKHz: frequency, bandwidthHz: bandwidth, spreadingFactor: spreadingFactor,
                    codingRate: codingRate))
    }

    @Test(
        .proves("SVC-142"),
        arguments: [
            (100, 1000, true), (-100, -1000, true), (101, 0, false), (-101, 0, false), (0, 1001, false),
            (0, -1001, false),
        ])
    func `a radio may be off a preset by 0.1 MHz and 1 kHz`(frequency: Int, bandwidth: Int, isFound: Bool) {
        let near = RadioParameters(
            frequencyKHz: UInt32(910_525 + frequency), bandwidthHz: UInt32(62_500 + bandwidth), spreadingFactor: 7,
            codingRate: 5)

        #expect((RadioPreset.matching(near)?.id == "us-ca") == isFound)
        var other = near
        other.codingRate = 6
        #expect(RadioPreset.matching(other) == nil)
    }

    @Test(.proves("SVC-142"))
    func `a country's own presets come first, then its region's, and equal ones are the first of them`() {
        let swiss = RadioPreset.ordered(for: "ch")
        #expect(swiss.first?.id == "ch" && swiss.count == 14)
        #expect(swiss.prefix(8).allSatisfy { $0.region == .europe })
        #expect(RadioPreset.ordered(for: "DE").first?.id == "eu-narrow")
        #expect(RadioPreset.ordered(for: "NZ").prefix(2).map(\.id) == ["nz-lr", "nz-narrow"])
        #expect(RadioPreset.ordered(for: nil) == RadioPreset.all && RadioPreset.ordered(for: "??") == RadioPreset.all)
        let narrow = swiss[0].parameters
        #expect(RadioPreset.matching(narrow, for: "CH")?.id == "ch")
        #expect(RadioPreset.matching(narrow, for: "DE")?.id == "eu-narrow")
    }

    @Test func `a field that stays as the radio has it is not checked`() throws {
        let now = RadioParameters(megahertz: 910.1, kilohertz: 62.5, spreadingFactor: 9, codingRate: 5)
        var wanted = now
        wanted.spreadingFactor = 10

        try RadioRanges.us.check(wanted, changing: now)
        wanted.frequencyKHz = 910_101

        #expect(throws: StackError(.settings, .outOfRange(field: "frequency"))) {
            try RadioRanges.us.check(wanted, changing: now)
        }
    }

    @Test func `the form of the United States is narrower than the firmware`() {
        func good(_ megahertz: Double, _ kilohertz: Double, _ sf: UInt8, in ranges: RadioRanges) -> Bool {
            (try? ranges.check(
                RadioParameters(megahertz: megahertz, kilohertz: kilohertz, spreadingFactor: sf, codingRate: 5))) != nil
        }
        let firmware = RadioRanges.firmware(maxPower: 22)
        #expect(good(902, 125, 7, in: .us) && good(928, 500, 12, in: .us) && good(910.125, 250, 9, in: .us))
        #expect(!good(910.1, 250, 9, in: .us) && good(910.1, 250, 9, in: firmware))
        #expect(!good(910.125, 62.5, 9, in: .us) && good(910.125, 62.5, 9, in: firmware))
        #expect(!good(901.875, 125, 9, in: .us) && !good(910, 125, 6, in: .us) && good(910, 125, 6, in: firmware))
        for (megahertz, kilohertz, sf) in [(149.999, 125.0, 9), (2500.001, 125, 9), (868, 6.999, 9), (868, 500.001, 9)]
        {
            #expect(!good(megahertz, kilohertz, UInt8(sf), in: firmware))
        }
        #expect(!good(868, 125, 4, in: firmware) && !good(868, 125, 13, in: firmware))
        #expect(good(910.525, 62.5, 7, in: .us), "the preset of the country, as a whole")
        #expect(!good(910.525, 62.5, 9, in: .us) && !good(869.618, 62.5, 8, in: .us))
        #expect((try? RadioRanges.us.check(power: 1)) == nil && (try? RadioRanges.us.check(power: 2)) != nil)
        #expect((try? firmware.check(power: 23)) == nil && (try? firmware.check(power: -9)) != nil)
    }
}
