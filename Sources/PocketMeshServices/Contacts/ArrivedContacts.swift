import MeshCompanion
import Synchronization

/// The contacts of a listing as they come, for the case that it breaks off.
final class ArrivedContacts: Sendable {
    private let records = Mutex<[ContactRecord]>([])

    var all: [ContactRecord] { records.withLock { $0 } }

    func add(_ record: ContactRecord) {
        records.withLock { $0.append(record) }
    }
}
