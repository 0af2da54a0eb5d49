import FoundationEssentials
import MeshCore

/// A direct message that is sent: the parts that no attempt changes. `SendPlan` has its state.
struct DirectSend: Sendable {
    var message: MessageDTO
    /// The contact as it was when the message was first sent.
    var contact: ContactDTO
    /// The attempts as the way of the message begins.
    var plan: RetryPlan
    /// The caller's wait for each attempt, in place of the policy's.
    var wait: Duration?
    /// True when the store holds a place in the queue for the message.
    var isQueued = false
    /// True when a loop waits for its confirmation.
    var isLooped = true

    var id: UUID { message.id }
    var maxRetries: Int { plan.maxAttempts - 1 }

    /// The result of a first write.
    enum Launch: Sendable {
        case sent(wait: Duration)
        /// The link has gone: it is in the queue.
        case parked
        /// The message is not to be sent any more: deleted, or finished elsewhere.
        case obsolete
    }
}

extension ContactDTO {
    var hasPath: Bool { routing != .unknown }
    /// The path in comparable form.
    var path: Data { Data([outPathLengthRaw]) + outPath }
}
