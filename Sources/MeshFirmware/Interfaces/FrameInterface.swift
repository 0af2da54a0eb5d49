import MeshCompanion

/// A link that carries whole frames, one value each, without marker and length: for worlds without a transport.
///
/// It is connected while a client is, never busy, and writes at once. Frames from the client wait in a short queue;
/// those made while nobody is there are lost, as on any link.
public struct FrameInterface: Sendable {
    /// Frames that wait for their pass; more are lost, as in the queue of a Bluetooth board.
    public static let inputCapacity = 12

    private var queue: [[UInt8]] = []
    public private(set) var isConnected: Bool
    var isEnabled = true

    public init(isConnected: Bool = true) {
        self.isConnected = isConnected
    }

    var hasWork: Bool { isEnabled && !queue.isEmpty }
    /// Room for whole frames, in bytes.
    var window: Int { (Self.inputCapacity - queue.count) * CompanionLimits.frame }

    mutating func clientArrived() { isConnected = true }

    mutating func clientLeft() {
        isConnected = false
        queue = []
    }

    mutating func receive(_ frame: [UInt8]) {
        guard isEnabled, isConnected, queue.count < Self.inputCapacity,
            1...CompanionLimits.frame ~= frame.count
        else { return }
        queue.append(frame)
    }

    mutating func poll() -> [UInt8]? {
        isEnabled && !queue.isEmpty ? queue.removeFirst() : nil
    }
}
