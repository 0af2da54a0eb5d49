import MeshTestbed
import MeshWire
import PocketMeshServices

/// Prints messages, posts and contacts as they come.
@MainActor
final class ArrivalPrinter {
    let isJSON: Bool
    /// Arrivals that may wait to be printed; by default more than a drain of a radio's queue brings at once.
    private let bufferSize: Int
    private let show: (String) -> Void
    private let complain: (String) -> Void
    /// Arrivals of the last connection, beside the task that prints them.
    private var arrivals: StackEvents.Subscription?
    private var printer: Task<Void, Never>?
    /// Arrivals that were lost, over all connections that have ended.
    private var lost = 0

    init(
        isJSON: Bool, bufferSize: Int = 2 * SyncPolicy().drainLimit, show: @escaping (String) -> Void = Console.out,
        complain: @escaping (String) -> Void = StandardError.line
    ) {
        self.isJSON = isJSON
        self.bufferSize = bufferSize
        self.show = show
        self.complain = complain
    }

    /// Prints what a connection brings; the services of a new connection know nothing of those before.
    func listen(to connection: ClientApp.Connection) {
        let before = printer
        close()
        let arrivals = connection.services.events.subscribe(bufferSize: bufferSize) { $0.isArrival }
        self.arrivals = arrivals
        printer = Task(name: "arrivals") {
            await before?.value
            for await event in arrivals.events { await say(event, connection) }
        }
    }

    /// Returns when all is printed that has come.
    func end() async {
        close()
        await printer?.value
        if lost > 0 { complain("Arrivals came too fast to print \(lost) of them; all are stored.") }
        (lost, printer) = (0, nil)
    }

    /// Ends the subscription of the last connection; arrivals that wait are still printed.
    private func close() {
        arrivals?.cancel()
        lost += arrivals?.dropCount ?? 0
        arrivals = nil
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
        show(isJSON ? (try? BenchCommand.line(row)) ?? "" : "\(row)")
    }
}

extension StackEvent {
    /// Tells whether the event is an arrival that is printed.
    fileprivate var isArrival: Bool {
        switch self {
        case .directMessageReceived, .channelMessageReceived, .unknownSender, .roomMessageReceived, .imageReceived,
            .contactDiscovered:
            true
        default: false
        }
    }
}
