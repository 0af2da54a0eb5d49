import MeshPacket
import MeshTime
import MeshWire
import Testing

@Suite struct LPPTests {
    @Test func `voltage, temperature and position are written as the firmware scales them`() {
        var writer = LPPWriter()

        writer.append(4.21, as: .voltage, channel: 1)
        writer.append(-4.1, as: .temperature, channel: 2)
        writer.append([42.3519, -87.9094, 10], as: .gps, channel: 3)

        // 42.3519 in 32-bit floating point lies below the decimal number, so the last digit is lost.
        #expect(writer.bytes.hex == "017401a50267ffd7038806765ef2960a0003e8")
    }

    @Test func `records are read up to the padding`() {
        let bytes = [UInt8](hex: "017401a50267ffd7038806765ff2960a0003e8000000") ?? []

        let records = Array(LPPReader(bytes))

        #expect(records.map(\.channel) == [1, 2, 3])
        #expect(records.map(\.type) == [.voltage, .temperature, .gps])
        #expect(records[0].values == [4.21])
        #expect(records[1].values == [-4.1])
        #expect(records[2].values == [42.3519, -87.9094, 10])
        #expect(records[1].description == "channel 2 temperature: -4.1 °C")
    }

    @Test(arguments: LPPType.known)
    func `every known type is written and read again`(type: LPPType) {
        var random = Seed(6).stream("lpp", "\(type.rawValue)")
        for _ in 0..<100 {
            var numbers = (0..<type.layout.axes).map { _ in Int(random.nextByte()) }
            if type == .polyline { numbers[0] = 8 }
            let record = LPPRecord(channel: random.nextByte() | 1, type: type, numbers: numbers)
            var writer = LPPWriter()
            writer.append(record)

            var reader = LPPReader(writer.bytes + [0, 0, 0])
            #expect(reader.next() == record)
            #expect(reader.next() == nil)
            #expect(reader.offset == writer.bytes.count)
        }
    }

    @Test func `a record that is cut ends the data`() {
        let bytes = [UInt8](hex: "017401a5038806765ff2960a00") ?? []

        #expect(Array(LPPReader(bytes)).map(\.type) == [.voltage])
    }

    @Test func `an unknown type is taken as one byte`() {
        let records = Array(LPPReader([1, 200, 7, 1, 0x74, 1, 0xA5]))

        #expect(records.map(\.numbers) == [[7], [421]])
        #expect(records[0].type.description == "LPP type 200")
    }

    @Test func `what does not fit is refused`() {
        var writer = LPPWriter(limit: 10)

        let first = writer.append(1, as: .voltage, channel: 1)
        let position = writer.append([1, 1, 1], as: .gps, channel: 1)
        let noNumber = writer.append(.nan, as: .voltage, channel: 1)

        #expect(first && !position && noNumber)
        #expect(writer.bytes.hex == "0174006401740000")
    }

    @Test func `a million drawn bytes never trap the reader`() {
        var random = Seed(7).stream("lpp")
        var records = 0
        for _ in 0..<10_000 {
            let bytes = (0..<100).map { _ in random.nextByte() }
            for record in LPPReader(bytes) {
                records += record.numbers.count
            }
        }
        #expect(records > 10_000)
    }
}
