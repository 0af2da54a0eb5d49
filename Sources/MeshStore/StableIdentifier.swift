public import FoundationEssentials
import MeshCrypto
import MeshWire

/// Identifiers that follow from the named objects, so that returning ones are recognised.
public enum StableIdentifier {
    /// A radio, by its public key: the first 16 bytes of SHA-256, marked as a UUID of version 8.
    public static func device(publicKey: Data) -> UUID {
        uuid(Array(publicKey))
    }

    /// A contact of a radio, by its public key.
    public static func contact(deviceID: UUID, publicKey: Data) -> UUID {
        uuid(Array("contact".utf8) + deviceID.bytes + publicKey)
    }

    /// A channel of a radio, by its secret: the same channel in another slot has the same history.
    public static func channel(deviceID: UUID, secret: Data) -> UUID {
        uuid(Array("channel".utf8) + deviceID.bytes + secret)
    }

    /// Returns the identifier of a channel whose secret another slot of the radio holds too.
    static func channel(deviceID: UUID, secret: Data, slot: UInt8) -> UUID {
        uuid(Array("channel".utf8) + deviceID.bytes + secret + [slot])
    }

    /// A session with a room or a repeater, by its public key.
    public static func session(deviceID: UUID, publicKey: Data) -> UUID {
        uuid(Array("session".utf8) + deviceID.bytes + publicKey)
    }

    private static func uuid(_ name: [UInt8]) -> UUID {
        var digest = SHA256.hash(name)
        digest[6] = digest[6] & 0x0F | 0x80
        digest[8] = digest[8] & 0x3F | 0x80
        return digest.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

extension UUID {
    var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

    /// The text of `uuidString`, without the C library's printer: every message has two of them in its key.
    var text: String {
        String(unsafeUninitializedCapacity: 36) { characters in
            let digits: StaticString = "0123456789ABCDEF"
            var count = 0
            func add(_ character: UInt8) {
                characters[count] = character
                count += 1
            }
            withUnsafeBytes(of: uuid) { bytes in
                for (index, byte) in bytes.enumerated() {
                    if index == 4 || index == 6 || index == 8 || index == 10 { add(UInt8(ascii: "-")) }
                    add(digits.utf8Start[Int(byte >> 4)])
                    add(digits.utf8Start[Int(byte & 15)])
                }
            }
            return count
        }
    }

    /// All zero: stands in a row that is about to be read.
    static let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
