import MeshCompanion
import MeshFirmware
import MeshTime

/// A modem by itself: its host's frames in, its answers, its transmissions and its wishes out.
final class ModemBench {
    var modem: KISSModem
    var now = Instant.start
    var status = RadioStatus()
    private(set) var effects: [NodeEffect] = []

    init(board: BoardProfile = .heltecV3, flash: Flash = Flash(), seed: UInt64 = 1) {
        modem = KISSModem(
            board: board, flash: flash, identityStream: Seed(seed).stream("identity"),
            randomStream: Seed(seed).stream("radio"), at: .start)
        pass(.woke)
    }

    func pass(_ input: NodeInput) {
        modem.handle(input, at: now, radio: status, into: &effects)
    }

    /// Lets the modem have the passes that it wishes for.
    func wait(_ span: TimeSpan) {
        let end = now + span
        while modem.nextWake <= end {
            now = max(now, modem.nextWake)
            pass(.woke)
        }
        now = end
    }

    func send(_ type: ModemFrameType, _ data: [UInt8]) { pass(.appBytes(KISSFraming.encode(type, data))) }

    /// Returns the modem's answer to a command, without the type of the frame.
    func ask(_ command: [UInt8]) -> [UInt8] {
        _ = takeFrames()
        send(.setHardware, command)
        let frames = takeFrames()
        return frames.count == 1 && frames[0].first == 6 ? [UInt8](frames[0].dropFirst()) : []
    }

    func ask(_ command: ModemCommand, _ data: [UInt8] = []) -> [UInt8] { ask([command.rawValue] + data) }

    func hear(_ bytes: [UInt8]) {
        pass(.heard(RadioFrame(bytes), Signal(snrHundredths: -525, rssiHundredths: -11_780)))
    }

    /// The frames that the host got, with their types.
    func takeFrames() -> [[UInt8]] {
        var receiver = KISSReceiver(capacity: 1 << 16)
        for effect in effects {
            if case .appBytes(let bytes) = effect { _ = receiver.append(bytes) }
        }
        effects.removeAll { if case .appBytes = $0 { true } else { false } }
        var frames: [[UInt8]] = []
        while let frame = receiver.nextFrame() { frames.append(frame) }
        return frames
    }

    /// The packets that began, since this was asked last.
    func takeTransmissions() -> [[UInt8]] {
        defer { effects.removeAll { if case .transmit = $0 { true } else { false } } }
        return effects.compactMap { effect -> [UInt8]? in
            if case .transmit(let frame) = effect { frame.bytes } else { nil }
        }
    }

    func takeEffects() -> [NodeEffect] {
        defer { effects = [] }
        return effects
    }
}
