public import MeshCore

/// Makes links to radios. The stack receives it from outside, so that it never knows the kinds of links.
public protocol TransportMaking: Sendable {
    /// Makes a transport to the radio there, not yet connected.
    ///
    /// Throws a `MeshTransportError`, or the error of the address.
    func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport
}

/// A keeper of pairings that can forget them, as the system's Bluetooth.
public protocol BondKeeping: Sendable {
    /// Removes the pairing with the radio there; one that is not paired is forgotten already.
    func removeBond(of endpoint: RadioEndpoint) async throws
}
