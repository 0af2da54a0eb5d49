public import PocketMeshServices

/// The delivery of a message as it is shown: the label, and the sentence of a screen reader.
///
/// Queued, sending, sent, acknowledged and failed: `read` is no state of ours, because nobody reports it.
public struct DeliveryStatus: Codable, Sendable, Hashable {
    /// The five states of the seeds.
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        case queued, sending, sent, acknowledged, failed
    }

    /// The kind of the status.
    public var kind: Kind
    /// The word below the message.
    public var label: String
    /// The sentence in its details: attempts, trip time and repeats.
    public var detail: String
    /// The sentence that a screen reader speaks.
    public var accessibilityLabel: String

    /// The status of a message row.
    public init(_ message: MessageDTO) {
        self.init(message.status)
        if message.kind == .image, message.status == .delivered {
            label = Texts.string(.statusArrived)
            detail = label
        } else if message.kind == .image, message.status == .sent {
            label = Texts.string(.statusNotConfirmed)
            detail = Texts.string(.statusNotConfirmedDetail)
        } else if message.status == .retrying, message.maxRetryAttempts > 0 {
            let (attempt, most) = ("\(message.retryAttempt)", "\(message.maxRetryAttempts)")
            label = Texts.string(.statusRetrying, attempt, most)
            detail = label
        } else if message.status == .delivered, let time = message.roundTripTime, message.isOutgoing {
            detail = Texts.string(.statusAcknowledgedAfter, Measures.seconds(milliseconds: time))
        } else if message.heardRepeats > 0 {
            detail = Texts.counted(message.heardRepeats, .statusRepeats)
        }
        accessibilityLabel = Texts.string(.statusAccessibility, label)
    }

    /// The status by itself.
    public init(_ status: MessageStatus) {
        kind = Kind(status)
        label =
            switch kind {
            case .queued: Texts.string(.statusQueued)
            case .sending: Texts.string(.statusSending)
            case .sent: Texts.string(.statusSent)
            case .acknowledged: Texts.string(.statusAcknowledged)
            case .failed: Texts.string(.statusFailed)
            }
        detail = label
        accessibilityLabel = Texts.string(.statusAccessibility, label)
    }
}

extension DeliveryStatus.Kind {
    /// The label of a stored state.
    public init(_ status: MessageStatus) {
        self =
            switch status {
            case .pending: .queued
            case .sending, .retrying: .sending
            case .sent: .sent
            case .delivered: .acknowledged
            case .failed: .failed
            }
    }
}
