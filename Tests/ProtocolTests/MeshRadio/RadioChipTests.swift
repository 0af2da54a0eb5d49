import MeshRadio
import Testing

@Suite struct RadioChipTests {
    @Test(arguments: RadioChip.allCases)
    func `every bandwidth of a chip is applied as it is written`(chip: RadioChip) {
        for hertz in chip.bandwidthsHertz {
            #expect(chip.appliedBandwidthHertz(for: hertz) == hertz)
        }
    }

    @Test func `bandwidths between those of the chip are refused by the driver`() {
        for chip in RadioChip.allCases {
            for hertz: UInt32 in [9_000, 50_000, 100_000, 300_000, 499_000] {
                #expect(chip.appliedBandwidthHertz(for: hertz) == nil || chip == .lr2021 && hertz == 100_000)
            }
        }
        #expect(RadioChip.lr1110.appliedBandwidthHertz(for: 31_250) == nil)
        #expect(RadioChip.llcc68.appliedBandwidthHertz(for: 62_500) == nil)
        #expect(RadioChip.sx127x.appliedBandwidthHertz(for: 62_000) == nil)
    }

    @Test func `the SX126x takes what falls into the same step of two kilohertz`() {
        #expect(RadioChip.sx126x.appliedBandwidthHertz(for: 7_000) == 7_800)
        #expect(RadioChip.sx126x.appliedBandwidthHertz(for: 62_000) == 62_500)
        #expect(RadioChip.sx126x.appliedBandwidthHertz(for: 63_000) == 62_500)
        #expect(RadioChip.sx126x.appliedBandwidthHertz(for: 64_000) == nil)
        // Just below a step counts as the step.
        #expect(RadioChip.sx126x.appliedBandwidthHertz(for: 7_990) == nil)
        #expect(RadioChip.sx126x.appliedBandwidthHertz(for: 9_990) == 10_400)
    }

    @Test func `spreading factors have the chip's limits`() {
        #expect(RadioChip.sx126x.supports(spreadingFactor: 5, bandwidthHertz: 62_500))
        #expect(!RadioChip.sx126x.supports(spreadingFactor: 13, bandwidthHertz: 62_500))
        #expect(!RadioChip.sx127x.supports(spreadingFactor: 5, bandwidthHertz: 62_500))
        #expect(RadioChip.llcc68.supports(spreadingFactor: 9, bandwidthHertz: 125_000))
        #expect(!RadioChip.llcc68.supports(spreadingFactor: 10, bandwidthHertz: 125_000))
    }

    @Test func `two chips score as if they used spreading factor 10`() {
        #expect(RadioChip.allCases.map { $0.scoringSpreadingFactor(configured: 8) } == [8, 8, 8, 10, 10])
    }
}
