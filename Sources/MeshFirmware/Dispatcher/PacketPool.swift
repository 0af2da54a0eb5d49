import MeshPacket

/// The fixed number of packets that a node can hold at once: received, queued, delayed or being sent.
///
/// A packet is allocated when it is received or created, and freed when it is released. Between creation and
/// queueing it is a value, and only the count includes it. Queued packets stay in slots, so that the queues shift
/// small entries. Slots are filled on demand and never shrink. Source: firmware, `StaticPoolPacketManager`.
struct PacketPool: Sendable {
    private let limit: UInt8
    private var taken: UInt8 = 0
    /// Slots that hold nothing, one bit each; a packet pool has 64 at most.
    private var vacant: UInt64 = 0
    private var slots: [PacketView] = []

    /// A pool of this many packets, from 1 to 64; the boards have 16 or 32.
    init(capacity: Int) {
        limit = UInt8(min(max(capacity, 1), 64))
    }

    var capacity: Int { Int(limit) }
    /// Packets that are not free.
    var inUse: Int { Int(taken) }

    var freeCount: Int { capacity - inUse }

    /// Allocates a packet; `false` when all are in use.
    mutating func take() -> Bool {
        guard taken < limit else { return false }
        taken += 1
        return true
    }

    /// Frees a packet that is in no slot.
    mutating func giveBack() {
        taken = max(1, taken) - 1
    }

    /// Puts an allocated packet into a slot; `nil` when there is none left, which is so only for packets never
    /// allocated.
    mutating func store(_ packet: borrowing PacketView) -> UInt16? {
        if vacant != 0 {
            let slot = vacant.trailingZeroBitCount
            vacant &= vacant - 1
            slots[slot].replace(with: packet)
            return UInt16(slot)
        }
        guard slots.count < capacity else { return nil }
        slots.append(copy packet)
        return UInt16(slots.count - 1)
    }

    /// The packet in a slot.
    func packet(in slot: UInt16) -> PacketView { slots[Int(slot)] }

    /// Lends the packet in a slot where it is, because a copy is as long as the longest packet.
    func withPacket<R>(in slot: UInt16, _ body: (borrowing PacketView) -> R) -> R {
        slots.withUnsafeBufferPointer { body($0[Int(slot)]) }
    }

    /// Removes a packet from its slot; it is still in use.
    mutating func withdraw(_ slot: UInt16) -> PacketView {
        vacate(slot)
        return slots[Int(slot)]
    }

    /// Empties a slot; its packet is still in use.
    mutating func vacate(_ slot: UInt16) { vacant |= 1 << UInt64(slot) }
}
