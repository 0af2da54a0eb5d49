package import MeshPacket

// Originating: the packet comes from a creator, so it is taken from the pool, and goes back there when it is refused.
// Source: OverTheAir, "Originating packets"; firmware, `Mesh::sendFlood`, `sendDirect`, `sendZeroHop`.
extension RoutingCore {
    /// Floods a packet, scoped when `codes` are given.
    ///
    /// `false` for a TRACE and for hash sizes other than 1…3, which are not sent.
    @discardableResult
    mutating func sendFlood(
        _ packet: consuming PacketView, delayMillis: UInt32 = 0, hashSize: Int = 1, codes: TransportCodes? = nil
    ) -> Bool {
        guard packet.routeFlood(hashSize: hashSize, codes: codes) else {
            release()
            return false
        }
        markSent(packet)
        let priority: UInt8 = packet.type == .path ? 2 : packet.type == .advert ? 3 : 1
        queue(packet, priority: priority, delayMillis: delayMillis)
        return true
    }

    /// Sends a packet along a path. For a TRACE the path is the list of entries and goes behind the payload.
    ///
    /// `false` for a path that is invalid or does not fit; the packet is then entered as seen and not sent.
    @discardableResult
    mutating func sendDirect(
        _ packet: consuming PacketView, pathLength: PathLength, path: UnsafeRawBufferPointer, delayMillis: UInt32 = 0
    ) -> Bool {
        let isRouted = packet.routeDirect(pathLength, path)
        markSent(packet)
        guard isRouted else {
            release()
            return false
        }
        let priority: UInt8 = packet.type == .trace ? 5 : packet.type == .path ? 1 : 0
        queue(packet, priority: priority, delayMillis: delayMillis)
        return true
    }

    /// Sends a packet along a path given as an array.
    @discardableResult
    mutating func sendDirect(
        _ packet: consuming PacketView, pathLength: PathLength, path: [UInt8], delayMillis: UInt32 = 0
    ) -> Bool {
        path.withUnsafeBytes { sendDirect(packet, pathLength: pathLength, path: $0, delayMillis: delayMillis) }
    }

    /// Sends a packet to all nodes in range, with transport codes when given.
    package mutating func sendZeroHop(
        _ packet: consuming PacketView, codes: TransportCodes? = nil, delayMillis: UInt32 = 0
    ) {
        packet.routeZeroHop(codes: codes)
        markSent(packet)
        queue(packet, priority: 0, delayMillis: delayMillis)
    }

    /// Sends a frame as it is, without entering it as seen; `false` when the pool is empty.
    ///
    /// Unlike the other senders it allocates the packet from the pool itself. Priority 255 is queued and never
    /// sent.
    @discardableResult
    mutating func sendRawPacket(_ packet: PacketView, priority: UInt8, delayMillis: UInt32 = 0) -> Bool {
        guard takeForSending() else { return false }
        queue(packet, priority: priority, delayMillis: delayMillis)
        return true
    }

    /// Frees a created packet that is not sent after all.
    mutating func release() { pool.giveBack() }

    /// Handles an advert card as if it were received, at the end of the mesh part of the next pass.
    ///
    /// Source: OverTheAir, "Contacts and received adverts".
    ///
    /// `false` when the pool is empty or the bytes are no advert packet. Route bits become those of a flood, and a
    /// duplicate entry is forgotten first.
    mutating func importAdvert(_ blob: UnsafeRawBufferPointer) -> Bool {
        guard loopback.isEmpty, takeForSending() else { return false }
        guard var packet = try? PacketView(blob, as: .blob), packet.type == .advert else {
            release()
            return false
        }
        // The firmware sets the lowest bit: a flood loses its codes, and a direct packet becomes a scoped direct one.
        packet.setRoute(RouteType(header: packet.header | 1))
        seen.clear(packet.packetHash)
        loopback = [packet]
        return true
    }
}
