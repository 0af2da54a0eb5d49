public import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshCrypto
public import MeshPacket
import MeshWire

// Channel messages: sent when the radio has taken them, never confirmed.
extension MessageService {
    /// Sends a message on the channel in a slot; its id. It is stored before anything is written.
    ///
    /// Without a connection the message is in the queue then, if the profile keeps such messages.
    @discardableResult
    public func sendChannelMessage(
        text: String, channelIndex: UInt8, deviceID: UUID, textType: TextType = .plain, replyToID: UUID? = nil
    ) async throws -> UUID {
        let place = gates.storing.ticket()
        return try await translated {
            let (id, line, ticket) = try await compose(
                text, channelIndex, deviceID, textType, replyToID, at: place)
            defer { line.leave(ticket) }
            try await launchChannel(id, isQueued: false, in: line, ticket)
            return id
        }
    }

    /// Stores the message as pending when it is its turn, and holds its place in the channel's line.
    private func compose(
        _ text: String, _ channelIndex: UInt8, _ deviceID: UUID, _ type: TextType, _ replyToID: UUID?,
        at place: Gate.Ticket
    ) async throws -> (UUID, Gate, Gate.Ticket) {
        defer { gates.storing.leave(place) }
        try await gates.storing.pass(place)
        try MessageLimits.check(type: type)
        let name = try await ownName(deviceID)
        try MessageLimits.check(text, limit: policy.channelLimit(nameBytes: name.count))
        guard let channel = try await store.fetchChannel(deviceID: deviceID, index: channelIndex) else {
            throw StackError(.messages, .channelNotFound)
        }
        let message = MessageDTO(
            id: dependencies.random.uuid(), deviceID: deviceID, channelID: channel.id, channelIndex: channelIndex,
            text: text, timestamp: memory.timestamps.reserve(text, at: dependencies.seconds),
            createdAt: dependencies.now(),
            direction: .outgoing, status: .pending, replyToID: replyToID)
        try await store.saveMessage(message)
        let line = line(channel.id)
        return (message.id, line, line.ticket())
    }

    /// Sends a failed or apparently unheard message once more.
    ///
    /// It has a fresh timestamp, and its repeats are counted from 0.
    public func resendChannelMessage(messageID: UUID) async throws {
        try await translated {
            guard let message = try await store.fetchMessage(id: messageID), let channelID = message.channelID else {
                throw StackError(.messages, .channelNotFound)
            }
            let line = line(channelID)
            let ticket = line.ticket()
            defer { line.leave(ticket) }
            let timestamp = memory.timestamps.reserve(
                message.text, at: max(dependencies.seconds, message.timestamp &+ 1))
            guard case .changed = try await store.prepareResend(id: messageID, timestamp: timestamp) else {
                throw Self.isUnderway
            }
            // Echoes of the earlier send do not count any more.
            memory.echoes.stop(messageID)
            try await launchChannel(messageID, isQueued: false, in: line, ticket)
        }
    }

    /// Waits for the channel's line and writes a pending message. Throws when the message has failed.
    @discardableResult
    func launchChannel(
        _ id: UUID, isQueued: Bool, in line: Gate, _ ticket: Gate.Ticket
    ) async throws -> DirectSend.Launch {
        var way = SendPlan(channel: policy)
        do {
            try await line.pass(ticket)
            guard let message = try await store.fetchMessage(id: id) else { return .obsolete }
            await ensureListening(deviceID: message.deviceID)
            guard try await store.updateMessageStatus(id: id, from: .pending, to: .sending) == .changed else {
                return .obsolete
            }
            guard case .write = way.write() else { return .obsolete }
            try await writeChannel(message, &way)
            try await store.completePendingSend(messageID: id, ackCode: nil)
            await keepAttempt(1, of: id, isFlood: true)
            events.emit(.messageSent(messageID: id))
            return .sent(wait: .zero)
        } catch {
            guard case .queue = way.stopped(by: error) else {
                memory.echoes.stop(id)
                await fail(id, isFinal: true)
                throw error
            }
            await parkChannel(id, isQueued: isQueued, because: error)
            if error is CancellationError || isStopped { throw error }
            return .parked
        }
    }

    private func writeChannel(_ message: MessageDTO, _ way: inout SendPlan) async throws {
        guard let channelID = message.channelID, let channel = try await store.fetchChannel(id: channelID),
            !channel.isArchived
        else { throw StackError(.messages, .channelNotFound) }
        let name = try await ownName(message.deviceID)
        memory.echoes.begin(
            message.id, channel: FixedBytes(channel.secret), sender: name, text: message.text,
            timestamp: message.timestamp, end: elapsed() + policy.repeatWindow)
        while true {
            do {
                return try await inScope(of: channel) {
                    try await session.sendChannelMessage(
                        channel: channel.index, text: message.text, timestamp: message.timestamp)
                }
            } catch SessionError.refused(let command, let code) {
                guard let step = way.refused(code) else { throw SessionError.refused(command, code) }
                try await prepareWrite(of: message.id, by: step)
            }
        }
    }

    /// Puts a message that the radio did not accept in the queue; a copy has the same timestamp.
    private func parkChannel(_ id: UUID, isQueued: Bool, because error: any Error) async {
        do {
            _ = try await store.updateMessageStatus(id: id, from: .sending, to: .pending)
            if !isQueued, let message = try await store.fetchMessage(id: id) {
                try await store.requeueMessage(id: id)
                try await store.recordSendAttempt(messageID: id, timestamp: message.timestamp)
            }
            try await store.recordSendError(messageID: id, error: "\(StackError.meaning(of: error, in: .messages))")
        } catch {
            dependencies.log.error("an unsent channel message was not queued: \(error)")
        }
    }

    /// The name that the radio puts before channel texts.
    private func ownName(_ deviceID: UUID) async throws -> ByteText {
        if let info = await session.currentSelfInfo { return info.name.untilNUL }
        return ByteText(try await store.fetchDevice(id: deviceID)?.nodeName ?? "")
    }
}
