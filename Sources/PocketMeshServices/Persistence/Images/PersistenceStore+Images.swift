public import Foundation
import GRDB

/// The bytes of picture messages, and the transfers of pictures.
public protocol ImageStore: Sendable {
    /// Stores the bytes of a message's picture.
    func saveBlob(_ blob: BlobDTO) async throws(StackError)
    /// Stores a picture's message, counted in its conversation, and its bytes: both, or neither.
    @discardableResult
    func saveImage(_ message: MessageDTO, data: Data, mime: String) async throws(StackError) -> SaveResult
    /// The bytes of a message's picture; `nil` where none are stored.
    func fetchBlob(messageID: UUID) async throws(StackError) -> BlobDTO?
    /// Stores a transfer, in place of an earlier state of the same id; its radio stays.
    func saveImageTransfer(_ transfer: ImageTransferDTO) async throws(StackError)
    /// The transfer of a row, whatever its state; `nil` for an unknown id.
    func fetchImageTransfer(id: UUID) async throws(StackError) -> ImageTransferDTO?
    /// All transfers of a radio, by direction, then sender, then the picture's number.
    func fetchImageTransfers(deviceID: UUID) async throws(StackError) -> [ImageTransferDTO]
    /// Forgets a transfer, and nothing of its message; one that is not stored is forgotten already.
    func deleteImageTransfer(id: UUID) async throws(StackError)
}

private enum SQL {
    static let saveBlob = BlobDTO.upsert(on: ["messageID"], keeping: [])
    static let blob = BlobDTO.select("WHERE messageID = ?1")
    static let saveTransfer = ImageTransferDTO.upsert(on: ["id"], keeping: ["deviceID"])
    static let transfer = ImageTransferDTO.select("WHERE id = ?1")
    static let transfers = ImageTransferDTO.select("WHERE deviceID = ?1 ORDER BY direction, senderKeyPrefix, imageID")
}

extension PersistenceStore {
    public func saveBlob(_ blob: BlobDTO) throws(StackError) {
        try write { db in
            guard try db.value(Int.self, "SELECT 1 FROM message WHERE id = ?1", blob.messageID) != nil else {
                throw StackError(.store, .messageNotFound)
            }
            try db.run(SQL.saveBlob, row: blob)
        }
    }

    @discardableResult
    public func saveImage(
        _ message: MessageDTO, data: Data, mime: String
    ) throws(StackError) -> SaveResult {
        try write { db in
            let result = try insert(message, drainedAfter: nil, in: db)
            if result != .duplicate {
                try db.run(SQL.saveBlob, row: BlobDTO(messageID: message.id, mime: mime, data: data))
            }
            return result
        }
    }

    public func fetchBlob(messageID: UUID) throws(StackError) -> BlobDTO? {
        try read { db in try db.row(BlobDTO.self, SQL.blob, messageID) }
    }

    public func saveImageTransfer(_ transfer: ImageTransferDTO) throws(StackError) {
        try write { db in _ = try db.run(SQL.saveTransfer, row: transfer) }
    }

    public func fetchImageTransfer(id: UUID) throws(StackError) -> ImageTransferDTO? {
        try read { db in try db.row(ImageTransferDTO.self, SQL.transfer, id) }
    }

    public func fetchImageTransfers(deviceID: UUID) throws(StackError) -> [ImageTransferDTO] {
        try read { db in try db.rows(ImageTransferDTO.self, SQL.transfers, deviceID) }
    }

    public func deleteImageTransfer(id: UUID) throws(StackError) {
        try write { db in _ = try db.run("DELETE FROM imageTransfer WHERE id = ?1", id) }
    }
}
