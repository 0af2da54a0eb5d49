extension L2CAP {
    /// Puts the packets of one direction of a connection together from their fragments.
    ///
    /// Fragments are cut anywhere, even within the header. What a capture cut off is counted as if it were there: a
    /// packet then has fewer bytes than it had on the wire.
    package struct Assembler: Sendable {
        /// The result of a fragment.
        package enum Step {
            case more
            /// A packet is whole: see `header` and `withPayload`. `excess`: more came than it should have.
            case whole(excess: Int)
            /// A continuation without a beginning.
            case orphan
            /// The header was cut off; nothing is known of the packet.
            case unreadable
        }

        /// The header and what there is of the payload.
        private var buffer: [UInt8] = []
        /// The number of bytes on the air so far; 0 when nothing is pending.
        private var wire = 0
        /// True when the capture lost a part of it: nothing after a gap is kept.
        private var hasGap = false
        /// Nothing else is expected here: what a longer packet leaves behind is dropped with it.
        package private(set) var isPending = false

        package init() {}

        /// Of a packet that is whole.
        package var header: Header { Header(buffer.span) ?? Header(length: 0, channel: 0) }

        /// Lends the payload of a packet that is whole.
        package func withPayload(_ body: (Span<UInt8>) -> Void) {
            body(buffer.span.extracting(Header.size..<min(buffer.count, Header.size + Int(header.length))))
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
            guard wire >= Header.size else { return .more }
            guard let header = Header(buffer.span) else {
                reset()
                return .unreadable
            }
            let target = Header.size + Int(header.length)
            if wire < target { return .more }
            isPending = false
            return .whole(excess: wire - target)
        }

        private mutating func keep(_ fragment: Span<UInt8>) {
            guard !hasGap else { return }
            let room = Header.size + Int(UInt16.max) - buffer.count
            fragment.extracting(first: min(fragment.count, room)).withUnsafeBufferPointer {
                buffer.append(contentsOf: $0)
            }
        }

        package mutating func reset() {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
            wire = 0
            hasGap = false
            isPending = false
        }
    }
}
