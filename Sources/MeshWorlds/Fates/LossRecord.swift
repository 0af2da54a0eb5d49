import MeshTime

/// A frame in JSON, with its sender, its kind and its message.
struct FrameRecord: Encodable, Sendable {
    let number: Int
    /// The node that sends it; `nil` for a frame from before the first line.
    let sender: String?
    /// The node that sent the packet first.
    let origin: String?
    let kind: String
    let message: Int?
    let words: String

    init(_ frame: FrameRegister.Frame, _ label: (Int) -> String) {
        number = frame.number
        sender = frame.sender >= 0 ? label(frame.sender) : nil
        origin = frame.origin >= 0 ? label(frame.origin) : nil
        kind = frame.kind
        message = frame.message
        words = frame.words(label)
    }
}

/// A loss in JSON, with both frames and a sentence for people.
package struct LossRecord: Encodable, Sendable {
    /// Seconds since the run began.
    let at: Double
    let node: String
    let reason: String
    let frame: FrameRecord
    let by: FrameRecord?
    let words: String

    package init(_ loss: FrameLoss, _ label: (Int) -> String) {
        at = Double((loss.at - Instant.start).microseconds) / 1e6
        node = label(loss.node)
        reason = loss.reason
        frame = FrameRecord(loss.frame, label)
        by = loss.by.map { FrameRecord($0, label) }
        words = loss.words(label)
    }
}
