public import Foundation
import MeshCompanion
public import MeshCore

/// Why a question to a node got no answer.
public enum BinaryProtocolError: Error, Hashable, Sendable {
    case notConnected
    case sendFailed(String)
    /// The node did not answer in time.
    case timeout
    case invalidResponse
    case sessionError(SessionError)
}

extension BinaryProtocolError {
    static func meaning(of error: any Error) -> any Error {
        guard let error = error as? SessionError else { return error }
        return switch error {
        case .notStarted, .notConnected, .connectionLost: BinaryProtocolError.notConnected
        case .noAnswer: BinaryProtocolError.timeout
        case .refused(_, .notFound): BinaryProtocolError.sendFailed("the radio does not know the node")
        case .refused(_, .tableFull): BinaryProtocolError.sendFailed("the radio has no room for another packet")
        case .unreadableReply: BinaryProtocolError.invalidResponse
        default: BinaryProtocolError.sessionError(error)
        }
    }

    /// A word for programs, which stays when the text changes.
    public var code: String {
        switch self {
        case .notConnected: "not-connected"
        case .sendFailed: "send-failed"
        case .timeout: "timeout"
        case .invalidResponse: "invalid-response"
        case .sessionError(let error): error.code
        }
    }

    /// What a user can do about it.
    public var recovery: String {
        switch self {
        case .notConnected: "Connect to the radio first."
        case .sendFailed: "Check that the node is among the radio's contacts, and try again."
        case .timeout: "Check that the node is on and in reach of the mesh, and log in to it if it asks for that."
        case .invalidResponse: "Try again; if it stays so, update the node's firmware."
        case .sessionError(let error): error.recovery
        }
    }
}

extension BinaryProtocolError: CustomStringConvertible, LocalizedError {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .notConnected: "there is no connection to the radio"
        case .sendFailed(let reason): "not asked: \(reason)"
        case .timeout: "the node did not answer in time"
        case .invalidResponse: "the node's answer cannot be read"
        case .sessionError(let error): "\(error)"
        }
    }
}
