package import MeshCompanion
package import MeshPacket
import MeshSimulator
package import MeshWire

/// The app of one companion radio in a run: sends one command at a time and fetches what has arrived.
///
/// It makes no retries by itself: what a mesh loses shows. It stands for a user as a value: frames go in and out in
/// the time of a world, without a link. The other stand-in is the service stack itself: `StackApp` in a scenario,
/// `SyncClient` for one synchronisation.
package struct MeshApp: Sendable {
    /// The news that an app has received since the last look.
    package enum News: Sendable {
        /// The radio has accepted a message; the tag is that of its acknowledgement, 0 for a channel text.
        case taken(message: Int, Resp.Sent)
        case refused(message: Int)
        case confirmed(tag: UInt32)
        /// The server whose key begins with these bytes has accepted the login.
        case loggedIn(FixedBytes<6>)
        /// A text of a contact was fetched.
        case received(ContactMessage)
        /// A text of a channel was fetched.
        case heard(ChannelMessage)
        /// The radio has accepted raw data, or not.
        case answered(isTaken: Bool)
        /// The radio heard a packet on the air; only for an app that listens to it.
        case logged(PacketView)
    }

    private struct Command: Sendable {
        let frame: [UInt8]
        /// The message that it sends, if any.
        let message: Int?
    }

    private var waiting: [Command] = []
    private var current: Command?
    private var hasConnected = false
    private var receiver = ClientReceiver()
    private(set) var news: [News] = []
    /// True for an app that reads the packets which its radio hears.
    var listensToAir = false

    package init() {}

    /// True while it waits for an answer or has a command to send.
    package var isBusy: Bool { current != nil || !waiting.isEmpty }

    /// True when it can act by itself: it connects, or sends its radio a command.
    var hasTurn: Bool { !hasConnected || current == nil && !waiting.isEmpty }

    /// True when it has nothing to do or to tell until somebody else does something.
    var isAtRest: Bool { !isBusy && !hasTurn && news.isEmpty }

    package mutating func queue(_ command: some CommandFrame, message: Int? = nil) {
        waiting.append(Command(frame: command.encoded(), message: message))
    }

    package mutating func takeNews() -> [News] {
        guard !news.isEmpty else { return [] }
        defer { news = [] }
        return news
    }

    /// The next frame that the app sends, if any.
    package mutating func nextInput() -> [UInt8]? {
        guard current == nil, !waiting.isEmpty else { return nil }
        current = waiting.removeFirst()
        return current.map { StreamFraming.encode(toRadio: $0.frame) }
    }

    /// The radio has restarted or has shut the link: the command on its way is lost, and the app connects anew. Returns
    /// the message of which that was.
    @discardableResult
    package mutating func loseLink() -> Int? {
        defer { current = nil }
        hasConnected = false
        receiver = ClientReceiver()
        return current?.message
    }

    package mutating func connects() -> Bool {
        defer { hasConnected = true }
        return !hasConnected
    }

    package mutating func receive(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let taken = receiver.append(Array(rest))
            rest = rest.dropFirst(taken)
            while let frame = receiver.nextFrame() { take(frame) }
            if taken == 0 { return }
        }
    }

    private mutating func take(_ frame: [UInt8]) {
        guard let first = frame.first, let code = RadioCode(first) else { return }
        switch code {
        case .push(.msgWaiting): queue(SyncNextMessage())
        case .push(.sendConfirmed):
            if let push = try? Push.SendConfirmed(decoding: frame) { news.append(.confirmed(tag: push.ack)) }
        case .push(.loginSuccess):
            if let push = try? Push.LoginSuccess(decoding: frame) { news.append(.loggedIn(push.publicKeyPrefix)) }
        case .push(.logRxData):
            guard listensToAir, let log = try? Push.LogRxData(decoding: frame),
                let packet = try? PacketView(log.raw, snr: log.snr)
            else { break }
            news.append(.logged(packet))
        case .push: break
        case .response(let response): answer(response, frame)
        }
    }

    private mutating func answer(_ response: ResponseCode, _ frame: [UInt8]) {
        defer { current = nil }
        switch response {
        case .contactMsgRecv:
            if let frame = try? Resp.ContactMsgRecv(decoding: frame) { news.append(.received(frame.message)) }
            queue(SyncNextMessage())
        case .contactMsgRecvV3:
            if let frame = try? Resp.ContactMsgRecvV3(decoding: frame) { news.append(.received(frame.message)) }
            queue(SyncNextMessage())
        case .channelMsgRecv:
            if let frame = try? Resp.ChannelMsgRecv(decoding: frame) { news.append(.heard(frame.message)) }
            queue(SyncNextMessage())
        case .channelMsgRecvV3:
            if let frame = try? Resp.ChannelMsgRecvV3(decoding: frame) { news.append(.heard(frame.message)) }
            queue(SyncNextMessage())
        default: break
        }
        if current?.frame.first == SendRawData.code.rawValue { news.append(.answered(isTaken: response == .ok)) }
        guard let message = current?.message else { return }
        switch response {
        case .sent: news.append(.taken(message: message, (try? Resp.Sent(decoding: frame)) ?? Resp.Sent()))
        case .ok: news.append(.taken(message: message, Resp.Sent()))
        default: news.append(.refused(message: message))
        }
    }
}
