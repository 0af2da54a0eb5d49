import MeshCompanion
public import MeshCore

/// Why an operation on channels failed.
public enum ChannelServiceError: Error, Hashable, Sendable {
    /// There is no session with a radio.
    case notConnected
    /// The store does not know the channel.
    case channelNotFound
    /// The radio has no such slot.
    case invalidChannelIndex(Int)
    /// No secret can be made of this: an empty passphrase, a secret that has not 16 bytes or is all zero.
    case secretHashingFailed
    case saveFailed(PersistenceStoreError)
    /// The link did not take the command.
    case sendFailed(String)
    /// All slots from 1 on are in use.
    case noFreeSlot
    /// What should be a channel's link is none.
    case invalidLink
    case sessionError(SessionError)
}

extension ChannelServiceError: ServiceFailure {
    init(_ error: SessionError) {
        self =
            switch error {
            case .notStarted, .notConnected: .notConnected
            case .transport(.sendFailed(let reason)): .sendFailed(reason)
            default: .sessionError(error)
            }
    }

    init(_ error: PersistenceStoreError) {
        self = error == .channelNotFound ? .channelNotFound : .saveFailed(error)
    }
}

extension ChannelServiceError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notConnected: "there is no connection to the radio"
        case .channelNotFound: "this channel is not known"
        case .invalidChannelIndex(let index): "the radio has no channel slot \(index)"
        case .secretHashingFailed: "a channel needs a passphrase, or a secret of 16 bytes that are not all zero"
        case .saveFailed(let error): "\(error)"
        case .sendFailed(let reason): "the command could not be sent: \(reason)"
        case .noFreeSlot: "all channel slots of the radio are in use"
        case .invalidLink: "this is no link of a channel"
        case .sessionError(let error): "\(error)"
        }
    }

    /// A word for programs, which stays when the text changes.
    public var code: String {
        switch self {
        case .notConnected: "not-connected"
        case .channelNotFound: "channel-not-found"
        case .invalidChannelIndex: "invalid-channel-index"
        case .secretHashingFailed: "secret-hashing-failed"
        case .saveFailed: "save-failed"
        case .sendFailed: "send-failed"
        case .noFreeSlot: "no-free-slot"
        case .invalidLink: "invalid-link"
        case .sessionError(let error): error.code
        }
    }

    /// What a user can do about it.
    public var recovery: String {
        switch self {
        case .notConnected: "Connect to the radio first."
        case .channelNotFound: "Sync the channels, or add this one again."
        case .invalidChannelIndex: "Choose one of the radio's slots."
        case .secretHashingFailed: "Enter a passphrase or another secret."
        case .saveFailed: "Make sure that the database can be written, and try again."
        case .sendFailed: "Check that the radio is on and in reach, and try again."
        case .noFreeSlot: "Leave a channel, and try again."
        case .invalidLink: "Ask for a fresh link."
        case .sessionError(let error): error.recovery
        }
    }
}
