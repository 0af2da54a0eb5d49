import MeshCompanion
import MeshFirmware
import MeshPacket
package import MeshSimulator
package import MeshTime

/// Counts the events of a run's trace, and follows each message from the app's command to its recipients.
struct MeshLedger: Sendable {
    private struct Message: Sendable {
        let event: Traffic.Event
        /// The recipient as the sender calls it; `nil` where the event names it.
        let to: String?
        let at: Instant
        /// The packet that carries it; `nil` until the sender has transmitted it first. Each attempt has one of its
        /// own.
        var packet: UInt64?
        /// The acknowledgements that the radio waits for, one for each attempt that it accepted; 0 for none.
        var tags: [UInt32] = []
        var isRefused = false
        /// Its radio, or the link to it, went down with it.
        var isLost = false
        /// The moment when its radio received the acknowledgement, which it then reports to the app.
        var confirmed: Instant?
        /// True when any radio has received a copy; then the same of the recipient's radio, and of a loss there.
        var isReceived = false
        var isReceivedByRecipient = false
        var isLostAtRecipient = false
        var end: MessageEnd?
        var deliveries: [(node: Int, at: Instant)] = []
        var acknowledged: Instant?

        var type: PayloadType {
            switch event.message {
            case .channelText: .grpTxt
            case .directText: .txtMsg
            case .advert: .advert
            }
        }
    }

    /// The longest time between an acknowledgement and the radio's report to its app; an absent app gets none.
    private static let longestTelling = TimeSpan.seconds(5)

    private var topology: Topology
    private var totals = MeshSummary()
    private var losses = [Int](repeating: 0, count: 256)
    private var discards = [Int](repeating: 0, count: 256)
    private var messages: [Message] = []
    /// Messages of each node that it has not transmitted yet, oldest first.
    private var untransmitted: [[Int]]
    /// The message that each packet carries.
    private var messageOfPacket: [UInt64: Int] = [:]
    /// The message that each packet acknowledges, by the packet, and by the content of the acknowledgement.
    private var messageOfAcknowledgement: [UInt64: Int] = [:]
    private var messageOfTag: [UInt32: Int] = [:]
    /// The message that each node is about to acknowledge; −1 for none.
    private var owed: [Int32]
    /// The content of each frame, by its number: a `Carried.code`; −1 for nothing of ours.
    private var carriedByFrame: [Int32] = []
    /// The message in the frame that each node received last.
    private var lastHeard: [Int32]
    private var remains: MessageRemains

    init(_ topology: Topology) {
        self.topology = topology
        untransmitted = [[Int]](repeating: [], count: topology.nodes.count)
        lastHeard = [Int32](repeating: -1, count: topology.nodes.count)
        owed = lastHeard
        remains = MessageRemains(nodes: topology.nodes.count)
        totals.nodes = topology.nodes.map { MeshSummary.NodeShare(name: $0.label, role: $0.role.rawValue) }
    }

    /// Adds a node, for which there is no message yet.
    mutating func add(_ node: Topology.Node) {
        topology.nodes.append(node)
        untransmitted.append([])
        lastHeard.append(-1)
        owed.append(-1)
        remains.addNode()
        totals.nodes.append(MeshSummary.NodeShare(name: node.label, role: node.role.rawValue))
    }

    // MARK: Messages

    /// The number of messages that have an account.
    var count: Int { messages.count }

    /// Facts about a message at a moment that has come; its number counts from 1.
    func account(of number: Int, at now: Instant) -> MessageAccount {
        let message = messages[number - 1]
        let isSuspected = remains.suspects.contains { $0.message == number - 1 && $0.at < now }
        let end = message.end ?? (isSuspected ? ending(of: number - 1, before: now) : nil)
        let isDelivered = !message.deliveries.isEmpty && message.deliveries.count == recipientCount(of: message.event)
        let standing = MessageStanding(
            isTransmitted: message.packet != nil, isDelivered: isDelivered,
            isAcknowledged: message.acknowledged != nil, end: end)
        return MessageAccount(
            number: number, event: message.event, to: message.to, at: message.at, standing: standing,
            end: message.acknowledged == nil ? end : nil,
            deliveries: message.deliveries.map { (NodeID(index: $0.node), $0.at) }, acknowledged: message.acknowledged)
    }

    /// Opens an account for a message; returns its number, counted from 1.
    mutating func open(_ event: Traffic.Event, to: String? = nil, at time: Instant) -> Int {
        messages.append(Message(event: event, to: to, at: time))
        remains.addMessage()
        untransmitted[event.from].append(messages.count - 1)
        return messages.count
    }

    /// Adds one more attempt of a message to the queue of its sender.
    mutating func sendAgain(_ number: Int) {
        untransmitted[messages[number - 1].event.from].append(number - 1)
    }

    /// Enters news of an app; returns the number of the message that they acknowledge.
    mutating func enter(_ news: MeshApp.News, of node: Int, at time: Instant) -> Int? {
        switch news {
        case .taken(let number, let sent): messages[number - 1].tags.append(sent.tag)
        case .refused(let number):
            messages[number - 1].isRefused = messages[number - 1].tags.isEmpty
            if messages[number - 1].isRefused { remains.suspect(number - 1, at: time) }
            // An earlier attempt may be in the radio's queue still.
            if let last = untransmitted[node].lastIndex(of: number - 1) { untransmitted[node].remove(at: last) }
        case .confirmed(let tag):
            let found = messages.lastIndex {
                $0.event.from == node && tag != 0 && $0.acknowledged == nil && $0.tags.contains(tag)
            }
            guard let found else { return nil }
            messages[found].acknowledged = time
            return found + 1
        case .loggedIn, .received, .heard, .answered, .logged: break
        }
        return nil
    }

    // MARK: Ends

    /// A message that has come to its end.
    struct Ended {
        let number: Int
        let node: Int
        let at: Instant
        let end: MessageEnd
    }

    /// Tells whether a part of any message has ended before this moment.
    func mayHaveEnds(before now: Instant) -> Bool { remains.hasSuspects(before: now) }

    /// Removes and returns the messages that have ended before this moment, and of which nothing more can come.
    ///
    /// - Parameter isKept: whether an app is going to send a message once more, by its number.
    mutating func takeEnds(before now: Instant, unless isKept: (Int) -> Bool) -> [Ended] {
        var ends: [Ended] = []
        for (place, time) in remains.takeSuspects(before: now) {
            guard let end = ending(of: place, before: now) else { continue }
            guard !isKept(place + 1) else {
                remains.suspect(place, at: now)
                continue
            }
            messages[place].end = end
            ends.append(Ended(number: place + 1, node: messages[place].event.from, at: time, end: end))
        }
        return ends
    }

    /// The end of a message of which nothing is left; `nil` while something is, and where the end is known already.
    private func ending(of place: Int, before now: Instant) -> MessageEnd? {
        let message = messages[place]
        guard message.end == nil, message.acknowledged == nil else { return nil }
        if let confirmed = message.confirmed { return confirmed + Self.longestTelling < now ? .notTold : nil }
        if message.isRefused { return .refused }
        guard message.packet != nil else { return message.isLost ? .radioDown : nil }
        guard !remains.hasCopies(of: place) else { return nil }
        guard !message.deliveries.isEmpty else { return failure(of: message) }
        if case .directText = message.event.message {
            return remains.hasAcknowledgements(of: place) ? nil : .acknowledgementLost
        }
        return message.deliveries.count == recipientCount(of: message.event) ? .delivered : .partlyDelivered
    }

    private func failure(of message: Message) -> MessageEnd {
        if message.isReceivedByRecipient { return .notOpened }
        if message.isLostAtRecipient { return .lost }
        return message.isReceived ? .notReached : .notReceived
    }

    /// Ends a message that was lost on the way to its radio, or went down with the radio.
    mutating func lose(_ number: Int, at time: Instant) {
        let place = number - 1
        guard messages[place].packet == nil else { return }
        untransmitted[messages[place].event.from].removeAll { $0 == place }
        messages[place].isLost = true
        remains.suspect(place, at: time)
    }

    private mutating func goesDown(_ node: Int, at time: Instant) {
        remains.goesDown(node, at: time)
        owed[node] = -1
        for place in untransmitted[node] where !messages[place].tags.isEmpty { lose(place + 1, at: time) }
    }

    // MARK: Trace

    mutating func enter(_ record: TraceRecord) {
        let node = record.node.index
        switch record.event {
        case .txBegin(let frame, let bytes, let airtime):
            totals.transmissions += 1
            totals.nodes[node].transmissions += 1
            totals.nodes[node].airtimeMilliseconds += airtime.microseconds
            enter(frame, bytes, from: node)
        case .replayBegin(let frame, let bytes, _): enter(frame, bytes, from: nil)
        case .txEnd(let frame): remains.hasSent(frame, from: node, at: record.time)
        case .rxEnd(let frame, _):
            totals.receptions += 1
            totals.nodes[node].received += 1
            hear(frame, at: node, record.time)
        case .rxDrop(let frame, let reason, _):
            losses[Int(reason.rawValue)] += 1
            totals.nodes[node].lost += 1
            if let place = carried(by: frame)?.text, isRecipient(node, of: messages[place].event) {
                messages[place].isLostAtRecipient = true
            }
        case .reported(let event): enter(event, of: node, at: record.time)
        case .rebooted, .poweredOff: goesDown(node, at: record.time)
        default: break
        }
    }

    private mutating func enter(_ frame: UInt64, _ bytes: [UInt8], from node: Int?) {
        while carriedByFrame.count <= Int(frame) { carriedByFrame.append(-1) }
        guard let view = try? PacketView(bytes) else { return }
        let packet = view.packetHash
        if let node, messageOfPacket[packet] == nil, messageOfAcknowledgement[packet] == nil {
            find(packet, view, from: node)
        }
        let carried = carried(in: packet)
        carriedByFrame[Int(frame)] = carried?.code(isFlood: view.isFlood) ?? -1
        if let node { remains.sends(carried, in: frame, from: node) }
    }

    /// Finds the message in a packet that no node has sent before.
    private mutating func find(_ packet: UInt64, _ view: PacketView, from node: Int) {
        if let message = acknowledgement(in: view, from: node) {
            messageOfAcknowledgement[packet] = message
            return
        }
        guard let place = untransmitted[node].firstIndex(where: { messages[$0].type == view.type }) else { return }
        let message = untransmitted[node].remove(at: place)
        messages[message].packet = packet
        messageOfPacket[packet] = message
    }

    /// The message that a packet acknowledges: by what it carries, or as the path that goes with an acknowledgement.
    private mutating func acknowledgement(in view: PacketView, from node: Int) -> Int? {
        let message: Int?
        switch view.type {
        case .ack: message = view.number(at: 0).flatMap { messageOfTag[$0] }
        case .multipart: message = view.number(at: 1).flatMap { messageOfTag[$0] }
        case .path: message = owed[node] >= 0 ? Int(owed[node]) : nil
        default: return nil
        }
        if message != nil { owed[node] = -1 }
        return message
    }

    private func carried(in packet: UInt64) -> MessageRemains.Carried? {
        if let message = messageOfPacket[packet] { return .init(message: message, isAcknowledgement: false) }
        return messageOfAcknowledgement[packet].map { .init(message: $0, isAcknowledgement: true) }
    }

    private func carried(by frame: UInt64) -> MessageRemains.Carried? {
        frame < UInt64(carriedByFrame.count) ? MessageRemains.Carried(code: carriedByFrame[Int(frame)]) : nil
    }

    private mutating func hear(_ frame: UInt64, at node: Int, _ time: Instant) {
        let carried = carried(by: frame)
        let isFlood = carried != nil && MessageRemains.Carried.isFlood(code: carriedByFrame[Int(frame)])
        remains.hears(carried, isFlood: isFlood, at: node, time)
        lastHeard[node] = carried?.text.map { Int32(clamping: $0) } ?? -1
        guard let place = carried?.text else { return }
        messages[place].isReceived = true
        if isRecipient(node, of: messages[place].event) { messages[place].isReceivedByRecipient = true }
    }

    private mutating func enter(_ event: NodeEvent, of node: Int, at time: Instant) {
        remains.reports(event, at: node, time)
        switch event {
        case .forwarded: totals.forwards += 1
        case .rxDrop(let reason): discards[Int(reason.rawValue)] += 1
        case .acknowledging(let tag):
            guard lastHeard[node] >= 0 else { return }
            messageOfTag[tag] = Int(lastHeard[node])
            owed[node] = lastHeard[node]
            remains.owes(Int(lastHeard[node]), at: node)
        case .acked(let tag):
            let found = messages.lastIndex { $0.event.from == node && $0.acknowledged == nil && $0.tags.contains(tag) }
            guard let found, tag != 0 else { return }
            messages[found].confirmed = time
            remains.suspect(found, at: time + Self.longestTelling)
        case .delivered(let type):
            let index = Int(lastHeard[node])
            guard index >= 0, messages[index].type == PayloadType(rawValue: type) else { return }
            guard !messages[index].deliveries.contains(where: { $0.node == node }) else { return }
            guard isRecipient(node, of: messages[index].event) else { return }
            messages[index].deliveries.append((node, time))
        }
    }

    private func recipientCount(of event: Traffic.Event) -> Int {
        switch event.message {
        case .channelText, .advert: topology.nodes.indices.count { isRecipient($0, of: event) }
        case .directText: 1
        }
    }

    /// Tells whether a message is for this node.
    private func isRecipient(_ node: Int, of event: Traffic.Event) -> Bool {
        switch event.message {
        case .channelText, .advert: node != event.from && topology.nodes[node].role == .companion
        case .directText(let to, _): node == to
        }
    }

    // MARK: Sum

    func summary() -> MeshSummary {
        var summary = totals
        for index in summary.nodes.indices {
            summary.airtimeMilliseconds += summary.nodes[index].airtimeMilliseconds
            summary.nodes[index].airtimeMilliseconds /= 1000
        }
        summary.airtimeMilliseconds /= 1000
        summary.losses = RxLoss.allCases.map { .init(name: "\($0)", count: losses[Int($0.rawValue)]) }
        summary.discards = DropReason.allCases.map { .init(name: "\($0)", count: discards[Int($0.rawValue)]) }
        summary.deliveries = deliveries()
        return summary
    }

    private func deliveries() -> [MeshSummary.Delivery] {
        let companions = topology.nodes.count { $0.role == .companion }
        let kinds: [(String, PayloadType)] = [("channel text", .grpTxt), ("direct text", .txtMsg), ("advert", .advert)]
        return kinds.compactMap { name, type in
            let ours = messages.filter { $0.type == type }
            guard !ours.isEmpty else { return nil }
            var delivery = MeshSummary.Delivery(kind: name)
            delivery.sent = ours.count
            delivery.refused = ours.count { $0.isRefused }
            delivery.expected = ours.count * (type == .txtMsg ? 1 : companions - 1)
            delivery.delivered = ours.reduce(0) { $0 + $1.deliveries.count }
            delivery.acknowledged = ours.count { $0.acknowledged != nil }
            delivery.attempts = ours.reduce(0) { $0 + $1.tags.count }
            delivery.latencyMilliseconds = .init(
                ours.flatMap { message in message.deliveries.map { ($0.at - message.at).milliseconds } })
            delivery.roundTripMilliseconds = .init(
                ours.compactMap { message in message.acknowledged.map { ($0 - message.at).milliseconds } })
            return delivery
        }
    }
}

/// The facts about one message of a run.
package struct MessageAccount: Sendable {
    /// The number of the message, counted from 1.
    package let number: Int
    /// The event of the traffic that made a node send the message.
    package let event: Traffic.Event
    /// The recipient as the sender calls it; `nil` where the event names it.
    package let to: String?
    /// The moment when the app gave it to its radio.
    package let at: Instant
    package let standing: MessageStanding
    /// The end of the message, if it ended without an acknowledgement.
    package let end: MessageEnd?
    /// True while something may still come of it: it waits, is on its way, or its acknowledgement is.
    package var isOpen: Bool { acknowledged == nil && end == nil }
    /// The recipients that it reached, each once, in the order of arrival.
    package let deliveries: [(node: NodeID, at: Instant)]
    package let acknowledged: Instant?
}

extension PacketView {
    /// Four bytes of the payload from there on, low byte first.
    fileprivate func number(at offset: Int) -> UInt32? {
        var number: UInt32 = 0
        for place in 0..<4 {
            guard let byte = payloadByte(at: offset + place) else { return nil }
            number |= UInt32(byte) << UInt32(8 * place)
        }
        return number
    }
}

extension MessageRemains.Carried {
    /// The message that is carried itself; `nil` for an acknowledgement.
    fileprivate var text: Int? { isAcknowledgement ? nil : message }

    /// The content as a number of a column: the message, a bit for an acknowledgement, and one for a flood.
    fileprivate func code(isFlood: Bool) -> Int32 {
        Int32(clamping: message << 2 | (isAcknowledgement ? 2 : 0) | (isFlood ? 1 : 0))
    }

    fileprivate init?(code: Int32) {
        guard code >= 0 else { return nil }
        self.init(message: Int(code >> 2), isAcknowledgement: code & 2 != 0)
    }

    fileprivate static func isFlood(code: Int32) -> Bool { code & 1 != 0 }
}
