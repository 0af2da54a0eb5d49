/// Writes settings as the firmware does: JSON whose keys carry no quotes.
///
/// Source: `ConfigSerializer` in the firmware.
package struct SettingsWriter {
    package private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]
    private var isFirst = true

    package init() {}

    package mutating func number(_ key: String, _ value: some BinaryInteger) {
        begin(key)
        bytes.append(contentsOf: String(value).utf8)
    }

    /// A decimal number with a fixed count of digits, rounded by adding half a digit and cutting; zero is just "0".
    package mutating func decimal(_ key: String, _ value: Double, digits: Int) {
        begin(key)
        bytes.append(contentsOf: Self.decimal(value, digits: digits).utf8)
    }

    package mutating func text(_ key: String, _ value: ByteText) {
        begin(key)
        bytes.append(UInt8(ascii: "\""))
        for byte in value.bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func hex(_ key: String, _ value: [UInt8]) {
        text(key, ByteText(value.hex.uppercased()))
    }

    package mutating func object(_ key: String, _ body: (inout SettingsWriter) -> Void) {
        begin(key)
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
        body(&self)
        bytes.append(UInt8(ascii: "}"))
        isFirst = false
    }

    /// The text with its last brace.
    package func finished() -> [UInt8] { bytes + [UInt8(ascii: "}")] }

    private mutating func begin(_ key: String) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes.append(contentsOf: key.utf8)
        bytes.append(UInt8(ascii: ":"))
    }

    static func decimal(_ value: Double, digits: Int) -> String {
        if value == 0 { return "0" }
        if value.isNaN { return "nan" }
        if value.isInfinite { return "inf" }
        if abs(value) > 4_294_967_040 { return "ovf" }
        var half = 0.5
        for _ in 0..<digits { half /= 10 }
        var rest = abs(value) + half
        let whole = UInt64(wholePart: rest)
        rest -= Double(whole)
        var text = (value < 0 ? "-" : "") + String(whole) + "."
        for _ in 0..<digits {
            rest *= 10
            let digit = UInt8(wholePart: rest)
            text.append(String(digit))
            rest -= Double(digit)
        }
        return text
    }
}

/// The place at which settings cannot be understood: the byte and the key.
package struct SettingsSyntaxError: Error, Hashable {
    package var offset: Int
    package var key: String
    package var reason: String

    package init(offset: Int, key: String, reason: String) {
        (self.offset, self.key, self.reason) = (offset, key, reason)
    }
}

/// Reads what `SettingsWriter` writes, byte by byte as the firmware does.
///
/// Values are delivered with their full key ("radio.freq") in the order of the file. At the first fault reading
/// stops, and the fault is kept. The firmware's quirks are there, too: no empty object, no quoted key. A value
/// looks only at the outer keys, so that one in an unknown place may set another one.
package struct SettingsReader {
    /// `CONFIG_MAX_DEPTH`, `CONFIG_MAX_KEYLEN`, `CONFIG_MAX_TOKEN_LEN`, each less one.
    private static let maximumDepth = 7
    private static let maximumKey = 15
    private static let maximumToken = 127

    private enum Expected {
        case brace
        case key
        case value
        case text
        case escape
        case end
        /// Behind an object.
        case endOrKey
    }

    private let bytes: [UInt8]
    private var offset = 0
    private var expected = Expected.brace
    private var token: [UInt8] = []
    private var depth = 0
    /// The last key read on each level; the outermost is 1.
    private var keys = [String](repeating: "", count: maximumDepth + 1)
    package private(set) var fault: SettingsSyntaxError?

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Walks the whole text; `groups` are the keys of objects that are known. `take` returns the fault of a value;
    /// reading continues behind it all the same.
    package mutating func read(groups: [String], _ take: (_ key: String, _ value: ByteText) -> String?) {
        do throws(SettingsSyntaxError) {
            while offset < bytes.count {
                let isBehindEverything = depth == 0 && expected != .brace
                if let value = try step(bytes[offset]) {
                    let name = groups.contains(keys[1]) ? "\(keys[1]).\(keys[2])" : keys[1]
                    if let reason = take(name, ByteText(bytes: value).untilNUL) { note(reason) }
                } else if isBehindEverything, !Self.isSpace(bytes[offset]) {
                    note("text behind the last brace")
                }
                offset += 1
            }
            if expected == .brace { throw error("'{' is missing") }
            if depth > 0 { throw error(expected == .text ? "the file ends inside a text" : "the file ends too early") }
        } catch {
            fault = fault ?? error
        }
    }

    /// Reads one byte; returns the value that is complete with it.
    private mutating func step(_ byte: UInt8) throws(SettingsSyntaxError) -> [UInt8]? {
        switch expected {
        case .brace:
            if Self.isSpace(byte) { return nil }
            guard byte == UInt8(ascii: "{") else { throw error("'{' is missing") }
            try open()
        case .key, .endOrKey: try stepKey(byte)
        case .value: return try stepValue(byte)
        case .text: return try stepText(byte)
        case .escape: try stepEscape(byte)
        case .end: try stepEnd(byte)
        }
        return nil
    }

    private mutating func stepKey(_ byte: UInt8) throws(SettingsSyntaxError) {
        if expected == .endOrKey, byte == UInt8(ascii: "}") { return try close() }
        if expected == .endOrKey, byte == UInt8(ascii: ",") {
            expected = .key
        } else if !token.isEmpty, byte == UInt8(ascii: ":") {
            keys[depth] = String(decoding: token, as: UTF8.self)
            token = []
            expected = .value
        } else if Self.isKeyByte(byte), token.count < Self.maximumKey {
            token.append(byte)
        } else if !token.isEmpty || !Self.isSpace(byte) {
            throw error(token.isEmpty ? "no key" : token.count < Self.maximumKey ? "':' is missing" : "too long a key")
        }
    }

    private mutating func stepValue(_ byte: UInt8) throws(SettingsSyntaxError) -> [UInt8]? {
        if Self.isValueByte(byte) {
            try append(byte)
        } else if token.isEmpty {
            switch byte {
            case UInt8(ascii: "\""): expected = .text
            case UInt8(ascii: "{"): try open()
            default: if !Self.isSpace(byte) { throw error("no value") }
            }
        } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || Self.isSpace(byte) {
            // The byte is looked at once more when the value has been taken over.
            offset -= 1
            return endOfValue()
        } else {
            throw error("not a byte of a number")
        }
        return nil
    }

    private mutating func stepText(_ byte: UInt8) throws(SettingsSyntaxError) -> [UInt8]? {
        switch byte {
        case UInt8(ascii: "\""): return endOfValue()
        case UInt8(ascii: "\\"): expected = .escape
        default: try append(byte)
        }
        return nil
    }

    private mutating func stepEscape(_ byte: UInt8) throws(SettingsSyntaxError) {
        switch byte {
        case UInt8(ascii: "n"): try append(UInt8(ascii: "\n"))
        case UInt8(ascii: "r"): try append(UInt8(ascii: "\r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): try append(byte)
        default: throw error("an unknown escape")
        }
        expected = .text
    }

    private mutating func stepEnd(_ byte: UInt8) throws(SettingsSyntaxError) {
        switch byte {
        case UInt8(ascii: ","): expected = .key
        case UInt8(ascii: "}"): try close()
        default: if !Self.isSpace(byte) { throw error("neither comma nor brace") }
        }
    }

    private mutating func open() throws(SettingsSyntaxError) {
        guard depth < Self.maximumDepth else { throw error("nested too deeply") }
        depth += 1
        expected = .key
    }

    private mutating func close() throws(SettingsSyntaxError) {
        guard depth > 0 else { throw error("one brace too many") }
        depth -= 1
        expected = .endOrKey
    }

    private mutating func endOfValue() -> [UInt8] {
        defer { token = [] }
        expected = .end
        return token
    }

    private mutating func append(_ byte: UInt8) throws(SettingsSyntaxError) {
        guard token.count < Self.maximumToken else { throw error("a value of more than 127 bytes") }
        token.append(byte)
    }

    private mutating func note(_ reason: String) { fault = fault ?? error(reason) }

    /// At this byte, in the key that is being read or was read last.
    private func error(_ reason: String) -> SettingsSyntaxError {
        var path = depth > 0 ? Array(keys[1...depth]) : []
        if expected == .key || expected == .endOrKey {
            _ = path.popLast()
            if depth > 0, !token.isEmpty { path.append(String(decoding: token, as: UTF8.self)) }
        }
        return SettingsSyntaxError(offset: offset, key: path.joined(separator: "."), reason: reason)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func isValueByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
