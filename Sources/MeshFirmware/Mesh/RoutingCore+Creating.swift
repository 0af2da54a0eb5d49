import MeshCrypto
import MeshPacket
import MeshTime
import MeshWire

// Creators: a packet of its payload, taken from the pool and not routed yet. `nil` when the content is too long, or
// when the pool is empty, which also sets the error flag. What is not sent must be given back with `release`.
// Source: over-the-air document §2 (limits) and §6; firmware, `Mesh::create…`.
extension RoutingCore {
    /// A REQ, RESPONSE or TXT_MSG to the node with this hash, sealed with the secret shared with it.
    mutating func createDatagram(
        _ type: PayloadType, toHash: UInt8, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) -> PacketView? {
        guard type == .txtMsg || type == .req || type == .response, data.count <= PacketLimits.datagramPlaintext,
            takeForSending()
        else { return nil }
        let source = publicKey[0]
        return build(type) { payload in
            payload[0] = toHash
            payload[1] = source
            return 2 + Sealing.seal(data, secret: secret, into: payload.from(2))
        }
    }

    /// An ANON_REQ, which carries this node's whole key.
    mutating func createAnonymous(
        toHash: UInt8, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) -> PacketView? {
        guard data.count <= PacketLimits.anonymousPlaintext, takeForSending() else { return nil }
        let key = publicKey
        return build(.anonReq) { payload in
            payload[0] = toHash
            key.withUnsafeBytes { payload.from(1).copyMemory(from: $0) }
            return 33 + Sealing.seal(data, secret: secret, into: payload.from(33))
        }
    }

    /// A GRP_TXT or GRP_DATA, sealed with the secret of a channel slot.
    mutating func createGroupDatagram(
        _ type: PayloadType, channelHash: UInt8, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) -> PacketView? {
        guard type.isGroup, data.count <= PacketLimits.groupPlaintext, takeForSending() else { return nil }
        return build(type) { payload in
            payload[0] = channelHash
            return 1 + Sealing.seal(data, secret: secret, into: payload.from(1))
        }
    }

    /// A PATH that returns `path`, with an acknowledgement or response bundled; four random bytes when there is none.
    mutating func createPathReturn(
        toHash: UInt8, secret: SharedSecret, pathLength: PathLength, path: UnsafeRawBufferPointer,
        extraType: PayloadType = .rawCustom, extra: UnsafeRawBufferPointer = .init(start: nil, count: 0)
    ) -> PacketView? {
        let pathBytes = pathLength.byteCount
        guard path.count >= pathBytes, pathBytes + extra.count <= PacketLimits.pathAndExtra, takeForSending() else {
            return nil
        }
        let source = publicKey[0]
        let filler = extra.isEmpty ? fillerBytes() : 0
        return build(.path) { payload in
            withUnsafeTemporaryAllocation(byteCount: PacketLimits.payload, alignment: 1) { plain in
                plain[0] = pathLength.rawValue
                plain.from(1).copyMemory(from: path.first(pathBytes))
                var count = 1 + pathBytes
                if extra.isEmpty {
                    plain[count] = 0xFF
                    plain.storeBytes(of: filler, toByteOffset: count + 1, as: UInt32.self)
                    count += 5
                } else {
                    plain[count] = extraType.rawValue
                    plain.from(count + 1).copyMemory(from: extra)
                    count += 1 + extra.count
                }
                payload[0] = toHash
                payload[1] = source
                return 2
                    + Sealing.seal(UnsafeRawBufferPointer(plain).first(count), secret: secret, into: payload.from(2))
            }
        }
    }

    /// Random bytes that make a packet another one, in memory order.
    private mutating func fillerBytes() -> UInt32 {
        withUnsafeTemporaryAllocation(byteCount: 4, alignment: 4) { bytes in
            for index in 0..<4 { bytes[index] = random.nextByte() }
            return bytes.load(as: UInt32.self)
        }
    }

    /// A signed ADVERT of this node with the time of its clock.
    mutating func createAdvert(appData: UnsafeRawBufferPointer) -> PacketView? {
        guard appData.count <= PacketLimits.advertData, takeForSending() else { return nil }
        let time = unixTime.littleEndian
        let identity = identity
        return build(.advert) { payload in
            identity.publicKey.withUnsafeBytes { payload.copyMemory(from: $0) }
            payload.storeBytes(of: time, toByteOffset: 32, as: UInt32.self)
            payload.from(100).copyMemory(from: appData)
            let signature = AdvertMessage.with(UnsafeRawBufferPointer(payload).first(100 + appData.count)) {
                identity.sign($0)
            }
            signature.withUnsafeBytes { payload.from(36).copyMemory(from: $0) }
            return 100 + appData.count
        }
    }

    /// An ACK of these bytes, of which receivers read the first four.
    mutating func createAck(_ ack: UnsafeRawBufferPointer) -> PacketView? { create(.ack, ack) }

    /// A MULTIPART copy of an ACK, `remaining` more to come.
    mutating func createMultiAck(_ ack: UnsafeRawBufferPointer, remaining: Int) -> PacketView? {
        guard takeForSending() else { return nil }
        guard ack.count < PacketLimits.payload else {
            release()
            return nil
        }
        return build(.multipart) { payload in
            payload[0] = UInt8(truncatingIfNeeded: remaining << 4) | PayloadType.ack.rawValue
            payload.from(1).copyMemory(from: ack)
            return 1 + ack.count
        }
    }

    /// A TRACE without its entries, which `sendDirect` appends.
    mutating func createTrace(tag: UInt32, auth: UInt32, flags: UInt8) -> PacketView? {
        guard takeForSending() else { return nil }
        return build(.trace) { payload in
            payload.storeBytes(of: tag.littleEndian, toByteOffset: 0, as: UInt32.self)
            payload.storeBytes(of: auth.littleEndian, toByteOffset: 4, as: UInt32.self)
            payload[8] = flags
            return 9
        }
    }

    /// A RAW_CUSTOM of these bytes.
    mutating func createRaw(_ data: UnsafeRawBufferPointer) -> PacketView? { create(.rawCustom, data) }

    /// A CONTROL of these bytes, the first of which says what it is.
    mutating func createControl(_ data: UnsafeRawBufferPointer) -> PacketView? { create(.control, data) }

    private mutating func create(_ type: PayloadType, _ bytes: UnsafeRawBufferPointer) -> PacketView? {
        guard bytes.count <= PacketLimits.payload, takeForSending() else { return nil }
        return PacketView(unrouted: type, payload: bytes)
    }

    /// A packet whose payload `body` writes into zeroed memory and counts.
    private func build(_ type: PayloadType, _ body: (UnsafeMutableRawBufferPointer) -> Int) -> PacketView? {
        withUnsafeTemporaryAllocation(byteCount: PacketLimits.payload + 8, alignment: 8) { memory in
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            let count = body(memory)
            return PacketView(unrouted: type, payload: UnsafeRawBufferPointer(memory).first(count))
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The first bytes, at most `count`.
    func first(_ count: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: prefix(count)) }
    /// What follows the first `offset` bytes.
    func from(_ offset: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: dropFirst(offset)) }
}

extension UnsafeMutableRawBufferPointer {
    /// What follows the first `offset` bytes.
    func from(_ offset: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: dropFirst(offset))
    }
}

/// What the signature of an advert covers: key, time stamp and at most 32 bytes of application data.
enum AdvertMessage {
    /// Lends the message of an advert payload of at least 100 bytes.
    static func with<R>(_ payload: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        withUnsafeTemporaryAllocation(byteCount: 36 + PacketLimits.advertData, alignment: 1) { message in
            let appData = payload.from(100).first(PacketLimits.advertData)
            message.copyMemory(from: payload.first(36))
            message.from(36).copyMemory(from: appData)
            return body(UnsafeRawBufferPointer(message).first(36 + appData.count))
        }
    }
}
