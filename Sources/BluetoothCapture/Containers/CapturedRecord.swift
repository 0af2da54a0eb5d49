package import MeshCapture

/// The properties of one record in a capture file, besides its bytes.
package struct RecordHeader: Hashable, Sendable {
    /// Counted from 1 over the whole file.
    package var number: Int
    /// The offset of the record in the file, unpacked if it is compressed.
    package var offset: UInt64
    /// Nanoseconds since 1970, UTC; `nil` where the container keeps no time.
    package var nanoseconds: Int64?
    /// The link type of the bytes.
    package var link: LinkType
    /// The length that the record had on the link; more than its bytes when the recorder cut it.
    package var originalLength: Int
    /// The direction, where the container has one of its own.
    package var way: HostWay?
    /// The kind of bytes, where it stands beside them: btsnoop's flags, PacketLogger's type.
    package var kind: UInt32
    /// The interface of a pcapng section, which is an adapter's or a sniffer's; 0 where there is only one.
    package var interface: UInt16

    package init(
        number: Int, offset: UInt64, nanoseconds: Int64?, link: LinkType, originalLength: Int, way: HostWay? = nil,
        kind: UInt32 = 0, interface: UInt16 = 0
    ) {
        self.number = number
        self.offset = offset
        self.nanoseconds = nanoseconds
        self.link = link
        self.originalLength = originalLength
        self.way = way
        self.kind = kind
        self.interface = interface
    }
}

/// The direction of a packet between a host and its Bluetooth controller.
package enum HostWay: Hashable, Sendable {
    /// Host to controller: sent.
    case sent
    /// Controller to host: received.
    case received
}

/// Receives the records of a capture file, in their order.
package protocol RecordSink {
    /// The bytes are lent for the call.
    mutating func take(_ header: RecordHeader, _ bytes: Span<UInt8>)
    /// Something that could not be read.
    mutating func note(_ problem: CaptureProblem)
}
