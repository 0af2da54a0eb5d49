/// Puts the L2CAP packets of one direction together.
struct LinkReassembly: Sendable {
    enum Loss: Hashable {
        /// A continuation whose beginning was not heard.
        case start
        /// A packet that never got complete.
        case continuation
        /// More came than the packet said.
        case excess
    }

    static let longest = 65_535 + 4

    /// With its header of four bytes.
    private(set) var packet: [UInt8] = []
    private var isPending = false

    /// Takes a fragment. `true`: a packet is complete, until the next fragment.
    mutating func take(isStart: Bool, _ fragment: Span<UInt8>, lost: inout Loss?) -> Bool {
        if isStart {
            if isPending { lost = .continuation }
            packet.removeAll(keepingCapacity: true)
            isPending = true
        } else if !isPending {
            lost = .start
            return false
        }
        for index in fragment.indices { packet.append(fragment[index]) }
        guard let target, packet.count >= target else { return false }
        if packet.count > target {
            lost = .excess
            packet.removeLast(packet.count - target)
        }
        isPending = false
        return true
    }

    /// Packets of the link were missed: what is pending cannot be trusted. `true` when there was something.
    mutating func drop() -> Bool {
        defer { isPending = false }
        return isPending
    }

    /// The size of the whole packet, once its length is there.
    private var target: Int? {
        packet.count < 4 ? nil : 4 + (Int(packet[0]) | Int(packet[1]) << 8)
    }

    /// The identifier of the channel; of a complete packet only, like the payload.
    var channel: UInt16 { UInt16(packet[2]) | UInt16(packet[3]) << 8 }

    /// Where the payload is in the packet.
    static let headerSize = 4
}
