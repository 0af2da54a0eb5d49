public import Foundation
import MeshCompanion
public import MeshCore
public import MeshPacket

/// Why something with a repeater or a room did not work. No case holds a password.
public enum RemoteNodeError: Error, Hashable, Sendable {
    case notConnected
    /// Why the node, or the rules for passwords, refused it.
    case loginFailed(String)
    case sendFailed(String)
    /// The node answered something that cannot be read.
    case invalidResponse
    case permissionDenied
    /// The node did not answer in time.
    case timeout
    case sessionNotFound
    case passwordNotFound
    /// No way to the node is known, and what was asked for does not travel by flood.
    case floodRouted
    case pathDiscoveryFailed
    /// Neither the radio nor the store has the node.
    case contactNotFound
    /// A later login took the place of this one, or the service was stopped.
    case cancelled
    /// A node of this type has no sessions.
    case wrongNodeType(NodeType)
    case sessionError(SessionError)
}

extension RemoteNodeError {
    /// What an error of the session means here; other errors stay what they are.
    static func meaning(of error: any Error) -> any Error {
        guard let error = error as? SessionError else { return error }
        return switch error {
        case .notStarted, .notConnected, .connectionLost: RemoteNodeError.notConnected
        case .loginFailed: RemoteNodeError.loginFailed("the node refused the password")
        case .noAnswer: RemoteNodeError.timeout
        case .refused(_, .notFound): RemoteNodeError.contactNotFound
        case .unreadableReply: RemoteNodeError.invalidResponse
        default: RemoteNodeError.sessionError(error)
        }
    }

    /// Whether the same may work a moment later.
    public var isRetryable: Bool {
        switch self {
        case .timeout, .notConnected, .floodRouted: true
        default: false
        }
    }

    /// A word for programs, which stays when the text changes.
    public var code: String {
        switch self {
        case .notConnected: "not-connected"
        case .loginFailed: "login-failed"
        case .sendFailed: "send-failed"
        case .invalidResponse: "invalid-response"
        case .permissionDenied: "permission-denied"
        case .timeout: "timeout"
        case .sessionNotFound: "session-not-found"
        case .passwordNotFound: "password-not-found"
        case .floodRouted: "flood-routed"
        case .pathDiscoveryFailed: "path-discovery-failed"
        case .contactNotFound: "contact-not-found"
        case .cancelled: "cancelled"
        case .wrongNodeType: "wrong-node-type"
        case .sessionError(let error): error.code
        }
    }

    /// What a user can do about it.
    public var recovery: String {
        switch self {
        case .notConnected: "Connect to the radio, and log in to the node again."
        case .loginFailed, .passwordNotFound: "Enter the node's password."
        case .sendFailed: "Correct what was entered, and try again."
        case .invalidResponse: "Try again; if it stays so, update the node's firmware."
        case .permissionDenied: "Log in with a password that allows it."
        case .timeout: "Check that the node is on and in reach of the mesh, and try again."
        case .sessionNotFound: "Add the node anew."
        case .floodRouted, .pathDiscoveryFailed: "Wait until a way to the node is known, or set one."
        case .contactNotFound: "Wait for an advert of the node, and add it."
        case .cancelled: "Try again if it is still wanted."
        case .wrongNodeType: "Choose a repeater, a room or a sensor."
        case .sessionError(let error): error.recovery
        }
    }
}

extension RemoteNodeError: CustomStringConvertible, LocalizedError {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .notConnected: "there is no connection to the node"
        case .loginFailed(let reason): "the login failed: \(reason)"
        case .sendFailed(let reason): "not sent: \(reason)"
        case .invalidResponse: "the node's answer cannot be read"
        case .permissionDenied: "this login does not allow that"
        case .timeout: "the node did not answer in time"
        case .sessionNotFound: "there is no session with this node"
        case .passwordNotFound: "no password is kept for this node"
        case .floodRouted: "no way to the node is known"
        case .pathDiscoveryFailed: "no way to the node was found"
        case .contactNotFound: "the node is not among the contacts"
        case .cancelled: "it was called off"
        case .wrongNodeType(let type): "one cannot log in to a node of type \(type)"
        case .sessionError(let error): "\(error)"
        }
    }
}
