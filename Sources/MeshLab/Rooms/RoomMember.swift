import MeshCompanion
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds

/// Somebody in a room: logs in until let in, posts until acknowledged, and says now and then that it is there.
struct RoomMember: Sendable {
    /// Seconds after which an attempt is given up.
    private static let patience = TimeSpan.seconds(20)
    private static let mostAttempts: UInt8 = 8

    private struct Posting: Sendable {
        let text: ByteText
        let timestamp: UInt32
        var attempt: UInt8 = 0
        var tag: UInt32?
        var giveUpAt: Instant
    }

    let node: NodeID
    let publicKey: FixedBytes<32>
    private let room: FixedBytes<32>
    var app = MeshApp()
    private(set) var hasJoined = false
    private var nextLogin: Instant
    private var nextSign: Instant
    private var posting: Posting?
    private var texts: [ByteText] = []
    /// How often each post was fetched.
    private(set) var received: [ByteText: Int] = [:]

    /// Members try at different times, so that they do not speak all at once.
    init(_ node: NodeID, key: FixedBytes<32>, room: FixedBytes<32>, number: Int, clock: UInt32) {
        self.node = node
        publicKey = key
        self.room = room
        nextLogin = .seconds(Int64(20 + 8 * number))
        nextSign = .seconds(Int64(900 + 30 * number))
        // A radio whose clock lags behind the app's time stamps asks in vain after the first text.
        app.queue(SetDeviceTime(epoch: clock))
        app.queue(
            AddUpdateContact(
                publicKey: room, type: .room, flags: 0, outPath: FixedBytes(), name: FixedBytes(), lastAdvert: 0))
    }

    /// Whether all it wanted to say is said, or given up.
    var isQuiet: Bool { posting == nil && texts.isEmpty }

    mutating func post(_ text: ByteText) { texts.append(text) }

    /// Takes what the radio has said, then does what is due.
    mutating func act(at now: Instant, clock: UInt32) {
        for news in app.takeNews() { take(news) }
        if !hasJoined {
            guard now >= nextLogin else { return }
            nextLogin = now + Self.patience + .seconds(Int64(node.index % 7))
            app.queue(SendLogin(publicKey: room, password: "hello"))
            return
        }
        if now >= nextSign {
            nextSign = now + .seconds(600)
            app.queue(SendStatusReq(publicKey: room))
        }
        say(at: now, clock: clock)
    }

    private mutating func take(_ news: MeshApp.News) {
        switch news {
        case .loggedIn: hasJoined = true
        case .taken(_, let tag): posting?.tag = tag
        case .refused: break
        case .confirmed(let tag): if posting?.tag == tag { posting = nil }
        case .received(let message):
            // The author's prefix stands before the text of a signed message.
            guard message.textType == .signedPlain else { return }
            received[message.text, default: 0] += 1
        }
    }

    private mutating func say(at now: Instant, clock: UInt32) {
        if var current = posting {
            guard now >= current.giveUpAt else { return }
            current.attempt += 1
            guard current.attempt < Self.mostAttempts else {
                posting = nil
                return
            }
            current.giveUpAt = now + Self.patience
            posting = current
            send(current)
        } else if !texts.isEmpty {
            let next = Posting(text: texts.removeFirst(), timestamp: clock, giveUpAt: now + Self.patience)
            posting = next
            send(next)
        }
    }

    private mutating func send(_ posting: Posting) {
        app.queue(
            SendTxtMsg(
                attempt: posting.attempt, timestamp: posting.timestamp, publicKeyPrefix: FixedBytes(room.prefix(6)),
                text: posting.text), message: 0)
    }
}
