import Foundation
import Logging
import MeshCompanion
public import MeshCore
import MeshPacket
import MeshWire

// Settings of the radio that hold for some sends only.
extension MessageService {
    /// True when the caller is inside a temporary setting, and may write while others wait for its end.
    @TaskLocal private static var isInside = false

    /// Lets what the body sends be passed on by repeaters of this scope only. However the body ends, `former` holds
    /// again: the radio does not tell which scope it was, so who has set one says it.
    ///
    /// Other messages of this service wait meanwhile.
    public func withFloodScope<T: Sendable>(
        _ scope: ScopeKey, former: ScopeKey = .disabled, _ body: @Sendable () async throws -> T
    ) async throws -> T {
        try await temporarily {
            try await self.session.setFloodScope(scope)
        } restoring: {
            try await self.session.setFloodScope(former)
        } during: {
            try await body()
        }
    }

    /// Lets what the body sends to a contact go to its neighbourhood only, without a repeater. However the body ends, the
    /// radio has the path again that it had.
    ///
    /// Other messages of this service wait meanwhile.
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
        try await translated {
            let ticket = writing.ticket()
            defer { writing.leave(ticket) }
            try await writing.pass(ticket)
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

    /// In a task of its own, so that it is done although the caller is cancelled.
    private func restored(_ restoring: @escaping @Sendable () async throws -> Void) async {
        let outcome = await Task(name: "restoring a setting of the radio") { try await restoring() }.result
        if case .failure(let error) = outcome {
            dependencies.log.error("a temporary setting of the radio is still in force: \(error)")
        }
    }

    /// Lets a message be handed to the radio when no temporary setting of somebody else is in force.
    func whenUsual<T: Sendable>(_ write: () async throws -> T) async throws -> T {
        if Self.isInside { return try await write() }
        let ticket = writing.ticket()
        defer { writing.leave(ticket) }
        try await writing.pass(ticket)
        return try await write()
    }
}
