public import FoundationEssentials
import MeshWire

/// The nodes whose telemetry is emitted: a set of nodes that the user trusts, and a switch. Both survive a restart.
///
/// While the switch is off, telemetry of all nodes is emitted.
public actor TrustedContactsManager {
    private static let prefixesKey = "trustedContacts.prefixes"
    private static let switchKey = "trustedContacts.isFiltering"
    /// Bytes of a key that stand for a node, as in the pushes of radios.
    private static let prefixLength = 6

    private let store: PersistenceStore
    private var state: (prefixes: [Data], isFiltering: Bool)?

    /// Keeps both in this store.
    public init(store: PersistenceStore) {
        self.store = store
    }

    /// The first 6 bytes of the keys of trusted nodes, in order.
    public var trustedPrefixes: [Data] {
        get async throws { try await loaded().prefixes }
    }

    /// True when only the telemetry of trusted nodes is emitted.
    public var isFiltering: Bool {
        get async throws { try await loaded().isFiltering }
    }

    /// Switches the filter on or off.
    public func setFiltering(_ isFiltering: Bool) async throws {
        let state = try await loaded()
        try await store.setSetting(isFiltering ? "1" : "0", forKey: Self.switchKey)
        self.state = (self.state?.prefixes ?? state.prefixes, isFiltering)
    }

    /// Trusts a node, or not any more. `key` is its key, or 6 bytes of it at least.
    public func setTrusted(_ isTrusted: Bool, key: Data) async throws {
        let prefix = try Self.prefix(key)
        var prefixes = Set(try await loaded().prefixes)
        if isTrusted { prefixes.insert(prefix) } else { prefixes.remove(prefix) }
        try await replaceTrusted(with: Array(prefixes))
    }

    /// Trusts these nodes and no others.
    public func replaceTrusted(with keys: [Data]) async throws {
        let prefixes = Set(try keys.map(Self.prefix)).sorted { $0.lexicographicallyPrecedes($1) }
        let state = try await loaded()
        try await store.setSetting(prefixes.map(\.hex).joined(separator: ","), forKey: Self.prefixesKey)
        self.state = (prefixes, self.state?.isFiltering ?? state.isFiltering)
    }

    /// Returns whether the user trusts the node. `key` is its key, or at least 6 bytes of it.
    public func isTrusted(key: Data) async throws -> Bool {
        try await loaded().prefixes.contains(try Self.prefix(key))
    }

    /// Returns whether the measurements of a node are emitted.
    public func passes(key: Data) async throws -> Bool {
        let state = try await loaded()
        guard state.isFiltering else { return true }
        return state.prefixes.contains(try Self.prefix(key))
    }

    private static func prefix(_ key: Data) throws(StackError) -> Data {
        guard key.count >= prefixLength else { throw StackError(.store, .invalidData) }
        return Data(key.prefix(prefixLength))
    }

    private func loaded() async throws -> (prefixes: [Data], isFiltering: Bool) {
        if let state { return state }
        let list = try await store.setting(forKey: Self.prefixesKey) ?? ""
        let prefixes = list.split(separator: ",").compactMap { [UInt8](hex: $0).map { Data($0) } }
        let isFiltering = try await store.setting(forKey: Self.switchKey) == "1"
        let loaded = state ?? (prefixes, isFiltering)
        state = loaded
        return loaded
    }
}
