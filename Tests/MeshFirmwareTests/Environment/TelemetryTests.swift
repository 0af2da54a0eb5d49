import Foundation
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// The answers of nodes to telemetry requests.
///
/// Source: InfrastructureNodes, "Requests" and "Telemetry types".
@Suite struct TelemetryTests {
    /// The node of the vectors: GPS, a climate sensor on channel 2, a meter on channel 3, 31.27 °C inside.
    private static var reference: Environment {
        var environment = Environment(board: .heltecV3)
        environment.battery = .millivolts(4100)
        environment.processorTemperature = .constant(31.27)
        environment.thermometer = .exact
        environment.gps = GPSSignal(
            way: [WayPoint(latitude: 51_507_400, longitude: -127_800, millimetres: 35_000)], acquisition: .zero)
        environment.parts = [.bme280, .ina219]
        environment.temperature = .constant(-5.3)
        environment.humidity = .constant(55.5)
        environment.pressure = .constant(1013.2)
        environment[.altitude] = .constant(-12)
        environment[.voltage1] = .constant(12.34)
        environment[.current1] = .constant(-0.25)
        environment[.power1] = .constant(3.9)
        environment.startGPS(isOn: true, at: .start)
        return environment
    }

    private static let now = Instant.seconds(10)

    private func answer(
        _ environment: Environment, _ role: ServerRole, mask: UInt8 = 0, isGuest: Bool = false
    ) -> [LPPRecord] {
        Array(
            LPPReader(environment.telemetry(answering: [mask], role: role, isGuest: isGuest, at: Self.now)))
    }

    private struct Response: Decodable {
        let lpp: String
    }

    @Test(
        .proves("INF-080", "INF-082"),
        arguments: [
            ("TELEM-RESP-REP-ADMIN", .repeater, false), ("TELEM-RESP-REP-GUEST", .repeater, true),
            ("TELEM-RESP-SENSOR", .sensor, false), ("TELEM-RESP-SENSOR", .sensor, true),
            ("TELEM-RESP-REP-ADMIN", .roomServer, false), ("TELEM-RESP-REP-GUEST", .roomServer, true),
        ] as [(String, ServerRole, Bool)])
    func `telemetry is composed as the reference composes it`(id: String, role: ServerRole, isGuest: Bool) {
        let lpp = Self.reference.telemetry(answering: [0, 0, 0, 0], role: role, isGuest: isGuest, at: Self.now)

        #expect(lpp.hex == InfrastructureVectors.read(id, as: Response.self).lpp)
    }

    @Test(.proves("INF-078"), arguments: ServerRole.allCases)
    func `the voltage comes first whatever the mask says`(role: ServerRole) {
        for mask in UInt8.min...UInt8.max {
            let first = answer(Self.reference, role, mask: mask).first

            #expect(first == LPPRecord(channel: 1, type: .voltage, numbers: [410]))
        }
    }

    @Test(.proves("INF-079"), arguments: ServerRole.allCases)
    func `the mask names what is not wanted`(role: ServerRole) {
        func types(_ mask: UInt8) -> Set<LPPType> {
            Set(answer(Self.reference, role, mask: mask).filter { $0.type != .temperature }.map(\.type))
        }
        let sensors: Set<LPPType> = [.relativeHumidity, .barometricPressure, .altitude, .current, .power]

        #expect(types(0x04) == [.voltage, .gps])
        #expect(types(0x02) == sensors.union([.voltage]))
        #expect(types(0x06) == [.voltage])
        #expect(types(0xF9) == sensors.union([.voltage, .gps]))
        // A request without parameters wants everything.
        let whole = Self.reference.telemetry(answering: [], role: role, isGuest: false, at: Self.now)
        #expect(Array(LPPReader(whole)) == answer(Self.reference, role))
    }

    @Test(.proves("INF-081"), arguments: [ServerRole.repeater, .roomServer])
    func `the temperature of the processor comes last, on channel 1`(role: ServerRole) {
        let records = answer(Self.reference, role)

        #expect(records.count == 10)
        #expect(records.last == LPPRecord(channel: 1, type: .temperature, numbers: [312]))
    }

    @Test func `a processor that cannot measure its temperature leaves it out`() {
        var environment = Self.reference
        environment.processorTemperature = nil

        #expect(answer(environment, .repeater).last?.channel == 3)
    }

    @Test func `a GPS is told of while it runs, with a fix or without`() {
        var environment = Environment(board: .heltecV3)
        environment.gps = GPSSignal()
        environment.startGPS(isOn: true, at: .start)
        #expect(answer(environment, .sensor).last == LPPRecord(channel: 1, type: .gps, numbers: [0, 0, 0]))

        #expect(environment.setVariable("gps", to: "0", build: .complete, at: .start) == true)
        #expect(answer(environment, .sensor).count == 1)
    }

    // MARK: Parts

    /// Part by part, the types of each channel.
    private static let parts: [(part: SensorParts, channels: [[LPPType]])] = {
        let meter: [LPPType] = [.voltage, .current, .power]
        let climate: [LPPType] = [.temperature, .relativeHumidity]
        let barometer: [LPPType] = [.temperature, .barometricPressure, .altitude]
        let full: [LPPType] = [.temperature, .relativeHumidity, .barometricPressure, .altitude]
        return [
            (.ahtx0, [climate]), (.bme680, [full + [.genericSensor]]),
            (.bme680BSEC, [full + [.genericSensor, .analogInput]]), (.bme280, [full]), (.bmp280, [barometer]),
            (.shtc3, [climate]), (.sht4x, [climate]), (.lps22hb, [[.temperature, .barometricPressure]]),
            (.ina3221, [meter, meter, meter]), (.ina219, [meter]), (.ina260, [meter]), (.ina226, [meter]),
            (.mlx90614, [[.temperature], [.temperature]]), (.vl53l0x, [[.distance]]), (.bmp085, [barometer]),
            (.rak12035, [[.temperature, .percentage]]),
        ]
    }()

    /// Types by channel, of all channels but the node's own.
    private func channels(_ environment: Environment) -> [[LPPType]] {
        let records = answer(environment, .sensor).filter { $0.channel > 1 }
        return (2...max(records.map(\.channel).max() ?? 2, 2)).map { channel in
            records.filter { $0.channel == channel }.map(\.type)
        }
    }

    @Test func `each part writes its fields on channels of its own from 2 on`() {
        for (part, expected) in Self.parts {
            var environment = Environment(board: .heltecV3)
            environment.parts = part
            #expect(channels(environment) == expected)
        }
    }

    @Test func `parts are found in the order of the table, however they were named`() {
        var environment = Environment(board: .heltecV3)
        environment.parts = [.rak12035, .vl53l0x, .ina3221, .ahtx0]

        let named = Self.parts.filter { environment.parts.contains($0.part) }.flatMap(\.channels)

        #expect(named.count == 6)
        #expect(channels(environment) == named)
    }

    @Test func `of all parts no more than sixteen outputs are read, and what fits no more is left out`() {
        var environment = Environment(board: .heltecV3)
        // The parts of the table; a T1000-E looks for none of them.
        environment.parts = SensorParts(rawValue: 0xFFFF)
        let outputs = Self.parts.flatMap(\.channels)
        #expect(outputs.count == 19)
        #expect(environment.parts.outputs.map { $0.map(\.type) } == Array(outputs.prefix(16)))

        let lpp = environment.telemetry(answering: [0], role: .repeater, isGuest: false, at: Self.now)

        #expect(174...180 ~= lpp.count)
        let types = [LPPType.voltage] + outputs.prefix(16).flatMap(\.self)
        #expect(Array(LPPReader(lpp)).map(\.type) == Array(types.prefix(LPPReader(lpp).map(\.type).count)))
    }

    // MARK: Values

    @Test func `every quantity has a value within its range, and takes any course`() {
        let plain = Environment(board: .heltecV3)
        for quantity in Quantity.allCases {
            #expect(quantity.row.range.contains(plain.value(of: quantity, at: .start)))
            for wild in [Double.nan, .infinity, -.infinity, 1e300] {
                var environment = plain
                environment[quantity] = .constant(wild)
                #expect(quantity.row.range.contains(environment.value(of: quantity, at: .start)))
            }
            var environment = plain
            let middle = (quantity.row.range.lowerBound + quantity.row.range.upperBound) / 2
            environment[quantity] = .constant(middle)
            #expect(environment.value(of: quantity, at: .start) == middle)
            environment[quantity] = nil
            #expect(environment.value(of: quantity, at: .start) == plain.value(of: quantity, at: .start))
        }
    }

    @Test func `values follow their courses from one request to the next`() {
        var environment = Self.reference
        environment.temperature = .ramp(from: 0, to: 10, starting: .start, lasting: .seconds(100))
        environment.battery = .voltage(.ramp(from: 4000, to: 3000, starting: .start, lasting: .seconds(100)))

        let records = [10, 20].map {
            Array(LPPReader(environment.telemetry(mask: .all, processor: .absent, at: .seconds($0))))
        }

        #expect(records.map { $0[0].numbers } == [[390], [380]])
        #expect(records.map { $0.first { $0.type == .temperature }?.numbers } == [[10], [20]])
    }

    @Test func `power is voltage times current, and its sign is lost on the way`() {
        var environment = Environment(board: .heltecV3)
        environment.parts = .ina226
        environment[.voltage1] = .constant(12.5)
        environment[.current1] = .constant(-2)

        #expect(environment.value(of: .power1, at: .start) == -25)
        #expect(answer(environment, .sensor).last?.numbers == [25])
    }

    @Test func `nothing in reach is no distance`() {
        var environment = Environment(board: .heltecV3)
        environment[.distance] = .constant(2.5)

        #expect(environment.value(of: .distance, at: .start) == 0)
    }

    @Test func `the altitude is that of the pressure in the standard atmosphere`() {
        for tenths in 3000...11_000 {
            let pressure = Double(tenths) / 10
            let expected = 44_330 * (1 - pow(pressure / 1013.25, 0.1903))
            #expect(abs(Barometry.altitude(hectopascals: pressure) - expected) < 1e-6)
        }
        var environment = Environment(board: .heltecV3)
        environment.pressure = .constant(954.6)
        #expect(Int(environment.value(of: .altitude, at: .start)) == 500)
    }

    @Test func `processors measure as finely as they do`() {
        var environment = Environment(board: .heltecV3)
        func readings(_ thermometer: Thermometer) -> [Double?] {
            [31.99, -0.3, -7.6].map {
                environment.thermometer = thermometer
                environment.processorTemperature = .constant($0)
                return environment.processorDegrees(at: .start)
            }
        }

        #expect(readings(.exact) == [31.99, -0.3, -7.6])
        #expect(readings(.wholeDegrees) == [31, 0, 0])
        #expect(readings(.quarterDegrees) == [32, -0.25, -7.5])
        let boards = [BoardPlatform.esp32, .nrf52, .other].map { platform in
            var board = BoardProfile.small
            board.platform = platform
            return Environment(board: board).thermometer
        }
        #expect(boards == [.wholeDegrees, .quarterDegrees, .exact])
    }

    // MARK: Cost

    @Test func `a node without sensors holds a few words and asks for no memory`() {
        #expect(MemoryLayout<Environment>.size <= 48)
        var environment = Environment(board: .heltecV3)
        environment.startGPS(isOn: false, at: .start)
        #expect(environment == Environment(board: .heltecV3))
        #expect(environment.telemetry(mask: .all, processor: .last, at: .start).hex == "017401a30167017c")
    }
}
