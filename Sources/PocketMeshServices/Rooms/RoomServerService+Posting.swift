public import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshWire

extension RoomServerService {
    /// Posts a text to a room. The post is stored at once; its confirmation is awaited after this call.
    ///
    /// Throws `permissionDenied` without the right to write. Throws `notSent` for a text that is empty or that the room
    /// would cut. A post that the radio did not accept is stored as failed.
    ///
    /// Throws `nodeNotConnected` during a login to the room, and after a lost link until the next login: the room would
    /// discard the post as old.
    @discardableResult
    public func postMessage(sessionID: UUID, text: String) async throws -> RoomMessageDTO {
        let room = try await room(sessionID)
        guard room.canPost else { throw StackError(.rooms, .permissionDenied) }
        guard await remoteNodes.mayPost(room) else { throw StackError(.rooms, .nodeNotConnected) }
        guard !text.isEmpty else { throw StackError(.rooms, .notSent("there is no text")) }
        // The radio ends a text at the first one.
        guard !text.utf8.contains(0) else { throw StackError(.rooms, .notSent("the text has a NUL character")) }
        guard text.utf8.count <= Self.postLimit else {
            throw StackError(.rooms, .notSent("the text has more than \(Self.postLimit) bytes"))
        }
        await remoteNodes.beginPosting(room)
        do {
            try await remoteNodes.awaitStamp(room)
            return try await post(text, to: room)
        } catch {
            await remoteNodes.endPosting(sessionID)
            throw error
        }
    }

    /// Stores and writes a post; from then on its delivery has the rest to do.
    private func post(_ text: String, to room: RemoteNodeSessionDTO) async throws -> RoomMessageDTO {
        let timestamp = await remoteNodes.nextStamp(after: try await lastStamp(of: room))
        var post = RoomMessageDTO(
            id: dependencies.random.uuid(), sessionID: room.id, authorKeyPrefix: await ownPrefix(),
            authorName: await ownName(), text: text, timestamp: timestamp, createdAt: dependencies.now(),
            isFromSelf: true, status: .sending)
        guard case .inserted(let order) = try await store.saveRoomMessage(post) else {
            throw StackError(.rooms, .notSent("the same text was posted this second"))
        }
        post.receivedOrder = order
        do {
            let sent = try await write(post, to: room, attempt: 0)
            post.status = .sent
            await update(post.id, .sent)
            let first = post
            deliveries[post.id] = Task(name: "delivery of a post") { await deliver(first, to: room, sent) }
        } catch {
            await update(post.id, .failed)
            throw StackError.meaning(of: error, in: .rooms)
        }
        return post
    }

    private func write(
        _ post: RoomMessageDTO, to room: RemoteNodeSessionDTO, attempt: UInt8
    ) async throws -> MessageSentInfo {
        try await session.sendMessage(
            to: .bytes([UInt8](room.publicKey)), text: post.text, attempt: attempt,
            stamp: TextStamp(node: FixedBytes(room.publicKey), time: post.timestamp, isFirst: attempt == 0))
    }

    private func lastStamp(of room: RemoteNodeSessionDTO) async throws -> UInt32 {
        do {
            return try await session.lastStamp(to: FixedBytes(room.publicKey))
        } catch {
            throw StackError.meaning(of: error, in: .rooms)
        }
    }

    /// Waits for the room's confirmation, and posts again as often as the policy for messages says.
    ///
    /// The room knows a copy by its timestamp. A post that has failed becomes delivered when its confirmation comes
    /// late.
    private func deliver(
        _ post: RoomMessageDTO, to room: RemoteNodeSessionDTO, _ first: MessageSentInfo
    ) async {
        let codes = await followUp(post, to: room, first)
        await remoteNodes.endPosting(room.id)
        if let codes {
            // Also where the link has gone: there is no queue for posts, and nobody would look after it again.
            await update(post.id, .failed)
            if !Task.isCancelled, await session.acknowledgement(of: codes, within: retry.lateWindow) != nil {
                await update(post.id, .delivered)
            }
        }
        deliveries[post.id] = nil
    }

    /// The attempts of a post; the codes that would still confirm it, or `nil` when it is delivered.
    private func followUp(
        _ post: RoomMessageDTO, to room: RemoteNodeSessionDTO, _ first: MessageSentInfo
    ) async -> [UInt32]? {
        var codes: [UInt32] = []
        var sent = first
        for attempt in 1...max(1, retry.maxAttempts) {
            codes.append(sent.tag)
            if await session.acknowledgement(of: codes, within: retry.wait(suggested: sent.timeout)) != nil {
                await update(post.id, .delivered)
                return nil
            }
            guard !Task.isCancelled, attempt < retry.maxAttempts else { break }
            do {
                await update(post.id, .retrying)
                try await dependencies.clock.sleep(for: retry.backoff.pause(after: attempt))
                if attempt == retry.floodAfter { try await session.resetPath(FixedBytes(room.publicKey)) }
                sent = try await write(post, to: room, attempt: UInt8(clamping: attempt))
                await update(post.id, .sent)
            } catch {
                dependencies.log.info("a post was not sent again: \(error)")
                break
            }
        }
        return codes
    }

    private func update(_ id: UUID, _ status: MessageStatus) async {
        do {
            guard case .changed = try await store.updateRoomMessageStatus(id: id, to: status) else { return }
            events.emit(.postStatusChanged(messageID: id, status))
        } catch {
            dependencies.log.warning("the status of a post was not stored: \(error)")
        }
    }
}
