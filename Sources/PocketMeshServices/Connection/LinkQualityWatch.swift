public import Observation
import Synchronization

/// The quality of one connection to the mesh, for pages, from the events of the services.
@MainActor @Observable
public final class LinkQualityWatch {
    /// The quality after the last change of grade or causes.
    public private(set) var quality = LinkQuality()

    private struct Readings {
        var quality = LinkQuality()
        /// True when the latest quality is about to be shown.
        var isTold = false
    }

    @ObservationIgnored private let readings = Mutex(Readings())

    nonisolated init(_ events: StackEvents) {
        events.observe { [weak self] event in self?.note(event) }
    }

    /// Handles an event where it is emitted, and so must not wait; pages learn only of a change of grade or causes.
    private nonisolated func note(_ event: StackEvent) {
        let isNews = readings.withLock { readings in
            let before = (readings.quality.grade, readings.quality.causes)
            readings.quality.note(event)
            guard before != (readings.quality.grade, readings.quality.causes), !readings.isTold else { return false }
            readings.isTold = true
            return true
        }
        guard isNews else { return }
        // One task shows all that was noted before it had its turn: a drain has news with every other message.
        Task { @MainActor in
            quality = readings.withLock { readings in
                readings.isTold = false
                return readings.quality
            }
        }
    }
}

extension LinkQuality {
    /// Adds the reading of the link's quality that an event of the stack holds, if any.
    mutating func note(_ event: StackEvent) {
        switch event {
        case .directMessageReceived(let message, _), .channelMessageReceived(let message, _):
            if let snr = message.snr { note(snr: snr) }
        case .radioHeard(let rssi, let snr):
            note(rssi: rssi)
            note(snr: snr)
        case .messageRetried, .messageFailed: noteTimeout()
        case .messageDelivered(_, let time): noteAnswer(after: .milliseconds(Int64(time)))
        default: break
        }
    }
}
