import MeshCompanion
import MeshPacket
import MeshWire

/// A repeater's end of a bridge to another repeater, in builds with one.
struct BridgePort: Equatable, Sendable {
    /// Begun, and not ended since (`bridge.enabled`).
    var isRunning: Bool
    /// The packets that have crossed in either direction.
    private(set) var seen: SeenTable
    /// What a serial line has brought of a frame; a restart of the bridge keeps it.
    var reader = SerialBridgeReader()

    init(_ switches: FirmwareSwitches, isRunning: Bool) {
        seen = SeenTable(switches)
        self.isRunning = isRunning
    }

    /// Returns whether a packet has crossed before, and enters it when it has not.
    mutating func meets(_ packet: PacketView) -> Bool { seen.meets(packet) }

    /// Counters of the table have no meaning here.
    static func == (one: BridgePort, other: BridgePort) -> Bool {
        one.isRunning == other.isRunning && one.seen.revision == other.seen.revision && one.reader == other.reader
    }
}

// Source: InfrastructureNodes, "Bridge"; firmware, `helpers/bridges` and `simple_repeater`.
extension ServerNode {
    /// True when the node hands packets to a bridge.
    @inline(__always)
    var isBridging: Bool { server.bridge.first?.isRunning == true }

    /// Begins the bridge of a build that has one, unless a setting forbids it.
    mutating func bootBridge() {
        guard server.role == .repeater, core.board.bridge != .none else { return }
        server.bridge = [BridgePort(core.switches, isRunning: server.preferences.bridgeEnabled != 0)]
    }

    /// The speed of the line or the Wi-Fi channel: the two ends need the same.
    private var bridgeTuning: UInt32 {
        core.board.bridge == .rs232 ? server.preferences.bridgeBaud : UInt32(server.preferences.bridgeChannel)
    }

    /// Hands a packet to the bridge that was sent or received on the radio, as its source has it.
    mutating func crossBridge(_ packet: PacketView, isSent: Bool) {
        guard isBridging, (server.preferences.bridgeSource == 0) == isSent, !server.bridge[0].meets(packet) else {
            return
        }
        let bytes = packet.bytes
        if core.board.bridge == .rs232 {
            return core.effects.append(.bridge(BridgeFrame.serial(bytes), tuning: bridgeTuning))
        }
        guard !failsWithoutSecret() else { return }
        if let frame = BridgeFrame.radio(bytes, secret: server.preferences.bridgeSecret.bytes) {
            core.effects.append(.bridge(frame, tuning: bridgeTuning))
        }
    }

    /// Takes what the other end has sent. One with another speed or channel is not understood.
    mutating func receiveFromBridge(_ bytes: [UInt8], tuning: UInt32) {
        guard isBridging, tuning == bridgeTuning else { return }
        if core.board.bridge == .rs232 {
            for byte in bytes {
                if let packet = server.bridge[0].reader.take(byte) { queueFromBridge(packet) }
            }
            return
        }
        guard (4...BridgeFrame.longestRadioFrame).contains(bytes.count), bytes.starts(with: BridgeFrame.magic),
            !failsWithoutSecret()
        else { return }
        let secret = server.preferences.bridgeSecret.bytes
        if let packet = BridgeFrame.packet(inRadio: bytes, secret: secret) { queueFromBridge(packet) }
    }

    /// Delays a packet of the bridge, which is then processed as if the radio had received it.
    private mutating func queueFromBridge(_ bytes: [UInt8]) {
        guard core.pool.take() else { return core.trace(.rxDrop(.poolEmpty)) }
        guard let packet = try? PacketView(bytes, as: .blob) else {
            core.release()
            return core.trace(.rxDrop(.malformed))
        }
        guard !server.bridge[0].meets(packet) else {
            core.release()
            return core.trace(.rxDrop(.alreadySeen))
        }
        core.queueInbound(packet, delayMillis: UInt32(server.preferences.bridgeDelay))
    }

    /// An ESP32 that divides by the length of an empty secret restarts.
    private mutating func failsWithoutSecret() -> Bool {
        guard server.preferences.bridgeSecret.isEmpty else { return false }
        core.effects.append(.reboot)
        return true
    }
}
