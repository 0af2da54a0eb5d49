public import MeshCompanion
import MeshPacket
import MeshWire

// Texts and datagrams.
extension MeshCoreSession {
    // MARK: Sending

    /// Sends the radio a text for a contact. The answer's tag is the code that will acknowledge it.
    ///
    /// `onWrite` is called when the frame is written to the link. That may be long after the call: commands wait for
    /// each other.
    public func sendMessage(
        to destination: Destination, text: String, timestamp: UInt32, attempt: UInt8 = 0,
        onWrite: (@Sendable () -> Void)? = nil
    ) async throws -> MessageSentInfo {
        try await sendMessage(
            to: destination, text: text, timestamp: timestamp, attempt: attempt, stamp: nil, onWrite: onWrite)
    }

    /// Sends a text for a node that knows texts and requests by rising stamps.
    ///
    /// Throws `TextStamp.IsTaken`, and writes nothing, when a request to the node has the stamp or a later one.
    package func sendMessage(
        to destination: Destination, text: String, attempt: UInt8, stamp: TextStamp
    ) async throws -> MessageSentInfo {
        try await sendMessage(to: destination, text: text, timestamp: stamp.time, attempt: attempt, stamp: stamp)
    }

    private func sendMessage(
        to destination: Destination, text: String, timestamp: UInt32, attempt: UInt8, stamp: TextStamp?,
        onWrite: (@Sendable () -> Void)? = nil
    ) async throws -> MessageSentInfo {
        let command = SendTxtMsg(
            attempt: attempt, timestamp: timestamp, publicKeyPrefix: try destination.prefix(), text: ByteText(text))
        var limits = ExchangeLimits(pause: configuration.defaultTimeout) { .timeout(.sendTxtMsg, after: $0) }
        limits.onWrite = onWrite
        limits.stamp = stamp
        limits.isShared = known.mayBeShared
        if let code = acknowledgement(of: command) {
            // An error names no command.
            limits.isOwn = { frame in (frame as? Resp.Sent).map { $0.tag == code } ?? false }
        }
        return try await send(command, limits: limits) { .reply($0) }
    }

    /// Returns the code that will acknowledge a text; `nil` before the radio has sent its key.
    ///
    /// Every node can compute it.
    private func acknowledgement(of command: SendTxtMsg) -> UInt32? {
        guard let key = currentSelfInfo?.publicKey else { return nil }
        let text = TextPlaintext(
            timestamp: command.timestamp, type: .plain, attempt: command.attempt, text: command.text.untilNUL)
        return text?.ackHash(sender: key, receiver: key)
    }

    /// Sends the radio a command line for a repeater, room or sensor.
    public func sendCommand(
        to destination: Destination, command: String, timestamp: UInt32
    ) async throws -> MessageSentInfo {
        try await send(
            SendTxtMsg(
                textType: .cliData, attempt: 0, timestamp: timestamp, publicKeyPrefix: try destination.prefix(),
                text: ByteText(command)))
    }

    /// Floods a text to the channel in a slot, without an acknowledgement. `timestamp` is in seconds since 1970.
    public func sendChannelMessage(channel: UInt8, text: String, timestamp: UInt32) async throws {
        try await send(SendChannelTxtMsg(channelIndex: channel, timestamp: timestamp, text: ByteText(text)))
    }

    /// Floods a datagram to the channel in a slot.
    public func sendChannelData(channel: UInt8, dataType: UInt16, payload: [UInt8]) async throws {
        try await send(SendChannelData(channelIndex: channel, path: [], dataType: dataType, payload: payload))
    }

    /// Sends bytes along a path of one byte a hop; they cannot be flooded.
    public func sendRawData(path: [UInt8], payload: [UInt8]) async throws {
        try await send(SendRawData(pathLength: UInt8(clamping: path.count), path: path, payload: payload))
    }

    // MARK: Acknowledgements

    /// The first acknowledgement of one of these codes; `nil` exactly at the limit.
    ///
    /// One that has come already counts, so nothing is missed between SENT and the call.
    public func acknowledgement(of codes: [UInt32], within limit: Duration) async -> Acknowledgement? {
        if let early = known.acknowledgements.find(codes) { return early }
        return await waitForEvent(timeout: limit) { event in
            guard case .acknowledgement(let code, let trip) = event, codes.contains(code) else { return nil }
            return Acknowledgement(code: code, tripTime: trip)
        }
    }

    // MARK: Receiving

    /// Requests the oldest message of the radio's queue. The radio forgets it then.
    public func getMessage() async throws -> MessageResult {
        let limits = ExchangeLimits(pause: configuration.defaultTimeout) { .timeout(.syncNextMessage, after: $0) }
        return try await send(SyncNextMessage(), limits: limits) { .reply(MessageResult($0)) }
    }

    /// Returns the messages that no command received: answers that came too late, or whose caller had gone.
    ///
    /// The radio has forgotten them, so they have to be read. There is one reader. Up to `FrameInbox.limit` unread
    /// messages wait, which is more than a radio keeps. Ends with the session.
    public func unclaimedMessages() -> AsyncStream<MessageResult> {
        unclaimed?.finish()
        let (stream, continuation) = AsyncStream.makeStream(
            of: MessageResult.self, bufferingPolicy: .bufferingOldest(FrameInbox.limit))
        if obstacle == nil { unclaimed = continuation } else { continuation.finish() }
        return stream
    }

    /// Keeps a message that no command waited for, for the reader of those.
    func keepUnclaimed(_ frame: ReceivedFrame) {
        guard let unclaimed, case .success(let coded) = frame.frame, let reply = NextMessage(coded)
        else { return }
        let message = MessageResult(reply)
        if message != .noMoreMessages { unclaimed.yield(message) }
    }
}
