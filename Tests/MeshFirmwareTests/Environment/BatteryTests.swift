import MeshFirmware
import MeshTime
import Testing

@Suite struct BatteryTests {
    private static func at(hours: Int) -> Instant { .seconds(hours * 3600) }

    @Test func `a told voltage is cut to what a gauge can say`() {
        let battery = Battery.voltage(.steps(first: 3712.9, then: [.init(.seconds(1), -5), .init(.seconds(2), 1e9)]))

        #expect([0, 1, 2].map { battery.millivolts(at: .seconds($0)) } == [3712, 0, 65_535])
        #expect(Battery.voltage(.constant(.nan)).millivolts(at: .start) == 0)
        #expect(Battery.millivolts(4200).millivolts(at: .seconds(1)) == 4200)
    }

    @Test func `a cell without a panel is drained evenly and stays empty`() {
        let cell = BatteryCell(capacity: 1000, charge: 100, load: 10_000)

        // 1000 mAh at 10 mA last 100 hours.
        let charges = [0, 25, 50, 99, 100, 5000].map { cell.chargeMillionths(at: Self.at(hours: $0)) }

        #expect(charges == [1_000_000, 750_000, 500_000, 10_000, 0, 0])
        #expect(Battery.cell(cell).millivolts(at: .start) == 4200)
        #expect(Battery.cell(cell).millivolts(at: Self.at(hours: 50)) == 3810)
        #expect(Battery.cell(cell).millivolts(at: Self.at(hours: 100)) == 3300)
    }

    @Test func `the sun charges by day and the load drains by night`() {
        // 8.03 hours of 100 mA against 24 of 20 mA.
        let cell = BatteryCell(capacity: 3000, charge: 50, load: 20_000, panel: 100_000)

        let hours = [0, 6, 12, 18, 24].map { cell.chargeMillionths(at: Self.at(hours: $0)) }

        #expect(hours[1] == 460_000)
        #expect(hours[2] > hours[1] && hours[3] > hours[2])
        #expect(hours[4] == 500_000 + (803_000 - 480_000) / 3)
        #expect(cell.chargeMillionths(at: Self.at(hours: 24 * 30 + 17)) == 1_000_000)
    }

    @Test func `months are computed as if each hour had been gone through`() {
        let sun = [160, 438, 660, 826, 938, 993, 993, 938, 826, 660, 438, 160]
        var random = Seed(5).stream("battery")
        for _ in 0..<100 {
            let cell = BatteryCell(
                capacity: Int(random.draw(1, 5000)), charge: Int(random.draw(0, 101)),
                load: Int(random.draw(0, 100_000)), panel: Int(random.draw(0, 400_000)),
                since: Self.at(hours: Int(random.draw(0, 100))))
            let full = cell.capacity * 1000
            var charge = full / 100 * cell.charge
            for passed in 0..<1500 {
                let now = cell.since + .seconds(passed * 3600)
                #expect(cell.chargeMillionths(at: now) == charge * 1_000_000 / full, "\(cell) after \(passed) h")
                let hour = Int(now.microseconds / 3_600_000_000 % 24)
                let shining = 6..<18 ~= hour ? cell.panel * sun[hour - 6] / 1000 : 0
                charge = min(max(charge + shining - cell.load, 0), full)
            }
        }
    }

    @Test func `a cell that fills and empties every day does so for ever`() {
        // Empty before dawn, full before dusk.
        let cell = BatteryCell(capacity: 100, charge: 0, load: 20_000, panel: 200_000)
        let first = (0..<24).map { cell.chargeMillionths(at: Self.at(hours: 24 + $0)) }

        let later = (0..<24).map { cell.chargeMillionths(at: Self.at(hours: 24 * 3650 + $0)) }

        #expect(first == later)
        #expect(first.min() == 0 && first.max() == 1_000_000)
    }

    @Test func `the voltage never rises while charge is lost`() {
        let battery = Battery.cell(BatteryCell(capacity: 1000, load: 10_000))
        let voltages = (0..<1000).map { battery.millivolts(at: .seconds($0 * 400)) }

        #expect(zip(voltages, voltages.dropFirst()).allSatisfy { $0 >= $1 })
        #expect(voltages.first == 4200 && voltages.last == 3300)
    }

    @Test func `no setting traps`() {
        for number in [Int.min, -1, 0, 1, Int.max] {
            let cell = BatteryCell(
                capacity: number, charge: number, load: number, panel: number, since: .microseconds(number))
            for time in [Instant.start, .seconds(1), .microseconds(Int64.max), .microseconds(Int64.min)] {
                #expect(3300...4200 ~= Battery.cell(cell).millivolts(at: time))
            }
        }
    }
}
