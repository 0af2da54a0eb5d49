@testable import MeshStore

extension PersistenceStore {
    /// Makes every change of this kind fail, as on a disk that is broken in one place: `INSERT ON message`, for
    /// instance.
    nonisolated func breakDown(_ change: String) throws {
        try write { db in
            try db.execute(
                "CREATE TEMP TRIGGER broken BEFORE \(change) BEGIN SELECT RAISE(ABORT, 'a broken disk'); END")
        }
    }

    nonisolated func repair() throws {
        try write { db in try db.execute("DROP TRIGGER broken") }
    }
}
