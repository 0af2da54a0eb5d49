/// The time limits of a session, and its name for the radio.
public struct SessionConfiguration: Hashable, Sendable {
    /// The time limit of the radio's answer to a command.
    public var defaultTimeout: Duration = .seconds(5)
    /// The name that the radio receives, cut to five characters.
    public var clientIdentifier = "MCore"
    /// The version that the radio receives; from 3 on it sends messages with their SNR.
    public var appTargetVersion: UInt8 = 3
    /// The longest pause in a listing of contacts.
    public var contactInactivity: Duration = .seconds(15)
    /// The time limit of a listing of contacts.
    public var contactTotal: Duration = .seconds(180)
    /// The time limit of a request to another node, repetitions included.
    public var requestLimit: Duration = .seconds(40)
    /// True when a request is sent again after twice the radio's estimate has passed.
    public var repeatsRequests = true
    /// The time for which a late answer may pass for the answer to the next command.
    public var lateAnswerWindow: Duration = .seconds(1)

    public init() {}

    /// The configuration with which apps start.
    public static let `default` = SessionConfiguration()
}
