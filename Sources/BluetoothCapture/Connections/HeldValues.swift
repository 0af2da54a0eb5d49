/// Values and events of one connection that wait, in their order, until their kind is known.
///
/// Bytes lie one behind the other in one buffer that is reused, so that a write that waits for its response costs
/// no allocation. It is bounded: the owner drops the oldest when it `isFull`.
struct HeldValues {
    enum Kind {
        case write
        case notification
        case event
        /// Already reported, as a part of another.
        case taken
    }

    enum State {
        case settled
        /// A request that is not answered yet.
        case waiting
        case rejected(UInt8)
    }

    struct Entry {
        var kind: Kind
        var state: State
        var side: LinkSide
        var handle: UInt16
        /// The place of its bytes.
        var range: Range<Int>
        /// The length that it had on the link.
        var length: Int
        var record: Int
        var nanoseconds: Int64?

        var isCut: Bool { length > range.count }
    }

    private(set) var entries: [Entry] = []
    private(set) var bytes: [UInt8] = []
    /// The events, one for each entry that is one.
    private var events: [CaptureEvent] = []
    private var eventHead = 0
    /// The first entry that is still here.
    private(set) var head = 0
    /// The number of entries that were dropped from `entries` before: entries have numbers that stay.
    private var base = 0

    static let byteLimit = 65536
    static let entryLimit = 2048

    var isEmpty: Bool { head == entries.count }
    var isFull: Bool {
        guard !isEmpty else { return false }
        return entries.count - head >= Self.entryLimit
            || bytes.count - entries[head].range.lowerBound >= Self.byteLimit
    }
    /// The event that the first entry is.
    var firstEvent: CaptureEvent { events[eventHead] }
    /// The number that the next entry gets.
    var next: Int { base + entries.count }

    mutating func append(
        _ kind: Kind, _ state: State, _ side: LinkSide, handle: UInt16, _ value: Span<UInt8>, length: Int,
        _ record: RecordHeader
    ) {
        let start = bytes.count
        value.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        entries.append(
            Entry(
                kind: kind, state: state, side: side, handle: handle, range: start..<bytes.count, length: length,
                record: record.number, nanoseconds: record.nanoseconds))
    }

    mutating func append(_ event: CaptureEvent, _ record: RecordHeader) {
        events.append(event)
        entries.append(
            Entry(
                kind: .event, state: .settled, side: .central, handle: 0, range: bytes.count..<bytes.count,
                length: 0, record: record.number, nanoseconds: record.nanoseconds))
    }

    /// Sets the state of the entries with these numbers, as far as they are still here.
    mutating func settle(_ numbers: Range<Int>, _ state: State) {
        for number in numbers where number >= base + head && number < next { entries[number - base].state = state }
    }

    mutating func take(_ index: Int) {
        entries[index].kind = .taken
    }

    /// Drops the first entry; the memory is used again.
    mutating func removeFirst() {
        if case .event = entries[head].kind { eventHead += 1 }
        head += 1
        if isEmpty {
            base += entries.count
            entries.removeAll(keepingCapacity: true)
            bytes.removeAll(keepingCapacity: true)
            events.removeAll(keepingCapacity: true)
            head = 0
            eventHead = 0
        } else if head >= Self.entryLimit || entries[head].range.lowerBound >= Self.byteLimit {
            compact()
        }
    }

    private mutating func compact() {
        let cut = entries[head].range.lowerBound
        base += head
        entries.removeFirst(head)
        bytes.removeFirst(cut)
        events.removeFirst(eventHead)
        eventHead = 0
        for index in entries.indices {
            let range = entries[index].range
            entries[index].range = range.lowerBound - cut..<range.upperBound - cut
        }
        head = 0
    }
}
