public import MeshWire

/// Sets, resets or forbids the scope that floods carry until the next boot.
///
/// Sub-type 0 with a key sets the session's scope, without one resets it to the stored default; both allow scopes
/// again. Sub-type 1 (since level 12) floods without any scope and keeps the key. The radio answers `unsupportedCmd` to
/// other sub-types.
///
/// Sent by the app. Errors: none of its own. Since 1.10. Source: `CMD_SET_FLOOD_SCOPE_KEY` in companion_radio, 1.17.1.
public struct SetFloodScopeKey: CommandFrame {
    public static let code = CommandCode.setFloodScopeKey
    public typealias Reply = Resp.OK

    /// 0 set or reset, 1 un-scoped.
    public var sub: UInt8 = 0
    /// The key of the scope, or nil to go back to the stored one.
    public var key: FixedBytes<16>?

    @inlinable public init() {}

    @inlinable
    public init(key: FixedBytes<16>?) {
        self.key = key
    }

    /// Floods without a scope.
    @inlinable
    public static var unscoped: SetFloodScopeKey {
        var frame = SetFloodScopeKey()
        frame.sub = 1
        return frame
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.choice("sub", &sub, known: 0...1)
        if sub == 0 { w.tail("key", &key) }
    }
}
