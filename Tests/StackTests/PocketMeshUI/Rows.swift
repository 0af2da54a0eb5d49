import Foundation
import PocketMeshServices

/// Rows of a store that no radio has written.
enum Rows {
    static let start = Date(timeIntervalSince1970: 1_749_900_000)

    /// A radio that was connected once.
    static func device(in store: PersistenceStore, key: UInt8 = 1) async throws -> DeviceDTO {
        let publicKey = Data(repeating: key, count: 32)
        let row = DeviceDTO(
            id: StableIdentifier.device(publicKey: publicKey), publicKey: publicKey, nodeName: "alice",
            lastConnected: start)
        let device = try await store.saveDevice(row)
        try await store.setActiveDevice(id: device.id)
        return device
    }

    static func contact(
        _ name: String, key: UInt8, of device: UUID, in store: PersistenceStore, type: UInt8 = 1,
        _ change: @Sendable (inout ContactDTO) -> Void = { _ in }
    ) async throws -> ContactDTO {
        var contact = ContactDTO(deviceID: device, publicKey: Data(repeating: key, count: 32), name: name)
        contact.typeRawValue = type
        change(&contact)
        let id = try await store.saveContact(contact)
        return try await store.fetchContact(id: id) ?? contact
    }

    static func conversation(in store: PersistenceStore) async throws -> (UUID, ContactDTO) {
        let device = try await device(in: store)
        return (device.id, try await contact("bob", key: 2, of: device.id, in: store))
    }

    /// Stores this number of texts of a contact, a minute apart.
    static func fill(
        _ store: PersistenceStore, _ device: UUID, _ contact: ContactDTO, count: Int, from first: Int = 0
    ) async throws {
        let messages = (first..<(first + count)).map { number in
            let date = start.addingTimeInterval(Double(number) * 60)
            return MessageDTO(
                id: StableIdentifier.contact(deviceID: device, publicKey: Data("message \(number)".utf8)),
                deviceID: device,
                contactID: contact.id, text: "message \(number)", timestamp: UInt32(date.timeIntervalSince1970),
                createdAt: date, direction: .incoming, status: .delivered)
        }
        _ = try await store.saveMessages(messages)
    }
}
