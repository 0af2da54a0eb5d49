/// What strangers may make a control API keep, and for how long.
package struct ControlLimits: Hashable, Sendable {
    /// Connections that are served at once.
    package var connections = 256
    /// Connections above that which are told so before they are closed; more are closed without a word.
    package var turnedAway = 64
    /// Requests that wait for their answer at once.
    package var waitingRequests = 64
    /// Bytes of a request's body; `openapi.json` says the same.
    package var body = 64 * 1024
    /// Bytes of a request's head: of all its fields, and of each with its name.
    package var head = 16 * 1024
    /// Fields of a request's head.
    package var fields = 64
    /// How long a connection may stand before the head of its next request is there.
    package var headTime = Duration.seconds(60)
    /// How long the body may take after that.
    package var bodyTime = Duration.seconds(10)
    /// How long a client may read nothing of what was sent: 64 KiB at most stand between two looks.
    package var readingTime = Duration.seconds(10)
    /// How long a client may go on with a connection after its last answer.
    package var goodbyeTime = Duration.seconds(2)

    package init() {}
}
