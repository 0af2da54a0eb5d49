package import MeshFirmware
import MeshPacket
import MeshSimulator
package import MeshTime

/// A node's place with a real radio in it: no firmware, no mesh. What the radio hears is sent here, what is heard here goes to
/// the radio.
///
/// Its client is the radio. It takes one packet at a time, listens before it sends, and is deaf while it does.
package struct AntennaNode: GuestNode {
    /// How long the air of the world may be busy before a packet is sent into it all the same: as long as the longest packet
    /// takes with the usual settings. The packet was on the real air, and is late already.
    static let patience = TimeSpan.seconds(4)
    /// How often it looks whether the air has become free.
    static let look = TimeSpan.milliseconds(10)

    /// Where the radio is, for people.
    package let address: String
    package let flash = Flash()
    package private(set) var nextWake = Instant.never
    private var waiting: (frame: RadioFrame, until: Instant)?
    private var isSending = false

    package init(address: String) {
        self.address = address
    }

    /// Nothing while a packet waits or is being sent: the next one stays with the port.
    package var appWindow: Int { waiting == nil && !isSending ? PacketLimits.frame : 0 }

    package mutating func handle(
        _ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]
    ) {
        switch input {
        case .heard(let frame, _): effects.append(.appBytes(frame.bytes))
        case .heardPacket(let shared, _): effects.append(.appBytes(RadioFrame(shared.packet).bytes))
        case .appBytes(let bytes):
            if waiting == nil, !bytes.isEmpty { waiting = (RadioFrame(bytes), now + Self.patience) }
        case .transmitDone: isSending = false
        case .receiveError, .appConnected, .appDisconnected, .woke: break
        }
        transmit(at: now, radio, into: &effects)
    }

    private mutating func transmit(at now: Instant, _ radio: RadioStatus, into effects: inout [NodeEffect]) {
        nextWake = .never
        guard let waiting, !isSending else { return }
        if radio.isReceiving, now < waiting.until {
            nextWake = min(waiting.until, now + Self.look)
        } else {
            self.waiting = nil
            isSending = true
            effects.append(.transmit(waiting.frame))
        }
    }
}
