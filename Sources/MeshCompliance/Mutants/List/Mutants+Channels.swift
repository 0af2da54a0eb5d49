import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshWire

// Section J: channel slots.
extension Mutant {
    static let channels: [Mutant] = [
        Mutant(
            "public-missing", .lost, [152], "A new radio has no channel in slot 0.",
            .booted { radio in
                if radio.flash[CompanionStorage.channelsPath] == nil { _ = radio.channels.set(GroupChannel(), at: 0) }
            }),
        Mutant(
            "channel-info-of-last", .stale, [154], "CHANNEL_INFO has the key that was reported before.",
            .seenReply(Resp.ChannelInfo.self) { frame, context in
                let last = context.history.last { $0.first == ResponseCode.channelInfo.rawValue }
                frame.secret = FixedBytes(last?.suffix(16) ?? [])
            }),
        Mutant(
            "channel-name-missing", .reply, [154, 155], "CHANNEL_INFO has no name.",
            .reply(Resp.ChannelInfo.self) { $0.name[0] = 0 }),
        Mutant(
            "channel-info-without-index", .length, [152, 154], "CHANNEL_INFO begins with the name.",
            .bytes(of: Resp.ChannelInfo.self) { bytes, _ in bytes.remove(at: 1) }),
        Mutant(
            "channel-name-of-32", .limit, [155], "A channel's name may have 32 bytes.",
            .seenReply(Resp.ChannelInfo.self) { frame, _ in if frame.name[30] != 0 { frame.name[31] = frame.name[30] } }
        ),
        Mutant(
            "long-channel-key", .lax, [155], "A channel with a 256-bit key is taken with half of it.",
            .misread(.setChannel) { frame in frame = [UInt8](frame.prefix(50)) }),
        Mutant(
            "channel-not-stored", .lost, [156], "A channel is gone after a loss of power.", .notStored(.setChannel)),
        Mutant(
            "public-comes-back", .kept, [157], "A deleted Public is there again after a boot.",
            .booted { radio in
                if radio.channels[0]?.isUnused == true { _ = radio.channels.set(.publicChannel, at: 0) }
            }),
        Mutant(
            "channel-hash-old", .stale, [158], "A slot goes on hearing the channel that it held before.",
            .executed(.setChannel) { radio, before in
                let index = Int(radio.receiveBuffer[1])
                guard var channel = radio.channels[index], let old = before.channels[index] else { return }
                channel.hash = old.hash
                _ = radio.channels.set(channel, at: index)
            }),
    ]
}
