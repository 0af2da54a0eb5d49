import Logging
import MeshCore

/// Opens and closes links, which may take longer than they should, and forgets pairings.
///
/// It keeps the transport of the last endpoint, which is connected again rather than made anew.
@MainActor
final class LinkKeeper {
    private let transports: any TransportMaking
    private let bonds: (any BondKeeping)?
    private let policy: ConnectionPolicy
    private let dependencies: ServiceDependencies
    private var last: (endpoint: RadioEndpoint, transport: any MeshTransport)?

    init(
        transports: any TransportMaking, bonds: (any BondKeeping)?, policy: ConnectionPolicy,
        dependencies: ServiceDependencies
    ) {
        self.transports = transports
        self.bonds = bonds
        self.policy = policy
        self.dependencies = dependencies
    }

    /// Opens the link of a connection within its limit.
    ///
    /// An attempt that is given up is closed. A transport that does not even end then is not used again. Should it open
    /// later, it is closed at once.
    func open(_ connection: LiveConnection) async throws {
        let transport = try await transport(to: connection.endpoint)
        let limit = policy.opening(of: connection.endpoint).limit
        let opening = Task(name: "opening of a link") { try await transport.connect() }
        do {
            guard try await opening.value(within: limit, on: dependencies.clock) != nil else {
                throw StackError(.connection, .connectionFailed("no answer within \(limit)"))
            }
            guard connection.life.open(transport) else { throw StackError(.connection, .superseded) }
        } catch {
            opening.cancel()
            await close(transport, whenEnded: opening)
            // What was wrong is a part of the transport, such as the PIN, and may be right in the next one.
            if case .connectionImpossible? = error as? MeshTransportError { last = nil }
            throw error
        }
    }

    private func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport {
        if let last, last.endpoint == endpoint { return last.transport }
        last = nil
        let transport = try await transports.transport(to: endpoint)
        last = (endpoint, transport)
        return transport
    }

    private func close(_ transport: any MeshTransport, whenEnded opening: Task<Void, any Error>) async {
        let closing = Task(name: "closing of a link") {
            await transport.disconnect()
            _ = await opening.result
            await transport.disconnect()
        }
        if await !hasEnded(closing) { last = nil }
    }

    /// Ends everything of a connection: the same whether the user or the link ended it.
    func tearDown(_ connection: LiveConnection) async {
        connection.lose(.notStarted)
        connection.cancelTasks()
        let parts = connection.life.end()
        let closing = Task(name: "teardown of a connection") {
            await parts.graph?.tearDown()
            await parts.session?.stop()
            await parts.transport?.disconnect()
            await connection.waitForTasks()
        }
        if await !hasEnded(closing) {
            dependencies.log.error("connection \(connection.generation) does not end")
            forget(connection.endpoint)
            if let transport = parts.transport { await abandon(transport) }
        }
    }

    /// Returns whether work that must end did so within the limit, also when the waiting task is cancelled.
    private func hasEnded(_ work: Task<Void, Never>) async -> Bool {
        let (clock, limit) = (dependencies.clock, policy.closeLimit)
        // A task of its own, which the end of the driver does not cancel.
        return await Task(name: "limit of a closing") {
            let once = Once<Bool>()
            let waiter = Task {
                await work.value
                once.bring(.success(true))
            }
            let timer = Task {
                guard (try? await clock.sleep(for: limit)) != nil else { return }
                once.bring(.success(false))
            }
            defer {
                waiter.cancel()
                timer.cancel()
            }
            return (try? await once.take()) ?? false
        }.value
    }

    /// Closes a link whose services or session do not let go of it.
    private func abandon(_ transport: any MeshTransport) async {
        let closing = Task(name: "closing of a link") { await transport.disconnect() }
        _ = await hasEnded(closing)
    }

    /// Makes the link to an endpoint anew next time.
    func forget(_ endpoint: RadioEndpoint) {
        if last?.endpoint == endpoint { last = nil }
    }

    /// Removes the pairings with radios. Throws `bondKept` for the first that stays.
    func removeBonds(_ endpoints: [RadioEndpoint]) async throws {
        guard let first = endpoints.first else { return }
        guard let bonds else { throw StackError(.connection, .bondKept("\(first): this stack does not pair")) }
        for endpoint in endpoints {
            do { try await bonds.removeBond(of: endpoint) } catch is CancellationError {
                throw CancellationError()
            } catch {
                throw StackError(.connection, .bondKept("\(endpoint): \(error)"))
            }
        }
    }
}
