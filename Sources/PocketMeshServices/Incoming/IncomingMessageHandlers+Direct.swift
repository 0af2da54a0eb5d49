import Foundation
import Logging
import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire

extension IncomingMessageHandlers {
    func direct(_ received: ReceivedContactMessage, _ arrival: MessageArrival) async {
        await take(.direct(received, arrival))
    }

    func storeDirect(_ received: ReceivedContactMessage, _ arrival: MessageArrival) async throws {
        let prefix = Data(received.message.publicKeyPrefix.array)
        let receipt = try store.receiveMessage(
            directMessage(received, arrival, prefix), drainedAfter: arrival.drainMark)
        let (message, contact) = (receipt.message, receipt.sender?.contact)
        if receipt.sender?.isAmbiguous == true {
            surroundings.log.warning("several contacts have the sender's prefix; the last one active gets the message")
        }
        if receipt.result.isDuplicate || contact?.isBlocked == true { return }
        await tell(
            contact.map {
                .direct(contactName: $0.displayName, contactID: $0.id, text: message.text, messageID: message.id)
            })
        await tellOfChange()
        if let contact {
            await callbacks.directMessage?(message, contact)
        } else {
            await callbacks.unknownSender?(prefix)
        }
    }

    private func directMessage(
        _ received: ReceivedContactMessage, _ arrival: MessageArrival, _ prefix: Data
    ) -> MessageDTO {
        let message = received.message
        let text = message.text.string
        return MessageDTO(
            id: surroundings.luck.uuid(), deviceID: arrival.deviceID, text: text,
            timestamp: message.timestamp, createdAt: surroundings.now(), direction: .incoming, status: .delivered,
            textType: message.textType, pathLength: message.pathLength.rawValue,
            snr: received.snr.map { Double($0) / 4 }, senderKeyPrefix: prefix,
            deduplicationKey: DeduplicationKey.direct(
                deviceID: arrival.deviceID, senderKeyPrefix: prefix, timestamp: message.timestamp, text: text))
    }
}
