public import MeshWire

/// Runs one line of the radio's own command line.
///
/// Leading blanks are skipped. Two characters and a `|` in front of the command precede the reply too, so that an
/// app can match replies. `reboot`, `poweroff` and `shutdown` are not answered; an unknown command is answered by a
/// text, not by an error.
///
/// Sent by the app. Errors: none of its own. Since 1.18, read from source text and not verified. Source:
/// FirmwareVersions, FWV-120 to FWV-124.
public struct RunCliCommand: CommandFrame {
    public static let code = CommandCode.runCliCommand
    public typealias Reply = Resp.CliReply

    /// The line, at least two bytes; a NUL is not needed.
    public var line: ByteText = ByteText()

    @inlinable public init() {}

    @inlinable
    public init(_ line: ByteText) {
        self.line = line
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.rest("line", &line)
    }
}

extension Resp {
    /// The answer of the radio's command line.
    ///
    /// Sent by the radio in answer to a command. Since 1.18, read from source text and not verified. Source:
    /// FirmwareVersions, FWV-120 to FWV-122.
    public struct CliReply: ResponseFrame {
        public static let code = ResponseCode.cliReply

        /// The longest reply, in bytes.
        public static let longest = 165

        /// At most 165 bytes without a NUL; empty for a command without a reply text.
        public var text: ByteText = ByteText()

        @inlinable public init() {}

        @inlinable
        public init(text: ByteText) {
            self.text = text
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("text", &text, atMost: Self.longest)
        }
    }
}
