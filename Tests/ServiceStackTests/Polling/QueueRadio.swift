import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Synchronization

/// A scripted radio with a queue, contacts and channels, as far as a synchronisation asks for them.
final class QueueRadio: Sendable {
    struct Contents {
        var queue: [[UInt8]] = []
        var contacts: [ContactRecord] = []
        /// The channels by slot; other slots are empty.
        var channels: [UInt8: [UInt8]] = [:]
        /// Commands that get no answer from now on.
        var silent: Set<CommandCode> = []
        var received: [CommandCode] = []
    }

    private let contents: Mutex<Contents>

    init(queue: [[UInt8]] = [], contacts: [ContactRecord] = [], channels: [UInt8: [UInt8]] = [:]) {
        contents = Mutex(Contents(queue: queue, contacts: contacts, channels: channels))
    }

    /// The commands that came, oldest first.
    var received: [CommandCode] { contents.withLock { $0.received } }
    var queue: [[UInt8]] { contents.withLock { $0.queue } }

    func change(_ body: (inout Contents) -> Void) {
        contents.withLock { body(&$0) }
    }

    func add(_ messages: [UInt8]...) {
        change { $0.queue += messages }
    }

    func count(_ code: CommandCode) -> Int { received.count { $0 == code } }

    /// The script.
    func answers(_ frame: [UInt8]) -> [[UInt8]] {
        contents.withLock { contents in
            guard let code = frame.first.flatMap(CommandCode.init(rawValue:)) else { return [] }
            contents.received.append(code)
            if contents.silent.contains(code) { return [] }
            switch code {
            case .syncNextMessage: return [contents.queue.isEmpty ? Frames.noMore : contents.queue.removeFirst()]
            case .getContacts:
                let table = contents.contacts
                let newest = table.map(\.lastModified).max() ?? 0
                return [Resp.ContactsStart(count: UInt32(table.count)).encoded()] + table.map(Frames.frame)
                    + [Resp.EndOfContacts(mostRecentLastModified: newest).encoded()]
            case .getChannel:
                let slot = frame.count > 1 ? frame[1] : 0
                return [contents.channels[slot] ?? Frames.channel(slot, name: "", secret: FixedBytes())]
            case .getDeviceTime:
                return [Resp.CurrTime(epoch: UInt32(ServiceBench.startDate.timeIntervalSince1970)).encoded()]
            default: return []
            }
        }
    }
}

extension Frames {
    static let waiting = Push.MsgWaiting().encoded()

    /// Texts of one contact: "text 0", "text 1", …, each a second later.
    static func messages(_ count: Int, from sender: UInt8 = 2) -> [[UInt8]] {
        (0..<count).map { message(from: sender, ByteText("text \($0)"), timestamp: UInt32(1000 + $0)) }
    }

    static func message(
        from sender: UInt8, _ text: ByteText, timestamp: UInt32, type: TextType, author: UInt8 = 0
    ) -> [UInt8] {
        var message = ContactMessage()
        message.publicKeyPrefix = FixedBytes(repeatElement(sender, count: 6))
        message.timestamp = timestamp
        message.textType = type
        message.authorPrefix = FixedBytes(repeatElement(author, count: 4))
        message.text = text
        return Resp.ContactMsgRecvV3(snr: 40, message: message).encoded()
    }

    static func channelMessage(_ index: UInt8, _ text: ByteText, timestamp: UInt32) -> [UInt8] {
        var message = ChannelMessage()
        message.channelIndex = index
        message.timestamp = timestamp
        message.text = text
        return Resp.ChannelMsgRecvV3(snr: -8, message: message).encoded()
    }
}

/// Runs services against a radio with a queue.
func withQueueRadio<R: Sendable>(
    _ script: QueueRadio, order: VirtualTime.Order = .arrival,
    _ body: @escaping @Sendable (ServiceBench, MockTransport) async throws -> R
) throws -> R {
    try withScriptedRadio(order: order, answers: { script.answers($0) }, body)
}
