import MeshBluetoothHost
package import MeshCapture
import MeshWire

/// The file that a recorder makes of the records of an adapter: a growing file, of packets or of frames.
///
/// Its input are records. Its output are whole records and whole lines of the file, with counts for people. Whether
/// the records come from an adapter, from a file or from an array makes no difference. Memory is bounded by what
/// comes between two calls of `drain`, and by the connections that are open.
package struct AdapterRecording: RecordSink {
    /// The totals so far.
    package struct Tally: Hashable, Sendable {
        /// Records that were looked at.
        package var packets = 0
        /// Records that are none of the device that was asked for.
        package var otherPackets = 0
        /// Records that have no place in the file.
        package var refusedPackets = 0
        /// Records with keys that were overwritten.
        package var redactedPackets = 0
        /// Connections to companion radios.
        package var connections = 0
        /// Connections to other radios than the one whose recording it is.
        package var otherConnections = 0
        /// Companion frames of both directions, also where the file is one of packets.
        package var frames = 0
        /// The number of problems, refused records included.
        package var problems = 0

        package init() {}
    }

    /// A file of packets, with its state.
    private struct Packets {
        let format: CaptureFormat
        let interface: String?
        let keepsNanoseconds: Bool
        /// Both are there once the link type is known.
        var link: CapturedLink?
        var writer: (any RecordWriter)?
    }

    /// The counts up to the last record.
    package private(set) var tally = Tally()
    /// The last problem: a record that could not be read, or has no place in the file.
    package private(set) var lastProblem: CaptureProblem?
    /// The losses by scrubbing, a sentence each.
    package var losses: [String] { scrubber?.report.losses ?? [] }

    /// `nil` for a recording of frames.
    private var packets: Packets?
    /// `nil` where the keys of bondings stay.
    private var redactor: KeyRedactor?
    /// The header of the file, until it is written.
    private var head: RecordingHeader?
    /// `nil` where nothing is replaced.
    private var scrubber: RecordingScrubber?
    private var filter: PeerFilter?
    private var follower: LinkDecoder<CaptureReader<RecordingStream>>
    /// The number of problems that the follower has reported.
    private var problemsRead = 0
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    /// A file of all packets, as they are: with all secrets, or without the keys of bondings.
    ///
    /// - Parameters:
    ///   - format: pcap, pcapng or btsnoop; there is no writer of others.
    ///   - link: The link type of the records; the first record decides where it is unknown. Throws a
    ///     `CaptureProblem` when the format has no room for them.
    ///   - interface: The name of the interface in pcapng.
    ///   - keepsNanoseconds: True when the times have them.
    ///   - redactsKeys: Overwrites the keys of bondings with zeros; the packets around them stay.
    ///   - filter: The filter for the packets of one device.
    package init(
        packetsAs format: CaptureFormat, of link: LinkType? = nil, interface: String? = nil,
        keepsNanoseconds: Bool = true, redactsKeys: Bool = false, filter: PeerFilter? = nil
    ) throws(CaptureProblem) {
        packets = Packets(format: format, interface: interface, keepsNanoseconds: keepsNanoseconds)
        redactor = redactsKeys ? KeyRedactor() : nil
        follower = LinkDecoder(CaptureReader(RecordingStream(isOfOneRadio: false)))
        self.filter = filter
        if let link { try begin(RecordHeader(number: 0, offset: 0, nanoseconds: nil, link: link, originalLength: 0)) }
    }

    /// Makes a recording of the conversation of one radio and its apps.
    ///
    /// - Parameters:
    ///   - header: The head of the file. Without a date it has that of the first record, and waits for it.
    ///   - scrubbed: The secrets that are replaced before output; none when it is empty.
    ///   - salt: The salt of the replacements.
    ///   - filter: The filter for one device's packets.
    package init(
        framesUnder header: RecordingHeader, scrubbed: Set<RecordingHeader.Secret>, salt: [UInt8],
        filter: PeerFilter? = nil
    ) {
        scrubber = scrubbed.isEmpty ? nil : RecordingScrubber(of: scrubbed, salt: salt, in: header)
        follower = LinkDecoder(CaptureReader(RecordingStream()))
        self.filter = filter
        head = scrubber?.header ?? header
        if header.date != nil { beginRecording(at: nil) }
    }

    /// Lends the bytes of the file since the last time, with the end of each record and each line.
    package mutating func drain<E: Error>(_ body: (_ bytes: [UInt8], _ ends: [Int]) throws(E) -> Void) throws(E) {
        guard !bytes.isEmpty else { return }
        defer {
            bytes.removeAll(keepingCapacity: true)
            ends.removeAll(keepingCapacity: true)
        }
        try body(bytes, ends)
    }

    package mutating func take(_ header: RecordHeader, _ bytes: Span<UInt8>) {
        tally.packets += 1
        beginRecording(at: header.nanoseconds)
        guard filter?.keeps(header, bytes) ?? true else {
            tally.otherPackets += 1
            return
        }
        write(header, bytes)
        follower.take(header, bytes)
        follow()
    }

    package mutating func note(_ problem: CaptureProblem) {
        follower.note(problem)
        follow()
    }

    /// Ends the source: reports what waits, as it is.
    package mutating func finish() {
        beginRecording(at: nil)
        follower.sink.finish()
        follow()
    }

    // MARK: Packets

    private mutating func begin(_ header: RecordHeader) throws(CaptureProblem) {
        guard let packets, packets.link == nil else { return }
        guard let link = CapturedLink(header.link, in: packets.format) else {
            let number = header.link.pcapNumber.map { " \($0)" } ?? " that only other containers have"
            let reason = "\(packets.format.rawValue) has no room for records of a link type\(number)"
            throw CaptureProblem(offset: header.offset, number: header.number, reason)
        }
        self.packets?.link = link
        self.packets?.writer = link.writer(interface: packets.interface, keepsNanoseconds: packets.keepsNanoseconds)
        self.packets?.writer?.begin(into: &bytes)
        ends.append(bytes.count)
    }

    private mutating func write(_ header: RecordHeader, _ record: Span<UInt8>) {
        guard packets != nil else { return }
        do throws(CaptureProblem) {
            try begin(header)
            guard let link = packets?.link else { return }
            let (rewrapped, start) = try link.rewrapped(header, record)
            if redactor == nil {
                try packets?.writer?.write(rewrapped, record.extracting(start...), into: &bytes)
            } else {
                let redacted = redacted(header, record)
                try packets?.writer?.write(rewrapped, redacted.span.extracting(start...), into: &bytes)
            }
            ends.append(bytes.count)
        } catch {
            tally.refusedPackets += 1
            tally.problems += 1
            lastProblem = error
        }
    }

    private mutating func redacted(_ header: RecordHeader, _ record: Span<UInt8>) -> [UInt8] {
        var bytes = record.array
        if redactor?.redact(header, &bytes) == true { tally.redactedPackets += 1 }
        return bytes
    }

    // MARK: Frames

    private mutating func beginRecording(at time: Int64?) {
        guard var head else { return }
        head.date = head.date ?? time.flatMap(CalendarDay.init(nanoseconds:))?.description
        append(head.text)
        self.head = nil
    }

    /// Copies the results of the follower.
    private mutating func follow() {
        let (lines, stream) = follower.sink.withSink { ($0.drain(), $0) }
        for line in lines {
            if case .frame = line.event { tally.frames += 1 }
            if packets == nil { append((scrubber?.scrubbed(line) ?? line).line) }
        }
        (tally.connections, tally.otherConnections) = (stream.connections, stream.otherConnections)
        guard stream.problemCount > problemsRead else { return }
        tally.problems += stream.problemCount - problemsRead
        problemsRead = stream.problemCount
        lastProblem = stream.lastProblem
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        ends.append(bytes.count)
    }
}
