import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// The recorded series of a sensor, and its minima, maxima and averages.
///
/// Source: InfrastructureNodes, "Requests" and "Sensor" (INF-094 to INF-096).
@Suite struct TimeSeriesTests {
    private static let clock: UInt32 = 1_767_225_607

    /// Readings 300 s apart, the last one now.
    private static func series(_ values: [Float]) -> TimeSeries {
        var series = TimeSeries()
        for (index, value) in values.enumerated() {
            series.record(value, at: clock - 300 * UInt32(values.count - 1 - index))
        }
        return series
    }

    private static func parameters(from start: UInt32, to end: UInt32, _ reserved: [UInt8] = [0, 0]) -> [UInt8] {
        Peer.bytes(start) + Peer.bytes(end) + reserved
    }

    @Test func `one value is taken every 300 s, the first at once, and none while the clock is behind`() {
        var series = TimeSeries()
        for (value, time) in [(1, 1000), (2, 1299), (3, 1300), (4, 500), (5, 1599), (6, 1600)] as [(Float, UInt32)] {
            series.record(value, at: time)
        }

        let summary = series.summary(from: 900, to: 0, at: 1600)

        #expect(series.lastTime == 1600)
        #expect(summary == MinMaxAvg(minimum: 1, maximum: 6, average: 10 / 3))
    }

    @Test func `a slot counts from its end on and before its start`() {
        let series = Self.series([4.0, 3.9, 3.8, 3.7])

        // Ages are 0, 300, 600 and 900 s.
        let picked = [(300, 0), (301, 0), (601, 300), (901, 600), (901, 601)].map {
            series.summary(from: $0.0, to: $0.1, at: Self.clock)
        }

        #expect(picked.map(\.minimum) == [3.7, 3.7, 3.8, 3.9, 4])
        #expect(picked.map(\.maximum) == [3.7, 3.8, 3.9, 4, 4])
        #expect(picked[1].average == (Float(3.7) + 3.8) / 2)
        // Half a minute later every slot is as much older.
        #expect(series.summary(from: 330, to: 0, at: Self.clock + 30).maximum == 3.7)
    }

    @Test(.proves("INF-096")) func `slots that were never written count as zeros`() {
        let young = Self.series([4.0])

        let hour = young.summary(from: 3600, to: 0, at: Self.clock + 60)

        // Ages 60, 360 … 3360: twelve slots.
        #expect(hour == MinMaxAvg(minimum: 0, maximum: 4, average: 4 / 12))
        #expect(young.summary(from: 200, to: 0, at: Self.clock + 60).minimum == 4)
    }

    @Test func `the ring holds a day`() {
        var values = (0..<288).map { 3 + Float($0) / 1000 }
        values.insert(9, at: 0)
        let series = Self.series(values)

        let day = series.summary(from: 86_400, to: 0, at: Self.clock)

        #expect(day.minimum == 3 && day.maximum == 3.287)
        let total = values.dropFirst().reversed().reduce(0, +)
        #expect(day.average == total / 288)
    }

    @Test func `without a slot in range nothing is a number, which an nRF52 writes as zeros`() {
        let series = Self.series([4.0])

        let summary = series.summary(from: 10, to: 20, at: Self.clock)

        #expect(summary.minimum.isNaN && summary.maximum.isNaN && summary.average.isNaN)
        #expect(summary.encoded(channel: 1, type: .voltage) == [1, 116, 0, 0, 0, 0, 0, 0])
    }

    @Test func `a clock that went back makes every slot so old that it wraps`() {
        let series = Self.series([4.0])

        // The newest is 2^32 − 100 s old, the next 200 s.
        let summary = series.summary(from: 300, to: 0, at: Self.clock - 100)

        #expect(summary == MinMaxAvg(minimum: 0, maximum: 0, average: 0))
        #expect(series.summary(from: .max, to: .max - 100, at: Self.clock - 100).maximum == 4)
    }

    // MARK: Answers

    private struct Response: Decodable {
        struct Fields: Decodable {
            struct Series: Decodable {
                let channel: UInt8
                let type: UInt8
                let min: Float
                let max: Float
                let avg: Float
            }
            let serverClock: UInt32
            let series: [Series]
        }
        let fields: Fields
        let body: String
    }

    @Test func `MMA-RESP extremes are truncated to hundredths of a volt`() throws {
        let vector = InfrastructureVectors.read("MMA-RESP", as: Response.self)
        let expected = try #require(vector.fields.series.first)
        let summary = MinMaxAvg(minimum: expected.min, maximum: expected.max, average: expected.avg)

        let bytes = summary.encoded(channel: expected.channel, type: LPPType(rawValue: expected.type))

        #expect((Peer.bytes(vector.fields.serverClock) + bytes).hex == vector.body)
    }

    @Test func `a request for the last day is answered with clock and series`() {
        let series = Self.series([3.61, 4.18, 3.98])

        let reply = MinMaxAvgReply.encode(
            parameters: Self.parameters(from: 900, to: 0), battery: series, at: Self.clock)

        // 4.18 V loses a hundredth; the average is 3.92333 V.
        #expect(reply.hex == "07b955690174016901a10188")
    }

    @Test(.proves("INF-095"), arguments: [[1, 0], [0, 1], [0xFF, 0xFF]] as [[UInt8]])
    func `with reserved bytes set the clock is all that is answered`(reserved: [UInt8]) {
        let reply = MinMaxAvgReply.encode(
            parameters: Self.parameters(from: 900, to: 0, reserved), battery: Self.series([4]), at: Self.clock)

        #expect(reply == Peer.bytes(Self.clock))
    }

    @Test func `bytes that a request lacks are zero`() {
        let series = Self.series([4])
        for count in 0..<8 {
            let reply = MinMaxAvgReply.encode(
                parameters: Array(repeating: 0, count: count), battery: series, at: Self.clock)
            // From 0 to 0 seconds ago there is no slot.
            #expect(reply == Peer.bytes(Self.clock) + [1, 116, 0, 0, 0, 0, 0, 0])
        }
    }

    // MARK: The sensor's own layouts

    @Test func `the sensor takes humidity for two bytes, and voltage and current for unsigned`() {
        #expect(SensorLayout(.relativeHumidity).encode(55.5) == [0x02, 0x2B])
        #expect(SensorLayout(.voltage).encode(-1.5) == [0, 150])
        #expect(SensorLayout(.current).encode(-0.25) == [0, 250])
        #expect(SensorLayout(.temperature).encode(-5.3) == [0xFF, 0xCB])
        #expect(SensorLayout(.gps).encode(1).count == 9)
        #expect(SensorLayout(.altitude).encode(.infinity) == [0xFF, 0xFF])
    }

    @Test func `a reading is what telemetry says, to hundredths of a volt`() {
        var environment = Environment(board: .heltecV3)
        environment.parts = [.lps22hb, .vl53l0x]
        environment.temperature = .constant(-5.3)
        environment[.distance] = .constant(1.234)
        let telemetry = environment.telemetry(mask: .all, processor: .absent, at: .start)

        #expect(SensorLayout.value(of: .voltage, channel: 1, in: telemetry) == 4.19)
        #expect(SensorLayout.value(of: .temperature, channel: 2, in: telemetry) == -5.3)
        #expect(SensorLayout.value(of: .distance, channel: 3, in: telemetry) == 1.234)
        #expect(SensorLayout.value(of: .voltage, channel: 2, in: telemetry) == 0)
    }

    @Test func `behind a humidity a sensor reads its own telemetry wrongly`() {
        var environment = Environment(board: .heltecV3)
        environment.parts = [.ahtx0, .ina219]
        let telemetry = environment.telemetry(mask: .all, processor: .absent, at: .start)

        #expect(LPPReader(telemetry).contains { $0.channel == 3 && $0.type == .voltage && $0.values == [5] })
        #expect(SensorLayout.value(of: .voltage, channel: 3, in: telemetry) == 0)
    }

    @Test func `no bytes trap the reading`() {
        var random = Seed(9).stream("readings")
        var found = 0
        for _ in 0..<5000 {
            let bytes = (0..<random.draw(0, 60)).map { _ in random.nextByte() & 0x87 }
            for type in LPPType.known {
                if SensorLayout.value(of: type, channel: random.nextByte() & 3, in: bytes) != 0 { found += 1 }
            }
        }
        #expect(found > 1000)
    }
}
