public import MeshFirmware
public import MeshTime

/// The reason for which a frame that reached a listener's antenna was not received.
public enum RxLoss: UInt8, Hashable, Sendable, CaseIterable {
    /// Another frame was on the air at the listener and neither was strong enough to survive.
    case collision
    /// The listener was transmitting when the frame began, or began to while it was on the air.
    case halfDuplex
    /// The listener's board was starting, or without power.
    case off
    /// The listener changed its radio parameters while the frame was on the air.
    case retuned
    /// The sender's board restarted in the middle of the frame.
    case senderCut
    /// Below the SNR limit of its spreading factor, or so near to it that no modem noticed it.
    case tooWeak
    /// It would have survived, but the listener's modem was following another frame.
    case missed
    /// The loss of its link.
    case linkLoss
    /// A fault kept it from the listener: loss, or a partition.
    case fault
    /// A fault has made the listener deaf.
    case deaf
    /// A fault has spoiled it; the listener sees a wrong checksum.
    case corrupted
    /// Noise has spoiled it near the SNR limit; the listener sees a wrong checksum.
    case noise

    /// True when another frame was the reason: it was on the air, or the listener followed or sent it.
    public var isByFrame: Bool { self == .collision || self == .halfDuplex || self == .missed }
}

/// An event in the world, in the field's words. A frame keeps its number from txBegin to every rxEnd or rxDrop.
public enum TraceEvent: Hashable, Sendable {
    /// A node begins to send these bytes, which need this airtime.
    case txBegin(frame: UInt64, bytes: [UInt8], airtime: TimeSpan)
    /// A node has sent the frame to its end.
    case txEnd(frame: UInt64)
    /// A fault near the node sends a frame that was received there; it ends with txEnd as well.
    case replayBegin(frame: UInt64, bytes: [UInt8], airtime: TimeSpan)
    /// A modem follows the frame from its preamble on.
    case rxBegin(frame: UInt64)
    /// A modem has received the frame whole, this strongly.
    case rxEnd(frame: UInt64, signal: Signal)
    /// A modem did not receive the frame, with the reason; `by` is the frame that was in the way, where one was.
    case rxDrop(frame: UInt64, reason: RxLoss, by: UInt64?)
    /// One write to the node's client.
    case appBytes([UInt8])
    case appClosed
    /// The same for the client at a further interface of a radio that has several, by its number.
    case interfaceBytes(UInt8, [UInt8])
    /// The radio ends the connection at this further interface.
    case interfaceClosed(UInt8)
    case rebooted
    case booted
    case poweredOff
    /// The node writes these bytes to its bridge to another repeater.
    case bridged([UInt8])
    /// A fault of this number begins or is over; the node is the one it is about, or node 0.
    case fault(number: Int, begins: Bool)
    /// The node has broken a rule that every run must keep.
    case violated(Violation.Rule)
    /// An event that the node itself reports.
    case reported(NodeEvent)
}

/// One line of the trace.
public struct TraceRecord: Hashable, Sendable {
    /// The time of the event.
    public let time: Instant
    /// The node of the event.
    public let node: NodeID
    /// The event itself.
    public let event: TraceEvent

    public init(time: Instant, node: NodeID, event: TraceEvent) {
        self.time = time
        self.node = node
        self.event = event
    }
}

/// The last records of a run, as many as its capacity; the older ones are counted and forgotten.
public struct EventTrace: Sendable {
    /// The number of records that are kept; 0 switches tracing off.
    public let capacity: Int
    /// Records that were forgotten because newer ones needed their place.
    public private(set) var forgotten = 0
    private var ring: [TraceRecord] = []
    private var oldest = 0

    public init(capacity: Int) {
        precondition(capacity >= 0, "a trace cannot hold fewer than no records")
        self.capacity = capacity
    }

    /// True when anything is recorded at all.
    public var isOn: Bool { capacity > 0 }

    /// The records, oldest first.
    public var records: [TraceRecord] { Array(ring[oldest...] + ring[..<oldest]) }

    /// Returns the records, oldest first, and keeps none.
    mutating func take() -> [TraceRecord] {
        defer {
            ring.removeAll(keepingCapacity: true)
            oldest = 0
        }
        return records
    }

    mutating func append(_ record: TraceRecord) {
        guard ring.count == capacity else {
            ring.append(record)
            return
        }
        ring[oldest] = record
        oldest = (oldest + 1) % capacity
        forgotten += 1
    }
}

extension World {
    /// The trace since the last call, oldest record first: for runs whose whole trace is longer than memory.
    public mutating func takeTrace() -> [TraceRecord] { trace.take() }
}
