import MeshTime
import Testing

@testable import MeshFirmware

/// A cell whose node sends, sleeps, is off or is fed from outside.
@Suite struct DrainedCellTests {
    private static func at(hours: Int) -> Instant { .seconds(hours * 3600) }

    @Test func `transmissions cost what they take beside the load`() {
        var sending = BatteryCell(capacity: 1000, load: 10_000)
        sending.transmitLoad = 100_000
        let quiet = sending
        // An hour on the air in 3600 frames costs 100 mAh, a tenth.
        for number in 0..<3600 { sending.transmit(for: .seconds(1), from: .seconds(number * 2)) }

        let difference =
            quiet.chargeMillionths(at: Self.at(hours: 5)) - sending.chargeMillionths(at: Self.at(hours: 5))

        #expect(99_990...100_010 ~= difference)
        #expect(quiet.chargeMillionths(at: Self.at(hours: 5)) == 950_000)
    }

    @Test func `counting from many moments loses nothing`() {
        let cell = BatteryCell(capacity: 500, charge: 80, load: 3333, panel: 77_777)
        var often = cell
        for number in 1...5000 { often = often.settled(at: .milliseconds(number * 17_131)) }

        let (once, late) = (cell.chargeMillionths(at: .seconds(90_000)), often.chargeMillionths(at: .seconds(90_000)))

        #expect(abs(once - late) <= 1)
    }

    @Test func `a board that sleeps takes less, one that is off nothing, and a supply charges`() {
        var cell = BatteryCell(capacity: 1000, charge: 50, load: 20_000)
        cell.sleepLoad = 5000
        cell.charger = 100_000
        cell.serve(.sleeping, isSupplied: false, from: .start)
        #expect(cell.chargeMillionths(at: Self.at(hours: 10)) == 450_000)

        cell.serve(.off, isSupplied: false, from: Self.at(hours: 10))
        #expect(cell.chargeMillionths(at: Self.at(hours: 30)) == 450_000)

        cell.serve(.awake, isSupplied: true, from: Self.at(hours: 30))
        cell.transmitLoad = 100_000
        cell.transmit(for: .hour, from: Self.at(hours: 31))
        #expect(cell.chargeMillionths(at: Self.at(hours: 32)) == 650_000)
        #expect(cell.chargeMillionths(at: Self.at(hours: 50)) == 1_000_000)
    }

    @Test func `the sun of a place shines by its own hours`() {
        var cell = BatteryCell(capacity: 1000, charge: 0, load: 0, panel: 100_000)
        cell.sun = (0..<24).map { $0 == 20 ? 500 : 0 }

        #expect(cell.chargeMillionths(at: Self.at(hours: 20)) == 0)
        #expect(cell.chargeMillionths(at: Self.at(hours: 21)) == 50_000)
        #expect(cell.chargeMillionths(at: Self.at(hours: 240)) == 500_000)
    }

    @Test func `it never falls below a voltage before the moment that it gives`() {
        var random = Seed(9).stream("cell")
        for _ in 0..<200 {
            var cell = BatteryCell(
                capacity: Int(random.draw(1, 3000)), charge: Int(random.draw(0, 101)),
                load: Int(random.draw(0, 200_000)), panel: Int(random.draw(0, 100_000)))
            cell.transmitLoad = Int(random.draw(0, 200_000))
            let limit = UInt16(random.draw(3200, 4300))
            let earliest = cell.mayFall(below: limit, after: .start)
            guard earliest > .start else { continue }
            // Sends all the time until then.
            cell.load += cell.transmitLoad
            cell.panel = 0
            #expect(cell.millivolts(at: min(earliest, Self.at(hours: 100_000)) - .milliseconds(1)) >= limit)
        }
    }

    @Test func `no setting traps when it drains`() {
        for number in [Int.min, -1, 0, 1, Int.max] {
            var cell = BatteryCell(
                capacity: number, charge: number, load: number, panel: number, since: .microseconds(number))
            cell.transmitLoad = number
            cell.sleepLoad = number
            cell.charger = number
            cell.sun = [number]
            cell.transmit(for: .microseconds(number), from: .seconds(5))
            cell.serve(.sleeping, isSupplied: true, from: .seconds(6))
            #expect(3300...4200 ~= cell.millivolts(at: .seconds(1_000_000)))
            #expect(cell.mayFall(below: 3500, after: .seconds(7)) >= .seconds(7))
        }
    }
}
