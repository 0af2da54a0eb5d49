public import Foundation
import GRDB

/// Why an operation of the store failed. Nothing of a failed operation is stored.
public enum PersistenceStoreError: Error, Hashable, Sendable {
    case deviceNotFound
    case contactNotFound
    case messageNotFound
    case channelNotFound
    case remoteNodeSessionNotFound
    case saveFailed(String)
    case fetchFailed(String)
    /// A row holds a value that this version does not understand, or a value to be stored has the wrong length.
    case invalidData
    /// The offline queue holds as many messages as it may.
    case queueFull(limit: Int)
    case cannotOpen(path: String, reason: String)
    /// The file is a database of something else, or no database.
    case notAStore(path: String)
    /// The file's structure is broken; it was not changed.
    case damaged(path: String, detail: String)
    /// Another process holds the write lock for longer than the store waits.
    case locked(path: String)
    case readOnly(path: String)
    case diskFull(path: String)
    /// A later version of this program wrote the file.
    case newer(path: String)
}

extension PersistenceStoreError: CustomStringConvertible, LocalizedError {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .deviceNotFound: "the store does not know this radio"
        case .contactNotFound: "the store does not know this contact"
        case .messageNotFound: "the store does not know this message"
        case .channelNotFound: "the store does not know this channel"
        case .remoteNodeSessionNotFound: "the store does not know this session"
        case .saveFailed(let reason): "not saved: \(reason)"
        case .fetchFailed(let reason): "not read: \(reason)"
        case .invalidData: "a stored value cannot be understood, or a value to be stored has the wrong length"
        case .queueFull(let limit): "the queue holds \(limit) messages already, as many as it may"
        case .cannotOpen(let path, let reason): "the database \(path) cannot be opened: \(reason)"
        case .notAStore(let path): "\(path) is not a database of this program; it was not touched"
        case .damaged(let path, let detail):
            "the database \(path) is damaged (\(detail)). The file was kept; move it aside to begin with an empty one"
        case .locked(let path): "the database \(path) is in use by another process"
        case .readOnly(let path): "the database \(path) may only be read"
        case .diskFull(let path): "there is no room left to write to the database \(path)"
        case .newer(let path): "the database \(path) was written by a later version of this program; it was not touched"
        }
    }
}

extension PersistenceStoreError {
    /// What the store was about when the library reported an error.
    enum Activity {
        case opening
        case reading
        case writing
    }

    /// What an error of the library means to the user of the store.
    init(_ error: any Error, while activity: Activity, path: String) {
        if let error = error as? PersistenceStoreError {
            self = error
            return
        }
        guard let error = error as? DatabaseError else {
            self = activity == .reading ? .fetchFailed("\(error)") : .saveFailed("\(error)")
            return
        }
        let message = error.message ?? "error \(error.resultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_NOTADB: self = .notAStore(path: path)
        case .SQLITE_CORRUPT: self = .damaged(path: path, detail: message)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(path: path)
        case .SQLITE_READONLY: self = .readOnly(path: path)
        case .SQLITE_FULL: self = .diskFull(path: path)
        case .SQLITE_CANTOPEN: self = .cannotOpen(path: path, reason: message)
        // Only the key to the radio's row, or to the session's, is held by the database.
        case .SQLITE_CONSTRAINT where error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY: self = .deviceNotFound
        case .SQLITE_CONSTRAINT
        where [.SQLITE_CONSTRAINT_CHECK, .SQLITE_CONSTRAINT_DATATYPE, .SQLITE_CONSTRAINT_NOTNULL]
            .contains(error.extendedResultCode):
            self = .invalidData
        default:
            switch activity {
            case .opening: self = .cannotOpen(path: path, reason: message)
            case .reading: self = .fetchFailed(message)
            case .writing: self = .saveFailed(message)
            }
        }
    }
}
