// Responses: the short answers.
public import MeshWire

extension Resp {
    /// Done, or queued for transmission.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_OK` in companion_radio, 1.17.1.
    public struct OK: ResponseFrame, BareFrame {
        public static let code = ResponseCode.ok

        @inlinable public init() {}
    }

    /// Refused. Carries no reference to the command, and no code from radios of level 2.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_ERR` in companion_radio, 1.17.1.
    public struct Err: ResponseFrame {
        public static let code = ResponseCode.err

        /// The reason of the failure, or nil from radios of level 2.
        public var error: ErrorCode?

        @inlinable public init() {}

        @inlinable
        public init(error: ErrorCode?) {
            self.error = error
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.tail("error", &error, since: 3)
        }
    }

    /// A message or request is queued: how it travels, its tag, and how long to wait for the answer.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_SENT` in companion_radio, 1.17.1.
    public struct Sent: ResponseFrame {
        public static let code = ResponseCode.sent

        /// 1 flood, 0 direct.
        public var route: UInt8 = 0
        /// The ack of a text, 0 for CLI data, 4 bytes of the key for a login, else the request's tag.
        public var tag: UInt32 = 0
        /// The time to wait for the answer before sending again, in milliseconds.
        public var timeout: UInt32 = 0

        @inlinable public init() {}

        @inlinable
        public init(route: UInt8, tag: UInt32, timeout: UInt32) {
            self.route = route
            self.tag = tag
            self.timeout = timeout
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("route", &route, in: 0...1)
            w.u32("tag", &tag, unit: .hex)
            w.u32("est_timeout", &timeout, unit: .milliseconds)
        }
    }

    /// The message queue is empty.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_NO_MORE_MESSAGES` in
    /// companion_radio, 1.17.1.
    public struct NoMoreMessages: ResponseFrame, BareFrame {
        public static let code = ResponseCode.noMoreMessages

        @inlinable public init() {}
    }

    /// The build does not export or import private keys.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_DISABLED` in companion_radio,
    /// 1.17.1.
    public struct Disabled: ResponseFrame, BareFrame {
        public static let code = ResponseCode.disabled

        @inlinable public init() {}
    }
}
