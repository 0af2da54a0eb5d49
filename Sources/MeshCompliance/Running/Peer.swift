package import MeshCrypto
import MeshWire

/// Another node of the mesh, played by the suite: it signs and seals as the firmware of a neighbour would.
package struct Peer: Sendable {
    let name: String
    package let identity: LocalIdentity

    /// The identity made from 32 equal bytes.
    package init(_ name: String, seed: UInt8) {
        self.name = name
        identity = LocalIdentity(seed: Seed32([UInt8](repeating: seed, count: 32)))
    }

    /// A numbered stranger, for tables that are to be filled.
    package init(number: Int) {
        name = "node \(number)"
        let bytes = UInt32(truncatingIfNeeded: number).wireBytes + [0xA5]
        identity = LocalIdentity(seed: Seed32([UInt8](repeating: 0x77, count: 27) + bytes))
    }

    package var key: [UInt8] { identity.publicKey.array }
    /// The six bytes that messages and pushes carry.
    var prefix: [UInt8] { [UInt8](key.prefix(6)) }
    package var hash: UInt8 { identity.publicKey[0] }

    package static let bob = Peer("Bob", seed: 0x02)
    static let room = Peer("Room", seed: 0x03)
    static let rep = Peer("Repeater 1", seed: 0x04)
    static let rep2 = Peer("Repeater 2", seed: 0x05)
    package static let carol = Peer("Carol", seed: 0x06)
    /// The node whose card sets a clock back.
    static let clockmaker = Peer(number: 1_000_000)
}

// What a peer puts on the air. Payloads: OverTheAir, from "Datagrams" to "Control packets".
extension Peer {
    /// A signed advert. Without a name the flag is absent, as is the position without one.
    package func advert(
        _ timestamp: UInt32, type: UInt8 = 1, name: String? = nil, position: (lat: Int32, lon: Int32)? = nil,
        isForged: Bool = false, isNameless: Bool = false
    ) -> AirPacket {
        var data = [type | (position == nil ? 0 : 0x10) | (isNameless ? 0 : 0x80)]
        if let position { data += position.lat.wireBytes + position.lon.wireBytes }
        if !isNameless { data += [UInt8]((name ?? self.name).utf8) }
        let head = key + timestamp.wireBytes
        var signature = identity.sign(head + data).array
        if isForged { signature[0] ^= 1 }
        return AirPacket(.advert, .flood, payload: head + signature + data)
    }

    /// Destination hash, source hash, MAC, ciphertext: the envelope of REQ, RESPONSE, TXT_MSG and PATH.
    package func seal(_ kind: AirPacket.Kind, _ plaintext: [UInt8], to key: [UInt8]) -> AirPacket {
        let secret = identity.sharedSecret(with: PublicKey(key))
        let payload = [key.first ?? 0, hash] + Sealing.seal(plaintext, secret: secret)
        return AirPacket(kind, .flood, payload: payload)
    }

    /// A packet for a node that may not know this peer: destination hash, key, MAC, ciphertext.
    package func anonymous(_ plaintext: [UInt8], to key: [UInt8]) -> AirPacket {
        let secret = identity.sharedSecret(with: PublicKey(key))
        return AirPacket(
            .anonymous, .flood, payload: [key.first ?? 0] + self.key + Sealing.seal(plaintext, secret: secret))
    }

    /// A text of type 0 plain, 1 CLI or 2 signed (then `text` starts with four bytes of the author's key).
    package func text(_ text: [UInt8], at timestamp: UInt32, type: UInt8 = 0, attempt: UInt8 = 0, to key: [UInt8])
        -> AirPacket
    {
        seal(.text, timestamp.wireBytes + [type << 2 | attempt & 3] + text, to: key)
    }

    package func text(_ text: String, at timestamp: UInt32, attempt: UInt8 = 0, to key: [UInt8]) -> AirPacket {
        self.text([UInt8](text.utf8), at: timestamp, attempt: attempt, to: key)
    }

    func response(_ data: [UInt8], to key: [UInt8]) -> AirPacket {
        seal(.response, data, to: key)
    }

    /// A returned path, with what it carries.
    package func returnedPath(
        _ path: [UInt8] = [], length: UInt8? = nil, extra kind: AirPacket.Kind? = nil, _ extra: [UInt8] = [0, 0, 0, 0],
        to key: [UInt8]
    ) -> AirPacket {
        let length = length ?? UInt8(truncatingIfNeeded: path.count)
        return seal(.path, [length] + path + [kind?.rawValue ?? 0xFF] + extra, to: key)
    }

    /// Returns the bytes that the radio sealed for this peer, zero padded; `nil` when they are for another node.
    package func open(_ packet: AirPacket, from key: [UInt8]) -> [UInt8]? {
        let sealed = packet.kind == .anonymous ? packet.payload.dropFirst(33) : packet.payload.dropFirst(2)
        guard packet.payload.first == hash, sealed.count > 2 else { return nil }
        return Sealing.open([UInt8](sealed), secret: identity.sharedSecret(with: PublicKey(key)))
    }
}

/// A channel that the suite can send and read on.
package struct Channel: Sendable {
    let key: [UInt8]

    static let publicKey: [UInt8] = [
        0x8B, 0x33, 0x87, 0xE9, 0xC5, 0xCD, 0xEA, 0x6A, 0xC9, 0xE5, 0xED, 0xBA, 0xA1, 0x15, 0xCD, 0x72,
    ]
    package static let everyone = Channel(key: publicKey)
    /// Unused slots have this key.
    static let zero = Channel(key: [UInt8](repeating: 0, count: 16))

    package var secret: SharedSecret { SharedSecret(channel: ChannelKey(key)) }
    var hash: UInt8 { MeshHash.channelHash(secret: secret) }

    package func seal(_ kind: AirPacket.Kind, _ plaintext: [UInt8]) -> AirPacket {
        AirPacket(kind, .flood, payload: [hash] + Sealing.seal(plaintext, secret: secret))
    }

    func text(_ text: String, at timestamp: UInt32) -> AirPacket {
        seal(.groupText, timestamp.wireBytes + [0] + [UInt8](text.utf8))
    }

    func data(_ type: UInt16, _ data: [UInt8]) -> AirPacket {
        seal(.groupData, type.wireBytes + [UInt8(truncatingIfNeeded: data.count)] + data)
    }

    /// The padded plaintext, whatever hash the packet carries; `nil` when it was sealed with another key.
    func open(_ packet: AirPacket) -> [UInt8]? {
        Sealing.open([UInt8](packet.payload.dropFirst()), secret: secret)
    }
}
