package import MeshHTTP

/// A server of HTTP for a service, such as the control API of a world.
///
/// It listens on this machine alone unless there is a token: a client that reaches the control API controls the world.
package struct WebServer: Sendable {
    /// The reason why there is no server.
    package enum Failure: Error, Hashable, CustomStringConvertible {
        /// The program was built without the trait `Web`.
        case absent
        /// Every machine in the network could send requests, and there is no token.
        case needsToken(host: String)
        case cannotListen(host: String, port: UInt16, reason: String)

        package var description: String {
            switch self {
            case .absent: "this build has no control API: build it with ci/build release, or swift build --traits Web"
            case .needsToken(let host): "\(host) is not this machine alone: a control API there needs a token"
            case .cannotListen(let host, let port, let reason): "cannot listen on \(host), port \(port): \(reason)"
            }
        }
    }

    /// The literal address on which it listens.
    package let host: String
    /// Its port, also where any free one was asked for.
    package let port: UInt16
    /// Ends it.
    let end: @Sendable () async -> Void

    /// Listens, and passes each request to the service.
    ///
    /// Requests of one client keep their order; those of several follow the order in which they are read whole.
    ///
    /// - Parameter port: 0 chooses any free one.
    /// - Parameter token: the token of `Authorization: Bearer TOKEN` that every request must carry.
    package static func start(
        host: String, port: UInt16, service: any WebService,
        token: String? = nil,
        limits: WebLimits = WebLimits()
    ) async throws(Failure) -> WebServer {
        #if Web
            try await start(
                host: host, port: port, service: service, token: token, limits: limits,
                timer: LoopTimer())
        #else
            throw .absent
        #endif
    }

    /// Stops listening, ends streams, and returns when all pending requests have answers; the service has to answer
    /// them.
    package func stop() async { await end() }
}
