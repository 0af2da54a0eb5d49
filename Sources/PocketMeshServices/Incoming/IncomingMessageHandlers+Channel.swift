import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire

extension IncomingMessageHandlers {
    func channel(_ received: ReceivedChannelMessage, _ arrival: MessageArrival) async {
        await take(.channel(received, arrival))
    }

    func storeChannel(_ received: ReceivedChannelMessage, _ arrival: MessageArrival) async throws {
        let content = ChannelText(received.message.text.string)
        if try await isEcho(received, content, arrival) { return }
        guard let receipt = try storedChannel(received, content, arrival) else { return }
        await tell(receipt.note)
        await tellOfChange()
        events.emit(.channelMessageReceived(receipt.message, channelIndex: received.message.channelIndex))
    }

    /// Stores a message; `nil` for one that is not reported.
    func storedChannel(
        _ received: ReceivedChannelMessage, _ content: ChannelText, _ arrival: MessageArrival
    ) throws -> ChannelReceipt? {
        let receipt = try store.receiveChannelMessage(
            channelMessage(received, content, arrival), slot: received.message.channelIndex,
            drainedAfter: arrival.drainMark)
        return receipt.result.isDuplicate || receipt.isBlocked ? nil : receipt
    }

    private func channelMessage(
        _ received: ReceivedChannelMessage, _ content: ChannelText, _ arrival: MessageArrival
    ) -> MessageDTO {
        let message = received.message
        return MessageDTO(
            id: dependencies.random.uuid(), deviceID: arrival.deviceID, channelIndex: message.channelIndex,
            text: content.text, timestamp: message.timestamp,
            createdAt: dependencies.now(), direction: .incoming, status: .delivered, textType: message.textType,
            pathLength: message.pathLength.rawValue, snr: received.snr.map { Double($0) / 4 },
            senderNodeName: content.senderName)
    }

    /// Returns whether a message is one of ours that came back; it counts as a repeat of that one then.
    ///
    /// The name alone does not say so: another node may have the same. Ours has the second and text of one we sent.
    private func isEcho(
        _ received: ReceivedChannelMessage, _ content: ChannelText, _ arrival: MessageArrival
    ) async throws -> Bool {
        guard let sender = content.senderName, sender == (await trimmedOwnName()) else { return false }
        let message = received.message
        let channel = try await store.fetchChannel(deviceID: arrival.deviceID, index: message.channelIndex)
        let thread = channel.map { MessageThread.channel($0.id) } ?? .unknownChannel(message.channelIndex)
        let recent = try await store.fetchMessages(deviceID: arrival.deviceID, thread: thread)
        let own = recent.last {
            $0.isOutgoing && $0.timestamp == message.timestamp
                && $0.text.trimmingBlanks == content.text
        }
        guard let own else { return false }
        let count = try await store.incrementMessageHeardRepeats(id: own.id)
        events.emit(.repeatHeard(messageID: own.id, count: count))
        return true
    }
}

extension ChannelReceipt {
    /// The content of the notification; `nil` where the channel is not known or switched off.
    var note: MessageNote? {
        guard let channel, channel.isEnabled, let index = message.channelIndex else { return nil }
        return .channel(
            name: channel.displayName, index: index, deviceID: message.deviceID, senderName: message.senderNodeName,
            text: message.text, messageID: message.id)
    }
}
