import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire
import PocketMeshServices

/// Holds what the stack has stored against what the radios said by the trace.
struct HourChecks {
    typealias Saying = HourPlan.Saying

    let record: HourRecord
    private(set) var findings = HourFindings()
    private(set) var tally = HourTally()
    /// What alice's radio handed out, as its app can tell texts apart.
    private let handed: [HandedKey: Set<UInt32>]
    /// The timestamps with which each of alice's texts was handed to each peer.
    private let heard: [HeardKey: Set<UInt32>]

    private struct HandedKey: Hashable {
        /// Of the contact or room, or the channel's number.
        var place: HourPlan.Target
        var text: String
    }

    private struct HeardKey: Hashable {
        var peer: Int
        var text: String
    }

    init(_ record: HourRecord) {
        self.record = record
        var handed: [HandedKey: Set<UInt32>] = [:]
        for text in record.alice.texts {
            guard let place = record.place(of: text) else { continue }
            handed[HandedKey(place: place, text: record.bare(text)), default: []].insert(text.timestamp)
        }
        var heard: [HeardKey: Set<UInt32>] = [:]
        for peer in record.keys.peers.indices {
            for text in record.radio(ofPeer: peer).texts {
                heard[HeardKey(peer: peer, text: record.bare(text)), default: []].insert(text.timestamp)
            }
        }
        self.handed = handed
        self.heard = heard
    }

    mutating func run() {
        for peer in record.books.contacts.indices { checkContact(peer) }
        for channel in record.books.channels.indices { checkChannel(channel) }
        for room in record.books.rooms.indices { checkRoom(room) }
        checkEnd()
    }

    private func wasHanded(_ place: HourPlan.Target, _ text: String) -> Bool {
        handed[HandedKey(place: place, text: text)] != nil
    }

    private func sayings(of speaker: Int?, to target: HourPlan.Target) -> [Saying] {
        (speaker.map { record.plan.peers[$0] } ?? record.plan.alice).filter { $0.target == target }
    }

    /// Whether a peer's app was told that one of its texts arrived.
    private func wasAcknowledged(_ saying: Saying) -> Bool {
        guard let peer = saying.speaker else { return false }
        let confirmations = record.radio(ofPeer: peer).confirmations
        return record.ledgers[peer].codes(of: saying.text).contains { confirmations[$0] != nil }
    }

    // MARK: Contacts

    private mutating func checkContact(_ peer: Int) {
        let conversation = record.books.contacts[peer]
        let incoming = Self.byText(conversation.rows.filter { !$0.isOutgoing }, \.text)
        let outgoing = Self.byText(conversation.rows.filter(\.isOutgoing), \.text)
        for saying in sayings(of: peer, to: .contact(peer)) {
            let isAcknowledged = wasAcknowledged(saying)
            let isHanded = wasHanded(.contact(peer), saying.text)
            tally.acknowledged += isAcknowledged ? 1 : 0
            check(
                incoming[saying.text] ?? [], of: "\"\(saying.text)\" of peer \(peer)",
                isOwed: isAcknowledged || isHanded, isHanded: isHanded)
        }
        for saying in sayings(of: nil, to: .contact(peer)) {
            let rows = outgoing[saying.text] ?? []
            findings.count(rows.count, of: "\"\(saying.text)\" to peer \(peer)", mustBeThere: true)
            for row in rows { checkDelivery(row, to: peer) }
            checkCopies(of: saying, at: [peer])
        }
        let unread = conversation.rows.count { !$0.isOutgoing && !$0.isRead }
        checkUnread(conversation.unread, unread, "peer \(peer)")
        tally.storedIn += incoming.values.reduce(0) { $0 + $1.count }
    }

    private mutating func check<Row>(_ rows: [Row], of what: String, isOwed: Bool, isHanded: Bool) {
        findings.count(rows.count, of: what, mustBeThere: isOwed)
        if !rows.isEmpty, !isHanded { findings.add(.untrue, "\(what) is stored, and the radio never handed it out") }
    }

    /// A status is held against the peer's radio and the confirmations that came to the app.
    private mutating func checkDelivery(_ row: MessageDTO, to peer: Int) {
        let timestamps = heard[HeardKey(peer: peer, text: row.text)] ?? []
        let isConfirmed = wasConfirmed(row.text, timestamps.union([row.timestamp]), by: record.keys.peers[peer])
        let what = "\"\(row.text)\" to peer \(peer)"
        switch row.status {
        case .delivered:
            tally.delivered += 1
            if timestamps.isEmpty { findings.add(.untrue, "\(what) is delivered, and the peer never had it") }
            if !isConfirmed { findings.add(.untrue, "\(what) is delivered, and no confirmation came") }
        case .failed:
            tally.failed += 1
            if isConfirmed { findings.add(.untrue, "\(what) has failed, and its confirmation came") }
        default: findings.add(.untrue, "\(what) ended as \(row.status)")
        }
    }

    private func wasConfirmed(_ text: String, _ timestamps: Set<UInt32>, by receiver: FixedBytes<32>) -> Bool {
        // The hash has two bits of the attempt.
        timestamps.contains { timestamp in
            (UInt8(0)..<4).contains { attempt in
                let plain = TextPlaintext(timestamp: timestamp, attempt: attempt, text: ByteText(text))
                let code = plain?.ackHash(sender: record.keys.alice, receiver: receiver)
                return code.map { record.alice.confirmations[$0] != nil } ?? false
            }
        }
    }

    /// A text that reaches somebody with two timestamps is two texts there.
    private mutating func checkCopies(of saying: Saying, at peers: [Int]) {
        for peer in peers {
            let copies = heard[HeardKey(peer: peer, text: saying.text)]?.count ?? 0
            if copies > 1 { findings.add(.doubled, "\"\(saying.text)\" is \(copies) texts at peer \(peer)") }
        }
    }

    // MARK: Channels

    private mutating func checkChannel(_ channel: Int) {
        let conversation = record.books.channels[channel]
        let incoming = Self.byText(conversation.rows.filter { !$0.isOutgoing }, \.text)
        let outgoing = Self.byText(conversation.rows.filter(\.isOutgoing), \.text)
        for peer in record.keys.peers.indices {
            for saying in sayings(of: peer, to: .channel(channel)) {
                let isHanded = wasHanded(.channel(channel), saying.text)
                check(
                    incoming[saying.text] ?? [], of: "\"\(saying.text)\" on channel \(channel)", isOwed: isHanded,
                    isHanded: isHanded)
            }
        }
        for saying in sayings(of: nil, to: .channel(channel)) {
            let rows = outgoing[saying.text] ?? []
            let what = "\"\(saying.text)\" to channel \(channel)"
            findings.count(rows.count, of: what, mustBeThere: true)
            for row in rows {
                tally.sentOnChannels += row.status == .sent ? 1 : 0
                if row.status != .sent { findings.add(.untrue, "\(what) ended as \(row.status)") }
            }
            checkCopies(of: saying, at: Array(record.keys.peers.indices))
        }
        let unread = conversation.rows.count { !$0.isOutgoing && !$0.isRead }
        checkUnread(conversation.unread, unread, "channel \(channel)")
        tally.storedOnChannels += incoming.values.reduce(0) { $0 + $1.count }
    }

    // MARK: Rooms

    private mutating func checkRoom(_ room: Int) {
        let conversation = record.books.rooms[room]
        let posts = Self.byText(conversation.rows.filter { !$0.isFromSelf }, \.text)
        let own = Self.byText(conversation.rows.filter(\.isFromSelf), \.text)
        for member in record.hour.members(of: room) {
            for saying in sayings(of: member, to: .room(room)) {
                check(
                    posts[saying.text] ?? [], of: "\"\(saying.text)\" in room \(room)",
                    isOwed: record.trace.posts[room].contains(saying.text),
                    isHanded: wasHanded(.room(room), saying.text))
            }
        }
        for saying in sayings(of: nil, to: .room(room)) {
            let rows = own[saying.text] ?? []
            findings.count(rows.count, of: "\"\(saying.text)\" to room \(room)", mustBeThere: true)
            for row in rows { checkPost(row, in: room) }
            checkCopies(of: saying, at: record.hour.members(of: room))
        }
        let others = conversation.rows.count { !$0.isFromSelf }
        checkUnread(conversation.unread, others, "room \(room)")
        tally.storedPosts += others
    }

    /// A post that the room has taken is brought to its members.
    private mutating func checkPost(_ row: RoomMessageDTO, in room: Int) {
        let isConfirmed = wasConfirmed(row.text, [row.timestamp], by: record.keys.rooms[room])
        let isKept = record.trace.posts[room].contains(row.text)
        let what = "\"\(row.text)\" to room \(room)"
        switch row.status {
        case .delivered:
            tally.deliveredPosts += 1
            if !isConfirmed { findings.add(.untrue, "\(what) is delivered, and no confirmation came") }
            if !isKept { findings.add(.lost, "\(what) is delivered, and the room has not kept it") }
        case .failed:
            tally.failedPosts += 1
            if isConfirmed { findings.add(.untrue, "\(what) has failed, and its confirmation came") }
        default: findings.add(.untrue, "\(what) ended as \(row.status)")
        }
    }

    // MARK: The end

    private mutating func checkUnread(_ counted: Int, _ rows: Int, _ place: @autoclosure () -> String) {
        if counted != rows { findings.add(.untrue, "\(place()) counts \(counted) unread, and \(rows) are") }
    }

    private mutating func checkEnd() {
        let books = record.books
        for row in books.strangers { findings.add(.untrue, "\"\(row.text)\" is nobody's") }
        if books.queued > 0 { findings.add(.untrue, "\(books.queued) sends still wait") }
        if record.waiting > 0 { findings.add(.lost, "\(record.waiting) messages were left with the radio") }
        if books.connectionState != "ready" { findings.add(.untrue, "the connection is \(books.connectionState)") }
        for (code, count) in books.errors.sorted(by: { $0.key < $1.key }) where !Self.expected.contains(code) {
            findings.add(.untrue, "\(count) times \(code)")
        }
    }

    /// What a sender sees when the link goes, and who enters a room when the air has swallowed request or answer.
    private static let expected = ["not-connected", "node-not-connected", "no-answer", "timeout"]

    private static func byText<Row>(_ rows: [Row], _ text: (Row) -> String) -> [String: [Row]] {
        Dictionary(grouping: rows, by: text)
    }
}

/// How much of everything there was.
struct HourTally: Hashable, Sendable {
    /// Direct texts of peers that were acknowledged, and those that are stored.
    var acknowledged = 0
    var storedIn = 0
    var storedOnChannels = 0
    var storedPosts = 0
    var delivered = 0
    var failed = 0
    var sentOnChannels = 0
    var deliveredPosts = 0
    var failedPosts = 0
}

extension HourRecord {
    var alice: HourTrace.Handed { trace.radios[0] }

    func radio(ofPeer peer: Int) -> HourTrace.Handed {
        trace.radios[1 + HourWorld.repeaters + hour.rooms + peer]
    }

    /// The conversation that a text belongs to which alice's radio handed out.
    func place(of text: HourTrace.Text) -> HourPlan.Target? {
        switch text.kind {
        case .direct: keys.peers.firstIndex { $0.starts(with: text.sender.array) }.map { .contact($0) }
        case .channel(let index): index > 0 ? .channel(Int(index) - 1) : nil
        case .post: keys.rooms.firstIndex { $0.starts(with: text.sender.array) }.map { .room($0) }
        }
    }

    /// The text as it was composed: radios put the sender's name before channel texts.
    func bare(_ text: HourTrace.Text) -> String {
        guard case .channel = text.kind, let colon = text.text.firstRange(of: ": ") else { return text.text }
        return String(text.text[colon.upperBound...])
    }
}
