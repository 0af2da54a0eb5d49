// Commands: keys and signatures.
public import MeshWire

/// Asks for the private key.
///
/// Sent by the app. Errors: none of its own. Since 1.0. Source: `CMD_EXPORT_PRIVATE_KEY` in companion_radio,
/// 1.17.1.
public struct ExportPrivateKey: CommandFrame, BareFrame {
    public static let code = CommandCode.exportPrivateKey
    public typealias Reply = EitherReply<Resp.PrivateKey, Resp.Disabled>

    @inlinable public init() {}
}

/// Replaces the identity; the contact table is then read again from storage.
///
/// `illegalArg` when the public key begins with 00 or FF, or the key does not agree with a test key. `fileIOError`
/// when it cannot be stored.
///
/// Sent by the app. Errors: `illegalArg`, `fileIOError`. Since 1.0. Source: `CMD_IMPORT_PRIVATE_KEY` in
/// companion_radio, 1.17.1.
public struct ImportPrivateKey: CommandFrame {
    public static let code = CommandCode.importPrivateKey
    public typealias Reply = EitherReply<Resp.OK, Resp.Disabled>

    /// The expanded key: clamped scalar and nonce prefix, not a seed.
    public var privateKey: FixedBytes<64> = FixedBytes()

    @inlinable public init() {}

    @inlinable
    public init(privateKey: FixedBytes<64>) {
        self.privateKey = privateKey
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.fixed("private_key", &privateKey)
    }
}

/// Begins a signature and forgets data of an earlier one.
///
/// Sent by the app. Errors: none of its own. Since 1.4. Source: `CMD_SIGN_START` in companion_radio, 1.17.1.
public struct SignStart: CommandFrame, BareFrame {
    public static let code = CommandCode.signStart
    public typealias Reply = Resp.SignStart

    @inlinable public init() {}
}

/// Appends data to sign; `badState` without a start, `tableFull` beyond 8192 bytes in all.
///
/// Sent by the app. Errors: `badState`, `tableFull`. Since 1.4. Source: `CMD_SIGN_DATA` in companion_radio,
/// 1.17.1.
public struct SignData: CommandFrame {
    public static let code = CommandCode.signData
    public typealias Reply = Resp.OK

    /// The next piece of the data to sign, at most 175 bytes a frame.
    public var data: [UInt8] = []

    @inlinable public init() {}

    @inlinable
    public init(data: [UInt8]) {
        self.data = data
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.rest("data", &data, atMost: 175)
    }
}

/// Signs all data since the start with the node's key.
///
/// Sent by the app. Errors: `badState`. Since 1.4. Source: `CMD_SIGN_FINISH` in companion_radio, 1.17.1.
public struct SignFinish: CommandFrame, BareFrame {
    public static let code = CommandCode.signFinish
    public typealias Reply = Resp.Signature

    @inlinable public init() {}
}
