import Foundation
import MeshCompanion
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire

@testable import MeshStore

extension Date {
    /// Seconds after a fixed moment of 2025.
    static func at(_ seconds: Int) -> Date { Date(timeIntervalSince1970: 1_750_000_000 + Double(seconds)) }
}

extension DeviceDTO {
    static func numbered(_ number: Int) -> DeviceDTO {
        let key = Data.key(1000 + number)
        return DeviceDTO(
            id: StableIdentifier.device(publicKey: key), publicKey: key, nodeName: "radio \(number)",
            lastConnected: .at(number))
    }
}

extension ContactDTO {
    static func numbered(_ number: Int, of device: DeviceDTO) -> ContactDTO {
        ContactDTO(deviceID: device.id, publicKey: .key(number), name: "contact \(number)")
    }
}

extension ContactRecord {
    static func numbered(_ number: Int, lastModified: UInt32 = 0, first: [UInt8] = []) -> ContactRecord {
        var record = ContactRecord()
        record.publicKey = FixedBytes(Data.key(number, first: first))
        record.name = FixedBytes("node \(number)".utf8)
        record.lastModified = lastModified
        return record
    }
}

extension MessageDTO {
    /// A message that came from a contact, with its deduplication key.
    static func received(
        _ number: Int, from contact: ContactDTO, text: String? = nil, timestamp: UInt32? = nil, at seconds: Int? = nil
    ) -> MessageDTO {
        let text = text ?? "message \(number)"
        let timestamp = timestamp ?? UInt32(1_750_000_000 + number)
        return MessageDTO(
            id: .numbered(number), deviceID: contact.deviceID, contactID: contact.id, text: text,
            timestamp: timestamp, createdAt: .at(seconds ?? number), direction: .incoming, status: .delivered,
            senderKeyPrefix: contact.publicKeyPrefix,
            deduplicationKey: DeduplicationKey.direct(
                deviceID: contact.deviceID, senderKeyPrefix: contact.publicKeyPrefix, timestamp: timestamp,
                text: text))
    }

    /// A message that was composed for a contact.
    static func composed(
        _ number: Int, to contact: ContactDTO, status: MessageStatus = .pending, ackCode: UInt32? = nil
    ) -> MessageDTO {
        MessageDTO(
            id: .numbered(number), deviceID: contact.deviceID, contactID: contact.id, text: "message \(number)",
            timestamp: UInt32(1_750_000_000 + number), createdAt: .at(number), direction: .outgoing, status: status,
            ackCode: ackCode)
    }
}

extension PersistenceStore {
    /// A store in memory with some radios, and each of them with some contacts.
    static func fixture(devices: Int = 1, contacts: Int = 2) async throws -> (PersistenceStore, [DeviceDTO]) {
        let store = try PersistenceStore()
        for number in 0..<devices { try await store.addRadio(number, contacts: contacts) }
        return (store, (0..<devices).map(DeviceDTO.numbered))
    }

    func addRadio(_ number: Int, contacts: Int = 2) throws {
        let device = try saveDevice(.numbered(number))
        for contact in 0..<contacts { try saveContact(.numbered(contact, of: device)) }
    }

    /// All rows of all tables that belong to a radio, as text, byte by byte.
    func dump(ofDevice id: UUID) throws -> [String] {
        try read { db in
            let scopes = [
                ("device", "id = ?"), ("contact", "deviceID = ?"), ("message", "deviceID = ?"),
                ("channel", "deviceID = ?"), ("remoteNodeSession", "deviceID = ?"),
                ("roomMessage", "sessionID IN (SELECT id FROM remoteNodeSession WHERE deviceID = ?)"),
                ("pendingSend", "deviceID = ?"), ("imageTransfer", "deviceID = ?"),
                ("imageChunk", "transferID IN (SELECT id FROM imageTransfer WHERE deviceID = ?)"),
                ("blob", "messageID IN (SELECT id FROM message WHERE deviceID = ?)"), ("endpoint", "deviceID = ?"),
            ]
            return try scopes.flatMap { table, condition in
                let columns = try db.values(String.self, "SELECT name FROM pragma_table_info(?1)", table)
                // `quote` would end a text at its first NUL.
                let values = columns.map {
                    "'\($0):' || CASE typeof(\($0)) WHEN 'text' THEN 'text ' || hex(\($0)) ELSE quote(\($0)) END"
                }
                return try db.values(
                    String.self,
                    """
                    SELECT '\(table): ' || \(values.joined(separator: " || ' ' || ")) FROM \(table)
                    WHERE \(condition) ORDER BY rowid
                    """, id)
            }
        }
    }

    /// The first column of the first row.
    func number(_ sql: String) throws -> Int {
        try read { db in try db.value(Int.self, sql) ?? 0 }
    }

    func execute(_ sql: String) throws {
        try write { db in try db.execute(sql) }
    }
}
