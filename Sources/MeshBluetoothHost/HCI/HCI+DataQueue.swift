extension HCI {
    /// Packets of L2CAP on their way to the controller: cut to its buffers, and no more at once than those hold.
    ///
    /// Connections take turns by fragments, so that a busy one holds nobody up. Fragments of one packet stay in order.
    struct DataQueue: Sendable {
        /// The queue of a connection is full.
        struct Overflow: Error, Hashable, Sendable {
            /// The number of packets that wait.
            var limit: Int
        }

        private struct Line: Sendable {
            var handle: UInt16
            /// Whole packets; the first may have been sent in part.
            var packets: [[UInt8]] = []
            /// Bytes of the first packet that the controller has.
            var sent = 0
            /// Fragments that the controller holds.
            var outstanding = 0
        }

        /// The longest fragment, in bytes.
        let size: Int
        /// Fragments that the controller holds at most.
        let capacity: Int
        /// Packets that wait on one connection at most.
        let limit: Int
        private var lines: [Line] = []
        /// The index of the line whose turn it is.
        private var turn = 0

        /// `size` and `capacity`: as the controller reports them, 1 at least.
        init(size: Int, capacity: Int, limit: Int) {
            precondition(size > 0 && capacity > 0 && limit > 0, "a queue without room")
            self.size = size
            self.capacity = capacity
            self.limit = limit
        }

        /// Fragments that the controller has room for.
        var credits: Int { capacity - lines.reduce(0) { $0 + $1.outstanding } }

        /// Packets that wait on a connection, the one that is sent in part included.
        func waiting(_ handle: UInt16) -> Int { lines.first { $0.handle == handle }?.packets.count ?? 0 }

        /// Nothing of a connection waits, here or at the controller.
        func isIdle(_ handle: UInt16) -> Bool {
            lines.first { $0.handle == handle }.map { $0.packets.isEmpty && $0.outstanding == 0 } ?? true
        }

        /// A connection has begun.
        mutating func open(_ handle: UInt16) {
            close(handle)
            lines.append(Line(handle: handle))
        }

        /// A connection has ended: what the controller held of it is free again.
        mutating func close(_ handle: UInt16) { lines.removeAll { $0.handle == handle } }

        /// Adds a packet of L2CAP, its header included. On a connection that is none it is dropped.
        mutating func append(_ packet: [UInt8], on handle: UInt16) throws(Overflow) {
            guard let index = lines.firstIndex(where: { $0.handle == handle }) else { return }
            guard lines[index].packets.count < limit else { throw Overflow(limit: limit) }
            lines[index].packets.append(packet)
        }

        /// The next fragment, its header included; `nil` when nothing waits or the controller is full.
        mutating func next() -> [UInt8]? {
            guard credits > 0 else { return nil }
            for step in lines.indices {
                let index = (turn + step) % lines.count
                guard let fragment = cut(&lines[index]) else { continue }
                turn = index + 1
                return fragment
            }
            return nil
        }

        private func cut(_ line: inout Line) -> [UInt8]? {
            guard let packet = line.packets.first else { return nil }
            let end = min(line.sent + size, packet.count)
            let header = DataHeader(
                handle: line.handle, boundary: line.sent == 0 ? .first : .continuation,
                length: UInt16(end - line.sent))
            let fragment = header.bytes + packet[line.sent..<end]
            line.sent = end
            if end == packet.count {
                line.packets.removeFirst()
                line.sent = 0
            }
            line.outstanding += 1
            return fragment
        }

        /// The controller has sent so many fragments. `false`: it never had as many.
        mutating func completed(_ handle: UInt16, _ count: Int) -> Bool {
            // What is told of a connection that has just ended is late, not wrong.
            guard let index = lines.firstIndex(where: { $0.handle == handle }) else { return true }
            let isTrue = count <= lines[index].outstanding
            lines[index].outstanding = max(0, lines[index].outstanding - count)
            return isTrue
        }
    }
}
