import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshRadio
import MeshTime
import MeshTransports
import MeshWire

/// A KISS modem as antenna: it sends any bytes, and reports every frame that it hears.
///
/// It has no settings of its own that outlive it, and is tuned to the node. Source: firmware 1.17.1, `kiss_modem`.
final class ModemAntenna: RoleAntenna {
    private let address: LinkAddress
    private let clock: BenchClock
    private var stream: StreamDescriptor?
    private var receiver = KISSReceiver()
    private var airtime = Airtime(LoRaParameters())
    /// The settings that it had; zeros where no host has set any.
    private var before = ModemRadio()
    private var frames: [AntennaFrame] = []
    /// Answers and notices, with their code in front.
    private var answers: [[UInt8]] = []

    init(_ address: LinkAddress, _ clock: BenchClock) {
        self.address = address
        self.clock = clock
    }

    var title: String { "modem:\(address.brief)" }
    var abilities: Abilities { [.packets, .frames] }
    var precision: TimeSpan { clock.antennaPrecision }

    func reach() throws(ComplianceRun.Problem) -> LoRaParameters? {
        do {
            stream = try StreamDescriptor(address, within: .seconds(5))
            let told = try ask(.getRadio)
            guard let radio = told.withUnsafeBytes({ try? ModemRadio(reading: $0) }) else {
                throw TargetError.unsupported("be tuned: it answers \(told.hex) for its settings")
            }
            before = radio
            return nil
        } catch {
            throw ComplianceRun.Problem(description: "the antenna \(title): \(error)")
        }
    }

    func prepare(for settings: LoRaParameters) throws(TargetError) {
        airtime = Airtime(settings)
        // It listens first, and then sends at once.
        try write(.txDelay, [0])
        try write(.persistence, [255])
        try write(.slotTime, [1])
        try write(.fullDuplex, [0])
        var radio = ModemRadio()
        radio.frequency = settings.frequencyKilohertz.multipliedReportingOverflow(by: 1000).partialValue
        radio.bandwidth = settings.bandwidthHertz
        radio.spreadingFactor = settings.spreadingFactor
        radio.codingRate = settings.codingRate
        try set(radio)
    }

    private func set(_ radio: ModemRadio) throws(TargetError) {
        _ = try exchange([ModemCommand.setRadio.rawValue] + radio.written()) { $0.first == ModemNotice.ok.rawValue }
    }

    // MARK: Frames

    private func opened() throws(TargetError) -> StreamDescriptor {
        guard let stream else { throw .peerLost("\(title): not connected") }
        return stream
    }

    private func write(_ type: ModemFrameType, _ data: [UInt8]) throws(TargetError) {
        do {
            try opened().write(KISSFraming.encode(type, data), within: .seconds(5))
        } catch {
            throw .peerLost("\(title): \(error)")
        }
    }

    /// The data of the answer to a command without data.
    private func ask(_ command: ModemCommand) throws(TargetError) -> [UInt8] {
        let answer = try exchange([command.rawValue]) { $0.first == command.response }
        return [UInt8](answer.dropFirst())
    }

    /// Sends a command of the modem, and returns the first answer that fits.
    private func exchange(_ command: [UInt8], _ fits: ([UInt8]) -> Bool) throws(TargetError) -> [UInt8] {
        answers = []
        try write(.setHardware, command)
        guard let answer = try awaitAnswer(within: .seconds(3), fits) else {
            throw .peerLost("\(title) does not answer as a KISS modem does")
        }
        return answer
    }

    /// The first answer that fits, within a span of the wall.
    private func awaitAnswer(within span: TimeSpan, _ fits: ([UInt8]) -> Bool) throws(TargetError) -> [UInt8]? {
        let end = ContinuousClock.now + .microseconds(span.microseconds)
        repeat {
            if let place = answers.firstIndex(where: fits) { return answers.remove(at: place) }
            try read(within: .milliseconds(4))
        } while ContinuousClock.now < end
        return answers.first(where: fits)
    }

    private func read(within span: TimeSpan) throws(TargetError) {
        do {
            guard let bytes = try opened().read(within: span) else { return }
            let time = ContinuousClock.now
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { receiver.append($0) }
                rest = rest.dropFirst(count)
                while let frame = receiver.nextFrame() { take(frame, at: time) }
            }
        } catch {
            throw .peerLost("\(title): \(error)")
        }
    }

    private func take(_ frame: [UInt8], at time: ContinuousClock.Instant) {
        let data = [UInt8](frame.dropFirst())
        switch frame.first.flatMap(ModemFrameType.init) {
        case .data where !data.isEmpty:
            frames.append(AntennaFrame(begin: clock.begin(of: data, endingAt: time, airtime), bytes: data))
        case .setHardware where data.first != ModemNotice.rxMeta.rawValue:
            // What nobody asks for any more is not kept for ever.
            if answers.count == 64 { answers.removeFirst() }
            answers.append(data)
        default: break
        }
    }

    // MARK: Air

    func send(_ frame: [UInt8]) throws(TargetError) {
        let span = TimeSpan.seconds(20) + .microseconds(airtime.microseconds(bytes: frame.count))
        answers = []
        try write(.data, frame)
        let notice = try awaitAnswer(within: max(.seconds(5), clock.wall(span))) {
            [ModemNotice.txDone.rawValue, ModemNotice.error.rawValue].contains($0.first ?? 0)
        }
        guard notice == [ModemNotice.txDone.rawValue, 1] else {
            throw .peerLost("\(title) has not sent a frame of \(frame.count) bytes")
        }
    }

    func heard() throws(TargetError) -> AntennaFrame? {
        try read(within: .milliseconds(1))
        return frames.isEmpty ? nil : frames.removeFirst()
    }

    func restore() -> [String] {
        defer { stream = nil }
        guard stream != nil, before.frequency != 0 else { return [] }
        do throws(TargetError) {
            try set(before)
            return []
        } catch {
            return ["The settings of \(title): \(error)"]
        }
    }
}
