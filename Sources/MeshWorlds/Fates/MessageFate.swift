public import MeshPacket
import MeshSimulator
public import MeshTime

/// The fate of one message in a trace: each transmission, its listeners, and its losses with their reasons.
public struct MessageFate: Sendable {
    /// One transmission of the message's packet, with the result at every listener.
    public struct Hop: Sendable {
        /// The number of the transmission in its trace.
        public let frame: Int
        /// The node that sent, as a place in the topology.
        public let sender: Int
        /// The moment when the first symbol left the antenna.
        public let begin: Instant
        /// The time that it was on the air.
        public let airtime: TimeSpan
        /// Bytes on the air.
        public let bytes: [UInt8]
        /// The frame from which the sender had it; `nil` for the one that wrote it.
        public var cause: Int?
        /// The nodes that received it, with their SNR in 1/100 dB.
        public var heard: [(node: Int, snrHundredths: Int16)] = []
        /// The nodes that it reached and that did not receive it, with the reason.
        public var lost: [(node: Int, reason: String)] { losses.map { ($0.node, $0.reason) } }
        /// The same with the frames that were in the way.
        package internal(set) var losses: [FrameLoss] = []
        /// Listeners that went no further with it, and why.
        public var discarded: [(node: Int, reason: String)] = []
        /// Listeners whose application received it from this frame.
        public var delivered: [Int] = []
        /// The moment when the last symbol left the antenna.
        public var end: Instant { begin + airtime }
    }

    /// The trace in which it was looked up.
    public let trace: TraceFile
    /// The message's packet hash, as hex.
    public let packet: String
    /// The kind of packet that carried the message.
    public let type: PayloadType
    /// Every transmission of it, in the order of time.
    public let hops: [Hop]
    /// The message as the run's people wrote it, if they did.
    public let words: (number: Int, from: Int, to: String, text: String, at: Instant)?
    /// The moment when its acknowledgement came back.
    public let acknowledged: Instant?
    /// The copies of its acknowledgements that were lost.
    package let lostAcknowledgements: [FrameLoss]
    /// The end of the message, where there was no acknowledgement and the trace records the end.
    public let end: MessageEnd?
    /// True while the run continues: the trace is then its beginning.
    let isRunning: Bool

    /// Finds a message: by its number in the run, `#FRAME`, a packet hash (or its beginning), or words of its text.
    public init(_ wanted: String, in trace: TraceFile) throws(FateProblem) {
        try self.init(wanted, in: trace, isRunning: false)
    }

    /// The same for the beginning of a run; the run continues where `isRunning` is true.
    package init(_ wanted: String, in trace: TraceFile, isRunning: Bool) throws(FateProblem) {
        self.trace = trace
        self.isRunning = isRunning
        let search = FateSearch(trace)
        let packet = try search.packet(wanted)
        self.packet = packet.hex
        hops = search.hops(of: packet.hash)
        type = hops.first.flatMap { try? PacketView($0.bytes) }?.type ?? .rawCustom
        words = search.words(of: packet.hash)
        let number = words?.number
        lostAcknowledgements = number.map(search.lostAcknowledgements(of:)) ?? []
        acknowledged =
            trace.lines.first { line in
                if case .acknowledged(let other) = line.content { other == number } else { false }
            }?.time
        end =
            acknowledged != nil
            ? nil
            : trace.lines.compactMap { line in
                if case .ended(let other, let word) = line.content, other == number {
                    MessageEnd(rawValue: word)
                } else {
                    nil
                }
            }.last
    }

    /// The nodes that had it delivered, each once.
    public var reached: [Int] {
        var seen: Set<Int> = []
        return hops.flatMap(\.delivered).filter { seen.insert($0).inserted }
    }
}

extension MessageFate {
    /// The path of a message to one node: transmissions that follow from each other.
    public struct Path: Sendable {
        /// The node that it came to, as a place in the topology.
        public let to: Int
        /// The transmissions from the first one to that which was delivered.
        public let hops: [Hop]
        /// The moment when the last of them had arrived.
        public var end: Instant { hops.last?.end ?? .start }
        /// All nodes on the way, the sender and the recipient included.
        public var nodes: [Int] { hops.map(\.sender) + [to] }
    }

    /// The most transmissions of a path, as many as a packet has room for.
    ///
    /// Only a trace from outside has longer paths, of which the end is kept.
    static let longestPath = PacketLimits.path

    /// The path of the copy that was delivered, for each node that got the message, in the order of arrival.
    public var paths: [Path] {
        var places: [Int: Int] = [:]
        for (place, hop) in hops.enumerated() { places[hop.frame] = place }
        var seen: Set<Int> = []
        return hops.indices.flatMap { last in
            hops[last].delivered.filter { seen.insert($0).inserted }.map { node in
                // From the last one backwards.
                var chain = [last]
                // A trace may be damaged: what follows from something later ends the chain.
                while let first = chain.last, chain.count < Self.longestPath, hops[first].sender != hops[0].sender,
                    let cause = hops[first].cause.flatMap({ places[$0] }), cause < first
                {
                    chain.append(cause)
                }
                return Path(to: node, hops: chain.reversed().map { hops[$0] })
            }
        }.sorted { ($0.end, $0.to) < ($1.end, $1.to) }
    }
}

/// The reason why a trace does not hold the message that was asked for.
public enum FateProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// No message of the trace fits the words; these are there.
    case notFound(String, known: [String])
    /// The words fit several messages.
    case ambiguous(String, numbers: [Int])
    /// The message was asked for, and its node never sent it.
    case neverSent(number: Int)

    public var description: String {
        switch self {
        case .notFound(let wanted, let known):
            let some = known.isEmpty ? "" : "; there are, for example, " + known.joined(separator: ", ")
            return "no message \"\(wanted)\"\(some)"
        case .ambiguous(let wanted, let numbers):
            let list = numbers.prefix(10).map(String.init).joined(separator: ", ")
            return "\"\(wanted)\" fits the messages \(list)\(numbers.count > 10 ? ", …" : ""); choose one by its number"
        case .neverSent(let number): return "message \(number) was never transmitted"
        }
    }
}

/// Finds a message and its transmissions in a trace.
private struct FateSearch {
    private let trace: TraceFile
    private var register = FrameRegister()
    /// Everything that was lost, in the order of the trace.
    private var losses: [FrameLoss] = []
    private let messages: [FrameRegister.Message]

    init(_ trace: TraceFile) {
        self.trace = trace
        for line in trace.lines {
            if let loss = register.enter(line.time, line.node, line.content) { losses.append(loss) }
        }
        messages = register.messages
    }

    static func hex(_ hash: UInt64) -> String {
        (0..<8).map { UInt8(truncatingIfNeeded: hash >> UInt64(8 * $0)) }.reduce(into: "") { text, byte in
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }

    func packet(_ wanted: String) throws(FateProblem) -> (hash: UInt64, hex: String) {
        if let number = Int(wanted), let message = messages.first(where: { $0.number == number }) {
            return try packet(of: message)
        }
        if wanted.hasPrefix("#"), let hash = Int(wanted.dropFirst()).flatMap(register.packet(in:)) {
            return (hash, Self.hex(hash))
        }
        if wanted.utf8.count >= 4 {
            let lower = wanted.lowercased()
            let fits = register.allPackets.filter { Self.hex($0).hasPrefix(lower) }
            if fits.count == 1 { return (fits[0], Self.hex(fits[0])) }
        }
        let equal = messages.filter { $0.text == wanted }
        let found = equal.count == 1 ? equal : messages.filter { !$0.text.isEmpty && $0.text.contains(wanted) }
        guard let first = found.first else {
            throw .notFound(wanted, known: messages.prefix(3).map { "\($0.number) (\"\($0.text)\" to \($0.to))" })
        }
        guard found.count == 1 else { throw .ambiguous(wanted, numbers: found.map(\.number)) }
        return try packet(of: first)
    }

    private func packet(of message: FrameRegister.Message) throws(FateProblem) -> (hash: UInt64, hex: String) {
        guard let hash = message.packet else { throw .neverSent(number: message.number) }
        return (hash, Self.hex(hash))
    }

    func words(of hash: UInt64) -> (number: Int, from: Int, to: String, text: String, at: Instant)? {
        messages.first { $0.packet == hash }.map { ($0.number, $0.from, $0.to, $0.text, $0.at) }
    }

    /// Losses of the acknowledgements of a message.
    func lostAcknowledgements(of number: Int) -> [FrameLoss] {
        losses.filter { loss in
            register.packet(in: loss.frame.number).flatMap(register.acknowledgement(by:)) == number
        }
    }

    /// The transmissions of a packet in the order of time.
    func hops(of hash: UInt64) -> [MessageFate.Hop] {
        var hops: [MessageFate.Hop] = []
        var places: [Int: Int] = [:]
        // The first frame of this packet that a node received, and the last frame of any.
        var firstHeard: [Int: Int] = [:]
        var lastHeard: [Int: Int] = [:]
        var nextLoss = losses.startIndex
        for line in trace.lines {
            switch line.content {
            case .txBegin(let frame, let bytes, let airtime) where register.packet(in: frame) == hash,
                .replayBegin(let frame, let bytes, let airtime) where register.packet(in: frame) == hash:
                places[frame] = hops.count
                hops.append(
                    MessageFate.Hop(
                        frame: frame, sender: line.node, begin: line.time, airtime: airtime, bytes: bytes,
                        cause: firstHeard[line.node]))
            case .rxEnd(let frame, let snr, _):
                lastHeard[line.node] = frame
                guard let place = places[frame] else { break }
                hops[place].heard.append((line.node, snr))
                if firstHeard[line.node] == nil { firstHeard[line.node] = frame }
            case .rxDrop(let frame, _, _):
                if let place = places[frame] { hops[place].losses.append(losses[nextLoss]) }
                nextLoss += 1
            case .discard(let reason):
                if let place = lastHeard[line.node].flatMap({ places[$0] }) {
                    hops[place].discarded.append((line.node, reason))
                }
            case .delivered(let type):
                guard let place = lastHeard[line.node].flatMap({ places[$0] }) else { break }
                if (try? PacketView(hops[place].bytes))?.type.rawValue == type {
                    hops[place].delivered.append(line.node)
                }
            default: break
            }
        }
        return hops
    }
}
