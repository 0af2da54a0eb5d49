public import MeshCompanion

/// The TCP server of an ESP32 Wi-Fi board: one client, a short out-queue, one frame a pass.
///
/// A pass that sends a frame reads nothing. Frames that a client left behind go to the next one; frames made while
/// nobody is connected are lost, as is a fifth frame before the next pass. Source: companion document §2.3; firmware,
/// `SerialWifiInterface`.
public struct WifiInterface: Sendable {
    /// `FRAME_QUEUE_SIZE`.
    public let sendQueueSize: Int
    private var queue: [[UInt8]] = []
    private var receiver: WifiReceiver
    public private(set) var isConnected = false
    var isEnabled = true
    /// Whether bytes may be waiting that no pass has looked at.
    private var hasInput = false

    public init(sendQueueSize: Int = 4, inputCapacity: Int = WifiReceiver.socketBuffer) {
        self.sendQueueSize = sendQueueSize
        receiver = WifiReceiver(capacity: inputCapacity)
    }

    /// Frames that wait for a client to take them.
    public var queued: Int { queue.count }
    var window: Int { receiver.room }
    var hasWork: Bool { isEnabled && isConnected && (!queue.isEmpty || hasInput) }

    /// The newest client wins; a header that was half read is forgotten.
    mutating func clientArrived() {
        receiver.reset()
        hasInput = false
        isConnected = true
    }

    mutating func clientLeft() {
        receiver.reset()
        hasInput = false
        isConnected = false
    }

    mutating func receive(_ bytes: [UInt8]) {
        guard isEnabled, isConnected else { return }
        _ = receiver.append(bytes)
        hasInput = true
    }

    mutating func write(_ frame: [UInt8]) {
        guard isEnabled, isConnected, queue.count < sendQueueSize,
            let bytes = StreamFraming.encode(toApp: frame)
        else { return }
        queue.append(bytes)
    }

    /// Sends one frame if one is waiting, otherwise looks for one from the client.
    mutating func poll(into output: inout [NodeEffect]) -> [UInt8]? {
        guard isEnabled, isConnected else { return nil }
        if !queue.isEmpty {
            output.append(.appBytes(queue.removeFirst()))
            return nil
        }
        guard hasInput, let frame = receiver.nextFrame() else {
            hasInput = false
            return nil
        }
        return frame
    }
}
