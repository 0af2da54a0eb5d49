package import MeshFirmware
import MeshPacket
import MeshSimulator
package import MeshTime

/// A node's place with a real radio in it, which exchanges packets between both airs: no firmware, no mesh.
///
/// Its client is the radio. It handles one packet at a time, listens before it sends, and is deaf while it does.
package struct AntennaNode: GuestNode {
    /// The longest time that the world's air may be busy before a packet is sent all the same.
    ///
    /// It is the airtime of the longest packet with the usual settings. The packet was on the real air, and is late
    /// already.
    static let patience = TimeSpan.seconds(4)
    /// The interval at which it checks whether the air has become free.
    static let look = TimeSpan.milliseconds(10)

    /// The radio's address, for people.
    package let address: String
    package let flash = Flash()
    package private(set) var nextWake = Instant.never
    private var waiting: (frame: RadioFrame, until: Instant)?
    private var isSending = false

    package init(address: String) {
        self.address = address
    }

    /// The bytes that it accepts: none while a packet waits or is being sent, so that the next one stays with the port.
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
        case .receiveError, .appConnected, .appDisconnected, .bridge, .atInterface, .woke: break
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
