public import MeshPacket

/// A packet that many nodes receive, in one place.
///
/// Passing it on copies no frame, and replacing it allocates nothing once all have released it.
public struct SharedPacket: Sendable {
    /// Always one element; an array because it is a value that shares its memory.
    private var place: [PacketView]

    public init(_ packet: PacketView) {
        place = [packet]
    }

    /// The packet in this place; another one is seen only here.
    public var packet: PacketView {
        get { place[0] }
        // No access in place: the compiler would allocate its frame.
        set { place[0].replace(with: newValue) }
    }

    /// The hash of a flood with which a node that knows it does nothing but count; `nil` for other packets.
    public var hashOfPlainFlood: UInt64? {
        place[0].isFlood && place[0].isDroppedWhenSeen ? place[0].packetHash : nil
    }
}
