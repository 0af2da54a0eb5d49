import MeshFiles
import PocketMeshUI

extension AppAPI {
    /// The events behind a number as server-sent events, until the stream ends: the stored ones, then those that come.
    ///
    /// If events were lost, the event `missed` follows, and the page reads everything again.
    func events(after number: UInt64) -> AsyncStream<[UInt8]> {
        let reader = AppEventReader(state, after: number)
        return AsyncStream {
            await reader.next()
        } onCancel: {
            Task { @MainActor in reader.end() }
        }
    }
}

/// Reads events for one page, each on request.
///
/// Events that a slow page leaves stay in the broadcaster's stream, which has a bound.
@MainActor
private final class AppEventReader {
    private let state: AppState
    private let live: AsyncStream<NumberedEvent>
    /// Events that go out before any new one is awaited.
    private var ready: [[UInt8]] = []
    private var last: UInt64
    private var isAttached = true

    init(_ state: AppState, after number: UInt64) {
        self.state = state
        live = state.messageEventBroadcaster.stream()
        let page = state.messageEventBroadcaster.events(after: number)
        last = number
        // A reader knows from this that it is connected.
        ready.append(Array(": events\n\n".utf8))
        if page.hasMissed {
            miss(upTo: (page.events.first?.number ?? state.messageEventBroadcaster.latestNumber + 1) - 1)
        }
        for event in page.events { add(event) }
        state.handleClientAttached()
    }

    /// The next event; nothing when the app has ended or the page has gone.
    func next() async -> [UInt8]? {
        if !ready.isEmpty { return ready.removeFirst() }
        guard isAttached else { return nil }
        for await event in live {
            if event.number > last + 1 { miss(upTo: event.number - 1) }
            add(event)
            if !ready.isEmpty { return ready.removeFirst() }
        }
        end()
        return nil
    }

    func end() {
        guard isAttached else { return }
        isAttached = false
        state.handleClientDetached()
    }

    private func miss(upTo number: UInt64) {
        last = number
        ready.append(Array("id: \(number)\nevent: missed\ndata: {}\n\n".utf8))
    }

    private func add(_ event: NumberedEvent) {
        guard event.number > last else { return }
        last = event.number
        let text = (try? EventPresentation(event).jsonText(inOneLine: true)) ?? "{}"
        ready.append(Array("id: \(event.number)\ndata: \(text)\n\n".utf8))
    }
}
