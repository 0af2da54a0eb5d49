public import Foundation
public import MeshCore

/// Why a message was not sent.
public enum MessageServiceError: Error, Hashable, Sendable {
    case notConnected
    /// The store or the radio does not know the recipient.
    case contactNotFound
    /// No slot of the radio holds the channel.
    case channelNotFound
    case sendFailed(String)
    /// Repeaters take no texts.
    case invalidRecipient
    /// In bytes of UTF-8.
    case messageTooLong(count: Int, limit: Int)
    /// So many messages wait for the radio already.
    case queueFull(limit: Int)
    case sessionError(SessionError)
}

extension MessageServiceError {
    /// A word for programs, which stays when the text changes.
    public var code: String {
        switch self {
        case .notConnected: "message-not-connected"
        case .contactNotFound: "message-contact-not-found"
        case .channelNotFound: "message-channel-not-found"
        case .sendFailed: "message-send-failed"
        case .invalidRecipient: "message-invalid-recipient"
        case .messageTooLong: "message-too-long"
        case .queueFull: "message-queue-full"
        case .sessionError(let error): error.code
        }
    }

    /// What a user can do about it.
    public var recovery: String {
        switch self {
        case .notConnected: "Connect to the radio, or leave the message in the queue."
        case .contactNotFound: "Add the contact again."
        case .channelNotFound: "Sync the channels, or join the channel again."
        case .sendFailed: "Try again in a moment."
        case .invalidRecipient: "Use the repeater's command line instead."
        case .messageTooLong: "Shorten the message, or send it in parts."
        case .queueFull: "Wait until the radio is connected, or delete a waiting message."
        case .sessionError(let error): error.recovery
        }
    }

    /// What an error of the store or the session means here; cancellation stays what it is.
    static func meaning(of error: any Error) -> any Error {
        switch error {
        case let error as MessageServiceError: error
        case let error as SessionError: error.isLinkLoss ? MessageServiceError.notConnected : sessionError(error)
        case PersistenceStoreError.contactNotFound: MessageServiceError.contactNotFound
        case PersistenceStoreError.channelNotFound: MessageServiceError.channelNotFound
        case PersistenceStoreError.queueFull(let limit): MessageServiceError.queueFull(limit: limit)
        case let error as PersistenceStoreError: sendFailed("\(error)")
        case let error as DestinationError: sendFailed("\(error)")
        default: error
        }
    }
}

extension MessageServiceError: CustomStringConvertible, LocalizedError {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .notConnected: "the message was not sent: there is no connection to the radio"
        case .contactNotFound: "the message was not sent: the recipient is not known"
        case .channelNotFound: "the message was not sent: the radio does not hold the channel"
        case .sendFailed(let reason): "the message was not sent: \(reason)"
        case .invalidRecipient: "a repeater takes no text messages"
        case .messageTooLong(let count, let limit): "the message has \(count) bytes, \(limit) are possible"
        case .queueFull(let limit): "\(limit) messages wait for the radio already, as many as may"
        case .sessionError(let error): "\(error)"
        }
    }
}

extension SessionError {
    /// Whether the link to the radio has gone, so that the same command may be sent over the next one.
    var isLinkLoss: Bool {
        switch self {
        case .notStarted, .notConnected, .connectionLost, .transport: true
        default: false
        }
    }
}
