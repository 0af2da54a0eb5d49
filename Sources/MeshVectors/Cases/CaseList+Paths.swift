import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshWire

extension CaseList {
    /// Packets with every size of path hash, at the edges of the number of hops, on every route.
    static func paths(_ cast: VectorCast) -> CaseList {
        var list = CaseList(.paths)
        let ack = Ack(0x0403_0201).written()
        for route in RouteType.allCases {
            for size in 1...4 {
                for hops in edges(ofHashSize: size) {
                    let length = PathLength(hashSize: size, hops: hops)
                    list.add(
                        .packet, "\(route.name)-hashes-of-\(size)-hops-\(hops)".slug,
                        envelope(.ack, route, length, path(length.byteCount)) + ack,
                        length.isValid && route.hasTransportCodes ? "OTA-007" : "OTA-002")
                }
            }
            addPlainCount(route, ack, to: &list)
            for size in 1...3 where route.isDirect {
                let length = PathLength(hashSize: size, hops: 2)
                let own = [UInt8](cast.bob.key.prefix(size))
                list.add(
                    .packet, "\(route.name)-to-the-radio-hashes-of-\(size)".slug,
                    envelope(.ack, route, length, own + path(size)) + ack, "OTA-040")
            }
        }
        return list
    }

    /// The header of a packet up to its payload, written by its own walk whatever the path length means.
    static func envelope(
        _ type: PayloadType, _ route: RouteType, _ length: PathLength = .empty, _ path: [UInt8] = [],
        version: UInt8 = 0
    ) -> [UInt8] {
        var envelope = PacketEnvelope()
        envelope.header = version << 6 | type.rawValue << 2 | route.rawValue
        envelope.codes = TransportCodes(region: 0x1234)
        envelope.pathLength = length
        envelope.path = path
        return envelope.written()
    }

    /// Bytes of hashes that belong to no node of the cast.
    static func path(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: 0x11 + $0) } }

    /// None, one, the most that fit, and one more than that.
    private static func edges(ofHashSize size: Int) -> [Int] {
        switch size {
        case 1: [0, 1, 63]
        case 2: [0, 1, 31, 32, 33]
        case 3: [0, 1, 21, 22]
        default: [0, 1, 16, 60]
        }
    }

    /// A path of 64 hops by the plain number: the byte 0x40 means no hops of two bytes, and the path is payload.
    private static func addPlainCount(_ route: RouteType, _ payload: [UInt8], to list: inout CaseList) {
        list.add(
            .packet, "\(route.name)-64-as-a-plain-count".slug,
            envelope(.ack, route, PathLength(rawValue: 64)) + path(64) + payload, "OTA-032")
    }
}
