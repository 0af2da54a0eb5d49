import Foundation
import MeshWire
import PocketMeshServices
import ScenarioTool

/// Prints messages, posts and contacts as they come.
@MainActor
final class ArrivalPrinter {
    /// More than a drain of a radio's queue brings at once.
    private static let bufferSize = 2 * SyncPolicy().drainLimit

    let isJSON: Bool
    /// The events that are printed, and who prints them.
    private var listening: (events: StackEvents.Subscription, printer: Task<Void, Never>)?

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    /// Prints what a connection brings; the services of a new connection know nothing of those before.
    func listen(to connection: ClientApp.Connection) {
        let before = listening?.printer
        let events = connection.services.events.subscribe(bufferSize: Self.bufferSize) { $0.isArrival }
        let printer = Task(name: "arrivals") {
            await before?.value
            for await event in events.events { await say(event, connection) }
        }
        listening = (events, printer)
    }

    /// Returns when all is printed that has come.
    func end() async {
        listening?.events.cancel()
        await listening?.printer.value
        if let lost = listening?.events.dropCount, lost > 0 {
            StandardError.line("Arrivals came too fast to print \(lost) of them; all are stored.")
        }
        listening = nil
    }

    private func say(_ event: StackEvent, _ connection: ClientApp.Connection) async {
        let store = connection.services.store
        switch event {
        case .directMessageReceived(let message, let contact):
            say(MessageRow(received: message, from: contact.displayName))
        case .channelMessageReceived(let message, let index):
            let channel = try? await store.fetchChannel(deviceID: connection.device.id, index: index)
            say(
                MessageRow(
                    received: message, from: message.senderNodeName, channel: channel?.displayName ?? "slot \(index)"))
        case .unknownSender(let prefix):
            say(ContactHeard(name: "a sender who is no contact: \(prefix.hex)", kind: "unknown sender"))
        case .roomMessageReceived(let room, let post):
            say(MessageRow(post: post, in: room.name))
        case .imageReceived(let message):
            guard let id = message.contactID else { return }
            let sender = try? await store.fetchContact(id: id)
            say(MessageRow(received: message, from: sender?.displayName))
        case .contactDiscovered(let name, _): say(ContactHeard(name: name))
        default: break
        }
    }

    func say(_ row: some Encodable & CustomStringConvertible) {
        Console.out(isJSON ? (try? Bench.line(row)) ?? "" : "\(row)")
    }
}

extension StackEvent {
    /// Whether it is something that has come and is printed.
    fileprivate var isArrival: Bool {
        switch self {
        case .directMessageReceived, .channelMessageReceived, .unknownSender, .roomMessageReceived, .imageReceived,
            .contactDiscovered:
            true
        default: false
        }
    }
}
