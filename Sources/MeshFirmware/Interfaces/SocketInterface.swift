public import MeshCompanion

/// The TCP server of a board: one client, a short out-queue, one frame a pass.
///
/// A pass that sends a frame reads nothing. Frames that a client left behind go to the next one; frames made
/// without a client are lost, as is a fifth frame before the next pass. Wi-Fi and Ethernet builds differ in how
/// they make frames of bytes. Source: CompanionStatements, CMP-010 to CMP-018; firmware, `SerialWifiInterface` and
/// `SerialEthernetInterface`.
public struct SocketInterface<Receiver: RadioReceiver>: Sendable {
    /// `FRAME_QUEUE_SIZE`.
    public let sendQueueSize: Int
    private var queue: [[UInt8]] = []
    private var receiver: Receiver
    /// True when a client is connected.
    public private(set) var isConnected = false
    var isEnabled = true
    /// True when bytes may be waiting that no pass has looked at.
    private var hasInput = false

    init(sendQueueSize: Int, receiver: Receiver) {
        self.sendQueueSize = sendQueueSize
        self.receiver = receiver
    }

    var window: Int { receiver.room }
    /// The longest frame that the radio accepts, in bytes.
    var frameLimit: Int {
        get { receiver.frameLimit }
        set { receiver.frameLimit = newValue }
    }
    var hasWork: Bool { isEnabled && isConnected && (!queue.isEmpty || hasInput) }

    /// The newest client wins, and a header that was half read is forgotten; true when there was one to hang up on.
    package mutating func clientArrived() -> Bool {
        defer { isConnected = true }
        receiver.reset()
        hasInput = false
        return isConnected
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

/// The TCP server of an ESP32 Wi-Fi build, which believes every header.
public typealias WifiInterface = SocketInterface<WifiReceiver>

extension SocketInterface where Receiver == WifiReceiver {
    /// Makes the TCP server of an ESP32 board, with its largest numbers of waiting frames and of unread bytes.
    public init(sendQueueSize: Int = 4, inputCapacity: Int = WifiReceiver.socketBuffer) {
        self.init(sendQueueSize: sendQueueSize, receiver: WifiReceiver(capacity: inputCapacity))
    }
}

/// The TCP server of an Ethernet build, which hunts for the marker as on a serial line.
public typealias EthernetInterface = SocketInterface<SerialReceiver>

extension SocketInterface where Receiver == SerialReceiver {
    /// `inputCapacity` is the network chip's buffer for a socket: 2 KiB, an eighth of the W5500's memory.
    public init(sendQueueSize: Int = 4, inputCapacity: Int = 2048) {
        self.init(sendQueueSize: sendQueueSize, receiver: SerialReceiver(capacity: inputCapacity))
    }
}
