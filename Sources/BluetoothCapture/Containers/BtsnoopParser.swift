import MeshBluetoothHost

/// btsnoop: a header of 16 bytes, then records with one of 24, all numbers big endian. A damaged length ends the file.
struct BtsnoopParser: Sendable {
    /// Microseconds from 1 January of the year 0 to that of 1970.
    static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

    private var link: LinkType?
    private var drops: UInt32 = 0

    mutating func step(
        _ bytes: Span<UInt8>, at offset: UInt64, _ log: inout ReadingLog, into sink: inout some RecordSink
    ) -> ReadingStep {
        guard let link else { return header(bytes, at: offset, &log, into: &sink) }
        guard bytes.count >= 24 else { return .need(24) }
        let captured = Int(bytes.word32(4, .big))
        guard captured <= ContainerReader.longestRecord else {
            let number = log.next()
            log.note(offset, number: number, "a record of \(captured) bytes is damage; the rest is left", into: &sink)
            return .end
        }
        guard bytes.count >= 24 + captured else { return .need(24 + captured) }
        let number = log.next()
        countDrops(bytes.word32(12, .big), at: offset, number, &log, into: &sink)
        let flags = bytes.word32(8, .big)
        sink.take(
            RecordHeader(
                number: number, offset: offset, nanoseconds: Self.nanoseconds(bytes.word64(16, .big)), link: link,
                originalLength: max(captured, Int(bytes.word32(0, .big))),
                way: link == .linuxMonitorByFlags ? nil : flags & 1 == 0 ? .sent : .received, kind: flags),
            bytes.extracting(24..<24 + captured))
        return .took(24 + captured)
    }

    private mutating func header(
        _ bytes: Span<UInt8>, at offset: UInt64, _ log: inout ReadingLog, into sink: inout some RecordSink
    ) -> ReadingStep {
        guard bytes.count >= 16 else { return .need(16) }
        let version = bytes.word32(8, .big)
        guard version == 1 else {
            log.note(offset, "btsnoop of version \(version) is not known", into: &sink)
            return .end
        }
        let number = bytes.word32(12, .big)
        link = LinkType(btsnoop: number)
        guard link != nil else {
            log.note(offset, "btsnoop of type \(number) (\(Self.name(number))) is not read", into: &sink)
            return .end
        }
        return .took(16)
    }

    private static func name(_ number: UInt32) -> String {
        switch number {
        case 1003: "HCI over BCSP"
        case 1004: "HCI over H5"
        case 2002: "a simulator's"
        default: "unknown"
        }
    }

    /// Reports the drops, which the recorder counts from the start of the file.
    private mutating func countDrops(
        _ count: UInt32, at offset: UInt64, _ number: Int, _ log: inout ReadingLog, into sink: inout some RecordSink
    ) {
        guard count != drops else { return }
        if count > drops {
            log.note(offset, number: number, "the recorder lost \(count - drops) records before this", into: &sink)
        }
        drops = count
    }

    private static func nanoseconds(_ word: UInt64) -> Int64? {
        let (since1970, isBefore) = Int64(bitPattern: word).subtractingReportingOverflow(epoch)
        let (time, isBeyond) = since1970.multipliedReportingOverflow(by: 1000)
        return isBefore || isBeyond ? nil : time
    }
}
