import MeshCrypto
import MeshPacket
import MeshWire
import Testing

extension PacketVector {
    /// Returns the answer of one node to another; the vectors' notes give the circumstances in words.
    func dialog() throws -> PacketView? {
        switch vector.name {
        case "reply_repeater_login_flood_hs2":
            return try loginReply(of: Fixture.repeater1, to: vector.key("client_pub"), admin: 1, path: "41aabb")
        case "reply_repeater_login_direct_no_outpath":
            return try loginReply(of: Fixture.repeater1, to: vector.key("client_pub"), admin: 1, path: nil)
        case "reply_room_login_flood_guest":
            return try loginReply(of: Fixture.room, to: Fixture.alice.publicKey, admin: 0, path: "01aa")
        case "reply_repeater_clock_direct_supplied":
            let clock = try vector.u32("rtc")
            let answer = ResponsePlaintext(
                tag: try vector.u32("request_timestamp"),
                data: withUnsafeBytes(of: clock.littleEndian) { [UInt8]($0) }
                    + [UInt8(try vector.int("features"))])
            return PacketFactory.datagram(.response, from: Fixture.repeater1, to: Fixture.alice.publicKey, answer)
        case "reply_repeater_cli_plain_ack":
            let client = try vector.key("client_pub")
            let hash = try vector.data("plaintext")
                .withUnsafeBytes { AckHash.text($0, sender: client, receiver: PublicKey()) }
            return PacketFactory.ack(try #require(hash))
        case "room_push_signed_flood":
            let text = TextPlaintext(
                timestamp: try vector.u32("post_timestamp"), type: .signedPlain,
                attempt: UInt8(try vector.int("attempt2bits")),
                text: ByteText(try vector.string("text")),
                authorPrefix: FixedBytes(try vector.data("author_prefix")))
            return PacketFactory.datagram(
                .txtMsg, from: Fixture.room, to: try vector.key("to_pub"), try #require(text))
        case "room_keepalive_ack_direct":
            let client = try vector.key("client_pub")
            let hash = try vector.data("plaintext9").withUnsafeBytes {
                AckHash.keepAlive($0, client: client)
            }
            return PacketFactory.ack(try #require(hash), extra: [UInt8(try vector.int("unsynced"))])
        case "dialog_bob_path_ack":
            let extra = try vector.data("ack") + [0] + (try vector.data("random1"))
            let path = PathReturnPlaintext(
                pathLength: PathLength(hashSize: 1, hops: 2), path: [0xCA, 0x6E], extraType: .ack, extra: extra)
            return PacketFactory.datagram(.path, from: Fixture.bob, to: Fixture.alice.publicKey, try #require(path))
        case "dialog_alice_reciprocal":
            let path = PathReturnPlaintext(
                pathLength: PathLength(hashSize: 1, hops: 2), path: [0x6E, 0xCA],
                random: FixedBytes(try vector.data("random4")))
            return PacketFactory.datagram(.path, from: Fixture.alice, to: Fixture.bob.publicKey, try #require(path))
        default: return nil
        }
    }

    /// A login granted: inside a PATH when the request was a flood that came by `path`, otherwise alone.
    private func loginReply(
        of server: LocalIdentity, to client: PublicKey, admin: UInt8, path: String?
    ) throws -> PacketView? {
        let answer = LoginResponsePlaintext(
            serverTime: try vector.u32("rtc_unique"), admin: admin,
            permissions: UInt8(try vector.int("permissions")),
            random: FixedBytes(try vector.data("random4")),
            level: UInt8(try vector.int("ver_level")))
        guard let path, let bytes = [UInt8](hex: path) else {
            return PacketFactory.datagram(.response, from: server, to: client, answer)
        }
        let fields = PathReturnPlaintext(
            pathLength: PathLength(rawValue: bytes[0]), path: Array(bytes.dropFirst()), extraType: .response,
            extra: answer.written())
        return PacketFactory.datagram(.path, from: server, to: client, try #require(fields))
    }
}
