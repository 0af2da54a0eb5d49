import MeshWire

/// One measured value of a telemetry answer.
public struct LPPRecord: Hashable, Sendable {
    /// The sensor of the node; 1 is the node itself, 0 would end the data.
    public var channel: UInt8
    /// The quantity that was measured.
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
            Double(numbers[index]) / Double(layout.divisor(ofAxis: index))
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

/// Reads telemetry records until the data ends, is cut, or a channel of 0 announces padding.
///
/// It never fails: it leaves what it cannot read, as the firmware's reader does.
public struct LPPReader: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    /// The place at which the next record starts.
    public private(set) var offset = 0

    /// Begins before the first record.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the records of telemetry for people, with the number of bytes behind them that are no padding.
    @usableFromInline
    package static func text(of bytes: [UInt8]) -> String {
        var reader = LPPReader(bytes)
        var parts: [String] = []
        while let record = reader.next() { parts.append("\(record)") }
        let rest = bytes[reader.offset...]
        if rest.contains(where: { $0 != 0 }) { parts.append("\(rest.count) bytes that are no record") }
        return parts.joined(separator: "; ")
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

/// Writes telemetry records one behind the other and skips those that no longer fit.
///
/// Values are scaled as the firmware's encoder scales them: in 32-bit floating point, truncated toward zero. A negative
/// value is two's complement where the type is signed, and loses its sign where it is not. Source: InfrastructureNodes,
/// INF-083 and INF-084; CayenneLPP 1.6.1, which the firmware is built with.
public struct LPPWriter: Sendable {
    /// The records written so far.
    public private(set) var bytes: [UInt8] = []
    /// The longest it may become, in bytes.
    public let limit: Int
    /// True to round to the nearest number of the type, which the firmware does not.
    public let isRounding: Bool

    /// A writer; by default with the buffer that all roles of the firmware have, of 180 bytes.
    public init(limit: Int = PacketLimits.payload - 4, isRounding: Bool = false) {
        self.limit = limit
        self.isRounding = isRounding
    }

    /// Appends a record; false when it does not fit.
    @discardableResult
    public mutating func append(_ record: LPPRecord) -> Bool {
        guard bytes.count + 2 + record.data.count <= limit else { return false }
        bytes += [record.channel, record.type.rawValue]
        bytes += record.data
        return true
    }

    /// Appends a value in the type's unit, such as 4.2 for a voltage; false when it does not fit.
    @discardableResult
    public mutating func append(_ value: Double, as type: LPPType, channel: UInt8) -> Bool {
        append([value], as: type, channel: channel)
    }

    /// Appends the values of a type with several axes, such as latitude, longitude and altitude.
    ///
    /// Returns false when they do not fit or the type has another number of axes.
    @discardableResult
    public mutating func append(_ values: [Double], as type: LPPType, channel: UInt8) -> Bool {
        let layout = type.layout
        guard values.count == layout.axes else { return false }
        let numbers = values.indices.map { number(of: values[$0], axis: $0, layout) }
        return append(LPPRecord(channel: channel, type: type, numbers: numbers))
    }

    /// The whole number that stands for a value. A value that is no number becomes 0; one beyond 32 bits becomes
    /// the nearest bound.
    private func number(of value: Double, axis: Int, _ layout: LPPLayout) -> Int {
        let divisor = layout.divisor(ofAxis: axis)
        // Encoders of several axes take signed numbers as they are; those of one take the magnitude first.
        let range = layout.axes == 1 ? -4_294_967_295...4_294_967_295 : -2_147_483_648...2_147_483_647
        let product = scaled(value, by: divisor, layout)
        let whole = Int(wholePart: product, in: range)
        if layout.isInteger { return max(whole, 0) }
        return layout.axes == 1 && !layout.isSigned ? abs(whole) : whole
    }

    private func scaled(_ value: Double, by divisor: Int, _ layout: LPPLayout) -> Double {
        if layout.isInteger { return value }
        guard isRounding else { return Double(Float(value) * Float(divisor)) }
        return value * Double(divisor) + (value < 0 ? -0.5 : 0.5)
    }
}
