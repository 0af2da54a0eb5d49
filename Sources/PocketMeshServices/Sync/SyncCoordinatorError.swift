public import Foundation

/// Why a synchronisation did not happen or did not end well.
public enum SyncCoordinatorError: Error, Hashable, Sendable {
    /// There is no connection whose services could synchronise.
    case notConnected
    /// The phase and what went wrong in it.
    case syncFailed(String)
    /// One runs; it is not disturbed.
    case alreadySyncing
}

extension SyncCoordinatorError {
    /// A word for programs, which stays when the text changes.
    public var code: String {
        switch self {
        case .notConnected: "sync-not-connected"
        case .syncFailed: "sync-failed"
        case .alreadySyncing: "already-syncing"
        }
    }

    /// What a user can do about it.
    public var recovery: String {
        switch self {
        case .notConnected: "Connect to the radio first."
        case .syncFailed: "Synchronise again; the connection is kept."
        case .alreadySyncing: "Wait until the synchronisation that runs has ended."
        }
    }
}

extension SyncCoordinatorError: CustomStringConvertible, LocalizedError {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .notConnected: "nothing can be synchronised without a radio"
        case .syncFailed(let reason): "the synchronisation failed: \(reason)"
        case .alreadySyncing: "a synchronisation runs already"
        }
    }
}
