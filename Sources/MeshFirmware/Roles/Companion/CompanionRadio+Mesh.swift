import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshWire

// What the routing core asks a companion (OverTheAir, "Companion radio on the air").
extension CompanionRadio: MeshNode {
    /// Client repeat: everything that the core has nothing against.
    func allowsForwarding(_ packet: PacketView) -> Bool { preferences.repeats }
    var extraAckCount: Int { Int(preferences.multiAcks) }
    var floodDelayFactor: Float { core.switches.hasCompanionTuning ? preferences.floodDelayFactor : 0.5 }
    var directDelayFactor: Float { core.switches.hasCompanionTuning ? preferences.directDelayFactor : 0.2 }
    var receiveDelayBase: Float { preferences.receiveDelayBase }
    var airtimeFactor: Float { preferences.airtimeFactor }

    mutating func logReceived(_ frame: RadioFrame, _ signal: Signal) {
        guard interface.isConnected, frame.count + 3 <= core.switches.frameLimit else { return }
        send(Push.LogRxData(snr: signal.snrQuarters, rssi: signal.rssiByte, raw: frame.bytes))
    }

    mutating func peers(withHash hash: UInt8) -> PeerMatches { contacts.matches(hash: hash) }

    mutating func secret(ofPeer index: Int) -> SharedSecret {
        contacts.secret(at: index, identity: core.identity)
    }

    mutating func channels(withHash hash: UInt8) -> ChannelMatches { channels.matches(hash: hash) }

    // MARK: The bare air

    mutating func receivedRaw(_ packet: PacketView) {
        guard packet.payloadCount + 4 <= transmitBuffer.count else { return }
        assemble(
            Push.RawData(
                snr: core.lastSignal.snrQuarters, rssi: core.lastSignal.rssiByte, payload: packet.payload))
    }

    mutating func receivedControl(_ packet: PacketView) {
        guard packet.payloadCount + 4 <= transmitBuffer.count else { return }
        assemble(
            Push.ControlData(
                snr: core.lastSignal.snrQuarters, rssi: core.lastSignal.rssiByte,
                pathLength: packet.pathLength, payload: packet.payload))
    }

    mutating func receivedTrace(
        _ packet: PacketView, tag: UInt32, auth: UInt32, flags: UInt8, snrs: UnsafeRawBufferPointer,
        hashes: UnsafeRawBufferPointer
    ) {
        let hops = hashes.count >> Int(flags & 3)
        guard 12 + hashes.count + hops + 1 <= transmitBuffer.count else { return }
        let known = snrs.prefix(hops).map { HopSNR(Int8(bitPattern: $0)) }
        assemble(
            Push.TraceData(
                pathLength: UInt8(truncatingIfNeeded: hashes.count), flags: flags, tag: tag, auth: auth,
                pathHashes: [UInt8](hashes),
                pathSNRs: known + repeatElement(HopSNR(0), count: hops - known.count), finalSNR: packet.snr))
    }

    /// Puts a frame together with or without a client, and sends it to a client.
    private mutating func assemble(_ frame: some PushFrame) {
        let bytes = frame.encoded()
        let count = min(bytes.count, transmitBuffer.count)
        if interface.isConnected {
            send(bytes: bytes)
        } else {
            transmitBuffer.replaceSubrange(..<count, with: bytes[..<count])
        }
    }
}
