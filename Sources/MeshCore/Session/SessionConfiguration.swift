/// How patient a session is, and how it introduces itself.
public struct SessionConfiguration: Hashable, Sendable {
    /// How long the radio may take to answer a command.
    public var defaultTimeout: Duration = .seconds(5)
    /// Told to the radio, cut to five characters.
    public var clientIdentifier = "MCore"
    /// The version that we tell the radio; from 3 on it sends messages with their SNR.
    public var appTargetVersion: UInt8 = 3
    /// How long a listing of contacts may pause.
    public var contactInactivity: Duration = .seconds(15)
    /// How long a listing of contacts may take.
    public var contactTotal: Duration = .seconds(180)
    /// How long a request to another node may take, repetitions included.
    public var requestLimit: Duration = .seconds(40)
    /// Whether a request is sent again when twice the radio's estimate has passed.
    public var repeatsRequests = true
    /// How long a late answer to a command that timed out may be taken for that of the next one.
    public var lateAnswerWindow: Duration = .seconds(1)

    public init() {}

    /// What apps start with.
    public static let `default` = SessionConfiguration()
}
