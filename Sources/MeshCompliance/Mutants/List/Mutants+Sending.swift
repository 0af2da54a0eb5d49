import MeshCompanion
import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire

// Section H: texts and datagrams of the app, and their confirmation.
extension Mutant {
    static let sending: [Mutant] = texts + confirmations

    private static let texts: [Mutant] = [
        Mutant(
            "sent-ack-swapped", .byteOrder, [114, 119], "SENT has the first byte of the acknowledgement last.",
            .reply(Resp.Sent.self) { $0.tag = $0.tag.byteSwapped }),
        Mutant(
            "sent-route-inverted", .reply, [114, 115], "SENT says direct for floods and flood for direct packets.",
            .reply(Resp.Sent.self) { $0.route ^= 1 }),
        Mutant(
            "sent-timeout-in-seconds", .reply, [114, 115], "The time-out in SENT is in seconds.",
            .reply(Resp.Sent.self) { $0.timeout /= 1000 }),
        Mutant(
            "sent-timeout-without-hops", .reply, [115], "The time-out of a direct packet leaves its hops out.",
            .reply(Resp.Sent.self) { if $0.route == 0 { $0.timeout = 500 + ($0.timeout - 500) / 3 } }),
        Mutant(
            "sent-of-last-text", .stale, [123], "SENT carries the acknowledgement of the text before.",
            .seenReply(Resp.Sent.self) { frame, context in
                let last = context.history.last { $0.first == ResponseCode.sent.rawValue }
                if let last, let sent = try? Resp.Sent(decoding: last) { frame.tag = sent.tag }
            }),
        Mutant(
            "text-in-radio-time", .air, [114], "A text is sent with the radio's time instead of the app's.",
            .plaintext(.txtMsg) { text, radio in
                if text.count > 4, text[4] >> 2 == 0 {
                    text.replaceSubrange(0..<4, with: CompanionRadio.bytes(of: radio.core.unixTime))
                }
            }),
        Mutant(
            "path-reversed", .air, [115], "A direct packet goes along the contact's path backwards.",
            .packet { bytes in
                guard var sent = SentBytes(bytes), !sent.isFlood else { return }
                sent.path.reverse()
                bytes = sent.bytes
            }),
        Mutant(
            "text-to-nobody-illegal", .errorCode, [116, 117], "A text to an unknown prefix is ILLEGAL_ARG.",
            .error(of: .sendTxtMsg) { bytes, _ in if bytes[1] == 2 { bytes[1] = ErrorCode.illegalArg.rawValue } }),
        Mutant(
            "text-type-first", .order, [117], "The text type is judged before the recipient.",
            .refuses(.sendTxtMsg, with: .unsupportedCmd) { $0.count > 13 && $0[1] > 1 }),
        Mutant(
            "text-type-two-sent", .lax, [117], "A signed text of the app is sent as a plain one.",
            .misread(.sendTxtMsg) { frame in if frame.count > 1, frame[1] == 2 { frame[1] = 0 } }),
        Mutant(
            "text-of-159", .offByOne, [118], "A text may have 159 bytes.",
            .refuses(.sendTxtMsg, with: .tableFull) { $0.count > 13 + 159 }),
        Mutant(
            "text-of-161", .offByOne, [118], "A text of 161 bytes is sent without its last one.",
            .misread(.sendTxtMsg) { frame in if frame.count == 13 + 161 { frame.removeLast() } }),
        Mutant(
            "attempt-always-zero", .air, [119], "Every text is sent as the first attempt.",
            .misread(.sendTxtMsg) { frame in if frame.count > 2 { frame[2] = 0 } }),
        Mutant(
            "high-attempt-unsent", .air, [119], "An attempt above 3 does not follow its text.",
            .plaintext(.txtMsg) { text, _ in
                if let end = text.dropFirst(5).firstIndex(of: 0) { text = [UInt8](text[..<end]) }
            }),
        Mutant(
            "cli-text-acked", .reply, [120, 245], "SENT of CLI data carries an acknowledgement.",
            .seenReply(Resp.Sent.self) { frame, context in
                if frame.tag == 0, context.radio.command == .sendTxtMsg { frame.tag = context.radio.core.unixTime }
            }),
        Mutant(
            "cli-text-in-app-time", .air, [120], "CLI data is sent with the app's time.",
            .plaintext(.txtMsg) { text, radio in
                if text.count > 4, text[4] >> 2 == 1 { text.replaceSubrange(0..<4, with: radio.receiveBuffer[3..<7]) }
            }),
        Mutant(
            "text-goes-on-behind-nul", .air, [121], "What follows the NUL of a text is sent along.",
            .plaintext(.txtMsg) { text, radio in
                if radio.receiveBuffer[13..<radio.frameLength].contains(0), text.count > 4 {
                    text = Array(text[..<5]) + radio.receiveBuffer[13..<radio.frameLength]
                }
            }),
    ]

    private static let confirmations: [Mutant] = [
        Mutant(
            "confirmation-missing", .missing, [122, 124], "SEND_CONFIRMED is not sent.", .lost(Push.SendConfirmed.self)),
        Mutant(
            "confirmation-late", .late, [122, 124], "SEND_CONFIRMED takes six seconds.",
            .late(Push.SendConfirmed.self, .seconds(6))),
        Mutant(
            "confirmation-repeated", .doubled, [122], "Every copy of an acknowledgement is reported.",
            .meshed { radio, before in radio.expectedAcks = before.expectedAcks }),
        Mutant(
            "confirmation-by-order", .stale, [122, 123], "SEND_CONFIRMED names the text that was sent last.",
            .seenReply(Push.SendConfirmed.self) { frame, context in
                let last = context.history.last { $0.first == ResponseCode.sent.rawValue }
                if let last, let sent = try? Resp.Sent(decoding: last) { frame.ack = sent.tag &+ 1 }
            }),
        Mutant(
            "trip-in-seconds", .reply, [122], "The trip time is in seconds.",
            .reply(Push.SendConfirmed.self) { $0.roundTrip /= 1000 }),
        Mutant(
            "trip-since-boot", .reply, [122], "The trip time is the time since boot.",
            .seenReply(Push.SendConfirmed.self) { $0.roundTrip = $1.radio.core.millis.count &+ 60_000 }),
        Mutant(
            "seven-texts-awaited", .offByOne, [123], "The last seven texts can be confirmed.",
            .bytes(of: Push.SendConfirmed.self) { bytes, context in
                let sent = context.history.filter { $0.first == ResponseCode.sent.rawValue }.suffix(7)
                if !sent.contains(where: { $0[2..<6] == bytes[1..<5] }) { bytes = [] }
            }),
        Mutant(
            "confirmation-before-path", .order, [124], "PATH_UPDATED comes behind the confirmation in the same packet.",
            .overtaken(Push.PathUpdated.self)),
        Mutant(
            "give-up-reported", .unasked, [125], "A text that nobody confirms is reported after a minute.",
            .frame(
                ResponseCode.sent.rawValue,
                .followed(.seconds(60)) { _ in Push.SendConfirmed().encoded() })),
    ]
}
