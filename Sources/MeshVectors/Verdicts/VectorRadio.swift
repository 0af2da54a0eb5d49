import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire

/// The emulated companion radio of one version that reads packets and executes commands.
///
/// It is bob of the cast: it knows alice, has the channel in slot 1, and passes packets on. A value, so that each case
/// meets the radio as it was prepared.
struct VectorRadio: Sendable {
    let version: FirmwareVersion
    private var radio: HeldRadio

    /// Boots and prepares a radio; the cast's key replaces the one that it draws.
    init(_ version: FirmwareVersion, _ cast: VectorCast) {
        self.version = version
        var board = BoardProfile.heltecV3
        board.firmware = version
        radio = HeldRadio(HeldRadio.Build(board: board, link: .serial))
        radio.run(for: .seconds(1), until: .never)
        radio.connect()
        let preparation: [any CommandFrame] = [
            DeviceQuery(appTargetVersion: 3), AppStart(version: 3, appName: "vectors"),
            ImportPrivateKey(privateKey: cast.bob.identity.privateKey), SetAdvertName(name: "Bob"),
            SetDeviceTime(epoch: VectorCast.clock),
            SetRadioParams(
                frequency: 433_000, bandwidth: 62_500, spreadingFactor: 8, codingRate: 5, clientRepeat: 1),
            SetChannel(
                channelIndex: 1, name: cast.channel.name, secret: FixedBytes(cast.channel.secret.prefix(16))),
        ]
        for command in preparation { _ = ask(command.encoded()) }
        hear(cast.introduction)
        // The radio passes that on; its own transmission is over before anything is asked.
        radio.run(for: .seconds(30), until: .never)
        radio.dropWrites()
    }

    private mutating func hear(_ packet: [UInt8]) {
        radio.hear(RadioFrame(packet), Signal(snrHundredths: 1025, rssiHundredths: -8000))
    }

    /// Sends a frame of the app, and returns what the radio writes upon it.
    private mutating func ask(_ frame: [UInt8]) -> [[UInt8]] {
        radio.receive(StreamFraming.encode(toRadio: frame))
        radio.run(for: .milliseconds(300), until: .never)
        return frames()
    }

    private mutating func frames() -> [[UInt8]] {
        var receiver = ClientReceiver()
        var frames: [[UInt8]] = []
        while let write = radio.takeWrite() {
            _ = receiver.append(write)
            while let frame = receiver.nextFrame() { frames.append(frame) }
        }
        return frames
    }

    // MARK: Verdicts

    /// Returns what becomes of a packet, and the frames to the app that it causes at once.
    func verdict(onPacket packet: [UInt8]) -> (verdict: VectorVerdict, frames: [[UInt8]]) {
        var copy = self
        copy.hear(packet)
        let reports = copy.radio.reports
        let frames = copy.frames()
        let refusal = reports.compactMap(\.refusal).first
        let verdict = VectorVerdict(
            isValid: refusal == nil, reason: refusal, events: reports.map(\.words), answers: frames.map(Self.name))
        return (verdict, frames)
    }

    /// Returns the answer to a command, and the frames that make it up.
    func verdict(onCommand command: [UInt8]) -> (verdict: VectorVerdict, frames: [[UInt8]]) {
        var copy = self
        let frames = copy.ask(command)
        let refusal = frames.compactMap(Self.refusal).first
        let verdict = VectorVerdict(isValid: refusal == nil, reason: refusal, answers: frames.map(Self.name))
        return (verdict, frames)
    }

    private static func name(of frame: [UInt8]) -> String { FramePrinter.printed(frame, direction: .toApp).name }

    private static func refusal(in frame: [UInt8]) -> String? {
        guard let error = try? Resp.Err(decoding: frame) else { return nil }
        return error.error.map { $0.wireName ?? "\($0)" } ?? Resp.Err.wireName
    }
}
