import MeshCompanion
import MeshCore
public import MeshPacket

// Asking who is around.
extension AdvertisementService {
    /// Asks the nodes in reach to identify themselves, and returns the tag of the request.
    ///
    /// Their answers come as `StackEvent.nodeDiscovered` with that tag. Repeaters and sensors answer; no node relays
    /// the request.
    @discardableResult
    public func requestDiscovery(of types: [NodeType]) async throws -> UInt32 {
        let filter = types.reduce(into: UInt8(0)) { if $1.rawValue < 8 { $0 |= 1 << $1.rawValue } }
        let tag = UInt32(truncatingIfNeeded: dependencies.random.number())
        try await inTerms(of: .adverts) {
            try await session.sendNodeDiscoverRequest(filter: filter, prefixOnly: false, tag: tag)
        }
        return tag
    }
}
