import MeshCompanion

/// Finds the frames in one direction of a stream, and counts the other bytes.
///
/// ```
///  idle --marker--> length low --> length high --> payload --all bytes counted--> idle
/// ```
///
/// Towards the radio every length is believed and swallowed, as a radio on a serial line does. Towards the app a
/// length that no frame has makes the marker noise. The hunt then continues behind it, as in `ClientReceiver`.
struct FrameHunt: Sendable {
    enum Found: Hashable {
        case frame([UInt8])
        /// Bytes outside of frames: how many, and the first of them.
        case noise(count: Int, start: [UInt8])
        /// More than a frame that is kept: its length, and the first bytes.
        case oversize(length: Int, start: [UInt8])
        /// The stream ended inside a frame.
        case cut(have: Int, length: Int, start: [UInt8])
    }

    private enum State: Hashable {
        case idle
        case lengthLow
        case lengthHigh(low: UInt8)
        case payload(left: Int, length: Int)
    }

    /// Longer frames are counted and not kept.
    static let longest = 512
    /// The longest that an app believes.
    static let longestToApp = 300
    /// Noise beyond this is reported at once, in order to be reported at all.
    static let noiseLimit = 4096
    /// The number of bytes that are kept of those that make no frame.
    static let startLimit = 32

    private let direction: FrameDirection
    private let marker: UInt8
    private var state = State.idle
    private var frame: [UInt8] = []
    private var noiseCount = 0
    private var noiseStart: [UInt8] = []

    init(_ direction: FrameDirection) {
        self.direction = direction
        marker = direction == .toRadio ? StreamFraming.toRadioMarker : StreamFraming.toAppMarker
        frame.reserveCapacity(Self.longest)
    }

    mutating func take(_ byte: UInt8, into found: inout [Found]) {
        switch state {
        case .idle:
            if byte == marker { state = .lengthLow } else { addNoise(byte, into: &found) }
        case .lengthLow: state = .lengthHigh(low: byte)
        case .lengthHigh(let low): takeLength(low, byte, into: &found)
        case .payload(let left, let length):
            if frame.count < Self.longest { frame.append(byte) }
            state = left == 1 ? .idle : .payload(left: left - 1, length: length)
            if left == 1 { finish(length, into: &found) }
        }
    }

    /// Ends the stream, and reports a frame that was begun.
    mutating func end(into found: inout [Found]) {
        switch state {
        case .idle: break
        case .lengthLow: addNoise(marker, into: &found)
        case .lengthHigh(let low):
            addNoise(marker, into: &found)
            addNoise(low, into: &found)
        case .payload(let left, let length):
            flushNoise(into: &found)
            found.append(.cut(have: length - left, length: length, start: Array(frame.prefix(Self.startLimit))))
        }
        state = .idle
        flushNoise(into: &found)
    }

    private mutating func takeLength(_ low: UInt8, _ high: UInt8, into found: inout [Found]) {
        let length = Int(low) | Int(high) << 8
        frame.removeAll(keepingCapacity: true)
        state = .payload(left: length, length: length)
        let isBelieved = length > 0 && (direction == .toRadio || length <= Self.longestToApp)
        guard !isBelieved else { return }
        state = .idle
        addNoise(marker, into: &found)
        if direction == .toRadio {
            // An empty frame: the radio drops its header and is where it was.
            addNoise(low, into: &found)
            addNoise(high, into: &found)
        } else {
            take(low, into: &found)
            take(high, into: &found)
        }
    }

    private mutating func finish(_ length: Int, into found: inout [Found]) {
        flushNoise(into: &found)
        if length > Self.longest {
            found.append(.oversize(length: length, start: Array(frame.prefix(Self.startLimit))))
        } else {
            found.append(.frame(frame))
        }
    }

    private mutating func addNoise(_ byte: UInt8, into found: inout [Found]) {
        noiseCount += 1
        if noiseStart.count < Self.startLimit { noiseStart.append(byte) }
        if noiseCount == Self.noiseLimit { flushNoise(into: &found) }
    }

    private mutating func flushNoise(into found: inout [Found]) {
        guard noiseCount > 0 else { return }
        found.append(.noise(count: noiseCount, start: noiseStart))
        noiseCount = 0
        noiseStart.removeAll(keepingCapacity: true)
    }
}
