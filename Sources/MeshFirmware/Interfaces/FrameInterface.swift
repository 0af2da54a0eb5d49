import MeshCompanion
public import MeshTime

/// A link that carries whole frames, one value each, without marker and length: for worlds without a transport.
///
/// It is connected while a client is. Without a pace it is never busy and writes at once; with one it sends as the
/// Bluetooth of an ESP32 board does, and is busy in between. Frames from the client wait in a short queue; those made
/// while nobody is there are lost, as on any link. Source: CompanionStatements, CMP-027,
/// CMP-028 and CMP-030; firmware, `SerialBLEInterface` of esp32.
public struct FrameInterface: Sendable {
    /// How frames leave a link that is slower than its radio.
    public struct Pace: Sendable, Hashable {
        /// `FRAME_QUEUE_SIZE`: frames that may wait; a further one is lost.
        public let sendQueueSize: Int
        /// `BLE_WRITE_MIN_INTERVAL`: the least time from one frame to the next.
        public let gap: TimeSpan

        public init(sendQueueSize: Int = 4, gap: TimeSpan = .milliseconds(60)) {
            self.sendQueueSize = sendQueueSize
            self.gap = gap
        }
    }

    /// Frames that wait for their pass; more are lost, as in the queue of a Bluetooth board.
    public static let inputCapacity = 12

    private let pace: Pace?
    private var queue: [[UInt8]] = []
    /// What waits for its turn on a link with a pace.
    private var output: [[UInt8]] = []
    /// Until when the link rests.
    private var restsUntil = Instant.start
    /// Whether a client is there.
    public private(set) var isConnected: Bool
    var isEnabled = true

    /// A link; without a pace, frames go out as soon as they are written.
    public init(isConnected: Bool = true, pace: Pace? = nil) {
        self.isConnected = isConnected
        self.pace = pace
    }

    func isBusy(at now: Instant) -> Bool { now < restsUntil }

    func hasWork(at now: Instant) -> Bool {
        isEnabled && (!queue.isEmpty || !output.isEmpty && !isBusy(at: now))
    }

    func nextTurn(isListing: Bool, at now: Instant) -> Instant {
        isBusy(at: now) && (isListing || !output.isEmpty) ? restsUntil : .never
    }

    /// Room for whole frames, in bytes.
    var window: Int { (Self.inputCapacity - queue.count) * CompanionLimits.frame }

    mutating func clientArrived() { isConnected = true }

    mutating func clientLeft() {
        isConnected = false
        queue = []
        output = []
    }

    mutating func receive(_ frame: [UInt8]) {
        guard isEnabled, isConnected, queue.count < Self.inputCapacity,
            1...CompanionLimits.frame ~= frame.count
        else { return }
        queue.append(frame)
    }

    mutating func write(_ frame: [UInt8], into effects: inout [NodeEffect]) {
        guard isEnabled, isConnected, 1...CompanionLimits.frame ~= frame.count else { return }
        if let pace {
            if output.count < pace.sendQueueSize { output.append(frame) }
        } else {
            effects.append(.appBytes(frame))
        }
    }

    mutating func poll(at now: Instant, into effects: inout [NodeEffect]) -> [UInt8]? {
        guard isEnabled else { return nil }
        if let pace, !output.isEmpty, !isBusy(at: now) {
            effects.append(.appBytes(output.removeFirst()))
            restsUntil = now + pace.gap
        }
        return queue.isEmpty ? nil : queue.removeFirst()
    }
}
