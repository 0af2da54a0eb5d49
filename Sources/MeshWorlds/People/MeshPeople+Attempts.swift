import MeshCompanion
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire

// How texts are sent, once or until they are acknowledged.
extension MeshPeople {
    /// Passes an attempt of a text to the app of its sender.
    mutating func write(_ send: TextAttempts.Send, in world: World) {
        let text = send.text
        guard let key = world.firmware(NodeID(index: text.to))?.publicKey else { return }
        let command = SendTxtMsg(
            attempt: send.number, timestamp: text.timestamp, publicKeyPrefix: FixedBytes(key.prefix(6)),
            text: ByteText(text.text))
        change(text.from) { app in
            if send.resetsPath { app.queue(ResetPath(publicKey: key)) }
            app.queue(command, message: text.message)
        }
    }

    /// Passes the attempts that are due to their apps.
    mutating func sendAgain(in world: World) {
        let nodes = topology.nodes
        guard let due = attempts?.takeDue(at: world.now, label: { nodes[$0].label }) else { return }
        for send in due {
            ledger.sendAgain(send.text.message)
            write(send, in: world)
        }
    }

    /// Learns the result of an attempt or of a chunk.
    mutating func follow(_ news: MeshApp.News, of node: Int, at now: Instant) {
        switch news {
        case .taken(let message, let sent): attempts?.taken(message, sent, at: now)
        case .refused(let message): attempts?.end(message)
        case .answered(let isTaken): if node == picture?.node { picture?.answered(isTaken: isTaken, at: now) }
        case .logged(let packet): if node == picture?.node { picture?.heard(packet, at: now) }
        case .confirmed, .loggedIn, .received, .heard: break
        }
    }
}
