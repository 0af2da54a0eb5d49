import Foundation
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
        let index = received.message.channelIndex
        let came = channelMessage(received, arrival)
        if try await isEcho(came) { return }
        let receipt = try store.receiveChannelMessage(came, slot: index, drainedAfter: arrival.drainMark)
        let (message, channel) = (receipt.message, receipt.channel)
        if receipt.result.isDuplicate || receipt.isBlocked { return }
        let isTold = channel?.isEnabled == true
        await tell(
            isTold
                ? .channel(
                    name: channel?.displayName ?? "", index: index, deviceID: arrival.deviceID,
                    senderName: message.senderNodeName, text: message.text, messageID: message.id) : nil)
        await tellOfChange()
        await callbacks.channelMessage?(message, index)
    }

    private func channelMessage(
        _ received: ReceivedChannelMessage, _ arrival: MessageArrival
    ) -> MessageDTO {
        let message = received.message
        let content = ChannelText(message.text.string)
        return MessageDTO(
            id: surroundings.luck.uuid(), deviceID: arrival.deviceID, channelIndex: message.channelIndex,
            text: content.text, timestamp: message.timestamp,
            createdAt: surroundings.now(), direction: .incoming, status: .delivered, textType: message.textType,
            pathLength: message.pathLength.rawValue, snr: received.snr.map { Double($0) / 4 },
            senderNodeName: content.senderName)
    }

    /// Whether it is a message of our own that came back; it counts as a repeat of that one then.
    ///
    /// The name alone does not say so: another node may have the same. Ours has the second and text of one we sent.
    private func isEcho(_ message: MessageDTO) async throws -> Bool {
        guard let sender = message.senderNodeName, let slot = message.channelIndex,
            sender == (await trimmedOwnName())
        else { return false }
        let channel = try await store.fetchChannel(deviceID: message.deviceID, index: slot)
        let thread = channel.map { MessageThread.channel($0.id) } ?? .unknownChannel(slot)
        let recent = try await store.fetchMessages(deviceID: message.deviceID, thread: thread)
        let own = recent.last {
            $0.isOutgoing && $0.timestamp == message.timestamp
                && $0.text.trimmingCharacters(in: .whitespaces) == message.text
        }
        guard let own else { return false }
        let count = try await store.incrementMessageHeardRepeats(id: own.id)
        await callbacks.repeatHeard?(own.id, count)
        return true
    }
}
