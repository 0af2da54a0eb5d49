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

    /// The packet in this place.
    public var packet: PacketView { place[0] }

    /// Puts another packet in this place, which is seen only here.
    public mutating func replace(with packet: borrowing PacketView) { place[0].replace(with: packet) }

    /// The hash of a flood with which a node that knows it does nothing but count; `nil` for other packets.
    public var hashOfPlainFlood: UInt64? {
        place[0].isFlood && place[0].isDroppedWhenSeen ? place[0].packetHash : nil
    }
}
