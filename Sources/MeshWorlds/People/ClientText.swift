package import MeshCompanion
import MeshFirmware
package import MeshSimulator
package import MeshTime
import MeshWire

/// A text that an outside client gives to its radio; its fate is followed as if an app of ours had sent it.
package enum ClientText: Sendable {
    case direct(SendTxtMsg)
    case channel(SendChannelTxtMsg)

    /// The text in a frame of a client; `nil` for other commands.
    package init?(_ frame: [UInt8]) {
        if let text = try? SendTxtMsg(decoding: frame) {
            self = .direct(text)
        } else if let text = try? SendChannelTxtMsg(decoding: frame) {
            self = .channel(text)
        } else {
            return nil
        }
    }
}

extension MeshPeople {
    /// Opens an account for a text that a client gives to its radio; returns its number.
    package mutating func enter(_ text: ClientText, of node: NodeID, in world: World) -> Int {
        let message: Traffic.Message
        let name: String
        switch text {
        case .channel(let text):
            message = .channelText(text.text.string)
            name = "#public"
        case .direct(let text):
            let prefix = text.publicKeyPrefix.array
            let other = world.nodes.first { world.firmware($0)?.publicKey.starts(with: prefix) == true }
            // A contact may be of another world.
            let contact = world.companion(node)?.contacts.listed.first { $0.publicKey.starts(with: prefix) }
            name = other.map(world.label(of:)) ?? contact?.displayName.string ?? prefix.hex
            let attempt = text.attempt > 0 ? " (attempt \(text.attempt + 1))" : ""
            message = .directText(to: other?.index ?? -1, text.text.string + attempt)
        }
        let event = Traffic.Event(at: world.now, from: node.index, message: message)
        let number = ledger.open(event, to: name, at: world.now)
        note(world.now, node, .message(number: number, to: name, text: event.message.text))
        return number
    }

    /// Enters news that a client has received about a text of its own.
    package mutating func enter(_ news: MeshApp.News, ofClientAt node: NodeID, at now: Instant) {
        guard let number = ledger.enter(news, of: node.index, at: now) else { return }
        note(now, node, .acknowledged(number: number))
    }

    /// A text of a client gets no answer of its radio any more.
    package mutating func lose(_ number: Int, at now: Instant) { ledger.lose(number, at: now) }
}

extension Traffic.Message {
    fileprivate var text: String {
        switch self {
        case .channelText(let text), .directText(_, let text): text
        case .advert: ""
        }
    }
}
