/// Puts the L2CAP packets of one direction of a connection together from their fragments.
///
/// A packet is a length, a channel and a payload; fragments are cut anywhere, even within the header. What the capture
/// cut off is counted as if it were there: a packet then has fewer bytes than it had on the wire. Packets of other
/// channels than those of interest are counted and not kept.
package struct PacketAssembler: Sendable {
    /// What a fragment led to.
    package enum Step {
        case more
        /// A packet is whole: `payload` and `channel` tell it. `excess`: more came than it should have.
        case whole(excess: Int)
        /// A continuation without a beginning.
        case orphan
        /// The header was cut off; nothing can be told of the packet.
        case unreadable
    }

    /// The header and what there is of the payload.
    private var buffer: [UInt8] = []
    /// What was on the wire so far; 0 when nothing is pending.
    private var wire = 0
    /// What the capture lost of it: nothing behind a gap is kept.
    private var hasGap = false
    /// Nothing else is expected here: what a longer packet leaves behind is dropped with it.
    package private(set) var isPending = false

    package init() {}

    /// The header in front of a payload.
    package static let header = 4

    package var channel: UInt16 { UInt16(buffer[2]) | UInt16(buffer[3]) << 8 }
    /// What the header says.
    package var length: Int { Int(buffer[0]) | Int(buffer[1]) << 8 }
    var payload: Range<Int> { Self.header..<max(Self.header, min(buffer.count, Self.header + length)) }

    /// Lends the payload of a packet that is whole.
    package func withPayload<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(buffer.span.extracting(payload))
    }

    /// A first fragment; `wireLength` is what it had on the wire. The caller has seen to what was pending.
    package mutating func begin(_ fragment: Span<UInt8>, wireLength: Int) -> Step {
        reset()
        isPending = true
        return append(fragment, wireLength: wireLength)
    }

    package mutating func append(_ fragment: Span<UInt8>, wireLength: Int) -> Step {
        guard isPending else { return .orphan }
        keep(fragment)
        wire += wireLength
        if fragment.count < wireLength { hasGap = true }
        guard wire >= Self.header else { return .more }
        guard buffer.count >= Self.header else {
            reset()
            return .unreadable
        }
        let target = length + Self.header
        if wire < target { return .more }
        isPending = false
        return .whole(excess: wire - target)
    }

    private mutating func keep(_ fragment: Span<UInt8>) {
        guard !hasGap else { return }
        let isOfInterest = buffer.count < Self.header || channel == ATT.channel
        let room = isOfInterest ? Self.header + 65535 - buffer.count : 0
        let part = fragment.extracting(0..<min(fragment.count, max(0, room)))
        part.withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
    }

    package mutating func reset() {
        buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
        wire = 0
        hasGap = false
        isPending = false
    }
}
