package import BluetoothCapture
import CPcap
import Glibc

/// Reads the packets of a Bluetooth adapter live, through libpcap.
///
/// ```swift
/// let capture = try LiveCapture(interface: LiveInterface.monitor)
/// while try capture.read(into: &sink, waiting: 200) != .ended {}
/// ```
///
/// It blocks the thread that reads, so it belongs on one of its own.
package final class LiveCapture {
    /// The result of a call of `read`.
    package enum Batch: Hashable, Sendable {
        /// The number of records, 0 when none came in time.
        case records(Int)
        /// A file is over.
        case ended
    }

    /// Records of one call at most, so that what came is written soon.
    static let batchLimit = 256
    /// Longer records are cut; no packet of an adapter is as long.
    static let snapshotLength: Int32 = 262_144

    /// The link type of the records.
    package let link: LinkType
    let handle: OpaquePointer
    private let isLive: Bool
    private var count = 0

    /// Opens an interface. Needs CAP_NET_RAW.
    package init(interface: String) throws(LiveCaptureError) {
        do throws(PcapFailure) {
            handle = try Self.activated(interface)
            link = LinkType(pcap: UInt32(bitPattern: pcap_datalink(handle)))
            isLive = true
        } catch {
            throw LiveCaptureError(opening: interface, error, known: (try? LiveInterface.all()) ?? [])
        }
    }

    /// Opens a file of libpcap's, pcap or pcapng, as if it were an interface.
    package init(file path: String) throws(LiveCaptureError) {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let handle = pcap_open_offline(path, &message) else {
            throw LiveCaptureError(.failed, PcapFailure.text(message))
        }
        self.handle = handle
        link = LinkType(pcap: UInt32(bitPattern: pcap_datalink(handle)))
        isLive = false
    }

    deinit {
        pcap_close(handle)
    }

    private static func activated(_ interface: String) throws(PcapFailure) -> OpaquePointer {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let handle = pcap_create(interface, &message) else { throw PcapFailure(-1, PcapFailure.text(message)) }
        pcap_set_snaplen(handle, snapshotLength)
        let status = pcap_activate(handle)
        // Warnings are positive.
        guard status >= 0 else {
            let failure = PcapFailure(status, String(cString: pcap_geterr(handle)))
            pcap_close(handle)
            throw failure
        }
        guard pcap_setnonblock(handle, 1, &message) == 0 else {
            pcap_close(handle)
            throw PcapFailure(-1, PcapFailure.text(message))
        }
        return handle
    }

    /// Lends the next records to a sink: those that are there, or the first that come in time.
    ///
    /// Throws when the adapter is gone.
    package func read(
        into sink: inout some RecordSink, waiting milliseconds: Int32
    ) throws(LiveCaptureError) -> Batch {
        var number = try drain(into: &sink)
        if number == .records(0), isLive {
            waitForInput(milliseconds)
            number = try drain(into: &sink)
        }
        return number
    }

    private func drain(into sink: inout some RecordSink) throws(LiveCaptureError) -> Batch {
        var header: UnsafeMutablePointer<pcap_pkthdr>?
        var bytes: UnsafePointer<UInt8>?
        for number in 0..<Self.batchLimit {
            switch pcap_next_ex(handle, &header, &bytes) {
            case 1:
                if let header, let bytes { take(header.pointee, bytes, into: &sink) }
            case 0: return .records(number)
            case PCAP_ERROR_BREAK: return number > 0 ? .records(number) : .ended
            default: throw LiveCaptureError(.failed, String(cString: pcap_geterr(handle)))
            }
        }
        return .records(Self.batchLimit)
    }

    private func take(_ record: pcap_pkthdr, _ bytes: UnsafePointer<UInt8>, into sink: inout some RecordSink) {
        count += 1
        let nanoseconds = Int64(record.ts.tv_sec) &* 1_000_000_000 &+ Int64(record.ts.tv_usec) &* 1000
        let header = RecordHeader(
            number: count, offset: 0, nanoseconds: nanoseconds, link: link, originalLength: Int(record.len))
        sink.take(header, Span(_unsafeStart: bytes, count: Int(record.caplen)))
    }

    private func waitForInput(_ milliseconds: Int32) {
        var waiting = pollfd(fd: pcap_get_selectable_fd(handle), events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, milliseconds)
    }
}
