import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshWire

// Section I: messages on their way to the app; what answers them is in `acknowledging`.
extension Mutant {
    static let receiving: [Mutant] = frames + queue

    private static let frames: [Mutant] = [
        Mutant(
            "message-unannounced", .missing, [136, 141], "MSG_WAITING is not sent.", .lost(Push.MsgWaiting.self)),
        Mutant(
            "message-announced-twice", .doubled, [136, 158], "MSG_WAITING comes twice.", .doubled(Push.MsgWaiting.self)),
        Mutant(
            "message-snr-whole", .reply, [136, 139], "The SNR of a message is in whole decibels.",
            .reply(Resp.ContactMsgRecvV3.self) { $0.snr /= 4 }, .reply(Resp.ChannelMsgRecvV3.self) { $0.snr /= 4 }),
        Mutant(
            "message-reserved-bytes", .stale, [136], "The reserved bytes of a message are not cleared.",
            .seenReply(Resp.ContactMsgRecvV3.self) { $0.reserved = FixedBytes($1.radio.core.publicKey.prefix(2)) }),
        Mutant(
            "message-key-swapped", .byteOrder, [136, 137], "The sender's key bytes stand the wrong way round.",
            .reply(Resp.ContactMsgRecvV3.self) {
                $0.message.publicKeyPrefix = FixedBytes($0.message.publicKeyPrefix.prefix(6).reversed())
            }),
        Mutant(
            "message-path-in-hops", .reply, [137], "A message counts hops where the path length belongs.",
            .reply(Resp.ContactMsgRecvV3.self) { frame in
                let length = frame.message.pathLength
                if !length.isUnknown { frame.message.pathLength = PathLength(hashSize: 1, hops: length.hopCount) }
            }),
        Mutant(
            "direct-message-without-hops", .reply, [137, 138], "A direct message says no hops instead of FF.",
            .reply(Resp.ContactMsgRecvV3.self) { frame in
                if frame.message.pathLength.isUnknown { frame.message.pathLength = .empty }
            }),
        Mutant(
            "message-type-plain", .reply, [138], "Every message is a plain text.",
            .bytes(of: Resp.ContactMsgRecvV3.self) { bytes, _ in bytes[11] = 0 }),
        Mutant(
            "message-with-nul", .length, [136, 248], "The text of a message is followed by its NUL.",
            .bytes(of: Resp.ContactMsgRecvV3.self) { bytes, _ in bytes.append(0) }),
        Mutant(
            "post-without-author", .length, [138], "A signed text comes without its author.",
            .bytes(of: Resp.ContactMsgRecvV3.self) { bytes, _ in if bytes[11] == 2 { bytes.removeSubrange(16..<20) } }),
        Mutant(
            "channel-message-index-zero", .reply, [139, 158], "Every channel message is of channel 0.",
            .reply(Resp.ChannelMsgRecv.self) { $0.message.channelIndex = 0 },
            .reply(Resp.ChannelMsgRecvV3.self) { $0.message.channelIndex = 0 }),
        Mutant(
            "old-channel-message-with-snr", .length, [139], "Channel messages for old apps begin with the signal.",
            .bytes(of: Resp.ChannelMsgRecv.self) { bytes, _ in bytes.insert(contentsOf: [0x19, 0, 0], at: 1) }),
        Mutant(
            "channel-data-for-old-apps", .length, [140], "Apps before version 3 get channel datagrams without signal.",
            .bytes(of: Resp.ChannelDataRecv.self) { bytes, context in
                if context.radio.appVersion < 3 { bytes.removeSubrange(1..<4) }
            }),
        Mutant(
            "channel-data-received-swapped", .byteOrder, [140, 146], "The type of a received datagram is swapped.",
            .reply(Resp.ChannelDataRecv.self) { $0.dataType = $0.dataType.byteSwapped }),
        Mutant(
            "message-of-172", .limit, [145], "A message frame is cut at 172 bytes.",
            .frame(
                nil,
                .changed { bytes, context in
                    if context.radio.command == .syncNextMessage { bytes = [UInt8](bytes.prefix(172)) }
                })),
        Mutant(
            "channel-data-of-166", .offByOne, [146], "A channel datagram of 167 bytes is dropped.",
            .meshed { radio, _ in
                radio.changeQueue { $0.first == 0x1B && $0.count > 9 + 166 ? nil : $0 }
            }),
        Mutant(
            "channel-reported-highest", .order, [150], "With one secret in two slots the higher index is reported.",
            .seenReply(Resp.ChannelMsgRecvV3.self) { frame, context in
                let slots = context.radio.channels.slots
                guard let slot = context.radio.channels[Int(frame.message.channelIndex)] else { return }
                let last = slots.lastIndex { $0.secret == slot.secret } ?? 0
                frame.message.channelIndex = UInt8(truncatingIfNeeded: last)
            }),
        Mutant(
            "no-messages-ok", .reply, [136, 141], "An empty queue is answered with OK.",
            .bytes(of: Resp.NoMoreMessages.self) { bytes, _ in bytes = Resp.OK().encoded() }),
    ]

    private static let queue: [Mutant] = [
        Mutant(
            "queue-one-larger", .offByOne, [141, 142], "The queue for the app holds one more.",
            .board { $0.offlineQueueSize += 1 }),
        Mutant(
            "queue-drops-oldest", .order, [141, 142], "A full queue drops its oldest message, whatever it is.",
            .hearing { _, _, radio in
                let queue = radio.offlineQueue
                if queue.count == queue.capacity { _ = radio.offlineQueue.popFirst() }
            }),
        Mutant(
            "queue-newest-first", .order, [141, 41], "The newest message is fetched first.",
            .command(.syncNextMessage) { _, radio in
                var messages: [[UInt8]] = []
                while let message = radio.offlineQueue.popFirst() { messages.append(message) }
                if let last = messages.popLast() { messages.insert(last, at: 0) }
                for message in messages { radio.offlineQueue.append(message) }
                return .executed
            }),
        Mutant(
            "message-stays", .kept, [136], "A fetched message is fetched again.",
            .executed(.syncNextMessage) { radio, before in radio.offlineQueue = before.offlineQueue }),
        Mutant(
            "queue-cleared-at-disconnect", .lost, [143], "A client that hangs up takes the messages along.",
            .linkChanged { radio, _, isThere in
                if !isThere { radio.offlineQueue = OfflineQueue(capacity: radio.offlineQueue.capacity) }
            },
            .meshed { radio, _ in
                if !radio.isConnected { radio.offlineQueue = OfflineQueue(capacity: radio.offlineQueue.capacity) }
            }),
        Mutant(
            "messages-announced-at-connect", .unasked, [143], "A new client is told of waiting messages.",
            .linkChanged { radio, _, isThere in
                if isThere, !radio.offlineQueue.isEmpty { radio.pushMessageWaiting() }
            }),
        Mutant(
            "copies-delivered", .doubled, [147], "Every copy of a packet is delivered.",
            .hearing { _, _, radio in radio.core.seen = SeenTable() }),
        Mutant(
            "text-leaves-lastmod", .lost, [148], "A message does not change its sender's lastmod.",
            .meshed { radio, before in
                for index in radio.contacts.slots.indices.prefix(before.contacts.slots.count) {
                    radio.contacts[index].lastModified = before.contacts[index].lastModified
                }
            }),
        Mutant(
            "strangers-announced", .unasked, [149], "A message that cannot be read is announced.",
            .hearing { bytes, _, radio in
                guard let sent = SentBytes(bytes), sent.type == .txtMsg, sent.payload.count > 2,
                    !radio.contacts.slots.contains(where: { $0.publicKey[0] == sent.payload[1] })
                else { return }
                radio.pushMessageWaiting()
            }),
    ]

    static let acknowledging: [Mutant] = [
        Mutant(
            "acks-late", .late, [151], "A text is acknowledged after two seconds.", .booted { $0.ackDelay += 2000 }),
        Mutant(
            "ack-swapped", .byteOrder, [151, 249], "The radio's acknowledgements have their first byte last.",
            .packet(.ack) { sent in sent.payload = sent.payload.prefix(4).reversed() + sent.payload.dropFirst(4) },
            .plaintext(.path) { extra, _ in extra = extra.prefix(4).reversed() + extra.dropFirst(4) }),
        Mutant(
            "ack-without-attempt", .air, [151], "An acknowledgement does not repeat the attempt behind the text.",
            .packet(.ack) { sent in if sent.payload.count > 4 { sent.payload[4] = 0 } },
            .plaintext(.path) { extra, _ in if extra.count > 4 { extra[4] = 0 } }),
        Mutant(
            "ack-of-four-bytes", .air, [151, 249], "An acknowledgement has nothing behind its value.",
            .packet(.ack) { sent in sent.payload = [UInt8](sent.payload.prefix(4)) },
            .plaintext(.path) { extra, _ in extra = [UInt8](extra.prefix(4)) }),
        Mutant(
            "acks-missing", .missing, [151], "Flooded texts are not acknowledged.",
            .plaintext(.path) { extra, _ in extra = [] }),
        Mutant(
            "discarded-unacknowledged", .missing, [249], "A message that finds the queue full is not acknowledged.",
            .hearing { bytes, _, radio in
                guard let sent = SentBytes(bytes), sent.type == .txtMsg, radio.isConnected else { return }
                let queue = radio.offlineQueue
                if queue.count == queue.capacity {
                    bytes = [0xFF]
                    radio.pushMessageWaiting()
                }
            }),
    ]
}

extension CompanionRadio {
    /// Changes the messages that wait, and drops those that become `nil`.
    fileprivate mutating func changeQueue(_ change: ([UInt8]) -> [UInt8]?) {
        var kept = OfflineQueue(capacity: offlineQueue.capacity)
        while let message = offlineQueue.popFirst() {
            if let message = change(message) { kept.append(message) }
        }
        offlineQueue = kept
    }
}
