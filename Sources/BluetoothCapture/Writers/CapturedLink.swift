import MeshCapture

/// The form of records of one link type in a file of another kind.
///
/// Nothing is lost: btsnoop has in a record's flags what link types 201 and 254 have in front of its bytes.
struct CapturedLink: Hashable, Sendable {
    /// The container of the file that is written.
    let format: CaptureFormat
    /// The link type that is read.
    let source: LinkType
    /// The link type of the file.
    let link: LinkType

    /// `nil` where the format has no room for such records.
    init?(_ source: LinkType, in format: CaptureFormat) {
        self.format = format
        self.source = source
        switch (format, source) {
        case (.pcap, _), (.pcapng, _): link = source
        case (.btsnoop, .h4WithDirection): link = .h4
        case (.btsnoop, .linuxMonitor): link = .linuxMonitorByFlags
        case (.btsnoop, _): link = source
        case (.packetLogger, _): return nil
        }
        guard writer() != nil else { return nil }
    }

    /// Returns the writer of such a file; `nil` where there is none.
    ///
    /// - Parameters:
    ///   - interface: What pcapng calls the interface; without it, adapters have their numbers.
    ///   - keepsNanoseconds: The source has them, so that pcap is to have them too.
    func writer(interface: String? = nil, keepsNanoseconds: Bool = true) -> (any RecordWriter)? {
        switch format {
        case .pcap: PcapWriter(link: link, keepsNanoseconds: keepsNanoseconds)
        case .pcapng where link.pcapNumber == nil: nil
        case .pcapng: interface.map { PcapngWriter(interface: $0) } ?? PcapngWriter()
        case .btsnoop: BtsnoopWriter(link: link)
        case .packetLogger: nil
        }
    }

    /// Returns the form of a record in the file, and the byte at which it begins there.
    ///
    /// Throws a `CaptureProblem` for one that is too short to be of its link type.
    func rewrapped(
        _ header: RecordHeader, _ bytes: Span<UInt8>
    ) throws(CaptureProblem) -> (header: RecordHeader, start: Int) {
        guard link != source, header.link == source else { return (header, 0) }
        guard bytes.count > 4 || (bytes.count == 4 && source == .linuxMonitor) else {
            throw CaptureProblem(
                offset: header.offset, number: header.number, "\(bytes.count) bytes are too short for their link type")
        }
        var header = header
        header.link = link
        header.originalLength -= 4
        if source == .linuxMonitor {
            header.kind = bytes.word32(0, .big)
        } else {
            header.way = bytes[3] & 1 == 0 ? .sent : .received
        }
        return (header, 4)
    }
}
