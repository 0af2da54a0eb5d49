import MeshCrypto
import MeshPacket
import MeshWire
import Testing

/// The fixed inputs of the vectors.
enum Fixture {
    static let alice = identity(1)
    static let bob = identity(2)
    static let room = identity(3)
    static let repeater1 = identity(4)
    static let repeater2 = identity(5)
    static let carol = identity(6)

    static let publicChannel = FixedBytes<32>([UInt8](hex: "8b3387e9c5cdea6ac9e5edbaa115cd72") ?? [])
    static let europe = MeshHash.regionKey(name: [UInt8]("#europe".utf8))

    static func identity(_ byte: UInt8) -> LocalIdentity {
        LocalIdentity(seed: FixedBytes(repeatElement(byte, count: 32)))
    }
}

extension PacketFactory {
    /// A sealed packet between two identities whose private keys are known.
    static func datagram(
        _ type: PayloadType, from sender: LocalIdentity, to receiver: PublicKey, _ fields: some FieldGroup
    ) -> PacketView? {
        datagram(
            type, to: receiver[0], from: sender.publicKey[0], secret: sender.sharedSecret(with: receiver), fields)
    }

    static func datagram(
        _ type: PayloadType, from sender: LocalIdentity, to receiver: PublicKey, bytes: [UInt8]
    ) -> PacketView? {
        bytes.withUnsafeBytes {
            datagram(type, to: receiver[0], from: sender.publicKey[0], secret: sender.sharedSecret(with: receiver), $0)
        }
    }
}

extension OTAVectors.Vector {
    func identity(_ key: String) throws -> LocalIdentity {
        LocalIdentity(seed: FixedBytes(try #require(bytes(key))))
    }

    func key(_ name: String) throws -> PublicKey {
        PublicKey(try #require(bytes(name)))
    }

    func data(_ key: String) throws -> [UInt8] { try #require(bytes(key)) }
    func int(_ key: String) throws -> Int { try #require(number(key)) }
    func string(_ key: String) throws -> String { try #require(text(key)) }
    func u8(_ key: String) throws -> UInt8 { try #require(byte(key)) }

    func u32(_ key: String) throws -> UInt32 {
        UInt32(truncatingIfNeeded: try #require(number(key)))
    }

    func textPlaintext() throws -> TextPlaintext {
        let fields = TextPlaintext(
            timestamp: try u32("timestamp"), type: TextType(rawValue: UInt8(try int("txt_type"))),
            attempt: UInt8(try int("attempt")), text: ByteText(try string("text")),
            authorPrefix: FixedBytes(bytes("author_prefix") ?? []))
        return try #require(fields)
    }
}
