public import PocketMeshServices

/// An error for its user: the failure, the remedy, and a code for programs.
public struct ErrorPresentation: Codable, Sendable, Hashable {
    /// The operation that failed.
    public var title: String
    /// The description of the failure.
    public var message: String
    /// The remedy; may be empty.
    public var recovery: String
    /// Stays when the text changes.
    public var code: String
    /// True when the same may work a moment later.
    public var isRetryable: Bool
    /// The part of the stack that was at work, as `connection`; `nil` for an error of anything else.
    public var operation: String?
    /// The sentence that a screen reader speaks.
    public var accessibilityLabel: String { "\(title). \(message) \(recovery)" }

    /// Makes the presentation of any error; those that are not of the stack are marked as unexpected.
    public init(_ error: any Error) {
        if let error = error as? StackError {
            self.init(error)
        } else if error is CancellationError {
            self.init(
                title: .errorCancelledTitle, message: Texts.string(.errorCancelled), recovery: "", code: "cancelled",
                isRetryable: true)
        } else {
            self.init(
                title: .errorUnexpectedTitle, message: "\(error)", recovery: Texts.string(.errorUnexpectedRecovery),
                code: "unexpected", isRetryable: false)
        }
    }

    private init(title: TextKey, message: String, recovery: String, code: String, isRetryable: Bool) {
        self.title = Texts.string(title)
        (self.message, self.recovery, self.code, self.isRetryable) = (message, recovery, code, isRetryable)
    }

    /// Makes the presentation of an error of the stack: its text, code and remedy, titled by the operation.
    public init(_ error: StackError) {
        title = Self.title(of: error.operation)
        message = Self.sentence(error.description)
        recovery = Self.sentence(error.recovery)
        code = error.code
        isRetryable = error.isRetryable
        operation = error.operation.rawValue
    }

    private static func title(of operation: StackError.Operation) -> String {
        switch operation {
        case .store: Texts.string(.errorStore)
        case .credentials: Texts.string(.errorCredentials)
        case .connection: Texts.string(.errorConnection)
        case .sync: Texts.string(.errorSync)
        case .polling: Texts.string(.errorPolling)
        case .messages: Texts.string(.errorMessages)
        case .pictures: Texts.string(.errorPictures)
        case .contacts: Texts.string(.errorContacts)
        case .channels: Texts.string(.errorChannels)
        case .adverts: Texts.string(.errorAdverts)
        case .nodes: Texts.string(.errorNodes)
        case .rooms: Texts.string(.errorRooms)
        case .requests: Texts.string(.errorRequests)
        case .settings: Texts.string(.errorSettings)
        case .notifications: Texts.string(.errorNotifications)
        }
    }

    /// Returns the text with its first character in upper case.
    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

/// The question whether to try again; after the greatest number of tries it is not asked any more.
public struct RetryPresentation: Codable, Sendable, Hashable {
    /// Tries that are offered.
    public static let limit = 3

    /// The error of the last try.
    public var error: ErrorPresentation
    /// The number of tries so far.
    public private(set) var tries: Int

    /// The first failure.
    public init(_ error: ErrorPresentation) {
        self.error = error
        tries = 1
    }

    /// True when another try is offered.
    public var canRetry: Bool { error.isRetryable && tries < Self.limit }

    /// Notes that another try has failed.
    public mutating func failedAgain(_ error: ErrorPresentation) {
        self.error = error
        tries += 1
    }
}
