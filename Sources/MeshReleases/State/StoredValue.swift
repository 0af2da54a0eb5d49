import MeshFirmware

/// A value that a node keeps, as its user reads it.
package struct StoredValue: Hashable, Sendable, Encodable {
    /// The kind of state: `identity`, `preferences`, `contacts`, `channels`, `regions`, `access list`.
    package let group: String
    /// The name of the value within its kind.
    package let name: String
    package let value: String

    /// Distinguishes it from all other values of its node.
    var key: String { group + "/" + name }
}

/// All values of a node at one moment.
struct StateReading {
    let values: [StoredValue]
    private let byKey: [String: String]

    init(_ values: [StoredValue]) {
        self.values = values
        byKey = Dictionary(values.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The value of this name; `nil` where the node shows none.
    subscript(value: StoredValue) -> String? { byKey[value.key] }
}

/// A node whose state can be set and read by the means of its user, and whose files can be taken.
protocol StatefulNode: AnyObject {
    /// Sets all that is kept to values of its own in each round.
    func fill(_ round: Int) throws
    /// Waits until everything is written.
    func settle() throws
    func read() throws -> [StoredValue]
    var flash: Flash { get }
}
