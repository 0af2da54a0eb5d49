public import Foundation
public import MeshCore

/// Why messages could not be taken off the radio's queue.
public enum MessagePollingError: Error, Hashable, Sendable {
    /// No radio was named to poll: monitoring has not begun, or was stopped.
    case notConnected
    /// The queue was not emptied. The messages that came before are handled; what is left waits in the radio.
    case pollingFailed(drained: Int, SessionError)
    case sessionError(SessionError)
    /// What came cannot be stored, and is kept for the next try; what is left waits in the radio.
    case notStored(drained: Int)
    /// The radio always has one more message; what came is handled. `isRepeated`: the last ones were all the same.
    case queueDoesNotEnd(drained: Int, isRepeated: Bool)
}

extension MessagePollingError {
    /// Whether the radio gave out messages without an end.
    var isWithoutEnd: Bool { if case .queueDoesNotEnd = self { true } else { false } }

    /// A word for programs, which stays when the text changes.
    public var code: String {
        switch self {
        case .notConnected: "polling-not-connected"
        case .pollingFailed: "polling-failed"
        case .sessionError(let error): error.code
        case .notStored: "polling-not-stored"
        case .queueDoesNotEnd: "polling-no-end"
        }
    }

    /// What a user can do about it.
    public var recovery: String {
        switch self {
        case .notConnected: "Connect to the radio first."
        case .pollingFailed(_, let error), .sessionError(let error): error.recovery
        case .notStored: "Make room on the disk, or end who else uses the database; what waits is stored then."
        case .queueDoesNotEnd(_, isRepeated: true): "Restart the radio; if it stays so, its firmware is broken."
        case .queueDoesNotEnd(_, isRepeated: false):
            "Synchronise again, or allow more messages for one synchronisation."
        }
    }
}

extension MessagePollingError: CustomStringConvertible, LocalizedError {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .notConnected: "messages are polled while a radio is connected, and none is"
        case .pollingFailed(let drained, let error):
            "the radio's queue was not emptied; \(drained) \(drained == 1 ? "message" : "messages") came, then: \(error)"
        case .sessionError(let error): error.description
        case .notStored(let drained):
            "the radio's queue was not emptied: the database takes no messages; \(drained) "
                + "\(drained == 1 ? "message" : "messages") came"
        case .queueDoesNotEnd(let drained, isRepeated: true):
            "the radio gives out the same message again and again; \(drained) messages came, and no more are asked for"
        case .queueDoesNotEnd(let drained, isRepeated: false):
            "the radio's queue does not end; \(drained) messages came, and no more are asked for"
        }
    }
}
