import MeshCompanion
import MeshPacket
import MeshWire

extension CaseList {
    /// Sealed packets that the radio can open, and the same with a seal that fails.
    static func sealed(_ cast: VectorCast) -> CaseList {
        var list = CaseList(.sealed)
        for sample in SealedSample.all(cast) {
            var packet = sample.packet
            packet.routeFlood()
            list.add(.packet, sample.name, packet.bytes, sample.statement, content: sample.content)
        }
        for type in [PayloadType.req, .response, .txtMsg, .path, .anonReq, .grpTxt, .grpData] {
            guard let sample = SealedSample.first(of: type, cast) else { continue }
            list.addDamaged(sample)
            var direct = sample.packet
            direct.routeZeroHop()
            list.add(.packet, "\(type.name)-zero-hop".slug, direct.bytes, sample.statement, content: sample.content)
            direct.routeDirect(PathLength(hashSize: 2, hops: 2), path(4))
            list.add(
                .packet, "\(type.name)-on-its-way".slug, direct.bytes, "OTA-023", content: sample.content)
        }
        return list
    }

    /// A bit changed in the ciphertext, and a ciphertext that is no whole number of blocks.
    private mutating func addDamaged(_ sample: SealedSample) {
        var packet = sample.packet
        packet.routeFlood()
        var bytes = packet.bytes
        bytes[bytes.count - 1] ^= 1
        add(.packet, "\(packet.type.name)-changed".slug, bytes, "OTA-013")
        add(.packet, "\(packet.type.name)-without-its-last-byte".slug, [UInt8](packet.bytes.dropLast()), "OTA-013")
        add(.packet, "\(packet.type.name)-with-a-byte-more".slug, packet.bytes + [0], "OTA-013")
    }
}
