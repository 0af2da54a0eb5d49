/// The framing in a stream of bytes, serial or TCP: a marker, a length of two bytes, the frame.
///
/// There is no checksum, no escape and no time-out. Source: CompanionStatements, CMP-001, CMP-005, CMP-010.
public enum StreamFraming {
    /// `3C`, `<`: in front of frames to the radio.
    public static let toRadioMarker: UInt8 = 0x3C
    /// `3E`, `>`: in front of frames to the app.
    public static let toAppMarker: UInt8 = 0x3E
    /// Marker and length.
    public static let headerSize = 3

    /// A frame of the radio, ready to be written, or `nil` for one that the radio refuses to write: empty or too long.
    public static func encode(toApp frame: [UInt8]) -> [UInt8]? {
        guard (1...CompanionLimits.frame).contains(frame.count) else { return nil }
        return wrap(toAppMarker, frame)
    }

    /// A frame of the app, ready to be written.
    ///
    /// Frames longer than a radio accepts are written too, since radios differ in handling them. A frame is cut to
    /// what the length field can hold.
    public static func encode(toRadio frame: [UInt8]) -> [UInt8] {
        wrap(toRadioMarker, frame)
    }

    private static func wrap(_ marker: UInt8, _ frame: [UInt8]) -> [UInt8] {
        let count = min(frame.count, 0xFFFF)
        return wrap(marker, frame.prefix(count), stating: count)
    }

    /// Any bytes behind a header, as a faulty link may carry them: also of a length that no radio writes, or with a
    /// header that states another length than theirs.
    package static func wrap(_ marker: UInt8, _ frame: some Collection<UInt8>, stating length: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerSize + frame.count)
        bytes.append(marker)
        bytes.append(UInt8(truncatingIfNeeded: length))
        bytes.append(UInt8(truncatingIfNeeded: length >> 8))
        bytes.append(contentsOf: frame)
        return bytes
    }
}

/// Makes frames of a stream of bytes, from a buffer of fixed size.
///
/// Two steps, as in a radio: bytes arrive in the buffer at any time, and the main loop reads one frame a pass.
public protocol StreamReceiver: Sendable {
    /// The number of bytes that `append` would accept now.
    var room: Int { get }

    /// Stores as many bytes as there is room for, and returns their number; the caller keeps the rest and reads no
    /// more.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int

    /// The next whole frame, without its header, or `nil` until more bytes have come.
    mutating func nextFrame() -> [UInt8]?

    /// Forgets everything, as on a new connection.
    mutating func reset()
}

/// The receiver of a companion radio, whose firmware decides how long a frame may be.
public protocol RadioReceiver: StreamReceiver {
    /// The longest frame that the radio accepts, in bytes.
    var frameLimit: Int { get set }
}

extension StreamReceiver {
    /// Stores as many bytes as there is room for, and returns their number.
    public mutating func append(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { append($0) }
    }
}
