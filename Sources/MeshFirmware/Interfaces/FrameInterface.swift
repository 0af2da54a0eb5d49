import MeshCompanion
public import MeshTime

/// A link that carries whole frames, one value each, without marker and length: Bluetooth, and worlds without a
/// transport.
///
/// It is connected while a client is; on Bluetooth a client is one whose link is secure. Without a pace it is never
/// busy and writes at once. Frames from the client wait in a short queue; those made without a client are lost, as
/// on any link. Source: CompanionStatements, CMP-025 to CMP-030; firmware, `SerialBLEInterface` of esp32 and nrf52.
public struct FrameInterface: Sendable {
    /// The pace at which frames pass over a link that is slower than its radio.
    public struct Pace: Sendable, Hashable {
        /// `FRAME_QUEUE_SIZE`: frames that may wait to be sent; a further one is lost.
        public let sendQueueSize: Int
        /// Frames of the client that may wait for their pass; a further one is lost.
        public let receiveQueueSize: Int
        /// `BLE_WRITE_MIN_INTERVAL`: the least time from one frame to the next.
        public let gap: TimeSpan
        /// Frames that have to wait before a contact listing pauses; `nil` where it pauses while the link rests.
        public let listingLimit: Int?

        /// As an ESP32 board sends, with a queue of any length.
        public init(sendQueueSize: Int = BluetoothTraits.esp32.queueSize) {
            self.sendQueueSize = sendQueueSize
            receiveQueueSize = FrameInterface.inputCapacity
            gap = BluetoothTraits.esp32.gap
            listingLimit = nil
        }

        /// As no board does.
        package init(sendQueueSize: Int, gap: TimeSpan, listingLimit: Int?) {
            self.sendQueueSize = sendQueueSize
            receiveQueueSize = FrameInterface.inputCapacity
            self.gap = gap
            self.listingLimit = listingLimit
        }

        /// As the boards of a chip family do.
        public init(_ traits: BluetoothTraits) {
            sendQueueSize = traits.queueSize
            receiveQueueSize = traits.queueSize
            gap = traits.gap
            listingLimit = traits.listingLimit
        }
    }

    /// Frames that wait for their pass on a link without a pace.
    public static let inputCapacity = 12

    private let pace: Pace?
    private var queue: [[UInt8]] = []
    /// The frames that wait for their turn on a link with a pace.
    private var output: [[UInt8]] = []
    /// Until when the link rests.
    private var restsUntil = Instant.start
    /// The link has no room for a further frame: those to be sent stay here until it has.
    private var isHeld = false
    /// True when a client is connected.
    public private(set) var isConnected: Bool
    /// The number of frames for a connected client that found the queue full; no event reports them.
    public private(set) var lostOutputs = 0
    /// Values that were no frame, found the queue full, or came while no client was there.
    public private(set) var lostInputs = 0
    var isEnabled = true
    /// The longest frame that the radio accepts, in bytes.
    var frameLimit = CompanionLimits.frame

    /// A link; without a pace, frames go out as soon as they are written.
    public init(isConnected: Bool = true, pace: Pace? = nil) {
        self.isConnected = isConnected
        self.pace = pace
    }

    private var receiveQueueSize: Int { pace?.receiveQueueSize ?? Self.inputCapacity }

    private func isResting(at now: Instant) -> Bool { now < restsUntil }

    func isBusy(at now: Instant) -> Bool { pace?.listingLimit.map { output.count >= $0 } ?? isResting(at: now) }

    func hasWork(at now: Instant) -> Bool {
        isEnabled && (!queue.isEmpty || !output.isEmpty && !isHeld && !isResting(at: now))
    }

    func nextTurn(isListing: Bool, at now: Instant) -> Instant {
        isResting(at: now) && (isListing || !output.isEmpty) ? restsUntil : .never
    }

    /// Room for whole frames, in bytes.
    var window: Int { (receiveQueueSize - queue.count) * frameLimit }

    /// Stores whether the link has no room for a further frame; returns true when it has room again.
    mutating func hold(_ isHeld: Bool) -> Bool {
        defer { self.isHeld = isHeld }
        return self.isHeld && !isHeld
    }

    mutating func clientArrived() { isConnected = true }

    mutating func clientLeft() {
        isConnected = false
        queue = []
        output = []
        isHeld = false
    }

    mutating func receive(_ frame: [UInt8]) {
        guard isEnabled, isConnected, queue.count < receiveQueueSize, 1...frameLimit ~= frame.count else {
            lostInputs += 1
            return
        }
        queue.append(frame)
    }

    mutating func write(_ frame: [UInt8], into effects: inout [NodeEffect]) {
        guard isEnabled, isConnected, 1...frameLimit ~= frame.count else { return }
        guard let pace else {
            effects.append(.appBytes(frame))
            return
        }
        if output.count < pace.sendQueueSize { output.append(frame) } else { lostOutputs += 1 }
    }

    mutating func poll(at now: Instant, into effects: inout [NodeEffect]) -> [UInt8]? {
        guard isEnabled else { return nil }
        if let pace, !output.isEmpty, !isHeld, !isResting(at: now) {
            effects.append(.appBytes(output.removeFirst()))
            restsUntil = now + pace.gap
        }
        return queue.isEmpty ? nil : queue.removeFirst()
    }
}
