import Foundation
import MeshCore

/// The rest of a recipient's line behind a text that was written.
///
///     texts  -1--------2-------------3-
///     acks   ----1---------x-----------    (the second is lost: the third goes when the spacing is over)
struct TextSpacing {
    let recipient: UUID
    /// The text that was written, whose confirmation or failure ends the rest.
    let messageID: UUID
    let end: Duration
    /// The text that waits.
    var follower: UUID?
}

// What keeps the texts to one contact apart.
extension MessageService {
    /// A text was written for the first time, and its confirmation is waited for so long.
    func beginSpacing(after send: DirectSend, wait: Duration) {
        guard let spacing = policy.spacing, !ledger.isDelivered(send.id) else { return }
        spacings.removeAll { $0.recipient == send.contact.id }
        let end = elapsed() + wait * dependencies.random.fraction(in: spacing)
        spacings.append(TextSpacing(recipient: send.contact.id, messageID: send.id, end: end))
    }

    /// Waits until the text may follow the one before; to be called by whoever is first in the recipient's line.
    func keepSpacing(_ send: DirectSend) async throws {
        guard let index = spacings.firstIndex(where: { $0.recipient == send.contact.id }) else { return }
        spacings[index].follower = send.id
        await rest(send.id, for: spacings[index].end - elapsed())
        spacings.removeAll { $0.recipient == send.contact.id }
        try checkRunning()
    }

    /// Nothing more is to be heard of a text: the next one need not wait.
    func endSpacing(after messageID: UUID) {
        guard let index = spacings.firstIndex(where: { $0.messageID == messageID }) else { return }
        let spacing = spacings.remove(at: index)
        if let follower = spacing.follower { wake(follower) }
    }
}
