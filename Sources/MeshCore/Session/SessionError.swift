public import MeshCompanion
public import MeshWire

/// The failure of a conversation with a radio.
public enum SessionError: Error, Hashable, Sendable {
    /// `start` was not called, or `stop` was.
    case notStarted
    /// The link is closed.
    case notConnected
    /// The link ended while the answer was awaited.
    case connectionLost(String)
    /// The link failed, before or during the conversation.
    case transport(MeshTransportError)
    /// No answer to the command came in time.
    case timeout(CommandCode, after: Duration)
    /// The radio accepted the request, and the other node did not answer in time.
    case noAnswer(CommandCode, after: Duration)
    /// The radio said no; radios of level 2 do not say why.
    case refused(CommandCode, ErrorCode?)
    /// The radio's build lacks the feature.
    case featureDisabled(CommandCode)
    /// The answer came and cannot be read.
    case unreadableReply(CommandCode, FrameError)
    /// A value is outside its range, or text too long.
    case invalidInput(CommandCode, FrameError)
    /// The frame is longer than the link accepts.
    case dataTooLarge(count: Int, limit: Int)
    /// A listing of contacts paused for too long.
    case listingStalled(received: Int, total: Int, after: Duration)
    /// The other node refused the password.
    case loginFailed
    /// The data to sign is longer than the radio accepts, in bytes.
    case tooMuchToSign(count: Int, limit: Int)
}

/// The name that apps written for PocketMesh expect.
public typealias MeshCoreError = SessionError

extension SessionError {
    /// A word for programs, which stays when the text changes.
    public var code: String {
        switch self {
        case .notStarted: "session-not-started"
        case .notConnected: "not-connected"
        case .connectionLost: "connection-lost"
        case .transport: "transport"
        case .timeout: "timeout"
        case .noAnswer: "no-answer"
        case .refused: "refused"
        case .featureDisabled: "feature-disabled"
        case .unreadableReply: "unreadable-reply"
        case .invalidInput: "invalid-input"
        case .dataTooLarge: "data-too-large"
        case .listingStalled: "listing-stalled"
        case .loginFailed: "login-failed"
        case .tooMuchToSign: "too-much-to-sign"
        }
    }

    /// The remedy that a user can try.
    public var recovery: String {
        switch self {
        case .notStarted, .notConnected: "Connect to the radio first."
        case .connectionLost, .transport: "Check that the radio is on and in reach, and connect again."
        case .timeout, .unreadableReply: "Try again; if it stays so, restart the radio."
        case .noAnswer: "Check that the node is on and in reach of the mesh, and try again."
        case .refused(_, .tableFull): "Wait a moment or remove contacts, and try again."
        case .refused(_, .unsupportedCmd): "Update the radio's firmware, or do without."
        case .refused: "Check what was asked for, and try again."
        case .featureDisabled: "Use a firmware build with this feature."
        case .invalidInput, .dataTooLarge, .tooMuchToSign: "Shorten or correct what was entered."
        case .listingStalled: "Sync again; the contacts received so far are kept."
        case .loginFailed: "Check the password."
        }
    }

    /// The radio's own code, where it gave one.
    public var deviceCode: ErrorCode? {
        if case .refused(_, let code) = self { code } else { nil }
    }
}

extension SessionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notStarted: "the session has not been started, or was stopped"
        case .notConnected: "there is no connection to the radio"
        case .connectionLost(let why): "the connection was lost: \(why)"
        case .transport(let error): "\(error)"
        case .timeout(let command, let limit): "the radio did not answer \(command.wireName) within \(limit)"
        case .noAnswer(let command, let limit): "no answer to \(command.wireName) came from the mesh within \(limit)"
        case .refused(let command, let code):
            "the radio refused \(command.wireName): \(code.map { "\($0)" } ?? "it did not say why")"
        case .featureDisabled(let command): "the radio's build does not do \(command.wireName)"
        case .unreadableReply(let command, let error): "the answer to \(command.wireName) cannot be read: \(error)"
        case .invalidInput(let command, let error): "\(command.wireName) was not sent: \(error)"
        case .dataTooLarge(let count, let limit): "the frame has \(count) bytes, the link takes \(limit)"
        case .listingStalled(let received, let total, let limit):
            "the listing of contacts stopped after \(received) of \(total): nothing came for \(limit)"
        case .loginFailed: "the node refused the password"
        case .tooMuchToSign(let count, let limit): "\(count) bytes are to be signed, the radio takes \(limit)"
        }
    }
}
