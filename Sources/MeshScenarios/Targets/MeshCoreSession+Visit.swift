package import MeshCore

extension MeshCoreSession {
    /// Talks to a radio over a link that nobody uses, and leaves the link to others again, whatever fails.
    package static func visit<R>(
        _ link: any MeshTransport, clock: any Clock<Duration>, _ body: (MeshCoreSession) async throws -> R
    ) async throws -> R {
        let session = MeshCoreSession(transport: link, clock: clock)
        do {
            try await session.start()
            let result = try await body(session)
            await session.stop()
            return result
        } catch {
            await session.stop()
            throw error
        }
    }
}
