import MeshCompanion

/// The output of a modem to its host: two frames may wait while the host does not read, and no more.
///
/// A frame that finds both places occupied is lost. The modem reports it as soon as the host reads again.
/// Source: firmware 1.17.1, `KissModem::queueFrame`, `tryFlushFrames` and `queuePendingBusyError`.
struct ModemOutput: Sendable {
    /// `KISS_TX_FRAME_QUEUE_DEPTH`
    static let depth = 2

    /// The link has no room for a further byte.
    var isHeld = false
    private var frames: [[UInt8]] = []
    private var written: [UInt8] = []
    private var owesBusyError = false

    /// True when something waits for the host; the modem then leaves received packets in its radio.
    var isBackedUp: Bool { !frames.isEmpty || owesBusyError }

    /// Writes a frame, or keeps it while the link is held; false when it is lost.
    mutating func queue(_ type: ModemFrameType, _ data: [UInt8], noticingLoss: Bool = true) -> Bool {
        if frames.count >= Self.depth, !flush() {
            if noticingLoss { owesBusyError = true }
            return false
        }
        frames.append(KISSFraming.encode(type, data))
        flush()
        return true
    }

    /// Writes what waits; whether nothing waits any more.
    @discardableResult
    mutating func flush() -> Bool {
        guard !isHeld else { return frames.isEmpty }
        for frame in frames { written += frame }
        frames = []
        return true
    }

    /// Reports a lost frame to the host, once there is a place for the report.
    mutating func settle() {
        flush()
        guard owesBusyError else { return }
        owesBusyError = !queue(
            .setHardware, [ModemNotice.error.rawValue, ModemRefusal.txBusy.rawValue], noticingLoss: false)
    }

    /// Returns the bytes that this pass sends, and forgets them.
    mutating func takeWritten() -> [UInt8] {
        defer { written = [] }
        return written
    }
}
