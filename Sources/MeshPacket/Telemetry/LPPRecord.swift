/// One measured value of a telemetry answer.
public struct LPPRecord: Hashable, Sendable {
    /// Which sensor of the node; 1 is the node itself, 0 would end the data.
    public var channel: UInt8
    public var type: LPPType
    /// The value as it travels, big-endian.
    public var data: [UInt8]

    /// A record from the bytes of its value.
    public init(channel: UInt8, type: LPPType, data: [UInt8]) {
        self.channel = channel
        self.type = type
        self.data = data
    }

    /// A record from scaled numbers, such as 421 for 4.21 V; each keeps the bits that fit.
    public init(channel: UInt8, type: LPPType, numbers: [Int]) {
        self.init(channel: channel, type: type, data: [])
        for number in numbers {
            for byte in (0..<type.layout.size).reversed() {
                data.append(UInt8(truncatingIfNeeded: number >> (8 * byte)))
            }
        }
    }

    /// The scaled numbers, such as 421 for 4.21 V.
    public var numbers: [Int] {
        let layout = type.layout
        return stride(from: 0, to: data.count / layout.size * layout.size, by: layout.size).map { start in
            var number = 0
            for byte in data[start..<(start + layout.size)] { number = number << 8 | Int(byte) }
            let bits = 8 * layout.size
            return layout.isSigned && number >> (bits - 1) == 1 ? number - 1 << bits : number
        }
    }

    /// The numbers in the type's unit, for people.
    public var values: [Double] {
        let layout = type.layout
        let numbers = numbers
        return numbers.indices.map { index in
            Double(numbers[index]) / Double(index == numbers.count - 1 ? layout.lastDivisor : layout.divisor)
        }
    }
}

extension LPPRecord: CustomStringConvertible {
    public var description: String {
        let unit = type.layout.unit
        let numbers = values.map { "\($0)" }.joined(separator: ", ")
        return "channel \(channel) \(type): \(numbers)\(unit.isEmpty ? "" : " ")\(unit)"
    }
}

/// Reads telemetry records until the data ends, is cut, or a channel of 0 says that padding follows.
///
/// It never fails: what it cannot read it leaves, as the firmware's reader does.
public struct LPPReader: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    /// Where the next record starts.
    public private(set) var offset = 0

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    public mutating func next() -> LPPRecord? {
        guard offset + 2 < bytes.count, bytes[offset] != 0 else { return nil }
        let type = LPPType(rawValue: bytes[offset + 1])
        let start = offset + 2
        var count = type.layout.byteCount
        // A polyline announces its own size.
        if type == .polyline { count = Swift.max(count, Int(bytes[start])) }
        guard bytes.count - start >= count else { return nil }
        let record = LPPRecord(channel: bytes[offset], type: type, data: [UInt8](bytes[start..<(start + count)]))
        offset = start + count
        return record
    }
}

/// Writes telemetry records one behind the other and refuses those that no longer fit.
public struct LPPWriter: Sendable {
    public private(set) var bytes: [UInt8] = []
    /// The longest it may become, in bytes.
    public let limit: Int

    public init(limit: Int = 160) {
        self.limit = limit
    }

    /// Appends a record; false when it does not fit.
    @discardableResult
    public mutating func append(_ record: LPPRecord) -> Bool {
        guard bytes.count + 2 + record.data.count <= limit else { return false }
        bytes += [record.channel, record.type.rawValue]
        bytes += record.data
        return true
    }

    /// Appends a voltage, in volts; it is scaled in 32-bit floating point and truncated, as in the firmware.
    @discardableResult
    public mutating func appendVoltage(_ volts: Float, channel: UInt8) -> Bool {
        append(LPPRecord(channel: channel, type: .voltage, numbers: [Self.scaled(volts, 100)]))
    }

    /// Appends a temperature, in degrees Celsius.
    @discardableResult
    public mutating func appendTemperature(_ degrees: Float, channel: UInt8) -> Bool {
        append(LPPRecord(channel: channel, type: .temperature, numbers: [Self.scaled(degrees, 10)]))
    }

    /// Appends a position, in degrees and metres.
    @discardableResult
    public mutating func appendGPS(latitude: Float, longitude: Float, altitude: Float, channel: UInt8) -> Bool {
        let numbers = [Self.scaled(latitude, 10_000), Self.scaled(longitude, 10_000), Self.scaled(altitude, 100)]
        return append(LPPRecord(channel: channel, type: .gps, numbers: numbers))
    }

    /// Truncates toward zero; what is no number in 32 bits becomes 0.
    private static func scaled(_ value: Float, _ factor: Float) -> Int {
        let product = value * factor
        return product > -2_147_483_648 && product < 2_147_483_648 ? Int(product) : 0
    }
}
