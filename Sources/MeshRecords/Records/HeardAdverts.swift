package import MeshCrypto
package import MeshPacket
package import MeshWire

/// The nodes that adverts tell of, each as its newest advert has it, in the order of their first adverts.
package struct HeardAdverts: Sendable {
    /// A node and its newest advert.
    package struct Node: Hashable, Sendable {
        package let key: PublicKey
        package fileprivate(set) var timestamp: UInt32
        package fileprivate(set) var data: AdvertData
        /// The advert that counts, to recognise its copies.
        fileprivate var payload: [UInt8]

        /// The coordinates in the advert; 0, 0 are none.
        package var states: AdvertData.Location? {
            data.location.flatMap { $0.latitude == 0 && $0.longitude == 0 ? nil : $0 }
        }
        /// The place; `nil` for coordinates that are none.
        package var point: GeoPoint? { states.flatMap { GeoPoint(microdegrees: $0.latitude, $0.longitude) } }
        /// The name, or the beginning of the key for a node without one.
        package var title: String { data.name.isEmpty ? key.prefix(3).hex : data.name.string }
    }

    package private(set) var nodes: [Node] = []
    /// Adverts with a valid signature.
    package private(set) var adverts = 0
    private var places: [PublicKey: Int] = [:]

    package init() {}

    /// Takes over an advert, and returns the place of its node; `nil` for a packet that is no valid advert.
    @discardableResult
    package mutating func take(_ packet: HeardPacket) -> Int? {
        guard let view = try? PacketView(packet.bytes, as: packet.source), view.type == .advert else { return nil }
        let payload = view.payload
        guard payload.count >= Advert.headSize else { return nil }
        let key = PublicKey(payload.prefix(32))
        // Most adverts are heard many times, and a signature costs more than a comparison.
        if let place = places[key], nodes[place].payload == payload {
            adverts += 1
            return place
        }
        guard view.hasValidAdvertSignature,
            let data = try? AdvertData(appData: Array(payload.dropFirst(Advert.headSize)))
        else { return nil }
        adverts += 1
        let timestamp = (0..<4).reduce(UInt32(0)) { $0 | UInt32(payload[32 + $1]) << UInt32(8 * $1) }
        guard let place = places[key] else {
            places[key] = nodes.count
            nodes.append(Node(key: key, timestamp: timestamp, data: data, payload: payload))
            return nodes.count - 1
        }
        if timestamp > nodes[place].timestamp {
            (nodes[place].timestamp, nodes[place].data, nodes[place].payload) = (timestamp, data, payload)
        }
        return place
    }
}
