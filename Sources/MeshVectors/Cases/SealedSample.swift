import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshWire

/// A sealed packet of the cast with its content in the clear.
struct SealedSample {
    let name: String
    /// The packet before it is routed.
    let packet: PacketView
    let statement: String
    let content: VectorCase.Content

    private init?(
        _ name: String, _ statement: String, _ secret: SharedSecret, _ plaintext: [UInt8], _ packet: PacketView?
    ) {
        guard let packet else { return nil }
        self.name = name
        self.packet = packet
        self.statement = statement
        content = VectorCase.Content(secret: secret, plaintext: plaintext)
    }

    /// A datagram from alice to bob.
    init?(_ type: PayloadType, _ name: String, _ statement: String, _ cast: VectorCast, _ fields: some FieldGroup) {
        self.init(
            name, statement, cast.secret, fields.written(),
            PacketFactory.datagram(
                type, to: cast.bob.hash, from: cast.alice.hash, secret: cast.secret, fields))
    }

    /// A datagram of bytes that are no fields of anything.
    init?(_ type: PayloadType, _ name: String, _ statement: String, _ cast: VectorCast, bytes: [UInt8]) {
        let packet = bytes.withUnsafeBytes {
            PacketFactory.datagram(type, to: cast.bob.hash, from: cast.alice.hash, secret: cast.secret, $0)
        }
        self.init(name, statement, cast.secret, bytes, packet)
    }

    /// A request of carol, whom bob does not know.
    init?(anonymous name: String, _ statement: String, _ cast: VectorCast, _ fields: some FieldGroup) {
        let secret = cast.carol.identity.sharedSecret(with: cast.bob.key)
        self.init(
            name, statement, secret, fields.written(),
            PacketFactory.anonymous(to: cast.bob.hash, from: cast.carol.key, secret: secret, fields))
    }

    /// A packet to a channel.
    init?(
        _ type: PayloadType, on secret: SharedSecret, _ name: String, _ statement: String, bytes: [UInt8]
    ) {
        let packet = bytes.withUnsafeBytes { PacketFactory.group(type, secret: secret, $0) }
        self.init(name, statement, secret, bytes, packet)
    }
}

extension SealedSample {
    /// All of them, type by type.
    static func all(_ cast: VectorCast) -> [SealedSample] {
        (texts(cast) + requests(cast) + responses(cast) + paths(cast) + anonymous(cast) + groups(cast))
            .compactMap(\.self)
    }

    /// The first of a type.
    static func first(of type: PayloadType, _ cast: VectorCast) -> SealedSample? {
        all(cast).first { $0.packet.type == type }
    }

    private static func texts(_ cast: VectorCast) -> [SealedSample?] {
        let types: [TextType] = [.plain, .cliData, .signedPlain, .remoteCommand, TextType(rawValue: 9)]
        let lengths = [0, 1, 10, 11, 12, 27, 160].map { count in
            text("of-\(count)", "OTA-060", cast, ByteText(bytes: [UInt8](repeating: 0x61, count: count)))
        }
        let words = types.map { type in
            text("type-\(type.rawValue)", type == .cliData ? "OTA-065" : "OTA-060", cast, "Grüße 📻", type)
        }
        let attempts = [1, 2, 3, 4, 5, 200, 255].map { attempt in
            text("attempt-\(attempt)", "OTA-061", cast, "hello", attempt: UInt8(attempt))
        }
        let short = [1, 4, 5].map { count in
            SealedSample(
                .txtMsg, "txt-msg-plaintext-of-\(count)", "OTA-060", cast, bytes: [UInt8](repeating: 1, count: count))
        }
        return words + lengths + attempts + short
    }

    private static func text(
        _ name: String, _ statement: String, _ cast: VectorCast, _ text: ByteText, _ type: TextType = .plain,
        attempt: UInt8 = 0
    ) -> SealedSample? {
        TextPlaintext(
            timestamp: VectorCast.stamp, type: type, attempt: attempt, text: text,
            authorPrefix: FixedBytes(cast.carol.key.prefix(4))
        ).flatMap { SealedSample(.txtMsg, "txt-msg-\(name)", statement, cast, $0) }
    }

    private static func requests(_ cast: VectorCast) -> [SealedSample?] {
        let random = FixedBytes<4>([9, 8, 7, 6])
        let known = (UInt8(1)...7).map { number in
            SealedSample(
                .req, "req-type-\(number)", "OTA-012", cast,
                RequestPlaintext(tag: VectorCast.stamp, type: RequestType(rawValue: number), random: random))
        }
        let keepAlive = RequestPlaintext(keepAlive: VectorCast.stamp, syncSince: VectorCast.met)
        let unknown = RequestPlaintext(tag: 1, type: RequestType(rawValue: 0xF0), parameters: [])
        return known + [
            SealedSample(.req, "req-keep-alive", "OTA-012", cast, keepAlive),
            SealedSample(.req, "req-unknown", "OTA-012", cast, unknown),
        ]
    }

    private static func responses(_ cast: VectorCast) -> [SealedSample?] {
        let login = LoginResponsePlaintext(
            serverTime: VectorCast.stamp, admin: 1, permissions: 3, random: FixedBytes([1, 2, 3, 4]), level: 2)
        let lengths = [0, 12, 156, 163].map { count in
            SealedSample(
                .response, "response-of-\(count)", "OTA-012", cast,
                ResponsePlaintext(tag: 0x1122_3344, data: [UInt8](repeating: 0x5A, count: count)))
        }
        return [SealedSample(.response, "response-to-a-login", "OTA-012", cast, login)] + lengths
    }

    private static func paths(_ cast: VectorCast) -> [SealedSample?] {
        var samples: [SealedSample?] = []
        for (size, hops) in [(1, 0), (1, 2), (1, 63), (2, 1), (2, 32), (3, 2), (3, 21)] {
            let length = PathLength(hashSize: size, hops: hops)
            let plaintext = PathReturnPlaintext(
                pathLength: length, path: CaseList.path(length.byteCount), random: FixedBytes([1, 2, 3, 4]))
            samples.append(
                plaintext.flatMap {
                    SealedSample(.path, "path-hashes-of-\(size)-hops-\(hops)", "OTA-067", cast, $0)
                })
        }
        let extras: [(String, PayloadType, [UInt8])] = [
            ("ack", .ack, Ack(0x0403_0201, extra: [7, 9]).written()),
            ("response", .response, ResponsePlaintext(tag: 0x1122_3344, data: [1, 2, 3]).written()),
        ]
        for (name, type, extra) in extras {
            let plaintext = PathReturnPlaintext(pathLength: .empty, path: [], extraType: type, extra: extra)
            samples.append(plaintext.flatMap { SealedSample(.path, "path-with-\(name)", "OTA-063", cast, $0) })
        }
        for byte in [0x7F, 0xC1] as [UInt8] {
            samples.append(
                SealedSample(
                    .path, "path-of-the-invalid-length-\([byte].hex)", "OTA-069", cast,
                    bytes: [byte] + CaseList.path(20)))
        }
        return samples
    }

    private static func anonymous(_ cast: VectorCast) -> [SealedSample?] {
        let passwords: [ByteText] = ["", "hello", "fifteen letters"]
        let logins = passwords.map { password in
            SealedSample(
                anonymous: "login-of-\(password.count)", "OTA-087", cast,
                LoginPlaintext(timestamp: VectorCast.stamp, password: password))
        }
        let room = RoomLoginPlaintext(timestamp: VectorCast.stamp, syncSince: VectorCast.met, password: "hello")
        let questions = (UInt8(1)...3).map { question in
            SealedSample(
                anonymous: "question-\(question)", "OTA-012", cast,
                AnonymousQueryPlaintext(
                    tag: VectorCast.stamp, question: question, replyPathLength: PathLength(hashSize: 2, hops: 2),
                    replyPath: CaseList.path(4)))
        }
        return logins + [SealedSample(anonymous: "room-login", "OTA-087", cast, room)] + questions
    }

    private static func groups(_ cast: VectorCast) -> [SealedSample?] {
        var samples: [SealedSample?] = []
        for channel in cast.channels {
            let text = GroupTextPlaintext(timestamp: VectorCast.stamp, sender: "Alice", text: "Grüße 📻")
            let name = channel.name.text.description.slug
            samples.append(
                SealedSample(.grpTxt, on: channel.secret, "grp-txt-on-\(name)", "OTA-085", bytes: text.written()))
            for count in [0, 1, 163, 165] {
                let data = GroupDataPlaintext(dataType: 0xFF00, data: [UInt8](repeating: 0x5A, count: count))
                samples.append(
                    data.flatMap {
                        SealedSample(
                            .grpData, on: channel.secret, "grp-data-on-\(name)-of-\(count)", "OTA-085",
                            bytes: $0.written())
                    })
            }
        }
        var typed = GroupTextPlaintext(timestamp: VectorCast.stamp, sender: "Alice", text: "typed")
        typed.head = 4
        let damaged: [(PayloadType, String, [UInt8])] = [
            (.grpTxt, "grp-txt-of-another-type", typed.written()),
            (.grpTxt, "grp-txt-plaintext-of-4", [1, 2, 3, 4]),
            (.grpTxt, "grp-txt-without-a-sender", [1, 2, 3, 4, 0] + [UInt8]("hello".utf8)),
            (.grpData, "grp-data-shorter-than-it-says", [0x00, 0xFF, 0x20, 1, 2, 3]),
        ]
        return samples
            + damaged.map { SealedSample($0, on: cast.channel.secret, $1, "OTA-086", bytes: $2) }
    }
}
