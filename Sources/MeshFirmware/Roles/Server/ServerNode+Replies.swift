import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshWire

/// The route by which an answer goes back to its client.
///
/// Source: InfrastructureNodes, "How replies travel"; firmware, `chooseReplyRoute`.
enum ReplyRoute {
    /// The request came by flood: the way it came goes back with the answer, flooded.
    case pathReturn
    case direct(PathLength, path: FixedBytes<64>)
    case flood
}

extension ServerNode {
    /// The way to a client: by path return after a flood, else along the stored path, else by flood.
    func replyRoute(to client: Int, after packet: PacketView) -> ReplyRoute {
        packet.isFlood ? .pathReturn : storedRoute(to: client)
    }

    /// The stored path of a client, else flood: the route of texts and acknowledgements, however the request came.
    func storedRoute(to client: Int) -> ReplyRoute {
        let client = server.clients[client]
        return client.outPathLength.isUnknown ? .flood : .direct(client.outPathLength, path: client.outPath)
    }

    /// Seals and sends an answer to the node whose key begins with `hash`. One that is too long disappears
    /// (INF-214).
    mutating func respond(
        _ body: [UInt8], to hash: UInt8, secret: SharedSecret, after packet: PacketView, by route: ReplyRoute
    ) {
        guard case .pathReturn = route else {
            return sendDatagram(
                .response, body, to: hash, secret: secret, after: packet, by: route,
                delayMillis: ServerTiming.response)
        }
        let reply = packet.withPath { path in
            body.withUnsafeBytes { body in
                core.createPathReturn(
                    toHash: hash, secret: secret, pathLength: packet.pathLength, path: path, extraType: .response,
                    extra: body)
            }
        }
        if let reply {
            sendFloodReply(reply, delayMillis: ServerTiming.response, hashSize: packet.pathLength.hashSize)
        }
    }

    /// Seals and sends a RESPONSE or TXT_MSG along a path or by flood.
    mutating func sendDatagram(
        _ type: PayloadType, _ data: [UInt8], to hash: UInt8, secret: SharedSecret, after packet: PacketView,
        by route: ReplyRoute, delayMillis: UInt32
    ) {
        let datagram = data.withUnsafeBytes { core.createDatagram(type, toHash: hash, secret: secret, data: $0) }
        guard let datagram else { return }
        send(datagram, by: route, delayMillis: delayMillis, hashSize: packet.pathLength.hashSize)
    }

    /// Sends a reply along a path, or by flood in the scope of the request.
    mutating func send(_ reply: consuming PacketView, by route: ReplyRoute, delayMillis: UInt32, hashSize: Int) {
        switch route {
        case .direct(let length, let path):
            path.withUnsafeBytes {
                _ = core.sendDirect(
                    reply, pathLength: length, path: $0.first(length.byteCount), delayMillis: delayMillis)
            }
        case .flood, .pathReturn: sendFloodReply(reply, delayMillis: delayMillis, hashSize: hashSize)
        }
    }

    /// The region of the packet in the pipeline. Until 1.16 that of the last flood, whatever came since (FWV-046).
    mutating func noteRegion(_ packet: PacketView) {
        guard packet.isFlood || core.board.firmware.switches.replyScope == .policy else { return }
        server.packetRegion = server.regions.match(packet)
    }

    /// Floods a reply in the scope in which its request came; one that came in no known scope is answered in the
    /// default one (INF-097 to INF-099).
    mutating func sendFloodReply(_ reply: consuming PacketView, delayMillis: UInt32, hashSize: Int) {
        let rule = core.switches.replyScope
        let scope: FixedBytes<16>? =
            switch server.packetRegion {
            case .wildcard: nil
            case .region(_, let key): rule == .none ? nil : key
            case nil: rule == .policy ? server.defaultScope : nil
            }
        sendFlood(reply, in: scope, delayMillis: delayMillis, hashSize: hashSize)
    }

    /// Floods a packet of this node's own: in the default scope, with the hash size that is set.
    mutating func sendFloodOfOwn(_ packet: consuming PacketView, delayMillis: UInt32 = 0) {
        sendFlood(
            packet, in: core.switches.hasDefaultRegion ? server.defaultScope : nil, delayMillis: delayMillis,
            hashSize: Int(server.preferences.pathHashMode) + 1)
    }

    private mutating func sendFlood(
        _ packet: consuming PacketView, in scope: FixedBytes<16>?, delayMillis: UInt32, hashSize: Int
    ) {
        let isScoping = server.role != .sensor
        let codes = isScoping ? scope.map { TransportCodes(region: packet.transportCode(for: $0)) } : nil
        core.sendFlood(packet, delayMillis: delayMillis, hashSize: hashSize, codes: codes)
    }
}
