import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshWire

/// The nodes and channels of all vectors: keys for tests, made from seeds that anybody can repeat.
struct VectorCast: Sendable {
    /// A node by its name in the files.
    struct Member: Sendable {
        let name: String
        let seed: Seed32
        let identity: LocalIdentity

        init(_ name: String, _ byte: UInt8) {
            self.name = name
            seed = Seed32([UInt8](repeating: byte, count: 32))
            identity = LocalIdentity(seed: seed)
        }

        var key: PublicKey { identity.publicKey }
        /// The first byte of the key, as packets name nodes.
        var hash: UInt8 { key[0] }
    }

    /// A contact of the radio.
    let alice = Member("alice", 1)
    /// The radio that reads the packets and executes the commands.
    let bob = Member("bob", 2)
    /// A node that the radio has not met; its key begins with the same byte as alice's.
    let carol = Member("carol", 6)
    /// A channel that the radio has in slot 1.
    let channel = GroupChannel(name: "vectors", secret: SharedSecret((0..<16).map { UInt8($0) }))
    /// A channel that the radio does not have.
    let otherChannel = GroupChannel(name: "other", secret: SharedSecret((16..<32).map { UInt8($0) }))

    /// The radio's clock when it is asked, in Unix seconds.
    static let clock: UInt32 = 1_790_000_000
    /// The time stamp of the advert by which the radio knows alice.
    static let met: UInt32 = 1_780_000_000
    /// The time stamp of what is sent later.
    static let stamp: UInt32 = 1_790_000_100

    var members: [Member] { [alice, bob, carol] }
    var channels: [GroupChannel] { [.publicChannel, channel, otherChannel] }

    /// The secret of alice and bob.
    var secret: SharedSecret { alice.identity.sharedSecret(with: bob.key) }

    /// Reads packets field by field, and opens those of the cast.
    var printer: PacketPrinter {
        PacketPrinter(
            channels: channels.map { PacketPrinter.Channel(name: $0.name.text.description, secret: $0.secret) },
            identities: members.map(\.identity))
    }

    /// The advert by which the radio knows alice.
    var introduction: [UInt8] {
        let data = AdvertData(type: .chat, name: "Alice")
        guard var packet = PacketFactory.advert(of: alice.identity, timestamp: Self.met, data: data) else { return [] }
        packet.routeFlood()
        return packet.bytes
    }
}
