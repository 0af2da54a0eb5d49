import MeshCapture
import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWorlds

/// Finds the texts that clients give to companion radios in the frames that pass at their endpoints, so that such texts
/// have accounts as those of people have.
///
/// A text has its number before its radio learns of it: the packet can be on the air before the answer is written. Each
/// attempt is a text of its own, as it is a packet of its own.
struct ClientTexts {
    private struct Radio {
        /// Frames pass whole, without the marks of a stream.
        let isFramed: Bool
        var frames = StreamRecorder(.tcp)
        /// By the numbers of texts; of other commands nothing is known.
        var pairing = AnswerPairing<Int?>()
    }

    private var radios: [ClientID: Radio] = [:]
    private var entries: [RecordingEntry] = []

    mutating func add(_ client: ClientID, over link: RecordingLink) {
        radios[client] = Radio(isFramed: link == .ble)
    }

    /// Connections have ended, and what was asked on them gets no answer.
    mutating func forget() {
        for client in radios.keys { radios[client] = radios[client].map { Radio(isFramed: $0.isFramed) } }
    }

    /// Takes in what a client does, before its radio learns of it; the numbers of texts that get no answer any more.
    ///
    /// - Parameter number: opens the account of a text.
    mutating func took(_ action: NodeInput.App, _ client: ClientID, number: (ClientText) -> Int?) -> [Int] {
        switch action {
        case .connected, .disconnected:
            let lost = radios[client]?.pairing.giveUp().waiting ?? []
            radios[client] = radios[client].map { Radio(isFramed: $0.isFramed) }
            return lost.compactMap(\.self)
        case .bytes(let bytes):
            return frames(bytes, .toRadio, of: client).compactMap { frame in
                // Of too many that wait, the oldest is given up.
                radios[client]?.pairing.ask(ClientText(frame).flatMap(number), frame).flatMap(\.self)
            }
        }
    }

    /// Takes in what a radio says to its client.
    ///
    /// - Returns: what becomes known of texts, and the numbers of those that get no answer any more.
    mutating func said(_ bytes: [UInt8], _ client: ClientID) -> (news: [MeshApp.News], lost: [Int]) {
        var (news, lost): ([MeshApp.News], [Int]) = ([], [])
        for frame in frames(bytes, .toApp, of: client) {
            switch radios[client]?.pairing.take(frame) {
            case .answer(let number, _, let passed):
                lost += passed.compactMap(\.self)
                if let number { news.append(Self.answer(to: number, frame)) }
            case .push:
                if let push = try? Push.SendConfirmed(decoding: frame) { news.append(.confirmed(tag: push.ack)) }
            case .stray, nil: break
            }
        }
        return (news, lost)
    }

    private static func answer(to number: Int, _ frame: [UInt8]) -> MeshApp.News {
        switch frame.first.flatMap(ResponseCode.init) {
        case .sent: .taken(message: number, (try? Resp.Sent(decoding: frame)) ?? Resp.Sent())
        case .ok: .taken(message: number, Resp.Sent())
        default: .refused(message: number)
        }
    }

    private mutating func frames(_ bytes: [UInt8], _ direction: FrameDirection, of client: ClientID) -> [[UInt8]] {
        guard let radio = radios[client] else { return [] }
        guard !radio.isFramed else { return [bytes] }
        defer { entries.removeAll(keepingCapacity: true) }
        radios[client]?.frames.take(bytes, direction, at: .zero, into: &entries)
        return entries.compactMap { entry in
            guard case .frame(direction, let frame) = entry.event else { return nil }
            return frame
        }
    }
}
