public import Foundation
import MeshCompanion
public import MeshCore

/// Why something with a room did not work. Logins throw `RemoteNodeError`.
public enum RoomServerError: Error, Hashable, Sendable {
    case notConnected
    case sessionNotFound
    case sendFailed(String)
    /// The login does not allow to post.
    case permissionDenied
    case invalidResponse
    case sessionError(SessionError)
}

extension RoomServerError {
    static func meaning(of error: any Error) -> any Error {
        guard let error = error as? SessionError else { return error }
        return switch error {
        case .notStarted, .notConnected, .connectionLost: RoomServerError.notConnected
        case .refused(_, .notFound): RoomServerError.sendFailed("the radio does not know the room")
        case .refused(_, .tableFull): RoomServerError.sendFailed("the radio has no room for another packet")
        case .unreadableReply: RoomServerError.invalidResponse
        default: RoomServerError.sessionError(error)
        }
    }

    /// A word for programs, which stays when the text changes.
    public var code: String {
        switch self {
        case .notConnected: "not-connected"
        case .sessionNotFound: "session-not-found"
        case .sendFailed: "send-failed"
        case .permissionDenied: "permission-denied"
        case .invalidResponse: "invalid-response"
        case .sessionError(let error): error.code
        }
    }

    /// What a user can do about it.
    public var recovery: String {
        switch self {
        case .notConnected: "Connect to the radio, and join the room again."
        case .sessionNotFound: "Join the room."
        case .sendFailed: "Wait a moment, shorten the text if it is long, and try again."
        case .permissionDenied: "Join with a password that allows to post."
        case .invalidResponse: "Try again; if it stays so, restart the radio."
        case .sessionError(let error): error.recovery
        }
    }
}

extension RoomServerError: CustomStringConvertible, LocalizedError {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .notConnected: "there is no connection to the room"
        case .sessionNotFound: "there is no session with this room"
        case .sendFailed(let reason): "not posted: \(reason)"
        case .permissionDenied: "this login may read only"
        case .invalidResponse: "the radio's answer cannot be read"
        case .sessionError(let error): "\(error)"
        }
    }
}
