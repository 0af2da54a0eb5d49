import MeshFirmware
import MeshRadio
import MeshTime

/// Remains of messages: their copies and the acknowledgements of them that are on the air or in queues.
///
/// It reads a world's trace, and the caller names the message in each frame. A copy begins with a transmission. It is
/// at each receiver until that node has decided about it, then in the node's queue until it is transmitted. A node that
/// goes down loses all that it had.
///
/// ```
/// txBegin -> on the air -> rxEnd -> with a listener -> forwarded -> queued -> txBegin …
///                 | txEnd               | discard, delivered           | down
/// ```
struct MessageRemains: Sendable {
    /// A message, by its place in the ledger, or the acknowledgement of one.
    struct Carried: Hashable, Sendable {
        let message: Int
        let isAcknowledgement: Bool
    }

    /// Remains of one message.
    private struct Counts: Sendable {
        var copies = 0
        var acknowledgements = 0
    }

    /// A packet that a node has received last, or has decided about last.
    private struct Hearing: Sendable {
        /// `nil` for what is no message of ours.
        let carried: Carried?
        let at: Instant
        /// True while the node has not decided about it.
        var isOpen: Bool
    }

    /// A flood about which a node has not decided.
    private struct Undecided: Sendable {
        let node: Int
        let carried: Carried
        /// The node decides by then.
        let until: Instant
    }

    /// The longest that a node keeps a flood before it decides.
    private static let longestDelay = TimeSpan.milliseconds(Int64(PacketScore.longestReceiveDelayMilliseconds))

    private var counts: [Counts] = []
    /// The frame that each node is sending.
    private var sending: [(frame: UInt64, carried: Carried)?]
    private var hearing: [Hearing?]
    private var queued: [[Carried]]
    /// Floods in the order of the latest moment of their decision.
    private var undecided: [Undecided] = []
    /// Messages of which something has come to an end, and when; in the order of time.
    private(set) var suspects: [(message: Int, at: Instant)] = []

    init(nodes: Int) {
        sending = Array(repeating: nil, count: nodes)
        hearing = Array(repeating: nil, count: nodes)
        queued = Array(repeating: [], count: nodes)
    }

    mutating func addNode() {
        sending.append(nil)
        hearing.append(nil)
        queued.append([])
    }

    mutating func addMessage() { counts.append(Counts()) }

    // MARK: Asking

    func hasCopies(of message: Int) -> Bool { counts[message].copies > 0 }

    func hasAcknowledgements(of message: Int) -> Bool { counts[message].acknowledgements > 0 }

    /// Tells whether a part of any message has ended before this moment.
    func hasSuspects(before time: Instant) -> Bool {
        suspects.first.map { $0.at < time } ?? false || undecided.first.map { $0.until < time } ?? false
    }

    /// Looks at a message again once time has passed.
    mutating func suspect(_ message: Int, at time: Instant) {
        let place = suspects.lastIndex { $0.at <= time }.map { $0 + 1 } ?? 0
        suspects.insert((message, time), at: place)
    }

    /// Removes and returns the messages of which a part had ended before this moment; its consequences have been
    /// handled.
    mutating func takeSuspects(before time: Instant) -> [(message: Int, at: Instant)] {
        release(before: time)
        guard let first = suspects.first, first.at < time else { return [] }
        let end = suspects.firstIndex { $0.at >= time } ?? suspects.endIndex
        defer { suspects.removeFirst(end) }
        return Array(suspects[..<end])
    }

    /// Floods that must have been decided about by now without a word.
    private mutating func release(before time: Instant) {
        while let first = undecided.first, first.until < time {
            undecided.removeFirst()
            remove(first.carried, at: first.until)
        }
    }

    // MARK: The way of a copy

    /// A node begins to send; `nil` for what is no message of ours.
    mutating func sends(_ carried: Carried?, in frame: UInt64, from node: Int) {
        sending[node] = nil
        guard let carried else { return }
        if let place = queued[node].firstIndex(of: carried) {
            queued[node].remove(at: place)
        } else {
            add(carried)
        }
        sending[node] = (frame, carried)
    }

    mutating func hasSent(_ frame: UInt64, from node: Int, at time: Instant) {
        guard let sent = sending[node], sent.frame == frame else { return }
        sending[node] = nil
        remove(sent.carried, at: time)
    }

    /// A node has received a frame whole. It decides at once, but for floods, which it may keep for a while.
    mutating func hears(_ carried: Carried?, isFlood: Bool, at node: Int, _ time: Instant) {
        hearing[node] = Hearing(carried: carried, at: time, isOpen: isFlood && carried != nil)
        guard let carried, isFlood else { return }
        undecided.append(Undecided(node: node, carried: carried, until: time + Self.longestDelay))
        add(carried)
    }

    /// Words of a node about what it has received.
    mutating func reports(_ event: NodeEvent, at node: Int, _ time: Instant) {
        guard let carried = decided(node, time) else { return }
        switch event {
        case .forwarded: queue(carried, at: node)
        case .rxDrop(.queueFull):
            // It had said before that it would send it on.
            guard let place = queued[node].lastIndex(of: carried) else { return }
            queued[node].remove(at: place)
            remove(carried, at: time)
        default: break
        }
    }

    /// A node is about to send something without an earlier event: its acknowledgement.
    mutating func owes(_ message: Int, at node: Int) {
        queue(Carried(message: message, isAcknowledgement: true), at: node)
    }

    private mutating func queue(_ carried: Carried, at node: Int) {
        queued[node].append(carried)
        add(carried)
    }

    /// A node has lost all that it had.
    mutating func goesDown(_ node: Int, at time: Instant) {
        if let sent = sending[node] { remove(sent.carried, at: time) }
        sending[node] = nil
        hearing[node] = nil
        for carried in queued[node] { remove(carried, at: time) }
        queued[node].removeAll(keepingCapacity: true)
        for kept in undecided where kept.node == node { remove(kept.carried, at: time) }
        undecided.removeAll { $0.node == node }
    }

    /// The message that a node's word at this moment is about, which counts as decided from then on.
    private mutating func decided(_ node: Int, _ time: Instant) -> Carried? {
        let place: Int?
        if let heard = hearing[node], heard.at == time {
            guard heard.isOpen else { return heard.carried }
            place = undecided.lastIndex { $0.node == node }
        } else {
            // A flood that it has kept.
            place = undecided.firstIndex { $0.node == node }
        }
        guard let place else { return nil }
        let carried = undecided.remove(at: place).carried
        remove(carried, at: time)
        // More words of this moment are about it too.
        hearing[node] = Hearing(carried: carried, at: time, isOpen: false)
        return carried
    }

    // MARK: Counting

    private mutating func add(_ carried: Carried) {
        if carried.isAcknowledgement {
            counts[carried.message].acknowledgements += 1
        } else {
            counts[carried.message].copies += 1
        }
    }

    private mutating func remove(_ carried: Carried, at time: Instant) {
        let left: Int
        if carried.isAcknowledgement {
            counts[carried.message].acknowledgements -= 1
            left = counts[carried.message].acknowledgements
        } else {
            counts[carried.message].copies -= 1
            left = counts[carried.message].copies
        }
        if left == 0 { suspect(carried.message, at: time) }
    }
}
