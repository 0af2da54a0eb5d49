import FoundationEssentials
import MeshCompanion
import MeshCore
import MeshWire

// The loop over the chunks of one outgoing picture, and what a lost link leaves.
extension ImageService {
    /// Sends the chunks that the radio has not accepted yet: each one is written when the one before is accepted.
    func perform(_ transfer: ImageTransferDTO, _ progress: ProgressHandler?) async throws {
        let turn = try await sending.pass()
        defer { sending.leave(turn) }
        try Task.checkCancellation()
        var (transfer, path) = (transfer, try await route(of: transfer))
        var image = try await picture(of: transfer)
        let plan = await packetPlan(
            payload: ImageChunk.headerSize + transfer.chunkBytes, hops: path.count, of: transfer.total)
        keep(try await delivery(of: transfer), of: transfer.id)
        try await store.updateMessageStatus(id: transfer.id, from: .pending, to: .sending)
        await report(transfer, progress)
        var step = image.next
        while step != .done {
            switch step {
            case .write(let chunk):
                let index = Int(chunk.index)
                // The other end may have said so in the meantime, or before a break.
                if deliveries[transfer.id]?.arrived.contains(index) == true {
                    step = image.answered(.ok)
                } else {
                    try await waitForAir(plan)
                    step = image.answered(try await write(chunk, along: path))
                    if image.confirmed.contains(index) { noteSent(chunk, along: path, of: transfer.id, plan) }
                }
                if image.confirmed.contains(index) {
                    transfer.received = image.confirmed.bits
                    transfer.arrived = deliveries[transfer.id]?.known ?? transfer.arrived
                    transfer.changedAt = dependencies.now()
                    if image.confirmed.isComplete { break }
                    try await store.saveImageTransfer(transfer)
                    await report(transfer, progress)
                    if policy.chunkPause > .zero { try await dependencies.clock.sleep(for: policy.chunkPause) }
                }
            case .pauseAndRepeat:
                try await dependencies.clock.sleep(for: policy.tableFullPause)
                step = image.next
            case .gaveUp(let chunk): throw StackError(.pictures, .gaveUp(chunk: chunk))
            case .done: break
            }
        }
        await report(try await close(transfer, as: .complete), progress)
    }

    func write(_ chunk: ImageChunk, along path: [UInt8]) async throws -> OutgoingImage.Answer {
        do {
            try await session.sendRawData(path: path, payload: chunk.written())
            return .ok
        } catch SessionError.refused(_, .tableFull) {
            return .tableFull
        } catch SessionError.transport(.sendFailed) {
            // The link has no room: the chunk never reached the radio.
            return .tableFull
        } catch SessionError.timeout {
            return .silence
        }
    }

    func picture(of transfer: ImageTransferDTO) async throws -> OutgoingImage {
        guard let blob = try await store.fetchBlob(messageID: transfer.id), transfer.chunkBytes > 0 else {
            throw StackError(.store, .messageNotFound)
        }
        return OutgoingImage(
            [UInt8](blob.data), sender: FixedBytes(transfer.senderKeyPrefix), imageID: transfer.imageID,
            chunkBytes: transfer.chunkBytes, confirmed: ChunkSet(total: transfer.total, stored: transfer.received),
            tableFullRetries: policy.tableFullRetries, silenceRetries: policy.silenceRetries)
    }

    /// The path to the recipient as it is now: it may have changed while the picture waited.
    func route(of transfer: ImageTransferDTO) async throws -> [UInt8] {
        guard let contactID = try await store.fetchMessage(id: transfer.id)?.contactID else {
            throw StackError(.store, .messageNotFound)
        }
        return try await path(to: contactID)
    }

    // MARK: A lost link

    /// Goes on with pictures that were interrupted less than ten minutes ago; the others have failed.
    func resumeTransfers(deviceID: UUID) async throws {
        let limit = dependencies.now().addingTimeInterval(-(policy.resumeWindow / .seconds(1)))
        for var transfer in try await store.fetchImageTransfers(deviceID: deviceID)
        where transfer.direction == .outgoing && transfer.isOpen && outgoing[transfer.id] == nil {
            let status = try await store.fetchMessage(id: transfer.id)?.status
            guard let status else {
                try await store.deleteImageTransfer(id: transfer.id)
                continue
            }
            guard transfer.changedAt >= limit, status != .failed else {
                await report(try await close(transfer, as: .failed), nil)
                continue
            }
            transfer.state = .running
            try await launch(transfer, nil)
        }
        for transfer in try await store.fetchImageTransfers(deviceID: deviceID)
        where transfer.direction == .outgoing && transfer.state == .complete && transfer.changedAt >= limit {
            if !transfer.hasArrived { await awaitReport(ofTransfer: transfer.id) }
        }
    }

    /// Forgets transfers that failed, and those that are too old to be resumed or reported.
    func tidy(deviceID: UUID) async throws {
        let limit = dependencies.now().addingTimeInterval(-(policy.reportWindow / .seconds(1)))
        for transfer in try await store.fetchImageTransfers(deviceID: deviceID) {
            // An outgoing one that is open fails by a limit of its own, and its message with it.
            let isKept =
                transfer.direction == .outgoing && transfer.isOpen
                || transfer.state != .failed && transfer.changedAt >= limit && policy.isEnabled
            if !isKept, outgoing[transfer.id] == nil { try await store.deleteImageTransfer(id: transfer.id) }
        }
    }
}
