import MeshCompliance
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire

// Faults that show in keys, files and single bytes of packets.
extension RoleMutant {
    /// Those of repeaters.
    static let bytesOfRepeaters: [RoleMutant] = [
        RoleMutant(
            "key-refused", .strict, ["OTA-010", "OTA-015"], "Every private key is refused.",
            .answers("set prv.key ") { $0 = "Error, bad key" }),
        RoleMutant(
            "key-taken-unchecked", .lax, ["OTA-015"], "Private keys are taken unchecked.",
            .answers("set prv.key ") { if $0 == "Error, bad key" { $0 = "OK, reboot to apply!" } }),
        RoleMutant(
            "key-hash-unchecked", .lax, ["OTA-015"], "The first byte of a public key is not looked at.",
            .answered { line, answer in
                let digits = line.dropFirst("set prv.key ".count)
                guard line.hasPrefix("set prv.key "), let key = ExpandedPrivateKey(hex: digits),
                    [0x00, 0xFF].contains(LocalIdentity(privateKey: key).publicKey[0])
                else { return }
                answer = "OK, reboot to apply!"
            }),
        RoleMutant(
            "key-not-clamped", .reply, ["OTA-010", "OTA-075"], "The private key is not clamped.",
            .answers("get prv.key") { answer in
                guard answer.hasPrefix("> ") else { return }
                // The second digit has the lowest bits of the scalar.
                answer = "\(answer.prefix(3))F\(answer.dropFirst(4))"
            }),
        RoleMutant(
            "key-lost-at-restart", .lost, ["OTA-010"], "A private key that was set is lost at a restart.",
            .restarted { flash in _ = flash.remove("/identity/_main.id") }),
        RoleMutant(
            "advert-signature-wrong", .air, ["OTA-075"], "The signature of an own advert is another one.",
            .packet(.advert) { if $0.payload.count > 100 { $0.payload[99] ^= 1 } }),
        RoleMutant(
            "advert-place-rounded", .reply, ["OTA-075"], "Places in adverts are rounded down.",
            .packet(.advert) { if $0.payload.count > 108, $0.payload[108] == 0xFF { $0.payload[105] &-= 1 } }),
        RoleMutant(
            "advert-minute-late", .stale, ["OTA-075"], "Adverts have the time of a minute ago.",
            .packet(.advert) { parts in
                guard parts.payload.count > 100 else { return }
                let time = parts.payload.dropFirst(32).littleEndian &- 60
                parts.payload.replaceSubrange(32..<36, with: time.wireBytes)
            }),
        RoleMutant(
            "text-block-longer", .length, ["OTA-060"], "Texts are sealed with a block of zeros behind them.",
            .sealed([.txtMsg]) { $0 += [UInt8](repeating: 0, count: 16) }),
        RoleMutant(
            "text-attempt-one", .reply, ["OTA-060", "INF-189"], "Answers to commands are attempt 1.",
            .sealed([.txtMsg]) { if $0.count > 4 { $0[4] |= 1 } }),
        RoleMutant(
            "text-source-wrong", .air, ["OTA-060"], "Texts name another source.",
            .packet(.txtMsg) { if $0.payload.count > 1 { $0.payload[1] ^= 1 } }),
        RoleMutant(
            "login-password-cut-at-14", .limit, ["OTA-087", "INF-199"], "Passwords of logins are cut to 14 bytes.",
            .misread(.anonReq) { $0[at: 18] = 0 }),
        RoleMutant(
            "login-with-posts", .lax, ["OTA-087"], "Logins are read as those to a room.",
            .misread(.anonReq) { if $0.count > 8 { $0.removeSubrange(4..<8) } }),
        RoleMutant(
            "group-texts-read", .strict, ["OTA-086"], "Group texts with a type are dropped.",
            .lost { $0.type == .grpTxt && (plaintext(ofGroup: $0)?[at: 4] ?? 0) != 0 }),
        RoleMutant(
            "group-lengths-read", .strict, ["OTA-086"], "Group datagrams with a wrong length are dropped.",
            .lost { $0.type == .grpData && plaintext(ofGroup: $0)?[at: 2] == 200 }),
        RoleMutant(
            "group-data-cut", .length, ["OTA-086"], "Group datagrams lose their last block.",
            .packet(.grpData) { if $0.payload.count > 16 { $0.payload.removeLast(16) } }),
        RoleMutant(
            "given-up-late", .late, ["OTA-098"], "A transmission that does not end is given up half a second late.",
            .late({ $0.type == .advert && $0.isFlood }, .milliseconds(500))),
        RoleMutant(
            "never-given-up", .missing, ["OTA-098"], "Nothing follows a transmission that does not end.",
            .lost { $0.type == .advert && $0.isFlood }),
        RoleMutant(
            "settings-not-written", .lost, ["INF-018"], "Settings are not written.",
            .passed { node, _ in _ = node.flash.remove("/prefs.json") }),
        RoleMutant(
            "settings-other-limit", .limit, ["INF-018", "INF-201"], "Floods have 63 hops at most.",
            .setup { setup, _ in setup.preferences.floodMax = 63 }),
        RoleMutant(
            "console-other-word", .errorCode, ["INF-201", "INF-210"], "What is unknown is called a command not found.",
            .answered { _, answer in if answer == "Unknown command" { answer = "Command not found" } }),
    ]

    /// Those of rooms.
    static let bytesOfRooms: [RoleMutant] = [
        RoleMutant(
            "room-login-without-posts", .lax, of: .roomServer, ["OTA-087"],
            "A room reads logins as others do, without a time of posts.",
            .misread(.anonReq) { if $0.count > 4 { $0.insert(contentsOf: [0, 0, 0, 0], at: 4) } }),
        RoleMutant(
            "attempt-in-text", .lax, of: .roomServer, ["OTA-061"],
            "The number of an attempt behind the text is read as part of it.",
            .misread(.txtMsg) { text in
                guard text.count > 5, let end = text[5...].firstIndex(of: 0), let number = text[at: end + 1],
                    number != 0
                else { return }
                text[end] = UInt8(ascii: " ")
            }),
        RoleMutant(
            "attempt-not-counted", .stale, of: .roomServer, ["OTA-061", "INF-155"],
            "Every attempt is acknowledged as the first.",
            .misread(.txtMsg) { if $0.count > 4, $0[4] >> 2 == 0 { $0[4] = 0 } }),
        RoleMutant(
            "push-attempt-wrong", .reply, of: .roomServer, ["OTA-060", "OTA-066"],
            "A push has the number of another attempt than it is acknowledged by.",
            .sealed([.txtMsg]) { if $0.count > 8, $0[4] >> 2 == 2 { $0[4] ^= 1 } }),
        RoleMutant(
            "push-ack-of-anybody", .lax, of: .roomServer, ["OTA-060", "OTA-066"],
            "Every acknowledgement counts for the push that waits for one.",
            .hearing { frame, _, context in
                guard var parts = SentBytes(frame), parts.type == .ack,
                    let wanted = context.node.server.clients.clients.first(where: { $0.pendingAck != 0 })
                else { return }
                parts.payload = wanted.pendingAck.wireBytes
                frame = parts.bytes
            }),
        RoleMutant(
            "room-text-source-wrong", .air, of: .roomServer, ["OTA-060"], "Texts name another source.",
            .packet(.txtMsg) { if $0.payload.count > 1 { $0.payload[1] ^= 1 } }),
        RoleMutant(
            "room-settings-of-repeater", .reply, of: .roomServer, ["INF-018", "INF-201"],
            "A room has the guest password of a repeater.",
            .setup { setup, _ in setup.preferences.guestPassword = "" }),
    ]

    /// Those of sensors.
    static let bytesOfSensors: [RoleMutant] = [
        RoleMutant(
            "sensor-signature-wrong", .air, of: .sensor, ["OTA-075"], "The signature of an own advert is another one.",
            .packet(.advert) { if $0.payload.count > 100 { $0.payload[36] ^= 1 } }),
        RoleMutant(
            "sensor-key-taken-unchecked", .lax, of: .sensor, ["OTA-015"], "Private keys are taken unchecked.",
            .answers("set prv.key ") { if $0 == "Error, bad key" { $0 = "OK, reboot to apply!" } }),
        RoleMutant(
            "sensor-floods-advert", .reply, of: .sensor, ["INF-018", "INF-201"],
            "A sensor floods adverts every 47 hours.",
            .setup { setup, _ in setup.preferences.floodAdvertInterval = 47 }),
    ]

    /// The bytes of a group packet on the public channel; `nil` for other ones.
    private static func plaintext(ofGroup parts: SentBytes) -> [UInt8]? {
        Sealing.open([UInt8](parts.payload.dropFirst()), secret: Channel.everyone.secret)
    }
}
