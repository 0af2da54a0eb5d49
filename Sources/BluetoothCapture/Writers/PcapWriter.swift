package import MeshCapture

/// Writes classic pcap, little endian, of one link type.
package struct PcapWriter: RecordWriter {
    /// The one link type that records of the file have, stated in the file's header.
    package let link: LinkType
    /// True when times keep their nanoseconds; the oldest tools read microseconds.
    package let keepsNanoseconds: Bool

    /// `nil` for a link type that has no number in pcap.
    package init?(link: LinkType, keepsNanoseconds: Bool = true) {
        guard link.pcapNumber != nil else { return nil }
        self.link = link
        self.keepsNanoseconds = keepsNanoseconds
    }

    package func begin(into file: inout [UInt8]) {
        file.append32(keepsNanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4)
        file.append16(2)
        file.append16(4)
        file.append64(0)
        file.append32(UInt32(ContainerReader.longestRecord))
        file.append32(link.pcapNumber ?? 0)
    }

    package func write(
        _ header: RecordHeader, _ bytes: Span<UInt8>, into file: inout [UInt8]
    ) throws(CaptureProblem) {
        try check(header, bytes)
        guard header.link == link else { throw refusal(header, "a file of pcap has one link type") }
        let time = header.nanoseconds ?? 0
        guard time >= 0, let seconds = UInt32(exactly: time / 1_000_000_000) else {
            throw refusal(header, "pcap has times from 1970 to 2106")
        }
        let rest = UInt32(time % 1_000_000_000)
        file.append32(seconds)
        file.append32(keepsNanoseconds ? rest : rest / 1000)
        file.append32(UInt32(bytes.count))
        file.append32(UInt32(header.originalLength))
        file.append(bytes)
    }
}
