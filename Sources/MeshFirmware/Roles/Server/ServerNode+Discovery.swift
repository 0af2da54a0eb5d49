import MeshCompanion
import MeshPacket
import MeshWire

// Discovery, and the hop limits that repeaters and rooms share. Source: InfrastructureNodes, "Forwarding" and
// "Neighbours and discovery".
extension ServerNode {
    /// The request in a CONTROL; `nil` for one that is too short.
    func discoverRequest(in packet: PacketView) -> DiscoverRequest? {
        try? packet.withPayload { memory throws(FrameError) in try DiscoverRequest(reading: memory) }
    }

    /// Names this node to a neighbour that asks for its type, unless nothing has changed since.
    mutating func answer(_ request: DiscoverRequest, to packet: PacketView) {
        guard request.wants(server.role.nodeType), server.preferences.discoveryModified >= request.since ?? 0 else {
            return
        }
        let response = DiscoverResponse(
            nodeType: server.role.nodeType, snr: packet.snr, tag: request.tag, publicKey: core.publicKey,
            prefixOnly: request.prefixOnly)
        guard let answer = response.written().withUnsafeBytes({ core.createControl($0) }) else { return }
        // Many may answer, so they wait four times as long as a flood does.
        core.sendZeroHop(answer, delayMillis: 4 &* floodRetransmitDelay(bytes: answer.delayLength))
    }

    /// Returns whether the hops of a flood are within the limits: that of its kind, and the general one.
    mutating func isWithinHopLimits(_ packet: PacketView) -> Bool {
        let hops = packet.hopCount
        if hops >= Int(server.preferences.floodMax) { return false }
        guard core.switches.hasHopLimits else { return true }
        if packet.route == .flood, hops >= Int(server.preferences.floodMaxUnscoped) { return false }
        return packet.type != .advert || hops < Int(server.preferences.floodMaxAdvert)
    }
}
