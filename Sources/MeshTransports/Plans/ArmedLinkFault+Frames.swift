import MeshCompanion
import MeshTime

// What becomes of a frame that a planned fault takes.
extension ArmedLinkFault {
    /// Writes in place of the frame what its receiver gets.
    mutating func change(
        _ frame: [UInt8], on carrier: LinkCarrier, message: [UInt8]?, _ passage: inout LinkPassage
    ) {
        let way = fault.way
        func write(_ frames: [UInt8]...) {
            passage.writes += frames.map { LinkPassage.Write(bytes: carrier.encode($0, way)) }
        }
        switch fault.kind {
        case .late(let span):
            passage.late = TimeSpan(span)
            write(frame)
        case .stall(let span):
            passage.silence = TimeSpan(span)
            write(frame)
        case .double: write(frame, frame)
        case .otherAnswer(let other): write(other)
        case .error(let code): write(Resp.Err(error: code).encoded())
        case .sameMessage: write(message ?? frame)
        case .cut(let count): write(frame.dropLast(count))
        case .cutFront(let count): write(Array(frame.dropFirst(count)))
        case .moreContacts(let count): write(Self.announced(frame, -count) ?? frame)
        case .fewerContacts(let count): write(Self.announced(frame, count) ?? frame)
        case .longest: write(Self.padded(frame, to: CompanionLimits.frame))
        case .overlong(let count): write(Self.padded(frame, to: count))
        case .garble(let place, let value): write(garbled(frame, at: place, to: value))
        case .endBefore: passage.isLast = true
        case .endAfter:
            passage.isLast = true
            write(frame)
        case .reboot: passage.power.append(LinkPowerFault(kind: .reboot, fault: number))
        case .boardOff(let span):
            passage.power.append(LinkPowerFault(kind: .off(for: TimeSpan(span)), fault: number))
        case .split, .doubleBytes, .loseBytes, .wrongLength, .endWithin: changeBytes(frame, on: carrier, &passage)
        // Lost; the others are of another role, or held by the machine.
        case .lose, .endlessListing, .merge, .swap, .insert, .rubbish, .olderSession, .push, .unknownCode, .empty,
            .refuseConnection, .brownOut, .bluetooth:
            break
        }
        fire(frame: frame)
    }

    /// Changes what is on a stream, of which the header does not know.
    private func changeBytes(_ frame: [UInt8], on carrier: LinkCarrier, _ passage: inout LinkPassage) {
        let bytes = carrier.encode(frame, fault.way)
        switch fault.kind {
        case .split(let place, let pause):
            let place = carrier.headerSize + place
            passage.writes.append(LinkPassage.Write(bytes: Array(bytes.prefix(place))))
            passage.writes.append(LinkPassage.Write(bytes: Array(bytes.dropFirst(place)), pause: TimeSpan(pause)))
        case .doubleBytes(let from, let count):
            let begin = carrier.headerSize + from
            let end = begin + count
            passage.writes.append(LinkPassage.Write(bytes: Array(bytes[..<end] + bytes[begin...])))
        case .loseBytes(let from, let count):
            let begin = carrier.headerSize + from
            passage.writes.append(LinkPassage.Write(bytes: Array(bytes[..<begin] + bytes[(begin + count)...])))
        case .wrongLength(let difference):
            let wrong = carrier.encode(frame, fault.way, stating: frame.count + difference)
            passage.writes.append(LinkPassage.Write(bytes: wrong))
        case .endWithin(let place):
            passage.writes.append(LinkPassage.Write(bytes: Array(bytes.prefix(carrier.headerSize + place))))
            passage.isLast = true
        default: break
        }
    }

    private mutating func garbled(_ frame: [UInt8], at place: Int?, to value: UInt8?) -> [UInt8] {
        var frame = frame
        // A drawn place leaves the code alone: a frame of the same kind with another content.
        let first: UInt32 = frame.count > 1 ? 1 : 0
        let drawn = draws.draw(first, UInt32(clamping: frame.count))
        let change = UInt8(truncatingIfNeeded: draws.draw(1, 256))
        let place = place ?? Int(drawn)
        frame[place] = value.flatMap { $0 == frame[place] ? nil : $0 } ?? frame[place] ^ change
        return frame
    }

    private static func padded(_ frame: [UInt8], to count: Int) -> [UInt8] {
        frame + Array(repeating: 0, count: max(0, count - frame.count))
    }

    /// The beginning of a listing that announces another number of contacts; `nil` where it would be the same.
    static func announced(_ frame: [UInt8], _ difference: Int) -> [UInt8]? {
        guard let start = try? Resp.ContactsStart(decoding: frame) else { return nil }
        let count = min(max(Int64(start.count) + Int64(difference), 0), Int64(UInt32.max))
        guard let other = UInt32(exactly: count), other != start.count else { return nil }
        return Resp.ContactsStart(count: other).encoded()
    }
}
