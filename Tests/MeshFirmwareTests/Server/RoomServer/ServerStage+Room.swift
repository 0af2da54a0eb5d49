import MeshCrypto
import MeshPacket
import MeshTime
import MeshWire

@testable import MeshFirmware

/// A post that a room brings to a member.
struct RoomPush: Equatable {
    /// Milliseconds from the beginning of the observation.
    let at: Int64
    let text: TextPlaintext
    let route: RouteType
    let path: [UInt8]
    /// The acknowledgement of the post.
    let ack: UInt32

    var words: String? { text.text.string }
}

extension ServerStage {
    static let roomPassword = "hello"

    /// A room whose members have come with its password, one second of their clocks apart, before the time stamps of
    /// the recordings. A second of the room's clock has just begun.
    static func room(_ members: [Peer], since: UInt32 = 0, _ change: (inout ServerSetup) -> Void = { _ in })
        -> ServerStage
    {
        var stage = ServerStage(.roomServer) { setup in
            setup.preferences.guestPassword = ByteText(roomPassword)
            change(&setup)
        }
        for (number, member) in members.enumerated() {
            stage.logIn(member, roomPassword, at: clock + UInt32(number) + 1, since: since)
        }
        stage.run(milliseconds: 60_000)
        // Later than any unique time that the logins took.
        stage.setClock(clock + 10)
        return stage
    }

    /// Presents a post; what is sent in so many milliseconds.
    @discardableResult
    mutating func post(
        _ author: Peer, _ text: String, attempt: UInt8 = 0, at time: UInt32? = nil, observing milliseconds: Int = 1000
    ) -> [Sent] {
        let plaintext = Peer.plaintext([UInt8](text.utf8), attempt: attempt, at: time ?? nextStamp())
        return hear(author.datagram(.txtMsg, plaintext, to: Self.key), observing: milliseconds)
    }

    /// Returns the pushes among the sent packets to a member.
    static func pushes(_ sent: [Sent], to member: Peer) -> [RoomPush] {
        sent.compactMap { sent in
            guard sent.type == .txtMsg, sent.packet.payload.first == member.key[0],
                let opened = sent.opened(by: member),
                let text = try? opened.withUnsafeBytes({ try TextPlaintext(reading: $0) }), text.type == .signedPlain,
                let ack = opened.withUnsafeBytes({ AckHash.text($0, sender: key, receiver: member.key) })
            else { return nil }
            return RoomPush(at: sent.at, text: text, route: sent.route, path: sent.packet.path, ack: ack)
        }
    }

    /// Lets time pass; what is brought to a member meanwhile.
    mutating func pushes(to member: Peer, milliseconds: Int) -> [RoomPush] {
        Self.pushes(run(milliseconds: milliseconds), to: member)
    }

    /// Lets time pass with a member who acknowledges everything about a second later; the texts that it gets.
    mutating func texts(for member: Peer, milliseconds: Int) -> [String] {
        let end = bench.now + .milliseconds(milliseconds)
        var texts: [String] = []
        while bench.now < end {
            for push in pushes(to: member, milliseconds: 500) {
                texts.append(push.words ?? "?")
                // The room hears nothing while it sends.
                run(milliseconds: 700)
                hear(Peer.ack(push.ack), observing: 0)
            }
        }
        return texts
    }

    /// Returns the counts of posts and pushes in a room's status.
    mutating func postsAndPushes(_ peer: Peer) -> [UInt16]? {
        answer(peer, .getStatus).flatMap { answer in
            answer.withUnsafeBytes { try? RoomStatus(reading: $0) }.map { [$0.posts, $0.pushes] }
        }
    }

    var members: ClientTable { server.clients }
    func member(_ peer: Peer) -> ClientTable.Client? { members.index(of: peer.key).map { members[$0] } }
}
