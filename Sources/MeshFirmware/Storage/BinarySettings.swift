import MeshWire

/// Passes the bytes of a binary settings file over values, one after the other: to read them or to write them.
///
/// Source: FirmwareVersions, FWV-150 and FWV-155; firmware until 1.16, `DataStore` and `CommonCLI`.
protocol BinarySettingsPass {
    mutating func skip(_ count: Int)
    mutating func take<Value: FixedWidthInteger>(_ value: inout Value)
    mutating func take(_ key: String, _ value: inout Float)
    mutating func take(_ key: String, _ value: inout Double)
    /// Walks a text with its NUL in a field of `size` bytes.
    mutating func take(_ key: String, _ value: inout ByteText, size: Int)
}

extension BinarySettingsPass {
    mutating func take<let count: Int>(_ value: inout FixedBytes<count>) {
        for index in 0..<count { take(&value[index]) }
    }
}

/// Lays the bytes of a file over values; a file that ends within a value changes its first bytes.
struct BinarySettingsReader: BinarySettingsPass {
    private var rest: ArraySlice<UInt8>
    private(set) var fault: SettingsSyntaxError?

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }

    mutating func take<Value: FixedWidthInteger>(_ value: inout Value) {
        for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
            guard let byte = rest.popFirst() else { return }
            let mask = Value(truncatingIfNeeded: UInt8.max) << shift
            value = value & ~mask | Value(truncatingIfNeeded: byte) << shift
        }
    }

    mutating func take(_ key: String, _ value: inout Float) {
        let start = rest.startIndex
        var pattern = value.bitPattern
        take(&pattern)
        value = Float(bitPattern: pattern)
        if !value.isFinite { note(key, start, "no number") }
    }

    mutating func take(_ key: String, _ value: inout Double) {
        let start = rest.startIndex
        var pattern = value.bitPattern
        take(&pattern)
        value = Double(bitPattern: pattern)
        if !value.isFinite { note(key, start, "no number") }
    }

    mutating func take(_ key: String, _ value: inout ByteText, size: Int) {
        let new = rest.prefix(size)
        if new.count == size, !new.contains(0) { note(key, new.startIndex, "a text of \(size) bytes without an end") }
        value = ByteText(bytes: [UInt8](new) + value.bytes.dropFirst(new.count)).untilNUL.prefix(size - 1)
        rest = rest.dropFirst(size)
    }

    private mutating func note(_ key: String, _ offset: Int, _ reason: String) {
        fault = fault ?? SettingsSyntaxError(offset: offset, key: key, reason: reason)
    }
}

/// Writes values as the bytes of a file.
struct BinarySettingsWriter: BinarySettingsPass {
    private(set) var bytes: [UInt8] = []

    mutating func skip(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }

    mutating func take<Value: FixedWidthInteger>(_ value: inout Value) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func take(_ key: String, _ value: inout Float) {
        var pattern = value.bitPattern
        take(&pattern)
    }

    mutating func take(_ key: String, _ value: inout Double) {
        var pattern = value.bitPattern
        take(&pattern)
    }

    mutating func take(_ key: String, _ value: inout ByteText, size: Int) {
        let text = value.bytes.prefix(size - 1)
        bytes.append(contentsOf: text)
        skip(size - text.count)
    }
}
