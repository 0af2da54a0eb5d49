package import MeshWire

extension HCI {
    /// The byte in front of a packet where commands, data and events share one way (H4, and the kernel's sockets).
    ///
    /// Source: Bluetooth Core, Vol 4 Part A, 2.
    enum PacketType: UInt8, Hashable, Sendable {
        /// To the controller only.
        case command = 1
        /// Fragments of data (ACL), both ways.
        case data = 2
        /// Voice of classic links.
        case synchronous = 3
        /// From the controller only.
        case event = 4
        /// Audio of low energy.
        case isochronous = 5

        /// The length of the header in front of the contents, without the type, in bytes.
        var headerSize: Int {
            switch self {
            case .command, .synchronous: 3
            case .data, .isochronous: 4
            case .event: 2
            }
        }

        /// The length of the contents, out of a whole header.
        func contentLength(_ header: Span<UInt8>) -> Int {
            switch self {
            case .command, .synchronous: Int(header[2])
            case .data: Int(header.word(at: 2))
            // The two highest bits are reserved.
            case .isochronous: Int(header.word(at: 2) & 0x3FFF)
            case .event: Int(header[1])
            }
        }
    }

    /// Cuts a stream of bytes into packets, each behind its type.
    ///
    /// The stream has no marks to find the beginning of a packet again: once it is wrong it stays so.
    package struct PacketReader: Sendable {
        private var buffer: [UInt8] = []
        /// The index at which the next packet begins.
        private var start = 0
        private var failure: FrameError?
        /// Bytes in front of the buffer, for the places of errors.
        private var passed = 0
        /// The longest contents of a packet that are accepted, in bytes.
        package let limit: Int

        /// `limit`: the longest contents; what a length of two bytes can say, unless it is set.
        package init(limit: Int = Int(UInt16.max)) {
            self.limit = limit
        }

        /// Bytes that wait for the rest of their packet, or to be read.
        package var waiting: Int { buffer.count - start }

        /// Adds received bytes; the caller then reads packets until there is none.
        package mutating func append(_ bytes: Span<UInt8>) {
            guard failure == nil else { return }
            buffer.removeFirst(start)
            passed += start
            start = 0
            bytes.withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
        }

        /// The next whole packet, from its type on; `nil` while there is none.
        ///
        /// Throws for an unknown type and for a packet that is too long, then and ever after.
        package mutating func next() throws(FrameError) -> [UInt8]? {
            if let failure { throw failure }
            guard waiting > 0 else { return nil }
            guard let type = PacketType(rawValue: buffer[start]) else {
                throw fail("packet_type", 0, .unknownCode(buffer[start]))
            }
            let header = start + 1..<start + 1 + type.headerSize
            guard header.upperBound <= buffer.count else { return nil }
            let length = type.contentLength(buffer.span.extracting(header))
            guard length <= limit else { throw fail("length", 1, .tooLong(count: length, limit: limit)) }
            let end = header.upperBound + length
            guard end <= buffer.count else { return nil }
            defer { start = end }
            return [UInt8](buffer[start..<end])
        }

        private mutating func fail(_ field: String, _ offset: Int, _ reason: FrameError.Reason) -> FrameError {
            let error = FrameError(field: field, offset: passed + start + offset, reason: reason)
            failure = error
            buffer = []
            start = 0
            return error
        }
    }
}
