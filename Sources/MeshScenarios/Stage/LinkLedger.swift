import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire
import Synchronization

/// Traffic between apps and their radios: texts to send, texts delivered to apps, and confirmations.
final class LinkLedger: Sendable {
    /// A text as a radio delivered it.
    struct Handed: Hashable, Sendable {
        enum Place: Hashable, Sendable {
            /// The first 6 bytes of the sender's or the room's key.
            case contact(FixedBytes<6>)
            case room(FixedBytes<6>)
            case channel(UInt8)
        }

        var place: Place
        var text: String
        var timestamp: UInt32
    }

    /// One person's, each list in its order and with repetitions.
    struct Page: Sendable {
        var asked: [SendTxtMsg] = []
        var handed: [Handed] = []
        var confirmed: Set<UInt32> = []
    }

    private let pages = Mutex<[String: Page]>([:])

    func page(of who: Member) -> Page { pages.withLock { $0[who.name] ?? Page() } }

    func change(_ who: Member, _ body: (inout Page) -> Void) {
        pages.withLock { body(&$0[who.name, default: Page()]) }
    }

    func note(toRadio frame: [UInt8], of who: Member) {
        guard frame.first == CommandCode.sendTxtMsg.rawValue, let sent = try? SendTxtMsg(decoding: frame),
            sent.textType == .plain
        else { return }
        change(who) { $0.asked.append(sent) }
    }

    func note(toApp frame: [UInt8], of who: Member) {
        // What else a radio says is not counted, and most of it is the log of what it heard.
        guard let code = frame.first, Self.counted.contains(code) else { return }
        switch PacketParser.parse(frame) {
        case .contactMessageReceived(let received):
            let message = received.message
            let isPost = message.textType == .signedPlain
            guard message.textType == .plain || isPost else { return }
            let prefix = message.publicKeyPrefix
            hand(isPost ? .room(prefix) : .contact(prefix), message.text.readable, message.timestamp, who)
        case .channelMessageReceived(let received):
            let message = received.message
            hand(.channel(message.channelIndex), message.text.readable.withoutSender, message.timestamp, who)
        case .acknowledgement(let code, _):
            change(who) { _ = $0.confirmed.insert(code) }
        default: break
        }
    }

    private func hand(_ place: Handed.Place, _ text: String, _ timestamp: UInt32, _ who: Member) {
        change(who) { $0.handed.append(Handed(place: place, text: text, timestamp: timestamp)) }
    }

    private static let counted: [UInt8] = [
        ResponseCode.contactMsgRecv.rawValue, ResponseCode.contactMsgRecvV3.rawValue,
        ResponseCode.channelMsgRecv.rawValue, ResponseCode.channelMsgRecvV3.rawValue,
        PushCode.sendConfirmed.rawValue,
    ]
}

/// A text in a conversation.
struct Said: Hashable, Sendable {
    var thread: ScenarioMessage.Thread
    var text: String
}

extension Stage {
    /// Returns the texts that a radio has delivered to its stack.
    func handed(to who: Member) async throws -> [Said] {
        let channels = await (try stackApp(of: who)).channels
        return ledger.page(of: who).handed.compactMap { handed in
            switch handed.place {
            case .contact(let prefix): Said(thread: .contact(prefix), text: handed.text)
            case .room(let prefix): Said(thread: .room(prefix), text: handed.text)
            case .channel(let index):
                channels.indices.contains(Int(index))
                    ? Said(thread: .channel(channels[Int(index)]), text: handed.text) : nil
            }
        }
    }

    /// The texts to contacts and rooms for which a confirmation came to the app, whatever the app made of it.
    func confirmed(to who: Member) async throws -> [Said] {
        let own = try await key(of: who)
        var threads: [FixedBytes<6>: (key: FixedBytes<32>, thread: ScenarioMessage.Thread)] = [:]
        for member in scenario.cast where member.isPerson || member.role == .room {
            let key = try await key(of: member)
            threads[key.sixBytes] = (key, member.isPerson ? .contact(key.sixBytes) : .room(key.sixBytes))
        }
        let page = ledger.page(of: who)
        return page.asked.compactMap { sent in
            // The code has two bits of the attempt.
            guard let recipient = threads[sent.publicKeyPrefix],
                let plain = TextPlaintext(timestamp: sent.timestamp, attempt: sent.attempt & 3, text: sent.text),
                let code = plain.ackHash(sender: own, receiver: recipient.key), page.confirmed.contains(code)
            else { return nil }
            return Said(thread: recipient.thread, text: sent.text.readable)
        }
    }
}
