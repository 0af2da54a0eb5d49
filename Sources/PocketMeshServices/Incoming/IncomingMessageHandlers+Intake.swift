import Logging
import MeshCompanion
import MeshCore
import MeshPacket
import Synchronization

/// A text that has left the radio's queue.
enum TakenMessage: Sendable {
    case direct(ReceivedContactMessage, MessageArrival)
    case channel(ReceivedChannelMessage, MessageArrival)
    /// A post of a room.
    case post(ReceivedContactMessage, MessageArrival)
}

// Storing what the radio has forgotten by then.
extension IncomingMessageHandlers {
    /// Stores a text of a burst without waiting; returns `false`, without an effect, where that is not possible.
    ///
    /// Nearly every text of a drain is stored so. Texts that cannot be stored, may be our own, or fill the heap of
    /// notifications have the slower path.
    func takeAtOnce(_ message: MessageResult, _ arrival: MessageArrival) -> Bool {
        guard unstored.isEmpty, hasRoomInBurst else { return false }
        do {
            switch message {
            case .contactMessage(let received):
                guard received.message.textType != .cliData, received.message.textType != .signedPlain else {
                    return false
                }
                if let receipt = try storedDirect(received, arrival) {
                    noteInBurst(receipt.note)
                    emit(receipt)
                }
            case .channelMessage(let received):
                let content = ChannelText(received.message.text.string)
                if let sender = content.senderName {
                    guard let burstName, sender != burstName else { return false }
                }
                if let receipt = try storedChannel(received, content, arrival) {
                    noteInBurst(receipt.note)
                    events.emit(
                        .channelMessageReceived(receipt.message, channelIndex: received.message.channelIndex))
                }
            case .channelDatagram, .noMoreMessages: return false
            }
            return true
        } catch {
            // The long way tries once more, and knows what to do with it.
            return false
        }
    }

    /// Stores a message, or keeps it behind those that could not be stored until the store accepts them.
    func take(_ message: TakenMessage) async {
        guard unstored.isEmpty else { return keep(message) }
        guard await !isStored(message) else { return }
        keep(message)
        isIntakeOpen.withLock { $0 = false }
    }

    private func keep(_ message: TakenMessage) {
        keptCount += 1
        unstored.append((keptCount, message))
    }

    /// Stores the kept messages, in order; returns whether none is left.
    func storeAgain() async -> Bool {
        while let first = unstored.first {
            guard await isStored(first.message) else { return false }
            // By its number: at the end of the services somebody else may be at the same message.
            unstored.removeAll { $0.number == first.number }
        }
        isIntakeOpen.withLock { $0 = true }
        return true
    }

    /// Stores a message, and returns whether it needs no further try.
    private func isStored(_ message: TakenMessage) async -> Bool {
        do {
            switch message {
            case .direct(let received, let arrival): try await storeDirect(received, arrival)
            case .channel(let received, let arrival): try await storeChannel(received, arrival)
            case .post(let received, let arrival): try await storePost(received, arrival)
            }
            return true
        } catch {
            let isKept = error.stackReason?.isOfTheFile == true
            dependencies.log.error("a message was not stored", metadata: ["error": "\(error)", "kept": "\(isKept)"])
            return !isKept
        }
    }
}
