import MeshCompanion
import MeshPacket
import MeshTime

// Line by line: what the app sent is sent, what the radio heard is heard, and what the radio said must come next, byte
// by byte, as far as the line tolerates nothing else. It ends at the first line that is not as recorded.
//
// Between two lines passes the time that passed in the recording. When packets are sent is only roughly the same in two
// runs; which ones are is compared behind the last line, in any order. The recording ends there, so that packets which
// begin later are looked at only while a recorded one is missing.
extension ClientReplayer {
    /// A pause that is no longer stands for passes of the radio's main loop, which go by while frames are read.
    static let shortestPause = TimeSpan.milliseconds(10)

    /// Follows the line; `false` when an input from outside has to come first.
    mutating func follow(_ index: Int, at now: Instant, into effects: inout [Effect]) -> Bool {
        let line = lines[index]
        let pause = index > 0 ? line.time - lines[index - 1].time : .zero
        if pause > Self.shortestPause, !isPausing {
            phase = .pausing(until: now + pause)
            return true
        }
        phase = .begun
        switch line.event {
        case .connected:
            phase = .connecting
            effects.append(.connect)
            return false
        case .disconnected(let reason):
            isUp = false
            heard = []
            effects.append(reason == RecordingEntry.powerCut ? .cutPower : .disconnect)
        case .frame(.toRadio, let bytes): effects.append(.send(bytes))
        case .frame(.toApp, _): phase = .awaitingLine(index, until: now + limits.reply)
        case .packet(.heard, let bytes, let signal): effects.append(.hear(bytes, signal))
        case .packet(.transmitted, _, _): due.append(index)
        case .turn(.restored):
            // The radio went back with its world, and what it says to the next app follows from there.
            if isUp { effects.append(.disconnect) }
            isUp = false
            heard = []
        case .problem, .turn(.snapshot): break
        }
        next += 1
        return true
    }

    private var isPausing: Bool { if case .pausing = phase { true } else { false } }

    /// Holds the next frame against the line; `false` when it is still to be waited for.
    mutating func matchLine(_ index: Int, isLate: Bool) -> Bool {
        guard !heard.isEmpty || isLate, case .frame(_, let recorded) = lines[index].event else { return false }
        phase = .begun
        let title = Self.name(recorded, .toApp)
        guard !heard.isEmpty else {
            judge(title, index, .missingReply(recorded))
            return true
        }
        let seen = heard.removeFirst()
        let difference = lines[index].tolerance.difference(recorded, seen)
        judge(title, index, difference.map { .otherBytes(recorded: recorded, seen: seen, $0) })
        return true
    }

    /// Compares the packets sent on the air with the expected ones, behind the last line.
    mutating func matchPackets(at now: Instant) {
        if let frame = heard.first { return judge(Self.name(frame, .toApp), nil, .unexpectedPush(frame)) }
        guard lines.contains(where: { if case .packet = $0.event { true } else { false } }) else {
            return phase = .ended
        }
        while !onAir.isEmpty {
            let seen = onAir.removeFirst()
            // One that is as recorded leaves the tolerant ones to others.
            let equal = due.firstIndex { packet($0) == seen }
            guard let place = equal ?? due.firstIndex(where: { keys.agree(packet($0), seen, lines[$0].tolerance) })
            else {
                return judge(Self.title(of: seen), nil, .otherPacket(due: due.first.map(packet), seen: seen))
            }
            judge(Self.title(of: seen), due.remove(at: place), nil)
        }
        phase = .awaitingPackets(until: now + (due.isEmpty ? .zero : limits.air))
    }

    /// Nothing more is sent.
    mutating func missPackets() {
        phase = .ended
        guard let first = due.first else { return }
        judge(Self.title(of: packet(first)), first, .missingPacket(packet(first)))
    }

    private mutating func judge(_ title: String, _ index: Int?, _ problem: ReplayCheck.Problem?) {
        checks.append(
            ReplayCheck(title: title, entry: index.map { linePlaces[$0] }, problems: problem.map { [$0] } ?? []))
        if problem != nil { phase = .ended }
    }

    private func packet(_ index: Int) -> [UInt8] {
        if case .packet(_, let bytes, _) = lines[index].event { bytes } else { [] }
    }

    private static func title(of packet: [UInt8]) -> String {
        packet.first.map { PayloadType(header: $0).name } ?? "an empty packet"
    }
}
