public import MeshCore

/// Makes links to radios. The stack receives it from outside, so that it never knows the kinds of links.
public protocol TransportMaking: Sendable {
    /// A transport to the radio there, not yet connected. Throws a `MeshTransportError`, or what is wrong with the
    /// address.
    func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport
}

/// Forgets pairings; what the system's Bluetooth does.
public protocol BondKeeping: Sendable {
    /// Removes the pairing with the radio there; one that is not paired is forgotten already.
    func removeBond(of endpoint: RadioEndpoint) async throws
}
