import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

@Suite struct GPSTests {
    /// A way from 50° N 8° E: 0.001° to the north, 0.01° to the east and 1 m up per 100 s.
    private static let way = [
        WayPoint(.seconds(100), latitude: 50_000_000, longitude: 8_000_000, millimetres: 100_000),
        WayPoint(.seconds(200), latitude: 50_001_000, longitude: 8_010_000, millimetres: 101_000),
    ]

    /// A node that has booted with a GPS that gets `signal`.
    private static func environment(_ signal: GPSSignal, isOn: Bool = true, interval: UInt32 = 0) -> Environment {
        var environment = Environment(board: .heltecV3)
        environment.gps = signal
        environment.startGPS(isOn: isOn, interval: interval, at: .start)
        return environment
    }

    @Test func `a way is walked straight from point to point`() {
        let signal = GPSSignal(way: Self.way)

        #expect(signal.place(at: .start) == GPSPosition(latitude: 50, longitude: 8, altitude: 100))
        #expect(signal.place(at: .seconds(150)) == GPSPosition(latitude: 50.0005, longitude: 8.005, altitude: 100.5))
        #expect(signal.place(at: .seconds(900)) == GPSPosition(latitude: 50.001, longitude: 8.01, altitude: 101))
        #expect(GPSSignal().place(at: .start) == nil)
    }

    @Test func `a way over 180 degrees takes the shorter side`() {
        let signal = GPSSignal(way: [
            WayPoint(.start, latitude: -16_800_000, longitude: 179_990_000),
            WayPoint(.seconds(100), latitude: -16_800_000, longitude: -179_970_000),
        ])

        let longitudes = [0, 25, 50, 100].map { signal.place(at: .seconds($0))?.longitude }

        #expect(longitudes == [179.99, 180, -179.99, -179.97])
    }

    @Test func `the place is known a while after switching on, and looked at every so often`() {
        let environment = Self.environment(GPSSignal(way: Self.way, acquisition: .seconds(110)), interval: 20)

        let latitudes = [0, 109, 119, 121, 139, 161, 500].map { environment.position(at: .seconds($0)).latitude }

        // The looks are 20.001 s apart: at 100.005 s there is no fix yet, at 120.006 s the first.
        #expect(latitudes[0...2] == [0, 0, 0])
        #expect(latitudes[3] == 50.0002 && latitudes[4] == 50.0002)
        #expect(latitudes[5] == 50.0006)
        #expect(latitudes[6] == 50.001)
    }

    @Test func `reading changes nothing, and at one moment always gives the same`() {
        let environment = Self.environment(GPSSignal(way: Self.way, acquisition: .zero))
        let copy = environment

        let once = (0..<300).map { environment.position(at: .seconds($0)) }
        let again = (0..<300).reversed().map { environment.position(at: .seconds($0)) }

        #expect(once == again.reversed())
        #expect(environment == copy)
    }

    @Test func `in an outage the last place stays`() {
        let signal = GPSSignal(
            way: Self.way, acquisition: .zero,
            outages: [Instant.seconds(130)..<Instant.seconds(160), Instant.seconds(170)..<Instant.never])
        let environment = Self.environment(signal)

        let latitudes = [129, 140, 159, 165, 180, 100_000].map { environment.position(at: .seconds($0)).latitude }

        #expect(latitudes[1] == latitudes[2])
        #expect(abs(latitudes[1] - 50.0003) < 0.00002)
        #expect(abs(latitudes[3] - 50.00065) < 0.00002)
        #expect(latitudes[4] == latitudes[5])
        #expect(abs(latitudes[4] - 50.0007) < 0.00002)
    }

    @Test func `a receiver that is stopped keeps the place, and once started takes a while again`() {
        var environment = Self.environment(GPSSignal(way: Self.way, acquisition: .seconds(10)))
        let whileOn = environment.position(at: .seconds(150))

        #expect(environment.setVariable("gps", to: "0", build: .complete, at: .seconds(150)) == true)
        #expect(environment.position(at: .seconds(170)) == whileOn)
        #expect(environment.setVariable("gps", to: "yes", build: .complete, at: .seconds(170)) == true)

        #expect(environment.position(at: .seconds(179)) == whileOn)
        #expect(abs(environment.position(at: .seconds(182)).latitude - 50.00082) < 0.00002)
    }

    @Test func `a look that is due stays due when the interval changes`() {
        var environment = Self.environment(GPSSignal(way: Self.way, acquisition: .zero), interval: 60)
        // Looks at 0, 60.001 and 120.002 s; then at 180.003 s and every second.
        #expect(environment.setVariable("gps_interval", to: "0", build: .complete, at: .seconds(130)) == true)

        let latitudes = [130, 179, 181, 183].map { environment.position(at: .seconds($0)).latitude }

        #expect(latitudes[0] == 50.0002 && latitudes[1] == 50.0002)
        #expect(latitudes[2] == 50.0008 && latitudes[3] > latitudes[2])
    }

    @Test func `a place that is set counts until the next look with a fix`() {
        var environment = Self.environment(GPSSignal(way: Self.way, acquisition: .zero), interval: 50)
        environment.setPosition(GPSPosition(latitude: 1, longitude: 2, altitude: 3), at: .seconds(120))

        #expect(environment.position(at: .seconds(149)) == GPSPosition(latitude: 1, longitude: 2, altitude: 3))
        #expect(environment.position(at: .seconds(151)).latitude == 50.0005)
    }

    @Test func `the clock is set seconds after the first fix, every half hour, and when asked to`() {
        let signal = GPSSignal(way: Self.way, acquisition: .seconds(30), unixSecondsAtStart: 1_800_000_000)
        var environment = Self.environment(signal)

        #expect(environment.gpsClockDue == .milliseconds(33_003))
        #expect(environment.takeGPSClock(at: .seconds(33)) == nil)
        #expect(environment.takeGPSClock(at: .milliseconds(33_003)) == 1_800_000_033)
        #expect(environment.takeGPSClock(at: .milliseconds(33_004)) == nil)
        #expect(environment.gpsClockDue == .milliseconds(33_003 + 1_800_001))

        var preferences = ServerPreferences(role: .repeater, board: .heltecV3)
        let reply = environment.answerGPSCommand(
            Array("gps sync".utf8), preferences: &preferences, board: .heltecV3, at: .seconds(100))
        #expect(reply?.text == "ok")
        #expect(environment.gpsClockDue == .milliseconds(104_003))
        #expect(environment.takeGPSClock(at: .milliseconds(104_003)) == 1_800_000_104)
    }

    @Test func `the clock waits for the end of an outage, and nobody sets it without a receiver that runs`() {
        var signal = GPSSignal(
            way: Self.way, acquisition: .seconds(30), outages: [Instant.seconds(32)..<Instant.seconds(90)],
            unixSecondsAtStart: 1_800_000_000)
        #expect(Self.environment(signal).gpsClockDue == .milliseconds(93_003))

        #expect(Self.environment(signal, isOn: false).gpsClockDue == .never)
        signal.outages = [Instant.seconds(32)..<Instant.never]
        #expect(Self.environment(signal).gpsClockDue == .never)
        signal.outages = []
        signal.unixSecondsAtStart = nil
        #expect(Self.environment(signal).gpsClockDue == .never)
        #expect(Environment(board: .heltecV3).gpsClockDue == .never)
    }

    @Test func `no way and no setting traps`() {
        let extremes = [Int32.min, -1, 0, .max]
        for value in extremes {
            for time in [Instant.start, .seconds(5), .milliseconds(Int64.max / 1000)] {
                let signal = GPSSignal(
                    way: [
                        WayPoint(.start, latitude: value, longitude: value, millimetres: value),
                        WayPoint(.milliseconds(Int64.max / 1000), latitude: .max, longitude: .min, millimetres: .max),
                    ], acquisition: .milliseconds(Int64.max / 1000), unixSecondsAtStart: .max)
                var environment = Self.environment(signal, interval: UInt32(bitPattern: value))
                _ = environment.position(at: time)
                _ = environment.takeGPSClock(at: time)
                #expect(signal.place(at: time) != nil)
            }
        }
    }
}
