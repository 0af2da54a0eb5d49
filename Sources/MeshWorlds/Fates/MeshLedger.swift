import MeshCompanion
import MeshFirmware
import MeshPacket
package import MeshSimulator
package import MeshTime

/// Counts what a run's trace tells, and follows each message from the app's command to whoever gets it.
struct MeshLedger: Sendable {
    private struct Message: Sendable {
        let event: Traffic.Event
        let at: Instant
        /// The packet that carries it; `nil` until the sender has transmitted it first. Each attempt has one of its own.
        var packet: UInt64?
        /// The acknowledgements that the radio waits for, one for each attempt that it took; 0 for none.
        var tags: [UInt32] = []
        var isRefused = false
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

    private var topology: Topology
    private var totals = MeshSummary()
    private var losses = [Int](repeating: 0, count: 256)
    private var discards = [Int](repeating: 0, count: 256)
    private var messages: [Message] = []
    /// Messages of each node that it has not transmitted yet, oldest first.
    private var untransmitted: [[Int]]
    /// Which message a packet carries.
    private var messageOfPacket: [UInt64: Int] = [:]
    /// The message in each frame, by the frame's number; −1 for none of ours.
    private var messageOfFrame: [Int32] = []
    /// The message in the frame that each node received last.
    private var lastHeard: [Int32]

    init(_ topology: Topology) {
        self.topology = topology
        untransmitted = [[Int]](repeating: [], count: topology.nodes.count)
        lastHeard = [Int32](repeating: -1, count: topology.nodes.count)
        totals.nodes = topology.nodes.map { MeshSummary.NodeShare(name: $0.label, role: $0.role.rawValue) }
    }

    /// A node more, which nobody has written to yet.
    mutating func add(_ node: Topology.Node) {
        topology.nodes.append(node)
        untransmitted.append([])
        lastHeard.append(-1)
        totals.nodes.append(MeshSummary.NodeShare(name: node.label, role: node.role.rawValue))
    }

    // MARK: Messages

    /// How many messages have an account.
    var count: Int { messages.count }

    /// What is known of a message; its number counts from 1.
    func account(of number: Int) -> MessageAccount {
        let message = messages[number - 1]
        let standing: MessageAccount.Standing =
            if message.acknowledged != nil {
                .acknowledged
            } else if message.isRefused {
                .refused
            } else {
                message.packet == nil ? .waiting : .sent
            }
        return MessageAccount(
            number: number, event: message.event, at: message.at, standing: standing,
            deliveries: message.deliveries.map { (NodeID(index: $0.node), $0.at) }, acknowledged: message.acknowledged)
    }

    /// Opens an account for a message; its number, counted from 1.
    mutating func open(_ event: Traffic.Event, at time: Instant) -> Int {
        messages.append(Message(event: event, at: time))
        untransmitted[event.from].append(messages.count - 1)
        return messages.count
    }

    /// The app hands a message in once more.
    mutating func sendAgain(_ number: Int) {
        untransmitted[messages[number - 1].event.from].append(number - 1)
    }

    /// Enters what an app has learned; the number of the message that is acknowledged by it.
    mutating func enter(_ news: MeshApp.News, of node: Int, at time: Instant) -> Int? {
        switch news {
        case .taken(let number, let sent): messages[number - 1].tags.append(sent.tag)
        case .refused(let number):
            messages[number - 1].isRefused = messages[number - 1].tags.isEmpty
            // An earlier attempt may be in the radio's queue still.
            if let last = untransmitted[node].lastIndex(of: number - 1) { untransmitted[node].remove(at: last) }
        case .confirmed(let tag):
            let found = messages.lastIndex {
                $0.event.from == node && tag != 0 && $0.acknowledged == nil && $0.tags.contains(tag)
            }
            guard let found else { return nil }
            messages[found].acknowledged = time
            return found + 1
        case .loggedIn, .received, .heard: break
        }
        return nil
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
        case .rxEnd(let frame, _):
            totals.receptions += 1
            totals.nodes[node].received += 1
            lastHeard[node] = message(in: frame)
        case .rxDrop(_, let reason, _):
            losses[Int(reason.rawValue)] += 1
            totals.nodes[node].lost += 1
        case .reported(let event): enter(event, of: node, at: record.time)
        default: break
        }
    }

    private mutating func enter(_ frame: UInt64, _ bytes: [UInt8], from node: Int?) {
        while messageOfFrame.count <= Int(frame) { messageOfFrame.append(-1) }
        guard let view = try? PacketView(bytes) else { return }
        let packet = view.packetHash
        if messageOfPacket[packet] == nil, let node {
            let place = untransmitted[node].firstIndex { messages[$0].type == view.type }
            guard let place else { return }
            let index = untransmitted[node].remove(at: place)
            messages[index].packet = packet
            messageOfPacket[packet] = index
        }
        messageOfFrame[Int(frame)] = messageOfPacket[packet].map { Int32(clamping: $0) } ?? -1
    }

    private func message(in frame: UInt64) -> Int32 {
        frame < UInt64(messageOfFrame.count) ? messageOfFrame[Int(frame)] : -1
    }

    private mutating func enter(_ event: NodeEvent, of node: Int, at time: Instant) {
        switch event {
        case .forwarded: totals.forwards += 1
        case .rxDrop(let reason): discards[Int(reason.rawValue)] += 1
        case .delivered(let type):
            let index = Int(lastHeard[node])
            guard index >= 0, messages[index].type == PayloadType(rawValue: type) else { return }
            guard !messages[index].deliveries.contains(where: { $0.node == node }) else { return }
            guard isRecipient(node, of: messages[index].event) else { return }
            messages[index].deliveries.append((node, time))
        default: break
        }
    }

    /// Whom a message is for.
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

/// What is known of one message of a run.
package struct MessageAccount: Sendable {
    /// How far a message has come.
    package enum Standing: String, Sendable, CaseIterable {
        /// Its radio has not transmitted it yet.
        case waiting
        case sent
        /// Its radio did not take it.
        case refused
        /// The sender's app knows that it has arrived.
        case acknowledged
    }

    /// Counted from 1.
    package let number: Int
    /// Who said what to whom.
    package let event: Traffic.Event
    /// When the app gave it to its radio.
    package let at: Instant
    package let standing: Standing
    /// The recipients that it reached, each once, in the order of arrival.
    package let deliveries: [(node: NodeID, at: Instant)]
    package let acknowledged: Instant?
}
