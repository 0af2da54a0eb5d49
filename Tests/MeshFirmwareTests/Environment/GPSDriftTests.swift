import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

@Suite struct GPSDriftTests {
    private static let place = WayPoint(latitude: 60_000_000, longitude: 8_000_000, millimetres: 100_000)

    @Test func `the place wanders within its square and without jumps`() throws {
        var signal = GPSSignal(way: [Self.place])
        signal.drift = GPSDrift(millimetres: 50_000, interval: .seconds(20), seed: Seed(4))
        let places = (0..<2000).map { signal.place(at: .seconds($0)) ?? GPSPosition() }

        let north = places.map { ($0.latitude - 60) * GeoPoint.metresPerDegree }
        // A degree of longitude is half as long at 60 degrees north.
        let east = places.map { ($0.longitude - 8) * GeoPoint.metresPerDegree / 2 }
        for errors in [north, east] {
            let (least, most) = (try #require(errors.min()), try #require(errors.max()))
            #expect(least >= -50.2 && most <= 50.2)
            #expect(least < -25 && most > 25)
            #expect(zip(errors, errors.dropFirst()).allSatisfy { abs($0 - $1) <= 5.2 })
        }
        #expect(places.allSatisfy { $0.altitude == 100 })
        #expect(signal.place(at: .seconds(77)) == signal.place(at: .seconds(77)))
    }

    @Test func `a drift near a pole stays on the earth`() {
        var signal = GPSSignal(way: [WayPoint(latitude: 90_000_000, longitude: 179_999_999)])
        signal.drift = GPSDrift(millimetres: .max, interval: .zero, seed: Seed(4))

        let places = (0..<100).compactMap { signal.place(at: .seconds($0)) }

        #expect(places.allSatisfy { -90...90 ~= $0.latitude && -180...180 ~= $0.longitude })
    }

    @Test func `a clock that jumps is ahead from then on, and nodes set theirs by it`() {
        var signal = GPSSignal(way: [Self.place], acquisition: .zero, unixSecondsAtStart: 1_900_000_000)
        signal.clockJumps = [
            GPSClockJump(.seconds(1000), seconds: -619_315_200), GPSClockJump(.seconds(4000), seconds: 10),
        ]
        var environment = Environment(board: .heltecV3)
        environment.gps = signal
        environment.startGPS(isOn: true, at: .start)

        #expect(environment.takeGPSClock(at: .seconds(10)) == 1_900_000_010)
        #expect(environment.takeGPSClock(at: .seconds(1000)) == nil)
        #expect(environment.takeGPSClock(at: .seconds(2000)) == 1_280_686_800)
        #expect(environment.takeGPSClock(at: .seconds(4000)) == 1_280_688_810)
    }

    @Test func `a course by hours repeats every day`() {
        let course = Course.hours((0..<24).map(Double.init))

        let values = [0, 3599, 3600, 86_399, 86_400, 90_000].map { course.value(at: .seconds($0)) }

        #expect(values == [0, 0, 1, 23, 0, 1])
        #expect(Course.hours([]).value(at: .start) == 0)
        #expect(Course.hours([4]).value(at: .seconds(80_000)) == 4)
    }
}
