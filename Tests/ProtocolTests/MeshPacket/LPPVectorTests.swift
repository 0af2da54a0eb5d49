import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

/// One field of the reference's encoder, and what a client library reads from it.
struct LPPVector: Decodable, Sendable, CustomTestStringConvertible {
    /// A number, a list of numbers, or numbers with names.
    struct Values: Decodable, Sendable {
        let list: [Double]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                list = [number]
            } else if let numbers = try? container.decode([Double].self) {
                list = numbers
            } else {
                let named = try container.decode([String: Double].self)
                let order = [
                    "lat", "lon", "alt", "latitude", "longitude", "altitude", "x", "y", "z", "acc_x", "acc_y", "acc_z",
                    "accX", "accY", "accZ", "r", "g", "b", "red", "green", "blue",
                ]
                list = order.compactMap { named[$0] }
            }
        }
    }

    let channel: UInt8
    let type: UInt8
    let name: String
    let value: Values
    let bytes: String
    let decodedByMeshcorePy: Values

    var testDescription: String { "\(name) \(value.list)" }

    private struct File: Decodable {
        struct Row: Decodable {
            let id: String
            let kind: String?
            let fields: [LPPVector]?

            private enum CodingKeys: CodingKey {
                case id, kind, fields
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                id = try container.decode(String.self, forKey: .id)
                kind = try container.decodeIfPresent(String.self, forKey: .kind)
                fields = id == "LPP-ENCODE" ? try container.decode([LPPVector].self, forKey: .fields) : nil
            }
        }

        let vectors: [Row]
    }

    static let all = VectorFile.decode(File.self, "infrastructure").vectors.compactMap(\.fields)
        .flatMap(\.self)
}

@Suite struct LPPVectorTests {
    @Test func `there are vectors of all types but those that no role sends`() {
        let types = Set(LPPVector.all.map(\.type))
        let unseen = LPPType.known.filter { !types.contains($0.rawValue) }

        #expect(LPPVector.all.count == 38)
        #expect(unseen == [.digitalInput, .digitalOutput, .analogOutput, .polyline])
    }

    @Test(arguments: LPPVector.all)
    func `LPP-ENCODE fields are written and read as the reference and a client do`(_ vector: LPPVector) throws {
        let type = LPPType(rawValue: vector.type)
        var writer = LPPWriter()

        let isWritten = writer.append(vector.value.list, as: type, channel: vector.channel)
        let records = Array(LPPReader(writer.bytes + [0, 0]))

        #expect(isWritten)
        #expect(writer.bytes.hex == vector.bytes)
        let record = try #require(records.first)
        #expect(records.count == 1 && record.channel == vector.channel && record.type == type)
        #expect(record.values == vector.decodedByMeshcorePy.list)
    }

    @Test(.proves("INF-083")) func `a battery of 4200 mV is written as 4.19 V`() {
        #expect(Self.written(4200 / 1000.0, .voltage) == "017401a3")
    }

    @Test(.proves("INF-084")) func `negative voltage and current are two's complement`() {
        #expect(Self.written(-0.25, .current) == "0175ff06")
        #expect(Self.written(-1.5, .voltage) == "0174ff6a")
    }

    @Test func `of the tens of millivolts from 4100 to 4300 four lose one`() {
        func hundredths(_ millivolts: Int) -> Int {
            var writer = LPPWriter()
            writer.append(Double(millivolts) / 1000, as: .voltage, channel: 1)
            return Int(writer.bytes[2]) << 8 | Int(writer.bytes[3])
        }
        let readings = stride(from: 4100, through: 4300, by: 10)

        let low = readings.filter { hundredths($0) == $0 / 10 - 1 }

        #expect(low == [4180, 4200, 4220, 4240])
        #expect(readings.filter { hundredths($0) == $0 / 10 }.count == 21 - low.count)
    }

    @Test
    func `a negative value of an unsigned type loses its sign, or counts as 0 where the encoder takes whole numbers`() {
        #expect(Self.written(-3.085, .power) == "01800003")
        #expect(Self.written(-7, .percentage) == "017800")
    }

    @Test func `what no 32 bits can hold ends at their end, and what is no number is 0`() {
        #expect(Self.written(.nan, .voltage) == "01740000")
        #expect(Self.written(.infinity, .genericSensor) == "0164ffffffff")
        #expect(Self.written(1e9, .temperature) == "0167ffff")
        #expect(Self.written(-.infinity, .unixTime) == "018500000000")
    }

    @Test func `a type is given as many values as it has axes`() {
        var writer = LPPWriter()

        let results = [
            writer.append([1, 2], as: .gps, channel: 1), writer.append(1, as: .accelerometer, channel: 1),
            writer.append([1, 2, 3], as: .voltage, channel: 1),
        ]

        #expect(results == [false, false, false])
        #expect(writer.bytes.isEmpty)
    }

    @Test func `a field that does not fit is left out, and a shorter one behind it is not`() {
        var writer = LPPWriter()
        for _ in 0..<44 { writer.append(1, as: .voltage, channel: 1) }

        let results = [
            writer.append([1, 2, 3], as: .gps, channel: 1), writer.append(50, as: .relativeHumidity, channel: 2),
            writer.append(1, as: .percentage, channel: 2),
        ]

        #expect(results == [false, true, false])
        #expect(writer.limit == 180)
        #expect(writer.bytes.count == 179)
    }

    @Test func `a writer that rounds takes the nearest number`() {
        var writer = LPPWriter(isRounding: true)

        writer.append(4.2, as: .voltage, channel: 1)
        writer.append(-5.26, as: .temperature, channel: 1)

        #expect(writer.bytes.hex == "017401a40167ffcb")
    }

    @Test func `whatever fits a type comes back to within a step of it`() throws {
        for type in LPPType.known where type != .polyline {
            let layout = type.layout
            let steps = Double(1 << (8 * layout.size - (layout.isSigned ? 1 : 0))) / Double(layout.divisor)
            for part in [0.0, 0.001, 0.25, 0.5, 0.77, 0.99] {
                for sign in layout.isSigned ? [1.0, -1.0] : [1.0] {
                    // Behind 24 bits a 32-bit fraction has none to spare.
                    let value = sign * min(steps * part, 65_000)
                    var writer = LPPWriter()
                    writer.append(Array(repeating: value, count: layout.axes), as: type, channel: 9)
                    let record = try #require(LPPReader(writer.bytes).first { _ in true })
                    for (index, back) in record.values.enumerated() {
                        let divisor = Double(index == layout.axes - 1 ? layout.lastDivisor : layout.divisor)
                        let isWrapped = index == layout.axes - 1 && layout.lastDivisor != layout.divisor
                        #expect(
                            isWrapped || abs(back - value) <= 1 / divisor + abs(value) / 8_000_000, "\(type) \(value)")
                    }
                }
            }
        }
    }

    private static func written(_ value: Double, _ type: LPPType) -> String {
        var writer = LPPWriter()
        writer.append(value, as: type, channel: 1)
        return writer.bytes.hex
    }
}
