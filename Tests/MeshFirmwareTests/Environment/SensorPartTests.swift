import MeshPacket
import MeshTime
import Testing

@testable import MeshFirmware

@Suite struct SensorPartTests {
    @Test func `a tracker gives place, light and temperature on its own channel, its GPS running or not`() {
        var environment = Environment(board: .heltecV3)
        environment.parts = .t1000e
        environment[.light] = .constant(73.9)
        environment.temperature = .constant(21.5)
        environment.startGPS(isOn: false, place: GPSPosition(latitude: 48, longitude: 11), at: .start)

        let records = Array(LPPReader(environment.telemetry(mask: .all, processor: .absent, at: .seconds(1))))

        #expect(records.map(\.channel) == [1, 1, 1, 1])
        #expect(records.map(\.type) == [.voltage, .gps, .luminosity, .temperature])
        #expect(records[1].numbers == [480_000, 110_000, 0])
        #expect(records[2].numbers == [73] && records[3].numbers == [215])
    }
}
