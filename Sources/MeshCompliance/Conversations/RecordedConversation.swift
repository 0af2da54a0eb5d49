import MeshBoards
import MeshCapture
import MeshCompanion
import MeshFirmware
import MeshReports
import MeshSimulator
import MeshTime
import MeshWire

/// A recorded conversation between an app, a companion radio and the air, to be repeated word by word.
///
/// Its file is in `Recorded/`, in the format of the article Captures. Rows of its header say how the radio was when the
/// recording began.
///
/// Source: the vectors of the companion protocol, `sequences`, recorded from the reference firmware 1.17.1.
struct RecordedConversation: Sendable {
    let name: String
    let about: String
    let recording: Recording

    static let all: [RecordedConversation] = [
        PackageResources.connect_capture, PackageResources.auto_add_and_sync_capture,
        PackageResources.text_flood_then_direct_capture, PackageResources.text_receive_capture,
        PackageResources.channel_capture, PackageResources.scoped_flood_capture,
        PackageResources.login_status_capture, PackageResources.binary_and_discovery_capture,
        PackageResources.manual_add_capture, PackageResources.contacts_full_capture,
        PackageResources.trace_raw_control_capture, PackageResources.offline_queue_capture,
        PackageResources.iteration_capture, PackageResources.settings_and_reboot_capture,
        PackageResources.signing_capture, PackageResources.errors_capture,
    ].map { RecordedConversation($0) }

    /// Reads one of our own files: it has no line that cannot be read.
    init(_ file: [UInt8]) {
        var problems: [CaptureProblem] = []
        guard let recording = try? Recording(file, problems: &problems), problems.isEmpty,
            let name = recording.header.story, let about = recording.header.value(of: "about")
        else { preconditionFailure("a recorded conversation cannot be read: \(problems)") }
        self.name = name
        self.about = about
        self.recording = recording
    }

    var needs: Abilities {
        var needs: Abilities = [.freshRadio, .time, .identity]
        for entry in recording.entries {
            switch entry.event {
            case .packet: needs.insert(.air)
            case .disconnected(reason: RecordingEntry.powerCut): needs.insert(.power)
            case .disconnected: needs.insert(.link)
            case .turn(.restored): needs.insert(.link)
            case .connected, .frame, .problem, .turn(.snapshot): break
            }
        }
        return needs
    }

    var setup: Setup {
        let contacts: Int = number(of: "contacts", else: 350)
        let channels: Int = number(of: "channels", else: 40)
        return Setup(interface: recording.header.transport == .tcp ? .wifi : .serial) {
            // The firmware ran on a machine that is no board.
            $0.mcuTemperatureTenths = nil
            $0.maxContacts = contacts
            $0.maxChannels = channels
        }
    }

    /// They were recorded from 1.17.1, and are compared word for word.
    var versions: StatementVersions {
        guard let holds = Self.ranges.first(where: { $0.names.contains(name) })?.holds else { return .always }
        return StatementVersions(holds: holds, otherwise: "it answers with bytes of its own", isFollowed: false)
    }

    /// Conversations with bytes that not all versions send. They have DEVICE_INFO, counted contacts, time-outs,
    /// acknowledgements, missing commands, or unexpected responses.
    private static let ranges: [(names: Set<String>, holds: ReleaseRange)] = [
        (
            ["connect", "binary_and_discovery", "settings_and_reboot"],
            ReleaseRange(since: "1.17.1", until: "1.17.1")
        ), (["login_status"], ReleaseRange(since: "1.16", until: "1.17.1")), (["channel"], .since("1.15")),
        (
            [
                "text_flood_then_direct", "text_receive", "scoped_flood", "trace_raw_control", "offline_queue",
                "errors",
            ], .since("1.16")
        ),
    ]

    private func number<T: FixedWidthInteger>(of key: String, else usual: T) -> T {
        recording.header.value(of: key).flatMap { T($0) } ?? usual
    }

    // MARK: Playing

    /// Brings the radio to where the recording began, then goes through the lines.
    @Sendable
    func play(_ radio: Probe) throws {
        try begin(radio)
        var player = ClientReplayer(wordForWord: recording)
        var effects: [ClientReplayer.Effect] = []
        // Passes with what the player waits for, whatever the radio takes for its answers.
        var now = Instant.start
        player.begin(at: now, into: &effects)
        while !player.hasEnded || !effects.isEmpty {
            let input =
                effects.isEmpty
                ? try answer(player, radio, &now) : try perform(effects.removeFirst(), radio)
            if let input { player.handle(input, at: now, into: &effects) }
        }
        if let problem = player.checks.last?.problems.first { throw failure(problem, radio) }
    }

    private func begin(_ radio: Probe) throws {
        let header = recording.header
        if let name = header.value(of: "name") { try radio.ask("08 \([UInt8](name.utf8))", "00") }
        if let key = header.value(of: "private key").flatMap({ [UInt8](hex: $0) }) { try radio.ask("18 \(key)", "00") }
        let version: UInt8 = number(of: "app version", else: 0)
        if version > 0 { try radio.ask("16 \(version)", "0D …") }
        let clock: UInt32 = number(of: "clock", else: 0)
        if clock > 0 { try radio.ask("06 \(clock)", "00") }
    }

    /// Does what the player wants done; what comes of it.
    private func perform(_ effect: ClientReplayer.Effect, _ radio: Probe) throws -> ClientReplayer.Input? {
        switch effect {
        case .connect:
            if !radio.isLinked { try radio.connect() }
            return .connected
        case .send(let frame): try radio.send(bytes: frame)
        case .disconnect: try radio.disconnect()
        case .hear(let packet, let signal):
            let (snr, rssi) = (signal.map { Double($0.snrQuarterDecibels) / 4 }, signal.map { Double($0.rssi) })
            try radio.hear(packet, snr: snr ?? 0, rssi: rssi ?? 0)
        // The link is there again with the power.
        case .cutPower: try radio.powerCycle()
        }
        return nil
    }

    /// Waits for the frame, packet or time that the player expects.
    private func answer(
        _ player: ClientReplayer, _ radio: Probe, _ now: inout Instant
    ) throws -> ClientReplayer.Input? {
        let limit = player.nextWake - now
        switch player.awaits {
        case .frame: return .frame(try radio.expectAny().frame)
        case .packet: if let packet = try radio.target.transmission(within: limit) { return .packet(packet) }
        case .time: try radio.wait(limit)
        case .link, .nothing: preconditionFailure("a bench has given what a player waits for")
        }
        now = player.nextWake
        return .woke
    }

    private func failure(_ problem: ReplayCheck.Problem, _ radio: Probe) -> Failure {
        switch problem {
        case .otherBytes(let recorded, let seen, let difference):
            let (expected, got) = (FrameText.reply(recorded), FrameText.reply(seen))
            switch difference {
            case .byte(let offset):
                return radio.failure(expected: expected, got: got + " (differs at byte \(offset))")
            case .length:
                return radio.failure(
                    expected: expected, got: got + " (has \(seen.count) bytes, not \(recorded.count))")
            case .number(let bound): return radio.failure(expected: expected + " (within \(bound))", got: got)
            }
        case .otherPacket(let due, let seen):
            return radio.failure(expected: due.map(FrameText.hex) ?? "no more packets", got: FrameText.hex(seen))
        case .missingPacket(let packet):
            return radio.failure(expected: "on the air " + FrameText.hex(packet), got: "nothing")
        default: return radio.failure(expected: "what was recorded", got: "\(problem)")
        }
    }
}
