import MeshCrypto
package import MeshPacket
import MeshWire

// Nodes that a radio knows from before it was switched on.
extension CompanionRadio {
    /// Adds a contact from its advert, as if that had come earlier, by the path that it has, and been stored.
    ///
    /// For a board that starts with an empty flash and still is to know contacts.
    package mutating func know(_ advert: PacketView) {
        let key = advert.withPayload { PublicKey($0) }
        let timestamp = advert.payloadU32(at: 32) ?? 0
        advert.withPayload { payload in
            receivedAdvert(
                advert, key: key, timestamp: timestamp, appData: payload.from(100).first(PacketLimits.advertData))
        }
        writeContactsNow()
    }
}

extension FirmwareNode {
    /// An advert of this node as it would have sent it at another time, and as it arrives by a path; `nil` where it
    /// does not fit.
    package func advert(at unixSeconds: UInt32, path: [UInt8]) -> PacketView? {
        let data =
            (self as? CompanionRadio)?.advertData ?? (self as? any ServerNode)?.advertData
        guard let data,
            var packet = PacketFactory.advert(of: core.identity, timestamp: unixSeconds, data: data),
            packet.setPath(PathLength(hashSize: 1, hops: path.count), path)
        else { return nil }
        packet.setRoute(.flood)
        return packet
    }
}
