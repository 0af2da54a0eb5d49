import Logging
import MeshCore
import Synchronization

/// A text that has left the radio's queue.
enum TakenMessage: Sendable {
    case direct(ReceivedContactMessage, MessageArrival)
    case channel(ReceivedChannelMessage, MessageArrival)
    /// Of a room.
    case post(ReceivedContactMessage, MessageArrival)
}

// Storing what the radio has forgotten by then.
extension IncomingMessageHandlers {
    /// Stores a message, or keeps it behind those that could not be stored until the store takes them.
    func take(_ message: TakenMessage) async {
        guard unstored.isEmpty else { return unstored.append(message) }
        guard await !isStored(message) else { return }
        unstored.append(message)
        isIntakeOpen.withLock { $0 = false }
    }

    /// Stores what is kept, in order; whether nothing is left.
    func storeAgain() async -> Bool {
        while let first = unstored.first {
            guard await isStored(first) else { return false }
            if !unstored.isEmpty { unstored.removeFirst() }
        }
        isIntakeOpen.withLock { $0 = true }
        return true
    }

    /// Whether a message needs no further try.
    private func isStored(_ message: TakenMessage) async -> Bool {
        do {
            switch message {
            case .direct(let received, let arrival): try await storeDirect(received, arrival)
            case .channel(let received, let arrival): try await storeChannel(received, arrival)
            case .post(let received, let arrival): try await storePost(received, arrival)
            }
            return true
        } catch {
            let isPassing = (error as? PersistenceStoreError)?.isPassing == true
            surroundings.log.error(
                "a message was not stored", metadata: ["error": "\(error)", "kept": "\(isPassing)"])
            return !isPassing
        }
    }
}

extension PersistenceStoreError {
    /// Whether the same can succeed later: room on the disk, an end of somebody else's work.
    var isPassing: Bool {
        switch self {
        case .diskFull, .locked, .readOnly: true
        default: false
        }
    }
}
