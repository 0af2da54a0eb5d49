public import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshRadio
import MeshWire

// The cost of a picture, and what follows when the radio has accepted all of one: reports of the other end.
extension ImageService {
    /// The airtime and the time that a prepared picture takes to a contact; throws `noDirectPath` without a path.
    public func plan(of jpeg: Data, to contact: ContactDTO) async throws -> ImagePlan {
        try await inTerms(of: .pictures) {
            let path = try await path(to: contact.id)
            return ImagePlan(
                bytes: jpeg.count, chunkBytes: try await chunkBytes(along: path), hops: path.count,
                radio: await radio(), pacing: policy.pacing)
        }
    }

    /// The cost of one packet with a payload of these bytes.
    func packetPlan(payload: Int, hops: Int, of chunks: Int = 1) async -> ImagePlan {
        ImagePlan(chunks: chunks, payload: payload, hops: hops, radio: await radio(), pacing: policy.pacing)
    }

    private func radio() async -> LoRaParameters {
        guard let info = await session.currentSelfInfo, info.spreadingFactor > 0 else { return LoRaParameters() }
        return LoRaParameters(
            frequencyKilohertz: info.frequency, bandwidthHertz: info.bandwidth,
            spreadingFactor: info.spreadingFactor, codingRate: info.codingRate)
    }

    // MARK: Reports

    /// Handles the report of a receiver on an outgoing picture.
    func handle(_ report: ImageReport, deviceID: UUID) async throws {
        guard policy.confirms, let transfer = try await transfer(of: report, deviceID: deviceID) else { return }
        var delivery = try await delivery(of: transfer)
        let step = delivery.heard(report.received)
        guard step != .ignore else { return }
        keep(delivery, of: transfer.id)
        guard var stored = try await store.fetchImageTransfer(id: transfer.id) else { return }
        stored.arrived = delivery.known
        if !stored.isOpen { stored.changedAt = dependencies.now() }
        try await store.saveImageTransfer(stored)
        // The pass that is under way leaves out what has arrived, and looks at the end.
        guard outgoing[transfer.id] == nil else { return await self.report(stored, nil) }
        try await follow(step, stored)
    }

    /// Returns the outgoing transfer that a report is about: of its number, and to the contact that sent the report.
    private func transfer(of report: ImageReport, deviceID: UUID) async throws -> ImageTransferDTO? {
        let oldest = dependencies.now().addingTimeInterval(-(policy.reportWindow / .seconds(1)))
        for transfer in try await store.fetchImageTransfers(deviceID: deviceID)
        where transfer.direction == .outgoing && transfer.imageID == report.imageID && transfer.state != .failed {
            guard transfer.isOpen || transfer.changedAt >= oldest,
                let contactID = try await store.fetchMessage(id: transfer.id)?.contactID,
                let contact = try await store.fetchContact(id: contactID),
                FixedBytes<6>([UInt8](contact.publicKey.prefix(6))) == report.receiver
            else { continue }
            return transfer
        }
        return nil
    }

    func delivery(of transfer: ImageTransferDTO) async throws -> ImageDelivery {
        if let known = deliveries[transfer.id] { return known }
        return ImageDelivery(
            total: transfer.total, stored: [UInt8](transfer.arrived), hops: try await route(of: transfer).count)
    }

    /// Keeps a delivery in memory; beyond the limit the oldest ones are read from the store again.
    func keep(_ delivery: ImageDelivery, of id: UUID) {
        if deliveries[id] == nil {
            deliveryOrder.append(id)
            if deliveryOrder.count > Self.deliveryLimit { deliveries[deliveryOrder.removeFirst()] = nil }
        }
        deliveries[id] = delivery
    }

    private static let deliveryLimit = 32

    /// Waits until the delivery of an accepted picture ends, and returns whether it has arrived.
    @discardableResult
    public func waitForConfirmation(of transferID: UUID) async -> Bool {
        // Without a wait for a report none ends.
        guard alarms[transferID] != nil || outgoing[transferID] != nil else {
            return deliveries[transferID]?.arrived.isComplete ?? false
        }
        return await withCheckedContinuation { waiting[transferID, default: []].append($0) }
    }

    /// Ends the waits for a picture.
    func endWaits(for id: UUID, hasArrived: Bool) {
        for waiter in waiting.removeValue(forKey: id) ?? [] { waiter.resume(returning: hasArrived) }
    }

    // MARK: Rounds

    /// Waits for a report on a picture that the radio has accepted; without a listener none would come.
    func awaitReport(ofTransfer id: UUID) async {
        guard policy.confirms, monitoredDeviceID != nil else { return endWaits(for: id, hasArrived: false) }
        do {
            guard let transfer = try await store.fetchImageTransfer(id: id), transfer.state == .complete else {
                return endWaits(for: id, hasArrived: false)
            }
            try await awaitReport(on: transfer)
        } catch {
            endWaits(for: id, hasArrived: false)
            dependencies.log.debug("no report on a picture is expected: \(error)")
        }
    }

    private func awaitReport(on transfer: ImageTransferDTO) async throws {
        let delivery = try await delivery(of: transfer)
        keep(delivery, of: transfer.id)
        if delivery.arrived.isComplete { return try await follow(.arrived, transfer) }
        let travel = await packetPlan(payload: Self.reportSize, hops: try await route(of: transfer).count).interval
        let wait = travel + Self.reportSlack
        alarm(transfer.id)?.cancel()
        alarms[transfer.id] = Task(name: "wait for a report on a picture") { [clock = dependencies.clock] in
            guard (try? await self.waitForRelays()) != nil, (try? await clock.sleep(for: wait)) != nil else { return }
            await self.heardNothing(of: transfer.id)
        }
    }

    private func alarm(_ id: UUID) -> Task<Void, Never>? { alarms.removeValue(forKey: id) }

    /// The usual payload of a report: the bits of a picture of 64 chunks at most.
    static let reportSize = ImageChunk.headerSize + ImageWord.headSize + 8
    /// The time that two apps and two radios take beside the air.
    private static let reportSlack: Duration = .seconds(2)

    private func heardNothing(of id: UUID) async {
        alarms[id] = nil
        guard outgoing[id] == nil else { return }
        guard var delivery = deliveries[id] else { return endWaits(for: id, hasArrived: false) }
        let step = delivery.silence()
        deliveries[id] = delivery
        do {
            guard let transfer = try await store.fetchImageTransfer(id: id) else {
                return endWaits(for: id, hasArrived: false)
            }
            try await follow(step, transfer)
        } catch {
            endWaits(for: id, hasArrived: false)
            dependencies.log.error("a picture is not asked about: \(error)")
        }
    }

    private func follow(_ step: ImageDelivery.Step, _ transfer: ImageTransferDTO) async throws {
        switch step {
        case .ignore: break
        case .send(let chunks): await sendAgain(chunks, of: transfer)
        case .arrived:
            alarm(transfer.id)?.cancel()
            await report(try await close(transfer, as: .complete), nil)
            endWaits(for: transfer.id, hasArrived: true)
        case .notConfirmed:
            alarm(transfer.id)?.cancel()
            endWaits(for: transfer.id, hasArrived: false)
            await report(transfer, nil)
        }
    }

    /// Sends chunks again in a task of their own; an error ends the task and does not change the message.
    private func sendAgain(_ chunks: [Int], of transfer: ImageTransferDTO) async {
        guard outgoing[transfer.id] == nil else { return }
        alarm(transfer.id)?.cancel()
        let number = (outgoing.values.map(\.number).max() ?? 0) + 1
        let task = Task<Void, any Error>(name: "chunks of a picture again") {
            do {
                try await self.perform(chunks, of: transfer)
                self.outgoing[transfer.id] = nil
                await self.awaitReport(ofTransfer: transfer.id)
            } catch {
                self.outgoing[transfer.id] = nil
                self.endWaits(for: transfer.id, hasArrived: false)
                self.dependencies.log.debug("chunks of a picture were not sent again: \(error)")
            }
        }
        outgoing[transfer.id] = OutgoingTask(number: number, task: task)
        await report(transfer, nil)
    }

    private func perform(_ chunks: [Int], of transfer: ImageTransferDTO) async throws {
        let turn = try await sending.pass()
        defer { sending.leave(turn) }
        let (path, image) = (try await route(of: transfer), try await picture(of: transfer))
        let plan = await packetPlan(payload: ImageChunk.headerSize + transfer.chunkBytes, hops: path.count)
        let limit = ChunkSizing.maximum.bytes(frame: await frame, path: path.count)
        for index in chunks {
            try Task.checkCancellation()
            if deliveries[transfer.id]?.arrived.isComplete == true { return }
            // The last one asks for a report.
            if deliveries[transfer.id]?.arrived.contains(index) == true, index != chunks.last { continue }
            var refusals = 0
            try await waitForAir(plan)
            let chunk = again(image.chunk(index), limit: limit)
            while try await write(chunk, along: path) == .tableFull {
                refusals += 1
                if refusals > policy.tableFullRetries { throw StackError(.pictures, .gaveUp(chunk: index)) }
                try await dependencies.clock.sleep(for: policy.tableFullPause)
            }
            noteSent(chunk, along: path, of: transfer.id, plan, isAgain: true)
        }
    }

    /// Returns a repeated chunk in a form that nodes relay again; unchanged when that is too long.
    private func again(_ chunk: ImageChunk, limit: Int) -> ImageChunk {
        guard ImageWord.headSize + chunk.data.count <= min(limit, ImageChunk.sizeLimit) else { return chunk }
        return ImageWord.again(chunk).chunk(number: nextWordNumber())
    }

    /// The number of the next `ImageWord`: 256 of them pass before it comes again.
    func nextWordNumber() -> UInt8 {
        // Not the same ones again after a restart.
        let number = (wordNumber ?? UInt8(truncatingIfNeeded: dependencies.random.number())) &+ 1
        wordNumber = number
        return number
    }
}
