import FoundationEssentials
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
        guard let receipt = try storedDirect(received, arrival) else { return }
        await tell(receipt.note)
        await tellOfChange()
        emit(receipt)
    }

    /// Emits the event for a text that is stored.
    func emit(_ receipt: DirectReceipt) {
        if let contact = receipt.sender?.contact {
            events.emit(.directMessageReceived(receipt.message, contact))
        } else {
            events.emit(.unknownSender(keyPrefix: receipt.message.senderKeyPrefix ?? Data()))
        }
    }

    /// Stores a message; `nil` for one that is not reported.
    func storedDirect(_ received: ReceivedContactMessage, _ arrival: MessageArrival) throws -> DirectReceipt? {
        let prefix = Data(received.message.publicKeyPrefix.array)
        let receipt = try store.receiveMessage(
            directMessage(received, arrival, prefix), drainedAfter: arrival.drainMark)
        if receipt.sender?.isAmbiguous == true {
            dependencies.log.warning("several contacts have the sender's prefix; the last one active gets the message")
        }
        return receipt.result.isDuplicate || receipt.sender?.contact.isBlocked == true ? nil : receipt
    }

    private func directMessage(
        _ received: ReceivedContactMessage, _ arrival: MessageArrival, _ prefix: Data
    ) -> MessageDTO {
        let message = received.message
        let text = message.text.string
        return MessageDTO(
            id: dependencies.random.uuid(), deviceID: arrival.deviceID, text: text,
            timestamp: message.timestamp, createdAt: dependencies.now(), direction: .incoming, status: .delivered,
            textType: message.textType, pathLength: message.pathLength.rawValue,
            snr: received.snr.map { Double($0) / 4 }, senderKeyPrefix: prefix,
            deduplicationKey: DeduplicationKey.direct(
                deviceID: arrival.deviceID, senderKeyPrefix: prefix, timestamp: message.timestamp, text: text))
    }
}

extension DirectReceipt {
    /// The content of the notification; `nil` for a message of an unknown sender.
    var note: MessageNote? {
        (sender?.contact).map {
            .direct(contactName: $0.displayName, contactID: $0.id, text: message.text, messageID: message.id)
        }
    }
}
