/// The radio's receiver on serial lines and on Ethernet: hunts for the marker, byte by byte.
///
/// ```
///  idle --3C--> length low --> length high --0--> idle
///   ^                               |
///   +---- all bytes counted ---- payload
/// ```
///
/// A frame that is too long is consumed whole and delivered cut to `frameLimit`. A broken length swallows what follows;
/// only the count ends it. Source: CompanionStatements, CMP-002 to CMP-007; firmware,
/// `ArduinoSerialInterface`.
public struct SerialReceiver: RadioReceiver {
    enum State: Hashable {
        case idle
        case lengthLow
        case lengthHigh(low: UInt8)
        case payload(left: Int)
    }

    private var state = State.idle
    private var input: ByteQueue
    private var frame: [UInt8] = []
    /// Bytes that were skipped while no frame was under way.
    public private(set) var noise = 0

    /// `capacity` is the driver's buffer, which holds what comes behind the frame that is being executed.
    public init(capacity: Int = 4096) {
        input = ByteQueue(capacity: capacity)
        frame.reserveCapacity(CompanionLimits.frame)
    }

    public var room: Int { input.free }
    public var frameLimit = CompanionLimits.frame

    /// True when a frame has begun and is not complete yet.
    package var hasPart: Bool { state != .idle }

    public mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        input.append(bytes)
    }

    public mutating func nextFrame() -> [UInt8]? {
        while let byte = input.popFirst() {
            if advance(byte) { return frame }
        }
        return nil
    }

    public mutating func reset() {
        state = .idle
        input.removeAll()
        frame.removeAll(keepingCapacity: true)
    }

    /// Reads one byte, and returns whether it ended a frame.
    private mutating func advance(_ byte: UInt8) -> Bool {
        switch state {
        case .idle:
            if byte == StreamFraming.toRadioMarker { state = .lengthLow } else { noise &+= 1 }
        case .lengthLow: state = .lengthHigh(low: byte)
        case .lengthHigh(let low):
            let length = Int(low) | Int(byte) << 8
            frame.removeAll(keepingCapacity: true)
            state = length == 0 ? .idle : .payload(left: length)
        case .payload(let left):
            if frame.count < frameLimit { frame.append(byte) }
            state = left == 1 ? .idle : .payload(left: left - 1)
            return left == 1
        }
        return false
    }
}
