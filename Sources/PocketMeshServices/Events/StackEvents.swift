public import MeshCore

/// The events of a container's services, for any number of observers.
///
/// Emitting never waits. Work that has to be done before the next message is no event but a dependency of the service
/// (`MessageIntake`, `IncomingTakers`, `DiscoveryTaker`, `ListRefreshing`).
public typealias StackEvents = Broadcaster<StackEvent>
