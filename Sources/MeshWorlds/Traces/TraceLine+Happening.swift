import MeshFirmware
import MeshSimulator

extension TraceFile.Line.Content {
    /// A line of a trace file about an event; `nil` for an event that traces do not record.
    package init?(_ happening: MeshRun.Happening) {
        switch happening {
        case .message(let number, let to, let text): self = .message(number: number, to: to, text: text)
        case .acknowledged(let number): self = .acknowledged(number: number)
        case .ended(let number, let end): self = .ended(number: number, end: end.rawValue)
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
        case .rxDrop(let frame, let reason, let other):
            self = .rxDrop(
                frame: Int(clamping: frame), reason: "\(reason)", by: other.map { Int(clamping: $0) })
        case .rebooted: self = .rebooted
        case .booted: self = .booted
        case .poweredOff: self = .poweredOff
        case .bridged: self = .other(TraceFile.bridgedLine)
        case .fault(let number, let begins): self = begins ? .faultBegin(number: number) : .faultEnd(number: number)
        case .violated(let rule): self = .violated(rule: rule.rawValue)
        case .reported(.rxDrop(let reason)): self = .discard(reason: "\(reason)")
        case .reported(.forwarded(let hops, let delay)):
            self = .forwarded(hops: Int(hops), delayMilliseconds: Int(delay))
        case .reported(.delivered(let type)): self = .delivered(type: UInt8(type))
        case .reported(.acknowledging(let tag)): self = .acknowledging(tag: tag)
        case .reported(.acked(let tag)): self = .acked(tag: tag)
        case .appBytes, .appClosed, .interfaceBytes, .interfaceClosed: return nil
        }
    }
}
