public import MeshCrypto
public import MeshWire

/// Makes packets that are not routed yet, their payload sealed or signed in place.
///
/// Each returns `nil` where the firmware's `create…` refuses. The result has route 0, zero codes and an empty path,
/// as there, until `routeFlood`, `routeDirect` or `routeZeroHop`. Source: OverTheAir, "Limits"; `Mesh.cpp`.
public enum PacketFactory {
    /// `createDatagram`: REQ, RESPONSE or TXT_MSG between two nodes, given by the first byte of their keys.
    public static func datagram(
        _ type: PayloadType, to destination: UInt8, from source: UInt8, secret: SharedSecret,
        _ plaintext: UnsafeRawBufferPointer
    ) -> PacketView? {
        guard type.isDatagram, plaintext.count <= PacketLimits.datagramPlaintext else { return nil }
        return sealed(type, head: 2, plaintext, secret: secret) { payload in
            payload[0] = destination
            payload[1] = source
        }
    }

    /// The same from fields.
    public static func datagram(
        _ type: PayloadType, to destination: UInt8, from source: UInt8, secret: SharedSecret, _ fields: some FieldGroup
    ) -> PacketView? {
        fields.written().withUnsafeBytes { datagram(type, to: destination, from: source, secret: secret, $0) }
    }

    /// `createPathReturn`: the route to `source`, and an acknowledgement or response if there is one.
    ///
    /// Without extra, `random` fills its place so that packets differ.
    public static func pathReturn(
        to destination: UInt8, from source: UInt8, secret: SharedSecret, pathLength: PathLength,
        path: UnsafeRawBufferPointer, extra: (type: PayloadType, bytes: UnsafeRawBufferPointer)?, random: UInt32
    ) -> PacketView? {
        let pathBytes = pathLength.byteCount
        let extraBytes = extra?.bytes.count ?? 0
        guard pathLength.isValid, path.count >= pathBytes, pathBytes + extraBytes <= PacketLimits.pathAndExtra else {
            return nil
        }
        var plaintext = FixedBytes<168>()
        let count = plaintext.withUnsafeMutableBytes { memory in
            memory[0] = pathLength.rawValue
            UnsafeMutableRawBufferPointer(rebasing: memory[1...]).copyBytes(from: path.prefix(pathBytes))
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[(pathBytes + 2)...])
            guard let extra, !extra.bytes.isEmpty else {
                memory[pathBytes + 1] = 0xFF
                rest.storeBytes(of: random.littleEndian, as: UInt32.self)
                return pathBytes + 6
            }
            memory[pathBytes + 1] = extra.type.rawValue
            rest.copyBytes(from: extra.bytes)
            return pathBytes + 2 + extraBytes
        }
        return plaintext.withUnsafeBytes {
            datagram(
                .path, to: destination, from: source, secret: secret, UnsafeRawBufferPointer(rebasing: $0.prefix(count))
            )
        }
    }

    /// `createAnonDatagram`: an ANON_REQ that carries the sender's whole key.
    public static func anonymous(
        to destination: UInt8, from sender: PublicKey, secret: SharedSecret, _ plaintext: UnsafeRawBufferPointer
    ) -> PacketView? {
        guard plaintext.count <= PacketLimits.anonymousPlaintext else { return nil }
        return sealed(.anonReq, head: 33, plaintext, secret: secret) { payload in
            payload[0] = destination
            sender.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: payload[1...]).copyBytes(from: $0) }
        }
    }

    /// The same from fields.
    public static func anonymous(
        to destination: UInt8, from sender: PublicKey, secret: SharedSecret, _ fields: some FieldGroup
    ) -> PacketView? {
        fields.written().withUnsafeBytes { anonymous(to: destination, from: sender, secret: secret, $0) }
    }

    /// `createGroupDatagram`: GRP_TXT or GRP_DATA, sealed with the channel's secret.
    ///
    /// `hash` is the channel's hash when it is known; otherwise it is computed.
    public static func group(
        _ type: PayloadType, secret: SharedSecret, hash: UInt8? = nil, _ plaintext: UnsafeRawBufferPointer
    ) -> PacketView? {
        guard type.isGroup, plaintext.count <= PacketLimits.groupPlaintext else { return nil }
        let hash = hash ?? MeshHash.channelHash(secret: secret)
        return sealed(type, head: 1, plaintext, secret: secret) { $0[0] = hash }
    }

    /// The same from fields.
    public static func group(
        _ type: PayloadType, secret: SharedSecret, hash: UInt8? = nil, _ fields: some FieldGroup
    ) -> PacketView? {
        fields.written().withUnsafeBytes { group(type, secret: secret, hash: hash, $0) }
    }

    private static func sealed(
        _ type: PayloadType, head: Int, _ plaintext: UnsafeRawBufferPointer, secret: SharedSecret,
        writingHead: (UnsafeMutableRawBufferPointer) -> Void
    ) -> PacketView? {
        var view = PacketView(draft: type)
        let fits = view.writePayload { payload in
            writingHead(payload)
            let rest = UnsafeMutableRawBufferPointer(rebasing: payload[head...])
            return head + Sealing.seal(plaintext, secret: secret, into: rest)
        }
        return fits ? view : nil
    }
}

extension PacketFactory {
    /// `createAdvert`: signs key, timestamp and application data; `nil` above 32 bytes of data.
    public static func advert(
        of identity: LocalIdentity, timestamp: UInt32, appData: UnsafeRawBufferPointer
    ) -> PacketView? {
        guard appData.count <= PacketLimits.advertData else { return nil }
        var view = PacketView(draft: .advert)
        let fits = view.writePayload { payload in
            identity.publicKey.withUnsafeBytes { payload.copyBytes(from: $0) }
            payload.storeBytes(of: timestamp.littleEndian, toByteOffset: 32, as: UInt32.self)
            UnsafeMutableRawBufferPointer(rebasing: payload[Advert.headSize...]).copyBytes(from: appData)
            let count = Advert.headSize + appData.count
            let message = Advert.SignedPart(payload: UnsafeRawBufferPointer(rebasing: payload[..<count]))
            let signature = message.bytes.withUnsafeBytes {
                identity.sign(UnsafeRawBufferPointer(rebasing: $0.prefix(message.count)))
            }
            signature.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: payload[36...]).copyBytes(from: $0) }
            return count
        }
        return fits ? view : nil
    }

    /// The same from fields.
    public static func advert(of identity: LocalIdentity, timestamp: UInt32, data: AdvertData) -> PacketView? {
        data.written().withUnsafeBytes { advert(of: identity, timestamp: timestamp, appData: $0) }
    }

    /// `createAck`: the hash, then bytes that make copies differ.
    public static func ack(_ ack: UInt32, extra: [UInt8] = []) -> PacketView? {
        payload(.ack, Ack(ack, extra: extra))
    }

    /// `createAck` from the bytes of a received acknowledgement.
    public static func ack(copying bytes: UnsafeRawBufferPointer) -> PacketView? {
        PacketView(unrouted: .ack, payload: bytes)
    }

    /// `createMultiAck`: one of several copies of an acknowledgement, with the number still to come.
    public static func multiAck(copying bytes: UnsafeRawBufferPointer, remaining: UInt8) -> PacketView? {
        var view = PacketView(draft: .multipart)
        let fits = view.writePayload { payload in
            guard bytes.count < payload.count else { return nil }
            payload[0] = remaining << 4 | PayloadType.ack.rawValue
            UnsafeMutableRawBufferPointer(rebasing: payload[1...]).copyBytes(from: bytes)
            return 1 + bytes.count
        }
        return fits ? view : nil
    }

    /// `createTrace`: without its route, which `routeDirect` appends to the payload.
    public static func trace(tag: UInt32, authCode: UInt32, flags: UInt8) -> PacketView? {
        payload(.trace, Trace(tag: tag, authCode: authCode, flags: flags))
    }

    /// `createControlData` from fields.
    public static func control(_ fields: some FieldGroup) -> PacketView? {
        payload(.control, fields)
    }

    /// `createRawData`: bytes that only an application understands; `nil` above 184.
    public static func rawCustom(_ bytes: UnsafeRawBufferPointer) -> PacketView? {
        PacketView(unrouted: .rawCustom, payload: bytes)
    }

    private static func payload(_ type: PayloadType, _ fields: some FieldGroup) -> PacketView? {
        fields.written().withUnsafeBytes { PacketView(unrouted: type, payload: $0) }
    }
}
