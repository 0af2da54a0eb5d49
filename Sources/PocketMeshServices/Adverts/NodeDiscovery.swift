public import FoundationEssentials
public import MeshCompanion
public import MeshPacket

/// A node that answered our discovery request.
public struct NodeDiscovery: Hashable, Sendable {
    /// The role that the answer gave.
    public var type: NodeType
    /// The whole key, or its first 8 bytes.
    public var publicKey: Data
    /// The tag that the request carried, repeated by the answer.
    public var tag: UInt32
    /// The SNR at which the node received our request, in dB.
    public var snrThere: Double
    /// The SNR at which our radio received the answer, in dB.
    public var snrHere: Double

    /// Reads an answer together with how the radio heard it.
    public init(_ push: Push.ControlData, _ response: DiscoverResponse) {
        type = response.nodeType
        publicKey = Data(response.publicKey)
        tag = response.tag
        snrThere = Double(response.snr) / 4
        snrHere = Double(push.snr) / 4
    }
}
