import MeshCompanion
import MeshFirmware
import MeshTime
import MeshWire

// Sections A, B and D: the stream around the frames, and the way from a frame to its command.
extension Mutant {
    private static let marker = StreamFraming.toRadioMarker

    static let framing: [Mutant] = serialLine + wifi

    private static let serialLine: [Mutant] = [
        Mutant(
            "serial-marker-of-app", .framing, [1, 9], "Frames to the app begin with the marker of frames from the app.",
            serialOut { $0[0] = marker }),
        Mutant(
            "serial-length-swapped", .byteOrder, [1, 9], "The length of a frame to the app has its high byte first.",
            serialOut { $0.swapAt(1, 2) }),
        Mutant(
            "serial-length-with-header", .length, [9], "The length of a frame to the app counts its header.",
            serialOut { $0[1] &+= 3 }),
        Mutant(
            "serial-newline-behind-frames", .framing, [9], "A line feed follows every frame, left over from debugging.",
            serialOut { $0.append(0x0A) }),
        Mutant(
            "serial-noise-takes-frame-along", .framing, [2], "What arrives together with noise is lost with it.",
            serialIn { bytes, _ in if bytes.first != marker, bytes.contains(marker) { bytes = [] } }),
        Mutant(
            "serial-empty-frame-takes-next", .framing, [3], "An empty frame takes the byte behind it for its content.",
            serialIn { bytes, _ in if bytes.starts(with: [marker, 0, 0]), bytes.count > 3 { bytes.remove(at: 3) } }),
        Mutant(
            "serial-long-frame-dropped", .strict, [4], "A frame above 176 bytes is dropped whole.",
            serialIn { bytes, _ in if length(bytes) > CompanionLimits.frame { bytes = [] } }),
        Mutant(
            "serial-long-frame-scanned", .framing, [4], "Behind byte 176 of a frame the next one is looked for.",
            serialIn { bytes, _ in if length(bytes) > CompanionLimits.frame { bytes[1] = 176 } }),
        Mutant(
            "serial-pieces-forgotten", .lost, [5], "A frame must arrive in one piece.",
            serialIn { _, radio in radio.interface = .serial }),
        Mutant(
            "serial-own-marker-taken", .lax, [6], "Frames that begin with the radio's own marker are executed.",
            serialIn { bytes, _ in if bytes.first == StreamFraming.toAppMarker { bytes[0] = marker } }),
        Mutant(
            "serial-marker-restarts-header", .framing, [7], "A marker in the place of the length begins a new frame.",
            serialIn { bytes, _ in while bytes.starts(with: [marker, marker]) { bytes.removeFirst() } }),
        Mutant(
            "serial-second-frame-lost", .missing, [8], "Of frames that arrive together the first alone is executed.",
            serialIn { bytes, _ in bytes = [UInt8](bytes.prefix(3 + length(bytes))) }),
        Mutant(
            "command-cut-at-172", .limit, [4, 201], "A command is cut at 172 bytes.",
            .command(nil) { frame, _ in
                frame = [UInt8](frame.prefix(172))
                return .executed
            }),
    ]

    private static let wifi: [Mutant] = [
        Mutant(
            "tcp-marker-of-app", .framing, [10], "Over TCP frames to the app begin with the marker of the app.",
            wifiOut { $0[0] = marker }),
        Mutant(
            "tcp-hunts-for-marker", .framing, [11], "Over TCP noise is skipped as on a serial line.",
            wifiIn { bytes, _ in bytes = [UInt8](bytes.drop { $0 != marker }) }),
        Mutant(
            "tcp-long-frame-executed", .lax, [12], "Over TCP a frame above 176 bytes is executed cut.",
            wifiIn { bytes, _ in
                guard length(bytes) > CompanionLimits.frame else { return }
                bytes = [UInt8](bytes.prefix(179))
                bytes[1] = 176
            }),
        Mutant(
            "tcp-zero-marker-counts", .framing, [13], "Over TCP a header with marker 0 swallows what its length says.",
            wifiIn { bytes, _ in if bytes.first == 0 { bytes[0] = 1 } }),
        Mutant(
            "tcp-queue-forgotten", .lost, [15], "Replies that wait for a client are gone when the next one comes.",
            .linkChanged { radio, _, isThere in
                guard isThere, case .wifi(let interface) = radio.interface else { return }
                var fresh = WifiInterface(sendQueueSize: interface.sendQueueSize)
                _ = fresh.clientArrived()
                radio.interface = .wifi(fresh)
            }),
        Mutant(
            "tcp-commands-overtake-listings", .order, [16], "A command behind GET_CONTACTS is executed before it.",
            wifiIn { bytes, _ in
                let first = bytes.prefix(3 + length(bytes))
                if bytes.count > first.count, bytes[3] == CommandCode.getContacts.rawValue {
                    bytes = [UInt8](bytes.dropFirst(first.count) + first)
                }
            }),
        Mutant(
            "tcp-header-kept-for-next-client", .kept, [17], "A header received in part counts for the next client.",
            .linkChanged { radio, before, isThere in
                guard isThere, case .wifi(let interface) = before.interface, interface.isConnected else { return }
                radio.interface = before.interface
            }),
        Mutant(
            "first-client-stays", .kept, [14], "A second connection leaves the first one open.",
            .linkChanged { radio, _, _ in
                radio.core.effects.removeAll { if case .appReplaced = $0 { true } else { false } }
            }),
        Mutant(
            "ethernet-like-wifi", .framing, [18], "An Ethernet build takes noise for the header of a frame.",
            .bytesFromApp { bytes, radio in
                if case .ethernet = radio.interface, bytes.first != marker { bytes = [] }
            }),
        Mutant(
            "frames-kept-for-nobody", .kept, [39, 178, 194], "What is said while nobody is connected is kept.",
            .linkChanged { radio, before, isThere in if !isThere { radio.interface = before.interface } }),
    ]

    static let dispatch: [Mutant] = [
        Mutant(
            "unknown-command-ok", .lax, [33], "A command that does not exist is answered with OK.",
            .command(nil) { frame, _ in CommandCode(rawValue: frame[0]) == nil ? .answeredOK : .executed }),
        Mutant(
            "unknown-command-illegal-arg", .errorCode, [33], "A command that does not exist is refused as ILLEGAL_ARG.",
            .command(nil) { frame, _ in
                CommandCode(rawValue: frame[0]) == nil ? .refused(.illegalArg) : .executed
            }),
        Mutant(
            "high-commands-ignored", .missing, [33], "Codes from 80 on are taken for echoes of pushes and ignored.",
            .command(nil) { frame, _ in frame[0] >= 0x80 ? .ignored : .executed }),
        Mutant(
            "short-command-executed", .offByOne, [34], "A command may be a byte too short.",
            .command(nil) { frame, _ in
                guard let rule = CommandCode(rawValue: frame[0])?.row.accepts else { return .executed }
                let second = frame.count > 1 ? frame[1] : 0
                let isShort = !rule.admits(length: frame.count, firstByte: second)
                if isShort, rule.admits(length: frame.count + 1, firstByte: second) { frame.append(0) }
                return .executed
            }),
        Mutant(
            "short-command-illegal-arg", .errorCode, [34], "A command that is too short is refused as ILLEGAL_ARG.",
            .refuses(.setDeviceTime, with: .illegalArg) { $0.count < 5 }),
        Mutant(
            "long-command-refused", .strict, [35], "A question with bytes behind it is refused.",
            .refuses(.getDeviceTime, with: .unsupportedCmd) { $0.count > 1 }),
        Mutant(
            "channel-index-from-end", .reply, [35], "The last byte of GET_CHANNEL is taken for the index.",
            .misread(.getChannel) { frame in if frame.count > 1, let last = frame.last { frame[1] = last } }),
        Mutant(
            "answer-doubled", .doubled, [38], "The answer to GET_DEVICE_TIME comes twice.", .doubled(Resp.CurrTime.self)
        ),
        Mutant(
            "ok-behind-tuning", .unasked, [38], "OK follows the answer to GET_TUNING_PARAMS.",
            .executed(.getTuningParams) { radio, _ in radio.ok() }),
        Mutant(
            "answer-late", .late, [1, 8], "The answer to GET_DEVICE_TIME takes six seconds.",
            .late(Resp.CurrTime.self, .seconds(6))),
    ]

    // MARK: Streams

    private static func length(_ bytes: [UInt8]) -> Int {
        bytes.count < 3 || bytes[0] != marker ? 0 : Int(bytes[1]) | Int(bytes[2]) << 8
    }

    private static func serialIn(_ change: @escaping @Sendable (inout [UInt8], inout CompanionRadio) -> Void) -> Defect
    {
        .bytesFromApp { bytes, radio in if case .serial = radio.interface { change(&bytes, &radio) } }
    }

    private static func wifiIn(_ change: @escaping @Sendable (inout [UInt8], inout CompanionRadio) -> Void) -> Defect {
        .bytesFromApp { bytes, radio in if case .wifi = radio.interface { change(&bytes, &radio) } }
    }

    private static func serialOut(_ change: @escaping @Sendable (inout [UInt8]) -> Void) -> Defect {
        .bytesToApp { bytes, interface in if case .serial = interface { change(&bytes) } }
    }

    private static func wifiOut(_ change: @escaping @Sendable (inout [UInt8]) -> Void) -> Defect {
        .bytesToApp { bytes, interface in if case .wifi = interface { change(&bytes) } }
    }
}
