public import Observation
import Synchronization

/// The quality of one connection to the mesh, for pages, from the events of the services.
@MainActor @Observable
public final class LinkQualityWatch {
    private struct Readings {
        var quality = LinkQuality()
        /// True when somebody has read the quality since its last change was told.
        var isAwaited = false
    }

    @ObservationIgnored private let readings = Mutex(Readings())

    nonisolated init(_ events: StackEvents) {
        events.observe { [weak self] event in self?.note(event) }
    }

    /// The quality now. Its observers learn of a change of grade or causes.
    public var quality: LinkQuality {
        access(keyPath: \.quality)
        return readings.withLock { readings in
            readings.isAwaited = true
            return readings.quality
        }
    }

    /// Handles an event where it is emitted, and so must not wait.
    private nonisolated func note(_ event: StackEvent) {
        let isNews = readings.withLock { readings in
            let before = (readings.quality.grade, readings.quality.causes)
            readings.quality.note(event)
            guard readings.isAwaited, before != (readings.quality.grade, readings.quality.causes) else { return false }
            readings.isAwaited = false
            return true
        }
        // A drain has news with every other message, and each hop to the main actor costs as much as storing one.
        guard isNews else { return }
        Task { @MainActor in withMutation(keyPath: \.quality) {} }
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
