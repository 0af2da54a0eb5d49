import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshWire

/// The facts about an incoming picture beside its chunks.
struct IncomingRecord: Sendable {
    var transfer: ImageTransferDTO
    var contactID: UUID
}

// Receiving.
extension ImageService {
    /// The pictures of which chunks have come, the one that has been idle longest first.
    public var incomingTransfers: [IncomingImage] {
        assembly.transfers.compactMap { transfer in
            guard let record = incoming[transfer.key] else { return nil }
            return IncomingImage(
                id: record.transfer.id, senderKeyPrefix: record.transfer.senderKeyPrefix, contactID: record.contactID,
                imageID: transfer.key.imageID, total: transfer.received.total, received: transfer.received.count,
                missing: transfer.received.missing)
        }
    }

    func receive(_ raw: Push.RawData, deviceID: UUID) async {
        do {
            guard policy.isEnabled, let chunk = try? ImageChunk(raw.payload), !chunk.data.isEmpty,
                let contact = try await sender(of: chunk, deviceID: deviceID)
            else {
                events.emit(.rawDataReceived(raw))
                return
            }
            switch ImageWord(chunk, chunks: policy.maxChunks) {
            case .report(let report): try await handle(report, deviceID: deviceID)
            case .again(let chunk): try await take(chunk, from: contact, deviceID: deviceID, raw)
            case nil: try await take(chunk, from: contact, deviceID: deviceID, raw)
            }
        } catch {
            dependencies.log.error("a chunk of a picture was not stored: \(error)")
        }
    }

    /// Returns the contact that sent a chunk, by the chunk itself; `nil` for a sender unknown to the radio.
    private func sender(of chunk: ImageChunk, deviceID: UUID) async throws -> UUID? {
        if let known = incoming[chunk.key]?.contactID ?? answers.contact(of: chunk.key) { return known }
        return try await store.fetchContact(deviceID: deviceID, publicKeyPrefix: Data(chunk.sender.array))?.contact.id
    }

    private func take(_ chunk: ImageChunk, from contactID: UUID, deviceID: UUID, _ raw: Push.RawData) async throws {
        if assembly.isFinished(chunk.key, at: elapsed()) { return answer(finished: chunk) }
        let patience = await patience(with: chunk)
        let (outcome, evicted) = assembly.take(chunk, at: elapsed(), patience: patience)
        // A complete picture has left the assembly.
        let received = assembly.transfer(chunk.key)?.received ?? .full(total: Int(chunk.total))
        armExpiry()
        await giveUp(evicted)
        switch outcome {
        case .dropped(let reason):
            dependencies.log.debug("a chunk of a picture was dropped: \(reason)")
        case .repeated: await ask(after: chunk, isNew: false, received)
        case .began, .added:
            try await note(chunk, received, contactID, deviceID)
            await ask(after: chunk, isNew: true, received)
        case .complete(let bytes):
            defer { incoming[chunk.key] = nil }
            do {
                try await note(chunk, received, contactID, deviceID)
                stopAsking(chunk.key)
                if try await complete(chunk.key, bytes, snr: Double(raw.snr) / 4) {
                    await ask(after: chunk, isNew: true, received)
                }
            } catch {
                stopAsking(chunk.key)
                // Its chunks are gone: only the sender can bring it again.
                if let record = incoming[chunk.key] { await giveUp(record, missing: []) }
                throw error
            }
        }
    }

    /// Stores the progress of a picture, and emits it.
    private func note(
        _ chunk: ImageChunk, _ received: ChunkSet, _ contactID: UUID, _ deviceID: UUID
    ) async throws {
        let isNew = incoming[chunk.key] == nil
        var record =
            incoming[chunk.key]
            ?? IncomingRecord(
                transfer: ImageTransferDTO(
                    id: dependencies.random.uuid(), deviceID: deviceID, direction: .incoming,
                    senderKeyPrefix: Data(chunk.sender.array), imageID: chunk.imageID, total: Int(chunk.total)),
                contactID: contactID)
        record.transfer.received = received.bits
        record.transfer.changedAt = dependencies.now()
        incoming[chunk.key] = record
        // A row of an earlier picture with the same number makes room.
        if isNew { try await forget(chunk.key, deviceID) }
        try await store.saveImageTransfer(
            record.transfer,
            chunk: ImageChunkDTO(transferID: record.transfer.id, place: Int(chunk.index), data: Data(chunk.data)))
        events.emit(.imageProgressed(progress(record.transfer)))
    }

    private func forget(_ key: ImageAssembly.Key, _ deviceID: UUID) async throws {
        let prefix = Data(key.sender.array)
        for old in try await store.fetchImageTransfers(deviceID: deviceID)
        where old.direction == .incoming && old.senderKeyPrefix == prefix && old.imageID == key.imageID {
            try await store.deleteImageTransfer(id: old.id)
        }
    }

    /// Stores a picture that is complete, and returns whether it is one.
    func complete(_ key: ImageAssembly.Key, _ bytes: [UInt8], snr: Double?) async throws -> Bool {
        guard var record = incoming[key] else { return false }
        guard PictureFormat.isJPEG(bytes) else {
            dependencies.log.notice("a picture came whole and is no JPEG")
            await giveUp(record, missing: [])
            return false
        }
        let contact = try await store.fetchContact(id: record.contactID)
        let message = MessageDTO(
            id: dependencies.random.uuid(), deviceID: record.transfer.deviceID, contactID: contact?.id, text: "",
            timestamp: dependencies.seconds, createdAt: dependencies.now(), direction: .incoming, status: .delivered,
            kind: .image, pathLength: 0xFF, snr: snr,
            senderKeyPrefix: record.transfer.senderKeyPrefix,
            deduplicationKey: DeduplicationKey.image(
                deviceID: record.transfer.deviceID, senderKeyPrefix: record.transfer.senderKeyPrefix,
                imageID: record.transfer.imageID, data: bytes))
        let result = try await store.saveImage(message, data: Data(bytes), mime: PictureFormat.jpegMime)
        record.transfer.state = .complete
        try await store.finishImageTransfer(record.transfer)
        answers.note(key, from: record.contactID, total: record.transfer.total)
        events.emit(.imageProgressed(progress(record.transfer)))
        guard result != .duplicate else { return true }
        events.emit(.imageReceived(message))
        guard let contact, !contact.isBlocked else { return true }
        await notifier?.postDirectMessageNotification(
            from: contact.displayName, contactID: contact.id, messageText: "Picture", messageID: message.id)
        return true
    }

    // MARK: Giving up

    func giveUp(_ transfers: [ImageAssembly.Transfer]) async {
        for transfer in transfers {
            stopAsking(transfer.key)
            guard let record = incoming.removeValue(forKey: transfer.key) else { continue }
            await giveUp(record, missing: transfer.received.missing)
        }
    }

    private func giveUp(_ record: IncomingRecord, missing: [Int]) async {
        var transfer = record.transfer
        transfer.state = .failed
        do { try await store.deleteImageTransfer(id: transfer.id) } catch {
            // The next start of the service forgets the row.
            dependencies.log.error("a transfer was not forgotten: \(error)")
        }
        events.emit(.imageProgressed(progress(transfer, missing: missing)))
    }

    func progress(_ transfer: ImageTransferDTO, missing: [Int] = []) -> ImageProgress {
        ImageProgress(
            transferID: transfer.id, direction: .incoming,
            done: ChunkSet(total: transfer.total, stored: transfer.received).count, total: transfer.total,
            state: transfer.state, missing: missing)
    }

    /// Has the transfer that has been idle longest expire in time.
    func armExpiry() {
        expiry?.cancel()
        expiry = nil
        guard let next = assembly.nextExpiry else { return }
        let wait = next - elapsed()
        expiry = Task(name: "expiry of pictures") { [clock = dependencies.clock] in
            guard (try? await clock.sleep(for: wait)) != nil else { return }
            await self.expire()
        }
    }

    private func expire() async {
        await giveUp(assembly.expire(at: elapsed()))
        // Not before: the task that runs this is the one that would be cancelled.
        armExpiry()
    }
}

extension ChunkSet {
    static func full(total: Int) -> ChunkSet {
        var set = ChunkSet(total: total)
        for index in 0..<total { set.insert(index) }
        return set
    }
}
