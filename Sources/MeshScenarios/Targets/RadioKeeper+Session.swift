import MeshBoards
import MeshCompanion
import MeshCore

// How a scenario leaves a radio that is somebody's: the session of `RadioKeeper`.

extension RadioRecord {
    /// Asks the radio for everything that a scenario may change.
    init(of session: MeshCoreSession) async throws {
        guard let info = await session.currentSelfInfo else { throw SessionError.notStarted }
        self.init(selfInfo: info, device: try await session.queryDeviceIfTold())
        tuning = try await Self.known { try await session.getTuningParams() }
        autoAdd = try await Self.known { try await session.getAutoAddConfig() }
        scope = try await Self.known { try await session.send(GetDefaultFloodScope()) }
        channels = try await session.getChannels(0..<(device?.maxChannels ?? 0))
        contacts = try await session.getContacts().contacts
    }

    /// The answer to a question that the radio may be too old for.
    private static func known<T>(_ ask: () async throws -> T) async throws -> T? {
        do { return try await ask() } catch SessionError.refused(_, .unsupportedCmd) { return nil }
    }
}

extension RadioKeeper {
    /// Puts back what is different, over a link that nobody uses.
    func restore(over link: any MeshTransport, clock: any Clock<Duration>) async throws {
        try await MeshCoreSession.visit(link, clock: clock) { try await putBack($0) }
    }

    /// One command that is refused keeps no other from being sent; the first refusal is thrown in the end.
    private func putBack(_ session: MeshCoreSession) async throws {
        var keeper = self
        keeper.note(differencesTo: try await RadioRecord(of: session))
        var refusal: (any Error)?
        for command in keeper.takeRestoration() {
            do { try await session.send(command) } catch SessionError.refused(let code, let error) {
                // A radio that is older than a command has nothing to put back by it.
                if error != .unsupportedCmd { refusal = refusal ?? SessionError.refused(code, error) }
            }
        }
        if let refusal { throw refusal }
    }
}
