import MeshCompanion
import MeshPacket
import MeshWire

extension CaseList {
    /// Payloads at and beyond their limits, reserved versions, and the shortest frames.
    static func limits(_ cast: VectorCast) -> CaseList {
        var list = CaseList(.limits)
        list.add(.packet, "nothing", [], "OTA-003")
        for count in [0, 1, 183, 184, 185] {
            for route in RouteType.allCases {
                list.add(
                    .packet, "raw-custom-\(route.name)-payload-of-\(count)".slug,
                    envelope(.rawCustom, route) + [UInt8](repeating: 0xA5, count: count),
                    count == 0 ? "OTA-005" : "OTA-004")
            }
        }
        let full = PathLength(hashSize: 2, hops: 32)
        list.add(
            .packet, "longest-packet",
            envelope(.rawCustom, .transportDirect, full, path(64)) + [UInt8](repeating: 0xA5, count: 184), "OTA-004")
        let next = PathLength(hashSize: 1, hops: 1)
        list.add(
            .packet, "no-payload-to-the-radio", envelope(.txtMsg, .direct, next, [cast.bob.hash]), "OTA-005")
        for version in UInt8(1)...3 {
            for type in [PayloadType.ack, .advert, .txtMsg] {
                list.add(
                    .packet, "\(type.name)-version-\(version)".slug,
                    envelope(type, .flood, version: version) + sample(of: type, cast), "OTA-001")
            }
        }
        list.addShortest()
        return list
    }

    /// One byte less than a node handles of each type, and exactly as many.
    private mutating func addShortest() {
        for number in UInt8(0)...15 {
            let type = PayloadType(rawValue: number)
            let least = type.shortestProcessed
            for count in [least - 1, least] where count >= 0 {
                add(
                    .packet, "\(type.name)-payload-of-\(count)".slug,
                    Self.envelope(type, .flood) + Self.path(count), "OTA-004")
            }
        }
    }

    /// Packets that end before and within each of their fields, without a path and with one.
    static func cuts(_ cast: VectorCast) -> CaseList {
        var list = CaseList(.cuts)
        let forms: [(RouteType, PathLength, [PayloadType])] = [
            (.flood, .empty, (0...15).map { PayloadType(rawValue: $0) }),
            (.transportDirect, PathLength(hashSize: 2, hops: 2), [.ack, .advert, .grpTxt, .trace]),
            (.transportFlood, PathLength(hashSize: 3, hops: 2), [.txtMsg, .control]),
        ]
        for (route, length, types) in forms {
            for type in types {
                let packet = envelope(type, route, length, path(length.byteCount)) + sample(of: type, cast)
                list.addCuts(
                    .packet, of: "\(type.name)-\(route.name)".slug, packet, cast.printer.printed(packet).fields
                ) { _ in "OTA-003" }
            }
        }
        return list
    }
}
