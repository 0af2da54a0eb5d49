/// The limits on what clients make a server of HTTP keep, and for how long.
package struct WebLimits: Hashable, Sendable {
    /// Connections that are served at once.
    package var connections = 256
    /// Connections above that which get a refusal before they are closed; more are closed without one.
    package var turnedAway = 64
    /// Requests that wait for their answer at once.
    package var waitingRequests = 64
    /// Bytes of a request's body; `openapi.json` says the same.
    package var body = 64 * 1024
    /// Bytes of a request's head: of all its fields, and of each with its name.
    package var head = 16 * 1024
    /// Fields of a request's head.
    package var fields = 64
    /// The time that a connection may stand before the head of its next request is there.
    package var headTime = Duration.seconds(60)
    /// The time that the body may need after that.
    package var bodyTime = Duration.seconds(10)
    /// The time in which a client may read nothing of what was sent; at most 64 KiB are written between two checks.
    package var readingTime = Duration.seconds(10)
    /// The time that a client may keep a connection after its last answer.
    package var goodbyeTime = Duration.seconds(2)

    package init() {}
}
