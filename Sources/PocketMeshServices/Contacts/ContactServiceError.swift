import MeshCompanion
public import MeshCore

/// Why an operation on contacts failed.
public enum ContactServiceError: Error, Hashable, Sendable {
    /// There is no session with a radio.
    case notConnected
    /// The link did not take the command.
    case sendFailed(String)
    /// The radio answered something that cannot be read.
    case invalidResponse
    /// The listing broke off; what came is stored, and the next synchronisation begins where this one did.
    case syncInterrupted(received: Int, SessionError)
    /// The radio, or the store, does not know the contact.
    case contactNotFound
    /// The radio has no room for another contact.
    case contactTableFull
    /// What should be a contact's link or card is none.
    case invalidLink
    /// A key that has not 32 bytes.
    case invalidKey(count: Int)
    /// A path whose bytes are no whole number of hashes, or too many.
    case invalidPath(count: Int, hashSize: Int)
    case storeFailed(PersistenceStoreError)
    case sessionError(SessionError)
}

extension ContactServiceError: ServiceFailure {
    init(_ error: SessionError) {
        self =
            switch error {
            case .notStarted, .notConnected: .notConnected
            case .transport(.sendFailed(let reason)): .sendFailed(reason)
            case .unreadableReply: .invalidResponse
            case .refused(.addUpdateContact, .tableFull): .contactTableFull
            case .refused(.importContact, .illegalArg): .invalidLink
            case .refused(_, .notFound): .contactNotFound
            default: .sessionError(error)
            }
    }

    init(_ error: PersistenceStoreError) {
        self = error == .contactNotFound ? .contactNotFound : .storeFailed(error)
    }
}

extension ContactServiceError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notConnected: "there is no connection to the radio"
        case .sendFailed(let reason): "the command could not be sent: \(reason)"
        case .invalidResponse: "the radio's answer cannot be read"
        case .syncInterrupted(let received, let error):
            "the synchronisation of contacts broke off after \(received): \(error)"
        case .contactNotFound: "this contact is not known"
        case .contactTableFull: "the radio has no room for another contact"
        case .invalidLink: "this is no link or card of a contact"
        case .invalidKey(let count): "a public key has 32 bytes, this one has \(count)"
        case .invalidPath(let count, let size): "\(count) bytes are no path of hashes of \(size) bytes each"
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
        case .syncInterrupted: "sync-interrupted"
        case .contactNotFound: "contact-not-found"
        case .contactTableFull: "contact-table-full"
        case .invalidLink: "invalid-link"
        case .invalidKey: "invalid-key"
        case .invalidPath: "invalid-path"
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
        case .syncInterrupted: "Sync again; the contacts received so far are kept."
        case .contactNotFound: "Sync the contacts, or add this one again."
        case .contactTableFull: "Remove contacts from the radio, or let it overwrite the oldest, and try again."
        case .invalidLink: "Ask for a fresh link or card."
        case .invalidKey, .invalidPath: "Correct what was entered."
        case .storeFailed: "Make sure that the database can be written, and try again."
        case .sessionError(let error): error.recovery
        }
    }
}
