package import MeshWire

/// The rule for the transport key of floods that this node originates (CMP-078 to CMP-081).
package struct FloodScopeRule: Sendable {
    /// Set by the app for this session; all zero is "none".
    package var session = FixedBytes<16>()
    /// The app asked for plain floods.
    package var isUnscoped = false

    package init() {}

    /// The key for floods to contacts and channels; `nil` is a plain flood.
    func key(default stored: FixedBytes<16>) -> FixedBytes<16>? {
        if isUnscoped { return nil }
        if !session.isZero { return session }
        return stored.isZero ? nil : stored
    }
}
