package import MeshControl

/// A server of HTTP at which a world is looked at and steered.
///
/// It listens on this machine alone unless there is a token: whoever can reach the control API commands the world.
package struct ControlServer: Sendable {
    /// Why there is no server.
    package enum Failure: Error, Hashable, CustomStringConvertible {
        /// The program was built without the trait `Web`.
        case absent
        /// Everybody in the network could command, and there is no token.
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

    /// Listens, and hands each request to the service: those of one client in their order, those of several in the order in
    /// which they are read whole.
    ///
    /// - Parameter port: 0 takes any free one.
    /// - Parameter token: what every request has to carry as `Authorization: Bearer TOKEN`.
    package static func start(
        host: String, port: UInt16, service: any ControlService,
        token: String? = nil,
        limits: ControlLimits = ControlLimits()
    ) async throws(Failure) -> ControlServer {
        #if Web
            try await start(
                host: host, port: port, service: service, token: token, limits: limits,
                timer: LoopTimer())
        #else
            throw .absent
        #endif
    }

    /// Stops listening, ends streams, and comes back when the requests that were under way have their answers: the service
    /// has to answer them.
    package func stop() async { await end() }
}
