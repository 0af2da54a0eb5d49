import MeshWire

/// Writes settings as the firmware does: JSON whose keys carry no quotes.
///
/// Source: `ConfigSerializer` in the firmware.
struct SettingsWriter {
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]
    private var isFirst = true

    mutating func number(_ key: String, _ value: some BinaryInteger) {
        begin(key)
        bytes.append(contentsOf: String(value).utf8)
    }

    /// A decimal number with a fixed count of digits, rounded by adding half a digit and cutting; zero is just "0".
    mutating func decimal(_ key: String, _ value: Double, digits: Int) {
        begin(key)
        bytes.append(contentsOf: Self.decimal(value, digits: digits).utf8)
    }

    mutating func text(_ key: String, _ value: ByteText) {
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

    mutating func hex(_ key: String, _ value: [UInt8]) {
        text(key, ByteText(value.hex.uppercased()))
    }

    mutating func object(_ key: String, _ body: (inout SettingsWriter) -> Void) {
        begin(key)
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
        body(&self)
        bytes.append(UInt8(ascii: "}"))
        isFirst = false
    }

    /// The text with its last brace.
    func finished() -> [UInt8] { bytes + [UInt8(ascii: "}")] }

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
        let whole = UInt64(rest)
        rest -= Double(whole)
        var text = (value < 0 ? "-" : "") + String(whole) + "."
        for _ in 0..<digits {
            rest *= 10
            let digit = UInt8(rest)
            text.append(String(digit))
            rest -= Double(digit)
        }
        return text
    }
}

/// Where settings cannot be understood: the byte and what was being read.
struct SettingsSyntaxError: Error, Hashable {
    var offset: Int
    var key: String
    var reason: String
}

/// Reads what `SettingsWriter` writes, and quoted keys too.
///
/// Values are handed out with their full key ("radio.freq") in the order of the file; at the first fault reading stops,
/// as in the firmware, and the fault is kept.
struct SettingsReader {
    /// `CONFIG_MAX_DEPTH`, `CONFIG_MAX_KEYLEN`, `CONFIG_MAX_TOKEN_LEN`.
    private static let maximumDepth = 8
    private static let maximumKey = 15
    private static let maximumToken = 127

    private let bytes: [UInt8]
    private var offset = 0
    private var path: [String] = []
    private(set) var fault: SettingsSyntaxError?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Walks the whole text. `take` says what is wrong with a value; reading goes on behind it all the same.
    mutating func read(_ take: (_ key: String, _ value: ByteText) -> String?) {
        do throws(SettingsSyntaxError) {
            try expect(UInt8(ascii: "{"))
            try object(take)
            skipSpace()
            if offset < bytes.count { throw error("text behind the last brace") }
        } catch {
            fault = fault ?? error
        }
    }

    private mutating func object(_ take: (String, ByteText) -> String?) throws(SettingsSyntaxError) {
        skipSpace()
        if peek() == UInt8(ascii: "}") {
            offset += 1
            return
        }
        while true {
            path.append(try key())
            try expect(UInt8(ascii: ":"))
            skipSpace()
            switch peek() {
            case UInt8(ascii: "{"):
                guard path.count < Self.maximumDepth else { throw error("nested too deeply") }
                offset += 1
                try object(take)
            case UInt8(ascii: "\""):
                hand(try quoted(), take)
            default:
                hand(try bare(), take)
            }
            path.removeLast()
            skipSpace()
            guard let next = peek() else { throw error("the file ends inside an object") }
            offset += 1
            if next == UInt8(ascii: "}") { return }
            guard next == UInt8(ascii: ",") else { throw error("neither comma nor brace") }
        }
    }

    private mutating func hand(_ value: ByteText, _ take: (String, ByteText) -> String?) {
        guard let reason = take(path.joined(separator: "."), value), fault == nil else { return }
        fault = error(reason)
    }

    private mutating func key() throws(SettingsSyntaxError) -> String {
        skipSpace()
        if peek() == UInt8(ascii: "\"") { return try quoted().string }
        let start = offset
        while let byte = peek(), Self.isKeyByte(byte) { offset += 1 }
        guard offset > start, offset - start <= Self.maximumKey else { throw error("no key") }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func quoted() throws(SettingsSyntaxError) -> ByteText {
        offset += 1
        var text: [UInt8] = []
        while let byte = peek() {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return ByteText(bytes: text)
            case UInt8(ascii: "\\"): text.append(try escaped())
            default: text.append(byte)
            }
            guard text.count <= Self.maximumToken else { throw error("a value of more than 127 bytes") }
        }
        throw error("the file ends inside a text")
    }

    private mutating func escaped() throws(SettingsSyntaxError) -> UInt8 {
        let byte = peek()
        offset += 1
        switch byte {
        case UInt8(ascii: "n"): return UInt8(ascii: "\n")
        case UInt8(ascii: "r"): return UInt8(ascii: "\r")
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return byte ?? 0
        default: throw error("an unknown escape")
        }
    }

    private mutating func bare() throws(SettingsSyntaxError) -> ByteText {
        let start = offset
        while let byte = peek(), Self.isValueByte(byte) { offset += 1 }
        guard offset > start, offset - start <= Self.maximumToken else { throw error("no value") }
        return ByteText(bytes: [UInt8](bytes[start..<offset]))
    }

    private mutating func expect(_ byte: UInt8) throws(SettingsSyntaxError) {
        skipSpace()
        guard peek() == byte else { throw error("'\(Character(UnicodeScalar(byte)))' is missing") }
        offset += 1
    }

    private func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }

    private func error(_ reason: String) -> SettingsSyntaxError {
        SettingsSyntaxError(offset: offset, key: path.joined(separator: "."), reason: reason)
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
