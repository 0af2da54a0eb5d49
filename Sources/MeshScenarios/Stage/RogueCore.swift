import MeshFirmware
import MeshSimulator
import MeshTime

/// A transmitter that sends the frames that its scenario gives it, one after the other, and keeps what it hears.
struct RogueCore: GuestNode {
    /// Frames that are kept; the oldest goes first.
    static let memory = 256

    let flash = Flash()
    var nextWake: Instant { .never }
    private(set) var heard: [[UInt8]] = []
    private var waiting: [[UInt8]] = []
    private var isSending = false

    mutating func handle(_ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]) {
        switch input {
        case .heard(let frame, _):
            if heard.count == Self.memory { heard.removeFirst() }
            heard.append(frame.bytes)
        case .appBytes(let bytes): waiting.append(bytes)
        case .transmitDone: isSending = false
        case .heardPacket, .receiveError, .appConnected, .appDisconnected, .bridge, .atInterface, .woke: break
        }
        guard !isSending, !waiting.isEmpty else { return }
        isSending = true
        effects.append(.transmit(RadioFrame(waiting.removeFirst())))
    }
}
