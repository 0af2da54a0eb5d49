import MeshCrypto
import MeshPacket
import MeshTime
import MeshWire

// Creators: a packet of its payload, taken from the pool and not routed yet. `nil` when the content is too long, or
// when the pool is empty, which also sets the error flag. What is not sent must be given back with `release`.
// Source: OverTheAir, "Limits"; firmware, `Mesh::create…`.
extension RoutingCore {
    /// A REQ, RESPONSE or TXT_MSG to the node with this hash, sealed with the secret shared with it.
    mutating func createDatagram(
        _ type: PayloadType, toHash: UInt8, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) -> PacketView? {
        guard type.isDatagram, type != .path, data.count <= PacketLimits.datagramPlaintext else { return nil }
        return create { PacketFactory.datagram(type, to: toHash, from: $0.publicKey[0], secret: secret, data) }
    }

    /// An ANON_REQ, which carries this node's whole key.
    mutating func createAnonymous(toHash: UInt8, secret: SharedSecret, data: UnsafeRawBufferPointer) -> PacketView? {
        guard data.count <= PacketLimits.anonymousPlaintext else { return nil }
        return create { PacketFactory.anonymous(to: toHash, from: $0.publicKey, secret: secret, data) }
    }

    /// A GRP_TXT or GRP_DATA, sealed with the secret of a channel slot.
    mutating func createGroupDatagram(
        _ type: PayloadType, channelHash: UInt8, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) -> PacketView? {
        guard type.isGroup, data.count <= PacketLimits.groupPlaintext else { return nil }
        return create { _ in PacketFactory.group(type, secret: secret, hash: channelHash, data) }
    }

    /// A PATH that returns `path`, with an acknowledgement or response bundled; four random bytes when there is none.
    mutating func createPathReturn(
        toHash: UInt8, secret: SharedSecret, pathLength: PathLength, path: UnsafeRawBufferPointer,
        extraType: PayloadType = .rawCustom, extra: UnsafeRawBufferPointer = .init(start: nil, count: 0)
    ) -> PacketView? {
        guard pathLength.byteCount + extra.count <= PacketLimits.pathAndExtra else { return nil }
        return create { core in
            PacketFactory.pathReturn(
                to: toHash, from: core.publicKey[0], secret: secret, pathLength: pathLength, path: path,
                extra: (extraType, extra), random: extra.isEmpty ? core.randomBytes() : 0)
        }
    }

    /// Four random bytes, such as make a packet another one; the first drawn is the first in the packet.
    mutating func randomBytes() -> UInt32 {
        var filler: UInt32 = 0
        for index in 0..<4 { filler |= UInt32(random.nextByte()) << UInt32(8 * index) }
        return filler
    }

    /// A signed ADVERT of this node with the time of its clock.
    mutating func createAdvert(_ data: AdvertData) -> PacketView? {
        create { PacketFactory.advert(of: $0.identity, timestamp: $0.unixTime, data: data) }
    }

    /// An ACK of these bytes, of which receivers read the first four.
    mutating func createAck(_ ack: UnsafeRawBufferPointer) -> PacketView? {
        create { _ in PacketFactory.ack(copying: ack) }
    }

    /// A MULTIPART copy of an ACK, `remaining` more to come.
    mutating func createMultiAck(_ ack: UnsafeRawBufferPointer, remaining: Int) -> PacketView? {
        create { _ in PacketFactory.multiAck(copying: ack, remaining: UInt8(truncatingIfNeeded: remaining)) }
    }

    /// A TRACE without its entries, which `sendDirect` appends.
    mutating func createTrace(tag: UInt32, auth: UInt32, flags: UInt8) -> PacketView? {
        create { _ in PacketFactory.trace(tag: tag, authCode: auth, flags: flags) }
    }

    /// A RAW_CUSTOM of these bytes.
    mutating func createRaw(_ data: UnsafeRawBufferPointer) -> PacketView? {
        guard data.count <= PacketLimits.payload else { return nil }
        return create { _ in PacketView(unrouted: .rawCustom, payload: data) }
    }

    /// A CONTROL of these bytes, the first of which is its type.
    mutating func createControl(_ data: UnsafeRawBufferPointer) -> PacketView? {
        guard data.count <= PacketLimits.payload else { return nil }
        return create { _ in PacketView(unrouted: .control, payload: data) }
    }

    /// Allocates a packet from the pool and fills it; one that cannot be filled is freed.
    private mutating func create(_ fill: (inout RoutingCore) -> PacketView?) -> PacketView? {
        guard takeForSending() else { return nil }
        guard let packet = fill(&self) else {
            release()
            return nil
        }
        return packet
    }
}

extension UnsafeRawBufferPointer {
    /// The first bytes, at most `count`.
    func first(_ count: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: prefix(count)) }
    /// Returns the bytes after the first `offset`.
    func from(_ offset: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: dropFirst(offset)) }
}
