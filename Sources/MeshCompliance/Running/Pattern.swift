/// Bytes in the notation of statements.
///
/// | written | means |
/// |---|---|
/// | `3E 05 00`, `FFFF` | these bytes; hex digits are upper case |
/// | `00×31` | the byte before `×` so many times |
/// | `'mccli'` | ASCII text |
/// | `time4`, `key32` | so many bytes, kept under that name |
/// | `tttttttt` | two letters a byte, kept under the letter |
/// | `?7` | so many bytes, whatever they are |
/// | `…`, `text…` | everything up to the end of the frame, kept under the name if there is one |
///
/// Numbers and byte strings are interpolated: `"02 00 00 \(timestamp) \(bob.prefix) 'hey'"`; integers are written
/// little-endian in their own width.
struct Pattern: Sendable, CustomStringConvertible {
    enum Token: Hashable, Sendable {
        case bytes([UInt8])
        case any(name: String, count: Int)
        case rest(name: String)
    }

    let source: String
    /// The tokens, or why there are none.
    let parsed: Result<[Token], PatternError>

    init(_ source: String) {
        self.source = source
        parsed = Result { () throws(PatternError) in try PatternParser(source).tokens() }
    }

    var description: String { source }

    /// The bytes of a pattern that leaves nothing open: what can be sent.
    func bytes() throws(PatternError) -> [UInt8] {
        var output: [UInt8] = []
        for token in try parsed.get() {
            guard case .bytes(let bytes) = token else {
                throw PatternError(source: source, reason: "leaves bytes open and cannot be sent")
            }
            output += bytes
        }
        return output
    }

    /// Compares a frame with the pattern: returns its named parts, or the byte at which it departs.
    ///
    /// - Throws: `PatternError` when the pattern itself cannot be parsed.
    func match(_ frame: [UInt8]) throws(PatternError) -> Match {
        var captures = Captures(frame: frame)
        var offset = 0
        for token in try parsed.get() {
            switch token {
            case .bytes(let bytes):
                for byte in bytes {
                    guard offset < frame.count, frame[offset] == byte else { return .departs(at: offset) }
                    offset += 1
                }
            case .any(let name, let count):
                guard frame.count - offset >= count else { return .departs(at: frame.count) }
                captures.keep([UInt8](frame[offset..<(offset + count)]), as: name)
                offset += count
            case .rest(let name):
                captures.keep([UInt8](frame[offset...]), as: name)
                offset = frame.count
            }
        }
        return offset == frame.count ? .matches(captures) : .departs(at: offset)
    }

    /// The result of a comparison of a frame with a pattern.
    enum Match: Sendable {
        case matches(Captures)
        /// The first byte that is different, missing or too much.
        case departs(at: Int)
    }

    /// The first byte, when the pattern fixes it: the code of the frame that is meant.
    var code: UInt8? {
        guard case .success(let tokens) = parsed, case .bytes(let bytes)? = tokens.first else { return nil }
        return bytes.first
    }
}

/// A pattern that cannot be read: a mistake in a statement, never the radio's.
struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
    let source: String
    let reason: String

    var description: String { "the pattern \(source) \(reason)" }
}

/// The named parts of a matched frame.
struct Captures: Sendable {
    let frame: [UInt8]
    private var values: [String: [UInt8]] = [:]

    init(frame: [UInt8]) {
        self.frame = frame
    }

    mutating func keep(_ bytes: [UInt8], as name: String) {
        if !name.isEmpty { values[name] = bytes }
    }

    /// The bytes under this name; empty when the pattern has no such name.
    subscript(_ name: String) -> [UInt8] { values[name] ?? [] }

    /// The bytes under this name as a little-endian number.
    func number(_ name: String) -> UInt32 { self[name].littleEndian }
}

extension Sequence<UInt8> {
    /// The first four bytes as a little-endian number; missing ones count as zero.
    package var littleEndian: UInt32 {
        var value: UInt32 = 0
        for (index, byte) in enumerated() where index < 4 { value |= UInt32(byte) << UInt32(8 * index) }
        return value
    }
}

extension FixedWidthInteger {
    /// The bytes of the number, least significant first.
    package var wireBytes: [UInt8] { Swift.withUnsafeBytes(of: littleEndian) { [UInt8]($0) } }
}
