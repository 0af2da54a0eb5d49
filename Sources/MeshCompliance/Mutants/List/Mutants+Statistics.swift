import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshWire

// Section N: statistics, telemetry, variables, advert paths, the clock at boot.
extension Mutant {
    static let statistics: [Mutant] = counters + sensors + paths

    private static let counters: [Mutant] = [
        Mutant(
            "battery-in-centivolts", .reply, [207], "The battery is reported in hundredths of a volt.",
            .reply(Resp.BattAndStorage.self) { $0.battery /= 10 }),
        Mutant(
            "battery-without-storage", .length, [207, 47], "The answer about battery and storage has three bytes.",
            .reply(Resp.BattAndStorage.self) { $0.storage = nil }),
        Mutant(
            "storage-swapped", .byteOrder, [207], "The size of the storage comes before what is used.",
            .bytes(of: Resp.BattAndStorage.self) { bytes, _ in
                if bytes.count == 11 { bytes = Array(bytes[..<3]) + bytes[7...] + bytes[3..<7] }
            }),
        Mutant(
            "stats-type-three", .lax, [208], "Statistics of type 3 are those of type 2.",
            .misread(.getStats) { frame in if frame.count > 1, frame[1] == 3 { frame[1] = 2 } }),
        Mutant(
            "stats-without-errors", .length, [208, 209], "The packet statistics end before the receive errors.",
            .bytes(of: Resp.Stats.self) { bytes, _ in if bytes[1] == 2 { bytes.removeLast(4) } }),
        Mutant(
            "stats-flood-direct-swapped", .byteOrder, [209], "Received floods and direct packets are swapped.",
            packetStats { swap(&$0.receivedFlood, &$0.receivedDirect) }),
        Mutant(
            "stats-sent-by-command", .offByOne, [209], "The count of packets sent is one ahead.",
            packetStats { $0.sent += 1 }),
        Mutant(
            "stats-cleared-by-asking", .lost, [209], "Asking for packet statistics clears them.",
            .executed(.getStats) { radio, _ in radio.core.resetStatistics() }),
    ]

    private static let sensors: [Mutant] = [
        Mutant(
            "own-telemetry-without-key", .reply, [210], "The radio's own telemetry has zeros for the key.",
            .reply(Push.TelemetryResponse.self) { $0.publicKeyPrefix = FixedBytes() }),
        Mutant(
            "own-telemetry-swapped", .byteOrder, [210], "The voltage in the radio's own telemetry is swapped.",
            .reply(Push.TelemetryResponse.self) { if $0.lpp.count > 3 { $0.lpp.swapAt(2, 3) } }),
        Mutant(
            "variables-by-semicolon", .reply, [211, 239], "Variables are written with an equals sign.",
            .bytes(of: Resp.CustomVars.self) { bytes, _ in
                for index in bytes.indices where bytes[index] == UInt8(ascii: ":") { bytes[index] = UInt8(ascii: "=") }
            }),
        Mutant(
            "any-variable-set", .lax, [212, 239], "Setting an unknown variable is answered with OK.",
            .error(of: .setCustomVar) { bytes, _ in
                if bytes[1] == ErrorCode.illegalArg.rawValue { bytes = Resp.OK().encoded() }
            }),
    ]

    private static let paths: [Mutant] = [
        Mutant(
            "advert-path-by-whole-key", .strict, [213], "GET_ADVERT_PATH looks at the whole key.",
            .command(.getAdvertPath) { frame, radio in
                let key = PublicKey(frame.dropFirst(2).prefix(32))
                return radio.contacts.index(of: key) == nil && !key.isZero ? .refused(.notFound) : .executed
            }),
        Mutant(
            "advert-path-in-sender-time", .reply, [213], "ADVERT_PATH has the time of the sender.",
            .seenReply(Resp.AdvertPath.self) { frame, context in
                if frame.receivedAt > 0 { frame.receivedAt = context.radio.contacts.listed.first?.lastAdvert ?? 0 }
            }),
        Mutant(
            "advert-path-of-contacts", .missing, [214], "Advert paths are kept for contacts only.",
            .meshed { radio, before in
                if radio.mutation.history.last?.first == PushCode.newAdvert.rawValue {
                    radio.advertPaths = before.advertPaths
                }
            }),
        Mutant(
            "fifteen-advert-paths", .offByOne, [215], "Fifteen advert paths are kept.",
            .command(.getAdvertPath) { frame, radio in
                let entries = radio.advertPaths.entries
                let oldest = entries.map(\.receivedAt).min() ?? 0
                guard oldest > 0, frame.count >= 34 else { return .executed }
                let asked = radio.advertPaths.entry(of: PublicKey(frame[2..<34]))
                return asked?.receivedAt == oldest ? .refused(.notFound) : .executed
            }),
        Mutant(
            "zero-key-path-not-found", .strict, [216], "A key of zeros has no advert path.",
            .refuses(.getAdvertPath, with: .notFound) { $0.dropFirst(2).prefix(32).allSatisfy { $0 == 0 } }),
        Mutant(
            "clock-at-newest-contact", .offByOne, [217], "At boot the clock is set to the newest contact's second.",
            .booted { radio in
                let newest = radio.contacts.listed.map(\.lastModified).max()
                if let newest, newest &+ 1 == radio.core.unixTime { radio.core.setUnixTime(newest) }
            }),
    ]

    private static func packetStats(_ edit: @escaping @Sendable (inout PacketStats) -> Void) -> Defect {
        .reply(Resp.Stats.self) { frame in
            guard case .packets(var stats) = frame.content else { return }
            edit(&stats)
            frame.content = .packets(stats)
        }
    }
}
