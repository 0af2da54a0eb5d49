public import FoundationEssentials
public import MeshCore

/// The services of one connection, as the connection manager sees them: made after the handshake, gone with the link.
@MainActor
public protocol ServiceGraph: AnyObject {
    /// Connects the services and brings the store up to date with the radio.
    ///
    /// Returns at the end of the first synchronisation. Throws when it failed; it is tried again after that.
    ///
    /// With a profile that keeps no link without a synchronisation the retries come first. The error is final then, and
    /// the manager ends the connection. It is cancelled when the link goes.
    func onConnectionEstablished(deviceID: UUID) async throws

    /// The stack's own services; `nil` where it is of others.
    var container: ServiceContainer? { get }

    /// The connection is ready: sessions log in again, queued messages are sent. Cancelled when the link goes.
    func onConnectionReady(deviceID: UUID) async

    /// Ends every task and every wait of the services; nothing of them is used afterwards.
    func tearDown() async
}

extension ServiceGraph {
    /// `nil`: by default the services are not the stack's own.
    public var container: ServiceContainer? { nil }
}

/// Makes the services of a connection out of its session, which has been started.
public typealias ServiceGraphMaker = @MainActor (MeshCoreSession) async throws -> any ServiceGraph
