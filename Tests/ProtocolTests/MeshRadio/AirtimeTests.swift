import MeshRadio
import Testing

@Suite struct AirtimeTests {
    @Test(arguments: RadioTables.all.airtime)
    func `airtime is the driver's`(row: RadioTables.AirtimeRow) {
        let parameters = LoRaParameters(sf: row.sf, bwKhz: row.bwKhz, cr: row.cr)

        #expect(parameters.preambleSymbols == row.preamble)
        #expect(parameters.isLowDataRate == row.ldro)
        #expect(parameters.airtimeMicroseconds(bytes: row.len) == row.micros)
        #expect(parameters.airtimeMilliseconds(bytes: row.len) == row.estMillis)
    }

    @Test func `the airtime table is complete`() {
        #expect(RadioTables.all.airtime.count == 42)
    }

    @Test func `an SX127x rounds up to whole milliseconds`() {
        // SF8 at 62.5 kHz: symbols of 4.096 ms; 32 + 8 + 4.25 and for 22 bytes six blocks of five, 74.25 symbols.
        let airtime = Airtime(LoRaParameters(), chip: .sx127x)

        #expect(airtime.milliseconds(bytes: 22) == 305)
        #expect(airtime.milliseconds(bytes: 255) == 1513)
        // Without the longer sync word of SF6: 0.512 ms by 32 + 8 + 4.25 + 45 symbols.
        let short = LoRaParameters(bandwidthHertz: 125_000, spreadingFactor: 6, codingRate: 5)
        #expect(Airtime(short, chip: .sx127x).milliseconds(bytes: 22) == 46)
    }

    @Test func `an LR1110 reckons with 200 ms or more and is on the air for less`() {
        let fast = LoRaParameters(bandwidthHertz: 250_000, spreadingFactor: 7, codingRate: 5)

        #expect(fast.airtimeMilliseconds(bytes: 26, chip: .lr1110) == 200)
        #expect(fast.airtimeMilliseconds(bytes: 26, chip: .lr2021) == 43)
        #expect(LoRaParameters().airtimeMilliseconds(bytes: 255, chip: .lr1110) == 1512)
        #expect(Airtime(fast, chip: .lr1110).microseconds(bytes: 26) == fast.airtimeMicroseconds(bytes: 26))
    }

    @Test func `deadlines are preamble and slowest payload, rounded up`() {
        let airtime = Airtime(LoRaParameters())

        // 177 quarter symbols of 4096 µs; the rest of 255 bytes at 4/5, stretched to 4/8.
        #expect(airtime.preambleMicroseconds == 181_248)
        #expect(airtime.payloadMicroseconds == (1_512_448 - 181_248) * 8 / 5)
        #expect(airtime.preambleDeadlineMilliseconds == 182)
        #expect(airtime.payloadDeadlineMilliseconds == 2130)
        let slowest = Airtime(LoRaParameters(codingRate: 8))
        #expect(slowest.payloadMicroseconds == slowest.microseconds(bytes: 255) - slowest.preambleMicroseconds)
    }

    @Test func `no parameters trap`() {
        for hertz: UInt32 in [0, 1, 7_000, 62_500, .max] {
            for value: UInt8 in 0...255 {
                let parameters = LoRaParameters(
                    frequencyKilohertz: 0, bandwidthHertz: hertz, spreadingFactor: value, codingRate: value)
                for chip in RadioChip.allCases {
                    let airtime = Airtime(parameters, chip: chip)
                    #expect(airtime.milliseconds(bytes: -1) <= airtime.milliseconds(bytes: 255))
                    #expect(airtime.microseconds(bytes: .max) == airtime.microseconds(bytes: 255))
                }
            }
        }
    }

    @Test(arguments: RegionPreset.all)
    func `presets are in range and longer frames take longer`(preset: RegionPreset) {
        let airtime = Airtime(preset.parameters)

        #expect(preset.parameters.isInRange)
        #expect(RegionPreset.named(preset.name) == preset)
        for chip in [RadioChip.sx126x, .sx127x, .lr1110, .lr2021] {
            #expect(
                chip.appliedBandwidthHertz(for: preset.parameters.bandwidthHertz) == preset.parameters.bandwidthHertz)
        }
        var last: Int64 = 0
        for bytes in 0...255 {
            let now = airtime.microseconds(bytes: bytes)
            #expect(now >= last)
            last = now
        }
    }
}
