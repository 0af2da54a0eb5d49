import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshTime
import MeshWire

// Texts and datagrams for this node: into the queue, and acknowledged (CompanionStatements, CMP-136
// to CMP-151).
extension CompanionRadio {
    /// Delays of answers in milliseconds (`SERVER_RESPONSE_DELAY`).
    private static let secondAckDelay: UInt32 = 500
    private static let responseDelay: UInt32 = 300
    private static let pathRetryDelay: UInt32 = 3000

    mutating func receivedFromPeer(
        _ packet: PacketView, type: PayloadType, peer index: Int, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) {
        guard contacts.slots.indices.contains(index) else { return }
        if type == .txtMsg, data.count > 5 {
            receivedText(packet, from: index, data)
        } else if type == .req, data.count > 4 {
            answerRequest(packet, from: index, data)
        } else if type == .response, !data.isEmpty {
            takeResponse(data, from: index)
            if packet.isFlood { retryPath(of: packet, to: index) }
        }
    }

    // MARK: Texts

    private mutating func receivedText(_ packet: PacketView, from index: Int, _ data: UnsafeRawBufferPointer) {
        let type = TextType(rawValue: data[4] >> 2)
        let timestamp = UInt32(littleEndian: data.loadUnaligned(as: UInt32.self))
        switch type {
        case .plain:
            contacts[index].lastModified = core.unixTime
            queueText(packet, from: index, type, timestamp, author: nil, Self.text(data, from: 5))
            acknowledge(packet, from: index, plainAck(data, from: index))
        case .cliData:
            queueText(packet, from: index, type, timestamp, author: nil, Self.text(data, from: 5))
            if packet.isFlood, core.switches.returnsPathOfCommands { returnPath(of: packet, to: index) }
        case .remoteCommand where core.switches.hasRemoteCommands:
            let text = Self.text(data, from: 5)
            guard !isCommander(index) else { return obey(text, from: index, timestamp: timestamp) }
            queueText(packet, from: index, type, timestamp, author: nil, text)
        case .signedPlain:
            if timestamp > contacts[index].syncSince { contacts[index].syncSince = timestamp }
            contacts[index].lastModified = core.unixTime
            contactsChanged()
            let author = FixedBytes<4>(data[5..<min(9, data.count)])
            queueText(packet, from: index, type, timestamp, author: author, Self.text(data, from: 9))
            let ack = AckHash.text(data, sender: contacts[index].publicKey, receiver: core.publicKey) ?? 0
            acknowledge(packet, from: index, Self.bytes(of: ack))
        default: break
        }
    }

    /// The text from `start` to its first NUL or to the end.
    private static func text(_ data: UnsafeRawBufferPointer, from start: Int) -> ByteText {
        ByteText(bytes: [UInt8](data.dropFirst(start).prefix { $0 != 0 }))
    }

    private mutating func queueText(
        _ packet: PacketView, from index: Int, _ type: TextType, _ timestamp: UInt32, author: FixedBytes<4>?,
        _ text: ByteText
    ) {
        var message = ContactMessage()
        message.publicKeyPrefix = FixedBytes(contacts[index].publicKey.prefix(6))
        message.pathLength = packet.isFlood ? packet.pathLength : .unknown
        message.textType = type
        message.timestamp = timestamp
        message.authorPrefix = author ?? FixedBytes()
        message.text = text
        if layoutVersion >= 3 {
            queue(Resp.ContactMsgRecvV3(snr: packet.snr, message: message).encoded())
        } else {
            queue(Resp.ContactMsgRecv(message: message).encoded())
        }
        if type == .plain || type == .signedPlain { preview(text, message.pathLength, from: contacts[index].name) }
    }

    /// The app version that an arriving message is laid out for.
    private var layoutVersion: UInt8 { core.quirks.contains(.versionFixedAtArrival) ? appVersion : 3 }

    /// Puts a message into the queue, cut to a frame, and notifies the app.
    private mutating func queue(_ message: [UInt8]) {
        let limit = core.switches.frameLimit
        let frame = message.count > limit ? Array(message[..<limit]) : message
        transmitBuffer.replaceSubrange(..<frame.count, with: frame)
        let isKept = offlineQueue.append(
            core.quirks.contains(.versionFixedAtArrival) ? frame : message,
            reserving: messageInDelivery == nil ? 0 : 1)
        if isKept || core.quirks.contains(.waitingForDiscarded) { pushMessageWaiting() }
    }

    /// Puts messages into the queue as if they had been received before the board was switched on, oldest first.
    ///
    /// They are complete response frames, kept by the rules for those from the air. One that is too long is cut,
    /// and a full queue drops its oldest channel message. No board starts with such a queue, because it is kept in
    /// memory alone.
    public mutating func preload(_ backlog: [[UInt8]]) {
        for message in backlog where !message.isEmpty {
            offlineQueue.append(Array(message.prefix(core.switches.frameLimit)))
        }
    }

    // MARK: Delivery

    /// A stored message as the app gets it: as it was stored, unless its layout follows the app's version.
    func laidOutForDelivery(_ stored: [UInt8]) -> [UInt8] {
        guard !core.quirks.contains(.versionFixedAtArrival) else { return stored }
        var message = stored
        if appVersion < 3, let old = Self.oldLayout(of: message[0]) {
            // The new layouts have signal and two reserved bytes behind the code.
            message.replaceSubrange(0..<4, with: [old.rawValue])
        }
        return Array(message.prefix(core.switches.frameLimit))
    }

    private static func oldLayout(of code: UInt8) -> ResponseCode? {
        switch ResponseCode(rawValue: code) {
        case .contactMsgRecvV3: .contactMsgRecv
        case .channelMsgRecvV3: .channelMsgRecv
        default: nil
        }
    }

    /// Makes a message whose delivery is unknown the next one again.
    mutating func takeBackMessage() {
        guard let message = messageInDelivery else { return }
        messageInDelivery = nil
        offlineQueue.putBack(message)
    }

    // MARK: Channels

    mutating func receivedGroup(
        _ packet: PacketView, type: PayloadType, channel index: Int, data: UnsafeRawBufferPointer
    ) {
        let reported = UInt8(truncatingIfNeeded: channels.reportedIndex(of: index))
        if type == .grpTxt {
            queueChannelText(packet, channel: reported, data)
        } else if type == .grpData {
            queueChannelData(packet, channel: reported, data)
        }
    }

    private mutating func queueChannelText(_ packet: PacketView, channel: UInt8, _ data: UnsafeRawBufferPointer) {
        guard data.count >= 5, data[4] >> 2 == 0 else { return }
        var message = ChannelMessage()
        message.channelIndex = channel
        message.pathLength = packet.isFlood ? packet.pathLength : .unknown
        message.textType = .plain
        message.timestamp = UInt32(littleEndian: data.loadUnaligned(as: UInt32.self))
        message.text = Self.text(data, from: 5)
        if layoutVersion >= 3 {
            queue(Resp.ChannelMsgRecvV3(snr: packet.snr, message: message).encoded())
        } else {
            queue(Resp.ChannelMsgRecv(message: message).encoded())
        }
        preview(message.text, message.pathLength, from: channels[Int(channel)]?.name ?? FixedBytes(text: "Unknown"))
    }

    private mutating func queueChannelData(_ packet: PacketView, channel: UInt8, _ data: UnsafeRawBufferPointer) {
        guard data.count >= 3, let longest = core.switches.channelDataDelivered else { return }
        let length = Int(data[2])
        guard length <= data.count - 3, length <= longest else { return }
        let frame = Resp.ChannelDataRecv(
            snr: packet.snr, channelIndex: channel, pathLength: packet.isFlood ? packet.pathLength : .unknown,
            dataType: UInt16(data[0]) | UInt16(data[1]) << 8, dataLength: data[2],
            data: [UInt8](data[3..<(3 + length)]))
        queue(frame.encoded())
    }

    // MARK: Acknowledging

    /// The acknowledgement of a plain text: its hash, and since 1.16 the attempt behind the text and a random byte.
    private mutating func plainAck(_ data: UnsafeRawBufferPointer, from index: Int) -> [UInt8] {
        let ack = AckHash.text(data, sender: contacts[index].publicKey, receiver: core.publicKey) ?? 0
        guard core.switches.ackLength > 4 else { return Self.bytes(of: ack) }
        let end = data[5...].firstIndex(of: 0) ?? data.count
        return Self.bytes(of: ack) + [end + 1 < data.count ? data[end + 1] : 0, core.random.nextByte()]
    }

    /// Answers a text: with the way it came and the acknowledgement bundled if it was flooded, else with an ACK.
    private mutating func acknowledge(_ packet: PacketView, from index: Int, _ ack: [UInt8]) {
        core.trace(.acknowledging(ack.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }))
        let first = ackDelay
        if packet.isFlood { return returnPath(of: packet, to: index, .ack, ack, delay: first) }
        ack.withUnsafeBytes { ack in
            guard !contacts[index].outPathLength.isUnknown else {
                if let packet = core.createAck(ack) { floodScoped(packet, delay: first) }
                return
            }
            var delay = first
            if extraAckCount > 0 {
                if let copy = core.createMultiAck(ack, remaining: 1) { sendAlong(copy, pathOf: index, delay: delay) }
                delay = Self.secondAckDelay
            }
            if let packet = core.createAck(ack) { sendAlong(packet, pathOf: index, delay: delay) }
        }
    }

    /// Floods the way that a packet came back to its sender, with something bundled.
    private mutating func returnPath(
        of packet: PacketView, to index: Int, _ type: PayloadType = .rawCustom, _ extra: [UInt8] = [],
        delay: UInt32 = 0
    ) {
        guard let answer = createPathReturn(of: packet, to: index, type, extra) else { return }
        floodScoped(answer, delay: delay)
    }

    private mutating func createPathReturn(
        of packet: PacketView, to index: Int, _ type: PayloadType = .rawCustom, _ extra: [UInt8] = []
    ) -> PacketView? {
        let secret = contacts.secret(at: index, identity: core.identity)
        let hash = contacts[index].publicKey[0]
        let extra = plaintext(extra, of: .path)
        return packet.withPath { path in
            extra.withUnsafeBytes { extra in
                core.createPathReturn(
                    toHash: hash, secret: secret, pathLength: packet.pathLength, path: path, extraType: type,
                    extra: extra)
            }
        }
    }

    /// Sends the path once more, directly, to a sender that floods although it should know the path by now.
    mutating func retryPath(of packet: PacketView, to index: Int) {
        guard !contacts[index].outPathLength.isUnknown, let answer = createPathReturn(of: packet, to: index) else {
            return
        }
        sendAlong(answer, pathOf: index, delay: Self.pathRetryDelay)
    }

    // MARK: Requests of contacts

    /// Only telemetry is answered, and only with the permission for it.
    private mutating func answerRequest(_ packet: PacketView, from index: Int, _ data: UnsafeRawBufferPointer) {
        guard data[4] == RequestType.getTelemetryData.rawValue else { return }
        let wanted = TelemetryMask(inverted: data.count > 5 ? data[5] : 0)
        let mask = telemetryPermissions(of: contacts[index]).intersection(wanted)
        guard mask.contains(.base) else { return }
        let reply = [UInt8](data[..<4]) + telemetry(mask, processor: .last)
        if packet.isFlood {
            return returnPath(of: packet, to: index, .response, reply, delay: Self.responseDelay)
        }
        guard let answer = createDatagram(.response, to: index, reply) else { return }
        _ = route(answer, to: index, delay: Self.responseDelay)
    }
}
