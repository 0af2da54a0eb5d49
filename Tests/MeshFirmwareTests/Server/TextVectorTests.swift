import MeshCrypto
import MeshPacket
import MeshWire
import Testing

/// Posts, pushes, keep-alives, alerts and commands, and what acknowledges them.
@Suite struct TextVectorTests {
    private static let server = Peer("server", identity: InfrastructureVectors.server)
    private static let alice = InfrastructureVectors.peer("alice")
    private static let bob = InfrastructureVectors.peer("bob")

    private struct Text: Decodable {
        let plaintext: String
        let payload: String?
        let ack: String?
        let expectedAck: String?
        let expectedAckFromBob: String?
        let rawAckFlood: String?
        let rawAckDirectPath77: String?
        let rawMultiAckDirectPath77: String?
    }

    private func bytes(_ ack: UInt32?) -> [UInt8] { ack.map(Peer.bytes) ?? [] }

    /// A packet that goes along the path 77.
    private func along77(_ packet: PacketView?) -> String? {
        var packet = packet
        packet?.routeDirect(PathLength(hashSize: 1, hops: 1), [0x77])
        return packet?.bytes.hex
    }

    @Test(arguments: [("ROOM-POST", 0), ("ROOM-POST-RETRY", 1)] as [(String, UInt8)])
    func `each attempt of a post has its own acknowledgement`(id: String, attempt: UInt8) throws {
        let vector = InfrastructureVectors.read(id, as: Text.self)
        let text = try #require(TextPlaintext(timestamp: 1_767_226_000, attempt: attempt, text: "Hello room"))
        #expect(text.written().hex == vector.plaintext)
        let packet = Self.alice.datagram(.txtMsg, text.written(), to: Self.server.key)
        #expect(try PacketView(packet).payload.hex == vector.payload)

        // The room hashes what it opens, padding and all.
        let opened = try #require(Self.server.opened(packet, with: Self.alice.key))
        let ack = bytes(
            opened.withUnsafeBytes { AckHash.text($0, sender: Self.alice.key, receiver: Self.server.key) })

        #expect(ack.hex == vector.ack)
        let frames = [vector.rawAckFlood, vector.rawAckDirectPath77, vector.rawMultiAckDirectPath77]
        #expect(frames.compactMap(\.self).count == (attempt == 0 ? 3 : 0))
        ack.withUnsafeBytes { ack in
            let (single, multi) = (
                PacketFactory.ack(copying: ack), PacketFactory.multiAck(copying: ack, remaining: 1)
            )
            if let raw = vector.rawAckFlood { #expect(Peer.routed(single, .flood).hex == raw) }
            if let raw = vector.rawAckDirectPath77 { #expect(along77(single) == raw) }
            if let raw = vector.rawMultiAckDirectPath77 { #expect(along77(multi) == raw) }
        }
    }

    @Test(
        arguments: [
            ("ROOM-PUSH-0", 0), ("ROOM-PUSH-1", 1), ("ROOM-PUSH-2", 2), ("ROOM-PUSH-3", 3), ("ROOM-PUSH-SYSTEM", 0),
        ] as [(String, UInt8)])
    func `a push names its author and is acknowledged with the key of whoever gets it`(
        id: String, attempt: UInt8
    ) throws {
        let vector = InfrastructureVectors.read(id, as: Text.self)
        let isSystem = id == "ROOM-PUSH-SYSTEM"
        let author = isSystem ? Self.server.key : Self.alice.key
        let push = try #require(
            TextPlaintext(
                timestamp: isSystem ? 1_767_225_609 : 1_767_225_608, type: .signedPlain, attempt: attempt,
                text: isSystem ? "Maintenance tonight" : "Hello room", authorPrefix: FixedBytes(author.prefix(4))))

        #expect(push.written().hex == vector.plaintext)
        let ack = push.ackHash(sender: Self.server.key, receiver: Self.bob.key)
        #expect(bytes(ack).hex == vector.expectedAck ?? vector.expectedAckFromBob)
        let packet = Self.server.datagram(.txtMsg, push.written(), to: Self.bob.key)
        if let payload = vector.payload { #expect(try PacketView(packet).payload.hex == payload) }
    }

    @Test(
        arguments: [
            ("ALERT-HI-0", 0, "Battery is critical!"), ("ALERT-HI-1", 1, "Battery is critical!"),
            ("ALERT-HI-2", 2, "Battery is critical!"), ("ALERT-HI-3", 3, "Battery is critical!"),
            ("ALERT-LO-3", 3, "Battery is low"),
        ] as [(String, UInt8, ByteText)])
    func `an alert is acknowledged with the key of the sensor`(id: String, attempt: UInt8, text: ByteText) throws {
        let vector = InfrastructureVectors.read(id, as: Text.self)
        let alert = try #require(TextPlaintext(timestamp: 1_767_226_100, attempt: attempt, text: text))

        #expect(alert.written().hex == vector.plaintext)
        let packet = Self.server.datagram(.txtMsg, alert.written(), to: Self.alice.key)
        #expect(try PacketView(packet).payload.hex == vector.payload)
        let ack = alert.ackHash(sender: Self.server.key, receiver: Self.alice.key)
        #expect(bytes(ack).hex == vector.expectedAck)
    }

    // MARK: Keep-alives

    private struct KeepAlive: Decodable {
        struct Fields: Decodable {
            let timestamp: UInt32
            let since: UInt32
        }

        let fields: Fields?
        let plaintext: String
        let payload: String?
        let ackHash: String
        let replyPayloadWith3Unsynced: String?
        let rawReplyDirectPath77: String?
    }

    @Test(arguments: ["ROOM-KEEPALIVE-ZERO", "ROOM-KEEPALIVE-SINCE", "ROOM-KEEPALIVE-SHORT"])
    func `the acknowledgement of a keep-alive covers nine bytes, and tells how many posts wait`(id: String) throws {
        let vector = InfrastructureVectors.read(id, as: KeepAlive.self)
        let request =
            vector.fields.map { RequestPlaintext(keepAlive: $0.timestamp, syncSince: $0.since) }
            ?? RequestPlaintext(tag: 1_767_226_050, type: .keepAlive, parameters: [])
        #expect(request.written().hex == vector.plaintext)
        let packet = Self.bob.datagram(.req, request.written(), to: Self.server.key)
        if let payload = vector.payload { #expect(try PacketView(packet).payload.hex == payload) }

        let opened = try #require(Self.server.opened(packet, with: Self.bob.key))
        let ack = try #require(opened.withUnsafeBytes { AckHash.keepAlive($0, client: Self.bob.key) })

        #expect(bytes(ack).hex == vector.ackHash)
        #expect((vector.rawReplyDirectPath77 != nil) == (vector.fields != nil))
        let reply = PacketFactory.ack(ack, extra: [3])
        if let payload = vector.replyPayloadWith3Unsynced { #expect(reply?.payload.hex == payload) }
        if let raw = vector.rawReplyDirectPath77 { #expect(along77(reply) == raw) }
    }

    // MARK: Commands

    private struct Command: Decodable {
        let command: String?
        let reply: String?
        let requestPlaintext: String
        let requestPayload: String?
        let replyPlaintextExample: String?
        let replyPayloadExample: String?
        let ack: String?
    }

    @Test(arguments: ["CLI-VER", "CLI-PREFIX", "CLI-PASSWORD", "CLI-UNKNOWN", "CLI-REGION", "CLI-PLAIN-ACK"])
    func `commands and their replies are texts as the reference writes them`(id: String) throws {
        let vector = InfrastructureVectors.read(id, as: Command.self)
        let request = try #require([UInt8](hex: vector.requestPlaintext))
        let text = try request.withUnsafeBytes { try TextPlaintext(reading: $0) }
        guard let command = vector.command, let reply = vector.reply else {
            #expect(text.type == .plain && text.text == "get name")
            return #expect(bytes(text.ackHash(sender: Self.alice.key, receiver: Self.server.key)).hex == vector.ack)
        }
        #expect(TextPlaintext(timestamp: text.timestamp, type: .cliData, text: ByteText(command))?.written() == request)
        let sealed = Self.alice.datagram(.txtMsg, request, to: Self.server.key)
        #expect(try PacketView(sealed).payload.hex == vector.requestPayload)

        let answer = try #require(TextPlaintext(timestamp: 1_767_225_620, type: .cliData, text: ByteText(reply)))
        #expect(answer.written().hex == vector.replyPlaintextExample)
        let packet = Self.server.datagram(.txtMsg, answer.written(), to: Self.alice.key)
        #expect(try PacketView(packet).payload.hex == vector.replyPayloadExample)
    }
}
