public import Observation
import Synchronization

/// The quality of one connection's way into the mesh, for pages: fed by what the services tell.
@MainActor @Observable
public final class LinkQualityWatch {
    /// As it was after the last change of grade or causes.
    public private(set) var quality = LinkQuality()

    @ObservationIgnored private let readings = Mutex(LinkQuality())

    nonisolated init(_ events: StackEvents) {
        events.observe { [weak self] event in self?.note(event) }
    }

    /// Called where events are told, which must not wait; pages hear of it only where a grade changes.
    private nonisolated func note(_ event: StackEvent) {
        let isNews = readings.withLock { quality in
            let before = (quality.grade, quality.causes)
            quality.note(event)
            return before != (quality.grade, quality.causes)
        }
        guard isNews else { return }
        // What two tasks show may come in either order; both show the latest.
        Task { @MainActor in quality = readings.withLock { $0 } }
    }
}

extension LinkQuality {
    /// What an event of the stack says about the way into the mesh.
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
