import MeshPacket
package import MeshTime

/// The frames of a run with their sender, their kind, and the message that each carries or acknowledges.
///
/// It reads a trace line by line, from a file or a run, and names the frames of each loss.
package struct FrameRegister: Sendable {
    /// One transmission.
    package struct Frame: Hashable, Sendable {
        /// The number of the transmission in its run.
        package let number: Int
        /// The node that sends, as a place in the topology.
        package let sender: Int
        /// The node that sent this packet first.
        package let origin: Int
        /// The kind of packet, in the words of reports.
        package let kind: String
        /// The message that it carries, or that it acknowledges.
        package let message: Int?
    }

    /// Facts about a packet, however often it is sent.
    private struct Packet: Sendable {
        let hash: UInt64
        let origin: Int
        let type: PayloadType
        var message: Int?
        var acknowledges: Int?

        var kind: String {
            switch type {
            case .path where acknowledges != nil: "path with ack"
            default: FrameRegister.kind(of: type)
            }
        }
    }

    private struct Transmission: Sendable {
        let sender: Int
        /// `nil` for bytes that are no packet.
        let packet: UInt64?
    }

    /// A text that a node has to send, by which a packet finds its message.
    private struct Sending: Hashable {
        let from: Int
        let type: PayloadType
    }

    /// A message that a node had to send.
    struct Message: Sendable {
        let number: Int
        let from: Int
        let to: String
        let text: String
        let at: Instant
        /// The packet that carries it; `nil` until it is transmitted first.
        var packet: UInt64?
    }

    /// Frames, packets and messages that are kept at most; the oldest are forgotten.
    private let most: Int
    private var frames: [Int: Transmission] = [:]
    private var frameOrder: [Int] = []
    private var packets: [UInt64: Packet] = [:]
    private var packetOrder: [UInt64] = []
    private(set) var messages: [Message] = []
    /// Messages that no packet carries yet, as places in `messages`.
    private var open: [Sending: ArraySlice<Int>] = [:]
    /// The frame that each node received last.
    private var lastHeard: [Int: Int] = [:]
    /// The message that each acknowledgement is of, by its hash.
    private var acknowledged: [UInt32: Int] = [:]
    /// The message that a node is about to acknowledge; a path that it returns next has the acknowledgement in it.
    private var owed: [Int: Int] = [:]

    package init(keeping most: Int = .max) {
        self.most = most
    }

    // MARK: Reading

    /// Handles a line of a trace; returns the loss that it records, if it does.
    @discardableResult
    package mutating func enter(_ time: Instant, _ node: Int, _ content: TraceFile.Line.Content) -> FrameLoss? {
        switch content {
        case .message(let number, let to, let text): open(number, of: node, to: to, text, at: time)
        case .txBegin(let frame, let bytes, _): begin(frame, bytes, at: node, isReplay: false)
        case .replayBegin(let frame, let bytes, _): begin(frame, bytes, at: node, isReplay: true)
        case .ended(let number, let end): close(number, of: node, end)
        case .rxEnd(let frame, _, _): lastHeard[node] = frame
        case .acknowledging(let tag):
            guard let message = lastHeard[node].flatMap({ frames[$0]?.packet }).flatMap({ packets[$0]?.message })
            else { break }
            if acknowledged.count >= most { acknowledged.removeAll(keepingCapacity: true) }
            acknowledged[tag] = message
            owed[node] = message
        case .rxDrop(let frame, let reason, let other):
            return FrameLoss(
                at: time, node: node, reason: reason, frame: self.frame(frame), by: other.map(self.frame))
        default: break
        }
        return nil
    }

    private mutating func open(_ number: Int, of node: Int, to: String, _ text: String, at time: Instant) {
        // What waits is meant by its place, so the list is cut only where it is long.
        if messages.count >= most {
            messages.removeAll(keepingCapacity: true)
            open.removeAll(keepingCapacity: true)
        }
        let type: PayloadType = to == "#public" ? .grpTxt : to == "#advert" ? .advert : .txtMsg
        open[Sending(from: node, type: type), default: []].append(messages.count)
        messages.append(Message(number: number, from: node, to: to, text: text, at: time))
    }

    /// Closes a message that its radio refused: no later packet carries it.
    private mutating func close(_ number: Int, of node: Int, _ end: String) {
        guard [MessageEnd.refused, .radioDown].map(\.rawValue).contains(end) else { return }
        for type in [PayloadType.txtMsg, .grpTxt, .advert] {
            open[Sending(from: node, type: type)]?.removeAll { messages[$0].number == number }
        }
    }

    private mutating func begin(_ frame: Int, _ bytes: [UInt8], at node: Int, isReplay: Bool) {
        let view = try? PacketView(bytes)
        keep(frame, Transmission(sender: node, packet: view?.packetHash))
        guard let view, !isReplay, packets[view.packetHash] == nil else { return }
        var packet = Packet(hash: view.packetHash, origin: node, type: view.type)
        if let place = open[Sending(from: node, type: view.type), default: []].popFirst() {
            messages[place].packet = packet.hash
            packet.message = messages[place].number
        }
        packet.acknowledges = acknowledgement(in: view, from: node)
        keep(packet)
    }

    /// The message that a packet acknowledges.
    private mutating func acknowledgement(in view: PacketView, from node: Int) -> Int? {
        let payload = Array(view.payload)
        switch view.type {
        case .ack where payload.count >= 4: break
        case .multipart where payload.count >= 5: break
        case .path: return owed.removeValue(forKey: node)
        default: return nil
        }
        let hash = view.type == .ack ? payload[..<4] : payload[1..<5]
        let message = acknowledged[hash.reversed().reduce(0) { $0 << 8 | UInt32($1) }]
        if message != nil { owed[node] = nil }
        return message
    }

    private mutating func keep(_ number: Int, _ transmission: Transmission) {
        if frames.updateValue(transmission, forKey: number) == nil { frameOrder.append(number) }
        guard frameOrder.count > most else { return }
        let gone = frameOrder.count - most / 2
        for number in frameOrder.prefix(gone) { frames[number] = nil }
        frameOrder.removeFirst(gone)
    }

    private mutating func keep(_ packet: Packet) {
        packets[packet.hash] = packet
        packetOrder.append(packet.hash)
        guard packetOrder.count > most else { return }
        let gone = packetOrder.count - most / 2
        for hash in packetOrder.prefix(gone) { packets[hash] = nil }
        packetOrder.removeFirst(gone)
    }

    // MARK: Asking

    /// The packet in a frame, by its hash.
    func packet(in frame: Int) -> UInt64? { frames[frame]?.packet }

    /// All packets that were seen, each once, in the order of their first transmission.
    var allPackets: [UInt64] { packetOrder }

    /// The message that a packet acknowledges.
    func acknowledgement(by packet: UInt64) -> Int? { packets[packet]?.acknowledges }

    /// Facts about a frame.
    package func frame(_ number: Int) -> Frame {
        guard let transmission = frames[number] else {
            return Frame(number: number, sender: -1, origin: -1, kind: "frame", message: nil)
        }
        let packet = transmission.packet.flatMap { packets[$0] }
        return Frame(
            number: number, sender: transmission.sender, origin: packet?.origin ?? transmission.sender,
            kind: packet?.kind ?? "frame", message: packet?.message ?? packet?.acknowledges)
    }

    private static func kind(of type: PayloadType) -> String {
        switch type {
        case .req: "request"
        case .response: "response"
        case .txtMsg: "text"
        case .ack, .multipart: "ack"
        case .advert: "advert"
        case .grpTxt: "channel text"
        case .grpData: "channel data"
        case .anonReq: "login"
        case .path: "path"
        case .trace: "trace"
        case .control: "control packet"
        default: "packet"
        }
    }
}

extension FrameRegister.Frame {
    /// The frame as reports name it: `rep1's copy of bob's ack #117 of message 3`.
    ///
    /// - Parameter label: the name of a node.
    package func words(_ label: (Int) -> String) -> String {
        guard let name = name(label) else { return "#\(number)" }
        let carried =
            switch kind {
            // An advert has no text by which anybody looks for it.
            case "advert": ""
            case "ack", "path with ack": message.map { " of message \($0)" } ?? ""
            default: message.map { " (message \($0))" } ?? ""
            }
        return "\(name) #\(number)\(carried)"
    }

    /// The same without numbers: `rep1's copy of bob's ack`; `nil` for a frame from before the first line that is
    /// known.
    package func name(_ label: (Int) -> String) -> String? {
        guard sender >= 0 else { return nil }
        return (sender == origin ? "" : "\(label(sender))'s copy of ") + "\(label(origin))'s \(kind)"
    }
}

/// A frame that reached an antenna and was not received, with the reason and the other frame where one interfered.
package struct FrameLoss: Hashable, Sendable {
    /// The moment at which the frame ended.
    package let at: Instant
    /// The node that lost it, as a place in the topology.
    package let node: Int
    /// The reason as a trace has it.
    package let reason: String
    package let frame: FrameRegister.Frame
    /// The frame that it collided with, or that the node followed or sent itself; `nil` where none interfered.
    package let by: FrameRegister.Frame?

    /// The loss as reports print it: `bob's ack #117 of message 3 lost at rep1: collision with sens1's advert #118`.
    package func words(_ label: (Int) -> String) -> String {
        "\(frame.words(label)) lost at \(label(node)): \(reasonWords(label))"
    }

    /// The reason with the other frame: `collision with sens1's advert #118`.
    package func reasonWords(_ label: (Int) -> String) -> String {
        guard let by else { return reason }
        return switch reason {
        case "collision": "collision with \(by.words(label))"
        case "halfDuplex": "halfDuplex, it was sending \(by.words(label))"
        case "missed": "missed, it was receiving \(by.words(label))"
        default: "\(reason) by \(by.words(label))"
        }
    }
}
