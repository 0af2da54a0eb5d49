import Foundation
import MeshWire
import PocketMeshServices
import StackTestSupport

extension ConnectionBench {
    /// Bob, in the store alone.
    func addContact(to deviceID: UUID) async throws -> ContactDTO {
        let contact = ContactDTO(deviceID: deviceID, publicKey: Data(Frames.key(9).array), name: "bob")
        try await store.saveContact(contact)
        return contact
    }

    func addMessage(_ text: String, _ contact: ContactDTO) async throws {
        try await store.saveMessage(
            MessageDTO(
                id: dependencies.random.uuid(), deviceID: contact.deviceID, contactID: contact.id, text: text,
                timestamp: dependencies.seconds, createdAt: dependencies.now(), direction: .incoming,
                status: .delivered))
    }

    func messages(_ contact: ContactDTO) async throws -> [String] {
        try await store.fetchMessages(deviceID: contact.deviceID, thread: .contact(contact.id)).map(\.text)
    }
}
