public import Observation
import Synchronization

/// The quality of one connection to the mesh, for pages, from the events of the services.
@MainActor @Observable
public final class LinkQualityWatch {
    @ObservationIgnored private let readings = Mutex(LinkReadings())

    nonisolated init(_ events: StackEvents) {
        events.observe { [weak self] event in self?.note(event) }
    }

    /// The quality now. Its observers learn of a change of grade or causes.
    public var quality: LinkQuality {
        access(keyPath: \.quality)
        return readings.withLock { $0.read() }
    }

    /// Handles an event where it is emitted, and so must not wait.
    private nonisolated func note(_ event: StackEvent) {
        guard readings.withLock({ $0.note(event) }) else { return }
        Task { @MainActor in withMutation(keyPath: \.quality) {} }
    }
}

/// The readings of a link, and whether anybody waits to learn of a change.
///
/// A drain has news with every other message, and each hop to the main actor costs as much as storing one. So a change
/// is told once, until somebody has read the quality again.
struct LinkReadings {
    private var quality = LinkQuality()
    private var isAwaited = false

    /// Returns the quality now, whose next change is told.
    mutating func read() -> LinkQuality {
        isAwaited = true
        return quality
    }

    /// Adds an event; returns whether those who have read the quality are to be told of a change.
    mutating func note(_ event: StackEvent) -> Bool {
        let before = (quality.grade, quality.causes)
        quality.note(event)
        guard isAwaited, before != (quality.grade, quality.causes) else { return false }
        isAwaited = false
        return true
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
