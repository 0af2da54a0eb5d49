import Foundation
import MeshCore

/// A direct message on its way through the attempts.
struct DirectSend: Sendable {
    var message: MessageDTO
    /// As it stood when the message was first sent.
    var contact: ContactDTO
    var plan: RetryPlan
    /// Takes the place of the policy's wait for each attempt.
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
        /// It is not to be sent any more: deleted, or finished by somebody else.
        case obsolete
    }
}

extension ContactDTO {
    var hasPath: Bool { routing != .unknown }
    /// The path in comparable form.
    var path: Data { Data([outPathLengthRaw]) + outPath }
}
