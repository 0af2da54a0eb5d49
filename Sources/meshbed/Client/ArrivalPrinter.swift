import MeshWire
import PocketMeshServices

/// Prints messages, posts and contacts as they come.
struct ArrivalPrinter: Sendable {
    let isJSON: Bool

    @MainActor
    func listen(to connection: ClientApp.Connection) async throws {
        let services = connection.services
        let id = connection.device.id
        let store = services.store
        await services.syncCoordinator.setMessageEventCallbacks(
            onDirectMessageReceived: { message, contact in
                say(MessageRow(received: message, from: contact.displayName))
            },
            onChannelMessageReceived: { message, index in
                let channel = try? await store.fetchChannel(deviceID: id, index: index)
                say(
                    MessageRow(
                        received: message, from: message.senderNodeName,
                        channel: channel?.displayName ?? "slot \(index)"))
            })
        await services.syncCoordinator.incoming.setUnknownSenderHandler { prefix in
            say(ContactHeard(name: "a sender who is no contact: \(prefix.hex)", kind: "unknown sender"))
        }
        await services.roomServerService.setRoomMessageHandler { room, post in
            say(MessageRow(post: post, in: room.name))
        }
        await services.imageService.setImageReceivedHandler { message in
            guard let id = message.contactID else { return }
            let sender = try? await store.fetchContact(id: id)
            say(MessageRow(received: message, from: sender?.displayName))
        }
        await services.advertisementService.setNewContactDiscoveredHandler { name, _ in
            say(ContactHeard(name: name))
        }
    }

    func say(_ row: some Encodable & CustomStringConvertible) {
        Console.out(isJSON ? (try? Bench.line(row)) ?? "" : "\(row)")
    }
}
