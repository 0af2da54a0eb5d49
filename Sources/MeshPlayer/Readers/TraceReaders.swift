import MeshFirmware
import MeshSimulator
import MeshTime
package import MeshWorlds

// Traces of meshes, as files and as they happen.
extension PlayerDocument {
    /// A trace file.
    package init(_ trace: TraceFile) {
        self.init(.trace, title: trace.topology.name, world: PlayerWorld(trace.topology))
        span = trace.span
        facts = [Fact("World", trace.topology.name), Fact("Seed", "\(trace.seed)")]
        facts.append(Fact("Digest", trace.digest ?? "none: the trace was cut"))
        for line in trace.lines { events.add(line.time, line.node, line.content) }
    }

    /// A run that goes on, or whose lines are at hand: a piece of what its log has.
    ///
    /// - Parameter number: the first line that is wanted; lines that are kept no more are left out.
    /// - Parameter most: lines at most.
    package init(
        title: String, world: PlayerWorld, log: HappeningLog, from number: Int, atMost most: Int, generation: Int
    ) {
        self.init(.live, title: title, world: world)
        let from = min(max(number, log.forgotten), log.count)
        var taken = 0
        log.forEach(from: from, atMost: most) { line in
            taken += 1
            guard let content = TraceFile.Line.Content(line.happening) else { return }
            events.add(line.time, line.node.index, content)
        }
        piece = Piece(from: from, next: from + taken, count: log.count, generation: generation)
    }
}

extension TraceFile.Line.Content {
    /// What a trace file says of something that happened; nothing for what traces do not tell of.
    package init?(_ happening: MeshRun.Happening) {
        switch happening {
        case .message(let number, let to, let text): self = .message(number: number, to: to, text: text)
        case .acknowledged(let number): self = .acknowledged(number: number)
        case .event(let event): self.init(event)
        }
    }

    private init?(_ event: TraceEvent) {
        switch event {
        case .txBegin(let frame, let bytes, let airtime):
            self = .txBegin(frame: Int(clamping: frame), bytes: bytes, airtime: airtime)
        case .replayBegin(let frame, let bytes, let airtime):
            self = .replayBegin(frame: Int(clamping: frame), bytes: bytes, airtime: airtime)
        case .txEnd(let frame): self = .txEnd(frame: Int(clamping: frame))
        case .rxBegin(let frame): self = .rxBegin(frame: Int(clamping: frame))
        case .rxEnd(let frame, let signal):
            self = .rxEnd(
                frame: Int(clamping: frame), snrHundredths: signal.snrHundredths,
                rssiHundredths: signal.rssiHundredths)
        case .rxDrop(let frame, let reason): self = .rxDrop(frame: Int(clamping: frame), reason: "\(reason)")
        case .rebooted: self = .rebooted
        case .booted: self = .booted
        case .poweredOff: self = .poweredOff
        case .fault(let number, let begins): self = begins ? .faultBegin(number: number) : .faultEnd(number: number)
        case .violated(let rule): self = .violated(rule: rule.rawValue)
        case .reported(.rxDrop(let reason)): self = .discard(reason: "\(reason)")
        case .reported(.forwarded(let hops, let delay)):
            self = .forwarded(hops: Int(hops), delayMilliseconds: Int(delay))
        case .reported(.delivered(let type)): self = .delivered(type: UInt8(type))
        case .reported(.acknowledging(let tag)): self = .acknowledging(tag: tag)
        case .reported(.acked(let tag)): self = .acked(tag: tag)
        case .appBytes, .appClosed: return nil
        }
    }
}
