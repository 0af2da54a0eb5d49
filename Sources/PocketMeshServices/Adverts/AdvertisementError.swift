public import MeshCore

/// Why an operation on adverts failed.
public enum AdvertisementError: Error, Hashable, Sendable {
    /// There is no session with a radio.
    case notConnected
    /// The link did not take the command.
    case sendFailed(String)
    /// The radio answered something that cannot be read.
    case invalidResponse
    case storeFailed(PersistenceStoreError)
    case sessionError(SessionError)
}

extension AdvertisementError: ServiceFailure {
    init(_ error: SessionError) {
        self =
            switch error {
            case .notStarted, .notConnected: .notConnected
            case .transport(.sendFailed(let reason)): .sendFailed(reason)
            case .unreadableReply: .invalidResponse
            default: .sessionError(error)
            }
    }

    init(_ error: PersistenceStoreError) { self = .storeFailed(error) }
}

extension AdvertisementError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notConnected: "there is no connection to the radio"
        case .sendFailed(let reason): "the command could not be sent: \(reason)"
        case .invalidResponse: "the radio's answer cannot be read"
        case .storeFailed(let error): "\(error)"
        case .sessionError(let error): "\(error)"
        }
    }

    /// A word for programs, which stays when the text changes.
    public var code: String {
        switch self {
        case .notConnected: "not-connected"
        case .sendFailed: "send-failed"
        case .invalidResponse: "invalid-response"
        case .storeFailed: "store-failed"
        case .sessionError(let error): error.code
        }
    }

    /// What a user can do about it.
    public var recovery: String {
        switch self {
        case .notConnected: "Connect to the radio first."
        case .sendFailed: "Check that the radio is on and in reach, and try again."
        case .invalidResponse: "Try again; if it stays so, restart the radio."
        case .storeFailed: "Make sure that the database can be written, and try again."
        case .sessionError(let error): error.recovery
        }
    }
}
