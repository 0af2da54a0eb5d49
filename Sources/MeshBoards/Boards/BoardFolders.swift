import Glibc
import MeshFiles

/// The folders with a file for each board: locks while it is in use, and records of radios that a run has changed.
package struct BoardFolders: Sendable {
    /// The folder of locks, which all users of the machine share.
    var locks: String
    /// The folder of records, which is the user's own; `nil` where the environment names none.
    var records: String?

    init(locks: String, records: String?) {
        self.locks = locks
        self.records = records
    }

    /// The variable that names another folder for locks.
    static let locksVariable = "MESHBED_LOCKS"

    /// The folders of this machine and user.
    package static var standard: BoardFolders {
        let named = getenv(locksVariable).map { String(cString: $0) } ?? ""
        let root = access("/run/lock", W_OK) == 0 ? "/run/lock" : "/tmp"
        return BoardFolders(
            locks: named.hasPrefix("/") ? named : root + "/meshbed",
            records: UserFolders.state().map { $0 + "/boards" })
    }
}
