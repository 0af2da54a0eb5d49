/// The properties of a command besides layout and meaning.
public struct CommandRow: Sendable {
    /// The type whose walk is the layout.
    public let frame: any CommandFrame.Type
    /// The release that brought it.
    public let since: Release
    /// True for a command that changes the radio's storage, restarts or erases it: sent to a user's radio on
    /// request only.
    public let changesRadio: Bool
    /// The frames with this code that the radio accepts as the command, and its refusal of the others.
    public let accepts: DispatchRule
    /// The responses that can be the answer, in the order in which they come.
    public let replies: [ResponseCode]
    /// Frames that are pushes otherwise and can be the direct answer.
    public let pushReplies: [PushCode]
    /// The errors beyond the one that the dispatch rule gives.
    public let errors: [ErrorCode]
    /// Errors of other versions than the one that the specifications describe.
    public let errorsOfOtherVersions: [ErrorCode]
    /// The pushes that may follow later because of the command.
    public let later: [PushCode]
    /// The quirks that concern the command.
    public let quirks: [Quirk]

    init(
        _ frame: any CommandFrame.Type, since: Release, changes changesRadio: Bool, accepts: DispatchRule,
        replies: [ResponseCode], pushReplies: [PushCode] = [], errors: [ErrorCode] = [],
        otherVersions errorsOfOtherVersions: [ErrorCode] = [], later: [PushCode] = [], quirks: [Quirk] = []
    ) {
        self.frame = frame
        self.since = since
        self.changesRadio = changesRadio
        self.accepts = accepts
        self.replies = replies
        self.pushReplies = pushReplies
        self.errors = errors
        self.errorsOfOtherVersions = errorsOfOtherVersions
        self.later = later
        self.quirks = quirks
    }

    /// Returns whether a frame with this code is an answer that the table foresees; for ERR see `mayRefuse`.
    public func mayReply(_ code: RadioCode) -> Bool {
        switch code {
        case .response(let code): replies.contains(code)
        case .push(let code): pushReplies.contains(code)
        }
    }

    /// Returns whether the table foresees that the command is refused for this reason.
    public func mayRefuse(_ error: ErrorCode) -> Bool {
        errors.contains(error) || errorsOfOtherVersions.contains(error) || error == accepts.refusal
    }
}

/// The properties of a response besides layout and meaning.
public struct ResponseRow: Sendable {
    /// The type whose walk is the layout.
    public let frame: any ResponseFrame.Type
    /// The release that brought it.
    public let since: Release
    /// The lengths that the radio sends.
    public let length: FrameLength

    init(_ frame: any ResponseFrame.Type, since: Release, length: FrameLength) {
        self.frame = frame
        self.since = since
        self.length = length
    }
}

/// The properties of a push besides layout and meaning.
public struct PushRow: Sendable {
    /// The type whose walk is the layout.
    public let frame: any PushFrame.Type
    /// The release that brought it.
    public let since: Release
    /// The lengths that the radio sends.
    public let length: FrameLength
    /// True when it is made only while the transport reports an app; the others are written anyway, and may be
    /// lost.
    public let needsLink: Bool

    init(_ frame: any PushFrame.Type, since: Release, length: FrameLength, needsLink: Bool) {
        self.frame = frame
        self.since = since
        self.length = length
        self.needsLink = needsLink
    }
}

extension ResponseCode {
    /// The commands that this frame can answer.
    public var answers: [CommandCode] {
        self == .err ? CommandCode.allCases : CommandCode.allCases.filter { $0.row.replies.contains(self) }
    }
}
