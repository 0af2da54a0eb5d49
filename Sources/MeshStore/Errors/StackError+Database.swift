import CSQLite

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
            self.init(
                .store, Reason(error, while: activity, path: path),
                underlying: .database(code: error.code, message: error.message))
        } else {
            self.init(.store, activity == .reading ? .fetchFailed("\(error)") : .saveFailed("\(error)"))
        }
    }
}

extension StackError.Reason {
    fileprivate init(_ error: DatabaseError, while activity: StackError.Activity, path: String) {
        switch error.primaryCode {
        case SQLITE_NOTADB: self = .notAStore(path: path)
        case SQLITE_CORRUPT: self = .damaged(path: path, detail: error.message)
        case SQLITE_BUSY, SQLITE_LOCKED: self = .locked(path: path)
        case SQLITE_READONLY: self = .readOnly(path: path)
        case SQLITE_FULL: self = .diskFull(path: path)
        case SQLITE_CANTOPEN: self = .cannotOpen(path: path, reason: error.message)
        // Only the key to the radio's row, or to the session's, is held by the database.
        case SQLITE_CONSTRAINT where error.code == csqlite_constraint_foreign_key: self = .deviceNotFound
        case SQLITE_CONSTRAINT
        where [csqlite_constraint_check, csqlite_constraint_datatype, csqlite_constraint_not_null].contains(error.code):
            self = .invalidData
        default:
            switch activity {
            case .opening: self = .cannotOpen(path: path, reason: error.message)
            case .reading: self = .fetchFailed(error.message)
            case .writing: self = .saveFailed(error.message)
            }
        }
    }
}
