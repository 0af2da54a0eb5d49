import Logging
public import MeshCore
import MeshPacket
import MeshWire

// Settings of the radio that hold for some sends only.
extension MessageService {
    /// True when the caller is inside a temporary setting, and may write while others wait for its end.
    @TaskLocal private static var isInside = false
    /// True when the caller has set a scope, which overrides that of a channel.
    @TaskLocal private static var hasScope = false

    /// Lets repeaters of this scope only relay the body's sends; restores `former` at its end.
    ///
    /// The radio does not report its scope, so the caller names the former one. Other messages of this service wait in
    /// the meantime.
    public func withFloodScope<T: Sendable>(
        _ scope: ScopeKey, former: ScopeKey = .disabled, _ body: @Sendable () async throws -> T
    ) async throws -> T {
        try await translated {
            try await temporarily {
                try await self.session.setFloodScope(scope)
            } restoring: {
                try await self.session.setFloodScope(former)
            } during: {
                try await Self.$hasScope.withValue(true) { try await body() }
            }
        }
    }

    /// Writes a message of a channel to the radio, in the region that the channel has, if it has one.
    ///
    /// The firmware has one scope for all floods, so it is set before the message and reset after it. A radio that has
    /// no scopes refuses: without its region the message would go farther than its sender wants.
    func inScope<T: Sendable>(
        of channel: ChannelDTO, _ write: @Sendable () async throws -> T
    ) async throws -> T {
        guard let region = channel.regionScope, !Self.hasScope else { return try await whenUsual(write) }
        return try await temporarily {
            try await self.session.setFloodScope(.region(region))
        } restoring: {
            try await self.session.setFloodScope(.disabled)
        } during: {
            try await write()
        }
    }

    /// Sends the body's messages to a contact without repeaters; restores the radio's path at its end.
    ///
    /// Other messages of this service wait in the meantime.
    public func withZeroHopPath<T: Sendable>(
        to contact: ContactDTO, _ body: @Sendable () async throws -> T
    ) async throws -> T {
        try await translated {
            let record = try await session.getContact(publicKey: FixedBytes(contact.publicKey))
            return try await temporarily {
                try await self.session.changeContactPath(record, length: .empty, path: [])
            } restoring: {
                try await self.session.updateContact(record)
            } during: {
                try await body()
            }
        }
    }

    private func temporarily<T: Sendable>(
        setting: @Sendable () async throws -> Void, restoring: @escaping @Sendable () async throws -> Void,
        during body: @Sendable () async throws -> T
    ) async throws -> T {
        try await whenUsual {
            do {
                try await setting()
                let value = try await Self.$isInside.withValue(true) { try await body() }
                await restored(restoring)
                return value
            } catch {
                await restored(restoring)
                throw error
            }
        }
    }

    /// Restores a setting in a task of its own, so that it is done although the caller is cancelled.
    private func restored(_ restoring: @escaping @Sendable () async throws -> Void) async {
        let outcome = await Task(name: "restoring a setting of the radio") { try await restoring() }.result
        if case .failure(let error) = outcome {
            dependencies.log.error("a temporary setting of the radio is still in force: \(error)")
        }
    }

    /// Lets a message be written to the radio when no temporary setting of another caller is in force.
    func whenUsual<T: Sendable>(_ write: () async throws -> T) async throws -> T {
        if Self.isInside { return try await write() }
        let ticket = gates.writing.ticket()
        defer { gates.writing.leave(ticket) }
        try await gates.writing.pass(ticket)
        return try await write()
    }
}
