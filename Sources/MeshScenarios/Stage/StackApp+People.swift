import Foundation
import MeshWire
import PocketMeshServices

// What only a whole stack can do.
extension StackApp {
    /// Nodes that were heard and are no contacts.
    func discoveries() async throws -> [ContactDTO] {
        try await services().contactService.getDiscoveredContacts(deviceID: device())
    }

    func discovered(_ key: FixedBytes<32>) async throws -> ContactDTO {
        guard let contact = try await discoveries().first(where: { $0.publicKey == Data(key.array) }) else {
            throw ScenarioError("the app has discovered no such node")
        }
        return contact
    }

    /// Sends a failed text once more.
    func tryAgain(_ text: String, to key: FixedBytes<32>) async throws {
        let contact = try await contact(key)
        let services = try services()
        let rows = try await store.fetchMessages(deviceID: device(), thread: .contact(contact.id), limit: .max)
        guard let failed = rows.last(where: { $0.text == text && $0.status == .failed }) else {
            throw ScenarioError("“\(text)” has not failed")
        }
        try await underway { begun in
            begun()
            return try await services.messageService.retryDirectMessage(messageID: failed.id, to: contact)
        }
    }
}

extension Stage {
    /// The app of somebody who has a whole stack.
    func stackApp(of member: Member) throws -> StackApp {
        guard let app = try app(of: member) as? StackApp else {
            throw ScenarioError("\(member.name) has a bare session, and this needs a whole stack")
        }
        return app
    }
}
