public import FoundationEssentials
import MeshCompanion
import MeshCore
import MeshWire

/// A picture that is being sent, or waits for its turn.
struct OutgoingTask: Sendable {
    enum End: Sendable {
        case pause, cancel
    }

    /// The order in which they came.
    var number: Int
    var task: Task<Void, any Error>
    /// The reason for which the task was cancelled.
    var end: End?
}

// Sending.
extension ImageService {
    /// Sends a JPEG, and returns the id of its message and transfer when the radio has accepted all of it.
    ///
    /// One picture is sent at a time; others wait. When the link goes this throws `notConnected`. The transfer resumes
    /// by itself when `startEventMonitoring` is called within ten minutes. `progress` has the id from the start.
    @discardableResult
    public func sendImage(
        _ jpeg: Data, to contact: ContactDTO, progress: ProgressHandler? = nil
    ) async throws -> UUID {
        guard policy.isEnabled else { throw StackError(.pictures, .featureOff) }
        guard PictureFormat.isJPEG(jpeg) else { throw StackError(.pictures, .imageDecodeFailed) }
        return try await inTerms(of: .pictures) { try await send(jpeg, to: contact, progress) }
    }

    private func send(_ jpeg: Data, to contact: ContactDTO, _ progress: ProgressHandler?) async throws -> UUID {
        let path = try await path(to: contact.id)
        let transfer = try await newTransfer(of: jpeg, deviceID: contact.deviceID, path: path)
        let message = MessageDTO(
            id: transfer.id, deviceID: contact.deviceID, contactID: contact.id, text: "",
            timestamp: dependencies.seconds, createdAt: dependencies.now(), direction: .outgoing, status: .pending,
            kind: .image)
        try await store.saveImage(message, data: jpeg, mime: PictureFormat.jpegMime)
        try await begin(transfer, progress)
        return transfer.id
    }

    /// Sends the picture of a message once more, with a new number; returns the message of the transfer.
    @discardableResult
    public func resendImage(messageID: UUID, progress: ProgressHandler? = nil) async throws -> UUID {
        let (data, contact) = try await inTerms(of: .pictures) {
            guard let blob = try await store.fetchBlob(messageID: messageID),
                let contactID = try await store.fetchMessage(id: messageID)?.contactID
            else { throw StackError(.store, .messageNotFound) }
            guard let contact = try await store.fetchContact(id: contactID) else {
                throw StackError(.pictures, .noDirectPath)
            }
            return (blob.data, contact)
        }
        return try await sendImage(data, to: contact, progress: progress)
    }

    /// Ends an outgoing transfer; its message has failed then. Unknown ids are left alone.
    public func cancel(transferID: UUID) async throws {
        if let running = outgoing[transferID] {
            outgoing[transferID]?.end = .cancel
            running.task.cancel()
            _ = await running.task.result
            return
        }
        try await inTerms(of: .pictures) {
            guard let stored = try await store.fetchImageTransfer(id: transferID), stored.isOpen else { return }
            try await close(stored, as: .failed)
        }
    }

    // MARK: Before the first write

    /// The hops to the contact, one byte each.
    func path(to contactID: UUID) async throws -> [UInt8] {
        guard let contact = try await store.fetchContact(id: contactID) else {
            throw StackError(.pictures, .noDirectPath)
        }
        switch contact.routing {
        // The radio counts the bytes of the path, and the air the hops: the same for hops of one byte only.
        case .path(let size, let hops) where size == 1 || hops == 0: return [UInt8](contact.outPath.prefix(hops))
        case .path, .unknown: throw StackError(.pictures, .noDirectPath)
        }
    }

    private func newTransfer(of jpeg: Data, deviceID: UUID, path: [UInt8]) async throws -> ImageTransferDTO {
        guard let own = await session.currentSelfInfo?.publicKey else { throw StackError(.pictures, .notConnected) }
        let chunkBytes = try await chunkBytes(along: path)
        let total = OutgoingImage.count(of: jpeg.count, chunkBytes: chunkBytes)
        let limit = min(policy.maxChunks, Int(UInt16.max))
        guard total <= limit else { throw StackError(.pictures, .tooManyChunks(count: total, limit: limit)) }
        return ImageTransferDTO(
            id: dependencies.random.uuid(), deviceID: deviceID, direction: .outgoing,
            senderKeyPrefix: Data(own.array.prefix(6)),
            imageID: UInt32(truncatingIfNeeded: dependencies.random.number()), total: total,
            received: ChunkSet(total: total).bits, changedAt: dependencies.now(), chunkBytes: chunkBytes)
    }

    /// The longest frame of link and radio.
    var frame: Int {
        get async { min(await session.transport.capabilities.maxFrame, await session.frameLimit) }
    }

    /// The bytes of a picture in a chunk along a path.
    func chunkBytes(along path: [UInt8]) async throws -> Int {
        let bytes = policy.chunkSizing.bytes(frame: await frame, path: path.count)
        guard bytes > 0 else { throw StackError(.pictures, .noDirectPath) }
        return bytes
    }

    // MARK: The task of a transfer

    /// Sends a transfer in a task of its own, and waits for its end.
    func begin(_ transfer: ImageTransferDTO, _ progress: ProgressHandler?) async throws {
        let task = try await launch(transfer, progress)
        try await withTaskCancellationHandler {
            do {
                try await task.value
            } catch let error where error.stackReason == .cancelled && Task.isCancelled {
                throw CancellationError()
            }
        } onCancel: {
            Task { try? await self.cancel(transferID: transfer.id) }
        }
    }

    @discardableResult
    func launch(_ transfer: ImageTransferDTO, _ progress: ProgressHandler?) async throws -> Task<Void, any Error> {
        try await store.saveImageTransfer(transfer)
        let number = (outgoing.values.map(\.number).max() ?? 0) + 1
        let task = Task(name: "picture on its way") {
            do {
                try await self.perform(transfer, progress)
                self.outgoing[transfer.id] = nil
                await self.awaitReport(ofTransfer: transfer.id)
            } catch {
                let end = self.outgoing[transfer.id]?.end
                self.outgoing[transfer.id] = nil
                self.endWaits(for: transfer.id, hasArrived: false)
                throw try await self.ended(transfer.id, error, end, progress)
            }
        }
        outgoing[transfer.id] = OutgoingTask(number: number, task: task)
        return task
    }

    /// Notes why a transfer ended before its last chunk, and returns the error for the waiting caller.
    private func ended(
        _ id: UUID, _ error: any Error, _ end: OutgoingTask.End?, _ progress: ProgressHandler?
    ) async throws -> any Error {
        let failure: any Error =
            switch (end, error) {
            case (.cancel?, _): StackError(.pictures, .cancelled)
            case (.pause?, _): StackError(.pictures, .notConnected)
            case (nil, is CancellationError): StackError(.pictures, .cancelled)
            case (nil, let error): StackError.meaning(of: error, in: .pictures)
            }
        guard let transfer = try await store.fetchImageTransfer(id: id) else { return failure }
        let isPaused = failure.stackReason == .notConnected
        let closed = try await close(transfer, as: isPaused ? .paused : .failed)
        await report(closed, progress)
        return failure
    }

    /// Stores the end of a transfer, and its effect on the message.
    @discardableResult
    func close(_ transfer: ImageTransferDTO, as state: ImageTransferState) async throws -> ImageTransferDTO {
        var transfer = transfer
        transfer.state = state
        // The ten minutes begin when the link goes, not again at each try.
        if state != .paused || transfer.isOpen { transfer.changedAt = dependencies.now() }
        try await store.saveImageTransfer(transfer)
        switch state {
        case .complete: try await setStatus(transfer.hasArrived ? .delivered : .sent, of: transfer.id)
        case .failed: try await setStatus(.failed, of: transfer.id)
        case .running, .paused: break
        }
        return transfer
    }

    func setStatus(_ status: MessageStatus, of messageID: UUID) async throws {
        do {
            try await store.updateMessageStatus(id: messageID, from: nil, to: status)
        } catch let error where error.stackReason == .messageNotFound {
            // The user has deleted it.
        }
    }

    func report(_ transfer: ImageTransferDTO, _ progress: ProgressHandler?) async {
        let isAnswered = transfer.state == .complete && !transfer.arrived.isEmpty
        let done = ChunkSet(total: transfer.total, stored: isAnswered ? transfer.arrived : transfer.received)
        // The radio has had all of it once, and some of it goes again.
        let isAgain = transfer.state == .complete && outgoing[transfer.id] != nil && !transfer.hasArrived
        let value = ImageProgress(
            transferID: transfer.id, direction: .outgoing, done: done.count, total: transfer.total,
            state: isAgain ? .running : transfer.state, hasArrived: transfer.hasArrived)
        await progress?(value)
        events.emit(.imageProgressed(value))
    }
}

extension ImageTransferDTO {
    /// True when the transfer may still go on.
    var isOpen: Bool { state == .running || state == .paused }
    /// True when the other end has said that it has all of the picture.
    var hasArrived: Bool { ChunkSet(total: total, stored: arrived).isComplete }
}
