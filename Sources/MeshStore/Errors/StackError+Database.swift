import GRDB

// What errors of the library mean to the user of the store.
extension StackError {
    /// The activity of the store at which the library reported an error.
    enum Activity {
        case opening, reading, writing
    }

    /// Translates an error of the library for the user of the store.
    init(_ error: any Error, while activity: Activity, path: String) {
        if let error = error as? StackError {
            self = error
        } else if let error = error as? DatabaseError {
            let message = error.message ?? "error \(error.resultCode.rawValue)"
            self.init(
                .store, Reason(error, message, while: activity, path: path),
                underlying: .database(code: error.extendedResultCode.rawValue, message: message))
        } else {
            self.init(.store, activity == .reading ? .fetchFailed("\(error)") : .saveFailed("\(error)"))
        }
    }
}

extension StackError.Reason {
    fileprivate init(
        _ error: DatabaseError, _ message: String, while activity: StackError.Activity, path: String
    ) {
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
