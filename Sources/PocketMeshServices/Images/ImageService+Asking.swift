import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshWire

// The other side of a delivery: the receiver says what it lacks. And what is kept of incoming pictures over a break.
extension ImageService {
    /// Schedules the report to the sender of a chunk that has come.
    func ask(after chunk: ImageChunk, isNew: Bool, _ received: ChunkSet) async {
        guard policy.confirms, received.total <= ImageReport.chunkLimit else { return }
        guard let way = await way(to: chunk.key, chunkBytes: chunk.data.count) else { return }
        var asking =
            askings[chunk.key]
            ?? ImageAsking(total: received.total, interval: way.chunk.interval, travel: way.report.interval)
        let step = asking.came(Int(chunk.index), isNew: isNew, received, at: elapsed())
        askings[chunk.key] = received.isComplete ? nil : asking
        switch step {
        // Not here: the next chunk is not to wait until the radio has accepted the report.
        case .report: arm(chunk.key, received, after: .zero)
        case .wait(let span): arm(chunk.key, received, after: span)
        case .silence: break
        }
    }

    /// Answers a chunk of a complete picture, whose sender has not received the last report.
    func answer(finished chunk: ImageChunk) {
        let total = Int(chunk.total)
        // At once: the sender asks again before long. Once for chunks that come together.
        guard policy.confirms, total <= ImageReport.chunkLimit, asks[chunk.key] == nil,
            answers.isDue(chunk.key, total: total, at: elapsed())
        else { return }
        arm(chunk.key, .full(total: total), after: .zero)
    }

    /// The time after which a picture is given up without a further chunk: the slower the way, the longer.
    func patience(with chunk: ImageChunk) async -> Duration {
        guard policy.confirms, let way = await way(to: chunk.key, chunkBytes: chunk.data.count) else { return .zero }
        return way.chunk.interval * 60
    }

    /// The costs of a chunk and of a report between us and a sender; `nil` without a way back.
    private func way(to key: ImageAssembly.Key, chunkBytes: Int) async -> (chunk: ImagePlan, report: ImagePlan)? {
        guard let hops = try? await wayBack(to: key)?.count else { return nil }
        return (
            await packetPlan(payload: ImageChunk.headerSize + chunkBytes, hops: hops),
            await packetPlan(payload: Self.reportSize, hops: hops)
        )
    }

    /// The path to the sender of a picture; `nil` for a sender that is no contact, or a blocked one.
    private func wayBack(to key: ImageAssembly.Key) async throws -> [UInt8]? {
        guard let deviceID = monitoredDeviceID else { return nil }
        let sender = try await store.fetchContact(deviceID: deviceID, publicKeyPrefix: Data(key.sender.array))
        guard let contact = sender?.contact, !contact.isBlocked else { return nil }
        return try await path(to: contact.id)
    }

    private func arm(_ key: ImageAssembly.Key, _ received: ChunkSet, after span: Duration) {
        asks[key]?.cancel()
        asks[key] = Task(name: "report on a picture") { [clock = dependencies.clock] in
            guard (try? await clock.sleep(for: span)) != nil else { return }
            self.asks[key] = nil
            // What came in the meantime counts.
            await self.report(self.assembly.transfer(key)?.received ?? received, to: key)
        }
    }

    /// Sends the report on a picture, and repeats it while chunks are missing.
    private func report(_ received: ChunkSet, to key: ImageAssembly.Key) async {
        asks.removeValue(forKey: key)?.cancel()
        do {
            guard let path = try await wayBack(to: key), let own = await session.currentSelfInfo?.publicKey else {
                return
            }
            let report = ImageReport(
                receiver: FixedBytes(own.array.prefix(6)), imageID: key.imageID, received: received)
            let payload = ImageWord.report(report).chunk(number: nextWordNumber()).written()
            try await session.sendRawData(path: path, payload: payload)
            occupyAir(
                await packetPlan(payload: payload.count, hops: path.count),
                with: ChunkOnAir(payload: payload, path: path))
        } catch {
            dependencies.log.debug("a report on a picture was not sent: \(error)")
        }
        if !received.isComplete, assembly.transfer(key) != nil, var asking = askings[key] {
            let pause = asking.reported(received, at: elapsed())
            askings[key] = asking
            if let pause { arm(key, received, after: pause) }
        }
        // A report whose first relay is not heard goes again.
        try? await waitForRelays()
    }

    /// Cancels the reports on pictures that are no longer expected.
    func stopAsking(_ key: ImageAssembly.Key) {
        asks.removeValue(forKey: key)?.cancel()
        askings[key] = nil
    }

    // MARK: After a break

    /// Resumes the incoming pictures whose chunks were stored; their senders soon receive a report.
    func restore(deviceID: UUID) async throws {
        let rows = try await store.fetchImageTransfers(deviceID: deviceID).filter { $0.direction == .incoming }
        for transfer in rows where transfer.state == .complete {
            assembly.finish(transfer.key, at: elapsed())
            let sender = try await store.fetchContact(deviceID: deviceID, publicKeyPrefix: transfer.senderKeyPrefix)
            if let sender { answers.note(transfer.key, from: sender.contact.id, total: transfer.total) }
        }
        let open = rows.filter { $0.state == .running }.sorted { $0.changedAt < $1.changedAt }
        for transfer in open.dropLast(policy.maxIncoming) { try await store.deleteImageTransfer(id: transfer.id) }
        for transfer in open.suffix(policy.maxIncoming) { try await restore(transfer) }
        armExpiry()
    }

    private func restore(_ transfer: ImageTransferDTO) async throws {
        let contact = try await store.fetchContact(
            deviceID: transfer.deviceID, publicKeyPrefix: transfer.senderKeyPrefix)
        var last: (chunk: ImageChunk, received: ChunkSet)?
        if let contact { incoming[transfer.key] = IncomingRecord(transfer: transfer, contactID: contact.contact.id) }
        for row in try await store.fetchImageChunks(transferID: transfer.id) {
            let chunk = ImageChunk(
                sender: transfer.key.sender, imageID: transfer.imageID, index: UInt16(clamping: row.place),
                total: UInt16(clamping: transfer.total), data: [UInt8](row.data))
            let (outcome, evicted) = assembly.take(chunk, at: elapsed(), patience: await patience(with: chunk))
            await giveUp(evicted)
            if case .complete(let bytes) = outcome {
                // The break came between the last chunk and the picture.
                _ = try await complete(transfer.key, bytes, snr: nil)
                return incoming[transfer.key] = nil
            }
            guard outcome == .began || outcome == .added, let known = assembly.transfer(chunk.key) else { break }
            last = (chunk, known.received)
        }
        guard let last, contact != nil, assembly.transfer(transfer.key) != nil else {
            incoming[transfer.key] = nil
            return try await store.deleteImageTransfer(id: transfer.id)
        }
        events.emit(.imageProgressed(progress(transfer)))
        guard policy.confirms, last.received.total <= ImageReport.chunkLimit,
            let way = await way(to: transfer.key, chunkBytes: last.chunk.data.count)
        else { return }
        askings[transfer.key] = ImageAsking(
            total: transfer.total, interval: way.chunk.interval, travel: way.report.interval)
        // A sender that was not away goes on meanwhile.
        arm(transfer.key, last.received, after: way.chunk.interval * 3)
    }
}

extension ImageTransferDTO {
    var key: ImageAssembly.Key { .init(sender: FixedBytes([UInt8](senderKeyPrefix)), imageID: imageID) }
}
