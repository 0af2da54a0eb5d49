public import FoundationEssentials

private enum SQL {
    static let saveBlob = BlobDTO.upsert(on: ["messageID"], keeping: [])
    static let blob = BlobDTO.select("WHERE messageID = ?1")
    static let saveTransfer = ImageTransferDTO.upsert(on: ["id"], keeping: ["deviceID"])
    static let transfer = ImageTransferDTO.select("WHERE id = ?1")
    static let saveChunk = ImageChunkDTO.upsert(on: ["transferID", "place"], keeping: [])
    static let chunks = ImageChunkDTO.select("WHERE transferID = ?1 ORDER BY place")
    static let transfers = ImageTransferDTO.select("WHERE deviceID = ?1 ORDER BY direction, senderKeyPrefix, imageID")
}

extension PersistenceStore {
    /// Stores the bytes of a message's picture.
    public func saveBlob(_ blob: BlobDTO) throws(StackError) {
        try write { db in
            guard try db.value(Int.self, "SELECT 1 FROM message WHERE id = ?1", blob.messageID) != nil else {
                throw StackError(.store, .messageNotFound)
            }
            try db.run(SQL.saveBlob, row: blob)
        }
    }

    /// Stores a picture's message, counted in its conversation, and its bytes: both, or neither.
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

    /// The bytes of a message's picture; `nil` where none are stored.
    public func fetchBlob(messageID: UUID) throws(StackError) -> BlobDTO? {
        try read { db in try db.row(BlobDTO.self, SQL.blob, messageID) }
    }

    /// Stores a transfer, in place of an earlier state of the same id; its radio stays.
    public func saveImageTransfer(_ transfer: ImageTransferDTO) throws(StackError) {
        try write { db in _ = try db.run(SQL.saveTransfer, row: transfer) }
    }

    /// Stores a transfer and a chunk of it that has come: both, or neither.
    package func saveImageTransfer(_ transfer: ImageTransferDTO, chunk: ImageChunkDTO) throws(StackError) {
        try write { db in
            try db.run(SQL.saveTransfer, row: transfer)
            try db.run(SQL.saveChunk, row: chunk)
        }
    }

    /// The stored chunks of a picture that has not come whole yet, in their order.
    package func fetchImageChunks(transferID: UUID) throws(StackError) -> [ImageChunkDTO] {
        try read { db in try db.rows(ImageChunkDTO.self, SQL.chunks, transferID) }
    }

    /// Stores the end of an incoming transfer, whose chunks are not needed any more.
    package func finishImageTransfer(_ transfer: ImageTransferDTO) throws(StackError) {
        try write { db in
            try db.run(SQL.saveTransfer, row: transfer)
            try db.run("DELETE FROM imageChunk WHERE transferID = ?1", transfer.id)
        }
    }

    /// Returns the transfer of a row in any state; `nil` for an unknown id.
    public func fetchImageTransfer(id: UUID) throws(StackError) -> ImageTransferDTO? {
        try read { db in try db.row(ImageTransferDTO.self, SQL.transfer, id) }
    }

    /// All transfers of a radio, by direction, then sender, then the picture's number.
    public func fetchImageTransfers(deviceID: UUID) throws(StackError) -> [ImageTransferDTO] {
        try read { db in try db.rows(ImageTransferDTO.self, SQL.transfers, deviceID) }
    }

    /// Forgets a transfer, and nothing of its message; one that is not stored is forgotten already.
    public func deleteImageTransfer(id: UUID) throws(StackError) {
        try write { db in _ = try db.run("DELETE FROM imageTransfer WHERE id = ?1", id) }
    }
}
