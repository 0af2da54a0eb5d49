import MeshCapture
import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWorlds

/// Finds the texts that clients give to companion radios in the frames that pass at their endpoints, so that such texts have
/// accounts as those of people have.
///
/// A text is one when its radio has taken it: whatever is refused is never on the air. Each attempt is a text of its own, as it
/// is a packet of its own.
struct ClientTexts {
    /// What becomes known of a client's texts.
    enum News {
        case sent(ClientText, Resp.Sent)
        case confirmed(tag: UInt32)
    }

    private struct Radio {
        /// What passes is whole frames, without the marks of a stream.
        let isFramed: Bool
        var frames = StreamRecorder(.tcp)
        var pairing = AnswerPairing<ClientText?>()
    }

    /// By the node's index.
    private var radios: [Int: Radio] = [:]
    private var entries: [RecordingEntry] = []

    mutating func add(_ node: NodeID, over link: RecordingLink) {
        radios[node.index] = Radio(isFramed: link == .ble)
    }

    /// Connections have ended, and what was asked on them gets no answer.
    mutating func forget() {
        for index in radios.keys { radios[index] = radios[index].map { Radio(isFramed: $0.isFramed) } }
    }

    /// What a client does, before its radio learns of it.
    mutating func took(_ input: NodeInput, _ node: NodeID) {
        switch input {
        case .appConnected, .appDisconnected:
            radios[node.index] = radios[node.index].map { Radio(isFramed: $0.isFramed) }
        case .appBytes(let bytes):
            for frame in frames(bytes, .toRadio, of: node) {
                radios[node.index]?.pairing.ask(ClientText(frame), frame)
            }
        default: break
        }
    }

    /// What a radio says to its client.
    mutating func said(_ bytes: [UInt8], _ node: NodeID) -> [News] {
        frames(bytes, .toApp, of: node).compactMap { frame in
            switch radios[node.index]?.pairing.take(frame) {
            case .answer(let text?, _, _):
                switch frame.first.flatMap(ResponseCode.init) {
                case .sent: (try? Resp.Sent(decoding: frame)).map { .sent(text, $0) }
                case .ok: .sent(text, Resp.Sent())
                default: nil
                }
            case .push: (try? Push.SendConfirmed(decoding: frame)).map { .confirmed(tag: $0.ack) }
            default: nil
            }
        }
    }

    private mutating func frames(_ bytes: [UInt8], _ direction: FrameDirection, of node: NodeID) -> [[UInt8]] {
        guard let radio = radios[node.index] else { return [] }
        guard !radio.isFramed else { return [bytes] }
        defer { entries.removeAll(keepingCapacity: true) }
        radios[node.index]?.frames.take(bytes, direction, at: .zero, into: &entries)
        return entries.compactMap { entry in
            guard case .frame(direction, let frame) = entry.event else { return nil }
            return frame
        }
    }
}
