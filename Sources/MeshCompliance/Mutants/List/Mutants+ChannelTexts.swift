import MeshCompanion
import MeshFirmware
import MeshPacket
import MeshWire

// Section H: texts and datagrams on channels.
extension Mutant {
    static let channelTexts: [Mutant] = [
        Mutant(
            "channel-text-sent", .reply, [126], "A channel text is answered with SENT.",
            .bytes(of: Resp.OK.self) { bytes, context in
                if context.radio.command == .sendChannelTxtMsg {
                    bytes = Resp.Sent(route: 1, tag: 0, timeout: 5000).encoded()
                }
            }),
        Mutant(
            "channel-text-without-name", .air, [126, 135], "A channel text is sent without the node's name.",
            .plaintext(.grpTxt) { text, radio in text.removeSubrange(5..<(7 + radio.preferences.name.count)) }),
        Mutant(
            "channel-text-with-old-name", .stale, [135], "Channel texts go on under the name of the first.",
            .executed(.sendChannelTxtMsg) { radio, before in
                if radio.mutation.note.isEmpty { radio.mutation.note = before.preferences.name.bytes }
            },
            .plaintext(.grpTxt) { text, radio in
                let name = radio.mutation.note
                guard !name.isEmpty else { return }
                text.replaceSubrange(5..<(5 + radio.preferences.name.count), with: name)
            }),
        Mutant(
            "channel-text-type-one", .lax, [127], "A channel text of type 1 is sent.",
            .misread(.sendChannelTxtMsg) { frame in if frame.count > 1 { frame[1] = 0 } }),
        Mutant(
            "channel-count-inclusive", .offByOne, [127, 152], "One more channel slot than there are can be named.",
            .command(.sendChannelTxtMsg) { frame, radio in radio.wrapIndex(in: &frame, at: 2) },
            .command(.getChannel) { frame, radio in radio.wrapIndex(in: &frame, at: 1) }),
        Mutant(
            "channel-text-of-159", .offByOne, [129], "Name and text together are cut at 159 bytes.",
            .plaintext(.grpTxt) { text, _ in text = [UInt8](text.prefix(5 + 159)) }),
        Mutant(
            "channel-text-in-radio-time", .air, [126, 241], "A channel text is sent with the radio's time.",
            .plaintext(.grpTxt) { text, radio in
                text.replaceSubrange(0..<4, with: CompanionRadio.bytes(of: radio.core.unixTime))
            }),
        Mutant(
            "channel-data-type-swapped", .byteOrder, [131], "The type of a channel datagram has its high byte first.",
            .plaintext(.grpData) { data, _ in data.swapAt(0, 1) }),
        Mutant(
            "channel-data-without-length", .air, [130, 131], "A channel datagram is sent without its length.",
            .plaintext(.grpData) { data, _ in data.remove(at: 2) }),
        Mutant(
            "channel-data-path-ignored", .air, [131], "A channel datagram with a path goes to neighbours.",
            .packet(.grpData) { sent in
                guard !sent.isFlood else { return }
                sent.pathLength = 0
                sent.path = []
            }),
        Mutant(
            "channel-data-type-first", .order, [132], "The type of a datagram is judged before its channel.",
            .refuses(.sendChannelData, with: .illegalArg) { $0.count == 5 && $0[2] == 0xFF && $0[3...4] == [0, 0] }),
        Mutant(
            "channel-data-of-164", .offByOne, [133], "A channel datagram holds 164 bytes.",
            .refuses(.sendChannelData, with: .tableFull) { $0.count == 5 + 165 }),
        Mutant(
            "pool-one-larger", .offByOne, [134, 237], "Seventeen packets can wait.", .board { $0.packetPoolSize += 1 }),
        Mutant(
            "full-pool-unflagged", .reply, [134], "A missing packet sets no error flag.",
            .reply(Resp.Stats.self) { frame in
                guard case .core(var stats) = frame.content else { return }
                stats.errorFlags = 0
                frame.content = .core(stats)
            }),
        Mutant(
            "full-pool-ok", .lax, [134], "A trace that finds no free packet is answered all the same.",
            .error(of: .sendTracePath) { bytes, _ in bytes = Resp.Sent().encoded() }),
    ]
}

extension CompanionRadio {
    /// Mistakes the first invalid index for the last valid one.
    fileprivate func wrapIndex(in frame: inout [UInt8], at offset: Int) -> Defect.Obedience {
        if frame.count > offset, Int(frame[offset]) == channels.count { frame[offset] -= 1 }
        return .executed
    }
}
