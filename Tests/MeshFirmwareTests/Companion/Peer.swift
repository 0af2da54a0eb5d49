import MeshCrypto
import MeshPacket
import MeshWire

/// Another node, as far as its packets go: it makes them with its own key and no firmware.
struct Peer: Sendable {
    /// The route by which a packet arrives.
    enum Way {
        case direct
        case flood(PathLength, [UInt8])
        /// By flood in the region of this key.
        case scoped(FixedBytes<16>)

        static let flood = Way.flood(.empty, [])
        static func flood(_ hashes: [UInt8]) -> Way { .flood(PathLength(hashSize: 1, hops: hashes.count), hashes) }
    }

    let identity: LocalIdentity
    let name: String
    let type: NodeType

    init(_ name: String, type: NodeType = .chat, seed: UInt8) {
        identity = LocalIdentity(seed: Seed32(repeatElement(seed, count: 32)))
        self.name = name
        self.type = type
    }

    init(_ name: String, type: NodeType = .chat, identity: LocalIdentity) {
        self.identity = identity
        self.name = name
        self.type = type
    }

    static let bob = Peer("Bob", seed: 0x11)
    static let rep = Peer("Rep", type: .repeater, seed: 0x12)
    static let room = Peer("Room", type: .room, seed: 0x13)
    static let eve = Peer("Eve", seed: 0x14)

    var key: PublicKey { identity.publicKey }
    var prefix: [UInt8] { [UInt8](key.prefix(6)) }

    func secret(with key: PublicKey) -> SharedSecret { identity.sharedSecret(with: key) }

    // MARK: Packets

    static func routed(_ packet: PacketView?, _ way: Way) -> [UInt8] {
        guard var packet else { return [] }
        switch way {
        case .direct: packet.routeZeroHop()
        case .flood(let length, let path):
            packet.routeFlood(hashSize: length.hashSize)
            packet.setPath(length, path)
        case .scoped(let key): packet.routeFlood(codes: TransportCodes(region: packet.transportCode(for: key)))
        }
        return packet.bytes
    }

    func advert(
        _ timestamp: UInt32, name: String? = nil, location: AdvertData.Location? = nil, _ way: Way = .flood
    ) -> [UInt8] {
        let data = AdvertData(type: type, location: location, name: ByteText(name ?? self.name))
        return Self.routed(PacketFactory.advert(of: identity, timestamp: timestamp, data: data), way)
    }

    func datagram(_ type: PayloadType, _ plaintext: [UInt8], to key: PublicKey, _ way: Way = .direct) -> [UInt8] {
        let packet = plaintext.withUnsafeBytes {
            PacketFactory.datagram(type, to: key[0], from: self.key[0], secret: secret(with: key), $0)
        }
        return Self.routed(packet, way)
    }

    func anonymous(_ plaintext: [UInt8], to key: PublicKey, _ way: Way = .direct) -> [UInt8] {
        let packet = plaintext.withUnsafeBytes {
            PacketFactory.anonymous(to: key[0], from: self.key, secret: secret(with: key), $0)
        }
        return Self.routed(packet, way)
    }

    /// The plaintext of a text, with whatever bytes.
    static func plaintext(_ text: [UInt8], type: TextType = .plain, attempt: UInt8 = 0, at time: UInt32) -> [UInt8] {
        bytes(time) + [type.rawValue << 2 | attempt & 3] + text
    }

    func text(
        _ text: String, type: TextType = .plain, at time: UInt32, to key: PublicKey, _ way: Way = .direct
    ) -> [UInt8] {
        datagram(.txtMsg, Self.plaintext([UInt8](text.utf8), type: type, at: time), to: key, way)
    }

    func response(_ tag: UInt32, _ data: [UInt8], to key: PublicKey, _ way: Way = .direct) -> [UInt8] {
        datagram(.response, Self.bytes(tag) + data, to: key, way)
    }

    /// A PATH that says: reach me along `path`.
    func pathReturn(
        _ length: PathLength, _ path: [UInt8], extra type: PayloadType = .rawCustom, _ extra: [UInt8] = [1, 2, 3, 4],
        to key: PublicKey, _ way: Way = .direct
    ) -> [UInt8] {
        let head: UInt8 = type == .rawCustom ? 0xFF : type.rawValue
        return datagram(.path, [length.rawValue] + path + [head] + extra, to: key, way)
    }

    func opened(_ packet: [UInt8], with key: PublicKey) -> [UInt8]? {
        guard let view = try? PacketView(packet) else { return nil }
        return Sealing.open([UInt8](view.payload.dropFirst(2)), secret: secret(with: key))
    }

    // MARK: Without a sender

    static func ack(_ ack: UInt32, extra: [UInt8] = [], _ way: Way = .direct) -> [UInt8] {
        routed(PacketFactory.ack(ack, extra: extra), way)
    }

    static func group(
        _ type: PayloadType, _ plaintext: [UInt8], secret: SharedSecret, hash: UInt8? = nil, _ way: Way = .flood
    ) -> [UInt8] {
        routed(plaintext.withUnsafeBytes { PacketFactory.group(type, secret: secret, hash: hash, $0) }, way)
    }

    static func channelText(_ text: String, at time: UInt32, secret: SharedSecret) -> [UInt8] {
        group(.grpTxt, plaintext([UInt8](text.utf8), at: time), secret: secret)
    }

    static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) } }
}
