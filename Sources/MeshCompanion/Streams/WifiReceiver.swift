/// The radio's receiver on ESP32 Wi-Fi: believes every header and waits for the whole payload.
///
/// A wrong marker swallows as many bytes as its length states, and a frame that is too long is discarded. A length
/// that the socket's buffer cannot hold never completes: the connection is dead until the client reconnects.
/// Source: CompanionStatements, CMP-010 to CMP-013, CMP-017; firmware, `SerialWifiInterface`.
public struct WifiReceiver: RadioReceiver {
    /// The receive window of the ESP32's IP stack, four segments of 1436 bytes.
    public static let socketBuffer = 5744

    private var header: (marker: UInt8, length: Int)?
    private var input: ByteQueue
    /// Frames that were dropped for their marker or their length.
    public private(set) var discarded = 0

    /// Begins with nothing received; `capacity` is the size of the socket's buffer, in bytes.
    public init(capacity: Int = WifiReceiver.socketBuffer) {
        input = ByteQueue(capacity: capacity)
    }

    public var room: Int { input.free }
    public var frameLimit = CompanionLimits.frame

    /// True when the header that was read can never be followed by its payload.
    public var isStuck: Bool { (header?.length ?? 0) > input.capacity }

    public mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        input.append(bytes)
    }

    /// The next frame. Passes of the radio's loop that yield nothing but drop something are run through in one call.
    public mutating func nextFrame() -> [UInt8]? {
        while true {
            guard let header = header ?? readHeader() else {
                if input.count < StreamFraming.headerSize { return nil }
                continue
            }
            guard input.count >= header.length else { return nil }
            self.header = nil
            if header.length <= frameLimit && header.marker == StreamFraming.toRadioMarker {
                return input.take(header.length)
            }
            input.drop(header.length)
            discarded &+= 1
        }
    }

    public mutating func reset() {
        header = nil
        input.removeAll()
    }

    /// Reads three bytes as soon as they are there; with marker 0 or length 0 they were no header.
    private mutating func readHeader() -> (marker: UInt8, length: Int)? {
        guard input.count >= StreamFraming.headerSize else { return nil }
        let marker = input[0]
        let length = Int(input[1]) | Int(input[2]) << 8
        input.drop(StreamFraming.headerSize)
        guard marker != 0 && length != 0 else {
            discarded &+= 1
            return nil
        }
        header = (marker, length)
        return header
    }
}
