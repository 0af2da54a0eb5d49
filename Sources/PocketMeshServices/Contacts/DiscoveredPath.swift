public import FoundationEssentials
public import MeshCompanion
public import MeshCore
import MeshPacket
import MeshWire

/// The ways to a node and back, as it answered.
public struct DiscoveredPath: Hashable, Sendable {
    /// The node's whole key, or its first 6 bytes where the answer alone is known.
    public var publicKey: Data
    /// The length byte of the way there: hash size and number of hops.
    public var outPathLengthRaw: UInt8
    /// The hop nearest to us first.
    public var outPath: Data
    /// The length byte of the way back.
    public var inPathLengthRaw: UInt8
    /// The hop nearest to the node first.
    public var inPath: Data

    /// Reads an answer; `publicKey` is the whole key where it is known, since the answer has six bytes of it.
    public init(_ answer: PathInfo, publicKey: Data? = nil) {
        self.publicKey = publicKey ?? Data(answer.publicKeyPrefix.array)
        outPathLengthRaw = answer.outPathLength.rawValue
        outPath = Data(answer.outPath)
        inPathLengthRaw = answer.inPathLength.rawValue
        inPath = Data(answer.inPath)
    }

    /// Relays on the way to the node.
    public var outHops: Int { PathLength(rawValue: outPathLengthRaw).hopCount }
    /// Relays on the way from the node.
    public var inHops: Int { PathLength(rawValue: inPathLengthRaw).hopCount }
}

/// The way that the last advert of a node came.
public struct AdvertPath: Hashable, Sendable {
    /// The time of the answer by the radio's clock, in seconds since 1970.
    public var receivedAt: UInt32
    /// The number and size of the hashes, in one byte as the radio reports them.
    public var pathLengthRaw: UInt8
    /// The hop nearest to the node first.
    public var path: Data

    public init(_ answer: AdvertPathResponse) {
        receivedAt = answer.receivedAt
        pathLengthRaw = answer.pathLength.rawValue
        path = Data(answer.path)
    }

    /// Relays on the way.
    public var hops: Int { PathLength(rawValue: pathLengthRaw).hopCount }
}
