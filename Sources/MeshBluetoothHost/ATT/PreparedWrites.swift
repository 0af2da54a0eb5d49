extension ATT {
    /// The parts of a client's long writes, until they are executed or forgotten.
    package struct PreparedWrites: Hashable, Sendable {
        /// A value put together.
        package struct Write: Hashable, Sendable {
            /// Of the attribute that is written.
            package var handle: UInt16
            /// The whole value, from offset 0 on.
            package var value: [UInt8]
        }

        private struct Part: Hashable, Sendable {
            var handle: UInt16
            var offset: Int
            var bytes: [UInt8]
        }

        private var parts: [Part] = []
        private var count = 0

        /// The number of bytes kept at once: several values of the longest kind, in the shortest parts.
        package static let limit = 4096
        /// The number of parts (Prepare Write Requests) kept at once.
        package static let partLimit = 256

        package init() {}

        /// No part waits: executing would write nothing.
        package var isEmpty: Bool { parts.isEmpty }

        /// Adds a part; `false` when the queue is full.
        package mutating func prepare(handle: UInt16, offset: UInt16, _ bytes: [UInt8]) -> Bool {
            guard parts.count < Self.partLimit, count + bytes.count <= Self.limit else { return false }
            parts.append(Part(handle: handle, offset: Int(offset), bytes: bytes))
            count += bytes.count
            return true
        }

        /// Tells whether the last part is this one, as the server must repeat it.
        package func isLast(handle: UInt16, offset: UInt16, _ bytes: [UInt8]) -> Bool {
            parts.last == Part(handle: handle, offset: Int(offset), bytes: bytes)
        }

        /// Removes the last part: the server refused it.
        package mutating func removeLast() {
            if let part = parts.popLast() { count -= part.bytes.count }
        }

        /// Forgets all parts, as an Execute Write Request with flag 0 does.
        package mutating func cancel() {
            parts.removeAll()
            count = 0
        }

        /// The first part that cannot be executed, and why; `limit` gives the longest value of an attribute.
        ///
        /// A part behind the end of what was prepared before it leaves a hole.
        package func firstFault(_ limit: (UInt16) -> Int) -> (handle: UInt16, code: ErrorCode)? {
            var ends: [UInt16: Int] = [:]
            for part in parts {
                let end = ends[part.handle] ?? 0
                if part.offset > end { return (part.handle, .invalidOffset) }
                ends[part.handle] = max(end, part.offset + part.bytes.count)
                if part.offset + part.bytes.count > limit(part.handle) { return (part.handle, .invalidValueLength) }
            }
            return nil
        }

        /// Puts the values together, one for each handle in the order of their first parts.
        ///
        /// A value with a hole, or one beyond the longest, is none: it is left out.
        package mutating func execute() -> [Write] {
            defer { cancel() }
            var writes: [Write] = []
            var damaged: Set<UInt16> = []
            for part in parts {
                let index = writes.firstIndex { $0.handle == part.handle } ?? writes.count
                if index == writes.count { writes.append(Write(handle: part.handle, value: [])) }
                let end = part.offset + part.bytes.count
                guard part.offset <= writes[index].value.count, end <= ATT.maximumValue else {
                    damaged.insert(part.handle)
                    continue
                }
                let replaced = part.offset..<min(end, writes[index].value.count)
                writes[index].value.replaceSubrange(replaced, with: part.bytes)
            }
            return writes.filter { !damaged.contains($0.handle) }
        }
    }
}
