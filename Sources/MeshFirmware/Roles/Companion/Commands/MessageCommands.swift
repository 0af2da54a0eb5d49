import MeshCompanion
import MeshPacket
import MeshWire

// Texts and datagrams (CompanionStatements, CMP-114 to CMP-146).
extension CompanionRadio {
    mutating func handle(_ frame: SendTxtMsg) {
        guard let index = contacts.index(ofPrefix: frame.publicKeyPrefix) else { return refuse(.notFound) }
        let type = frame.textType
        guard type == .plain || type == .cliData || type == .remoteCommand && core.switches.hasRemoteCommands else {
            return refuse(.unsupportedCmd)
        }
        endFrameWithNUL()
        let timestamp = type == .plain ? frame.timestamp : core.uniqueTime()
        guard
            let plaintext = TextPlaintext(
                timestamp: timestamp, type: type, attempt: frame.attempt, text: frame.text),
            let packet = createDatagram(.txtMsg, to: index, plaintext.written())
        else { return refuse(.tableFull) }
        let sent = route(packet, to: index)
        let ack = plaintext.ackHash(sender: core.publicKey, receiver: contacts[index].publicKey) ?? 0
        expectedAcks.expect(ack, contact: index, atMilliseconds: core.millis.count)
        send(sent.report(tag: ack))
    }

    mutating func handle(_ frame: SendChannelTxtMsg) {
        guard frame.textType == .plain, frameLength >= 7 || core.quirks.contains(.negativeTextLength) else {
            return refuse(.unsupportedCmd)
        }
        guard let channel = channels.usable(Int(frame.channelIndex)) else { return refuse(.notFound) }
        var plaintext: [UInt8] = []
        withUnsafeBytes(of: frame.timestamp.littleEndian) { plaintext.append(contentsOf: $0) }
        plaintext.append(0)
        plaintext.append(contentsOf: preferences.name.bytes)
        plaintext.append(contentsOf: [UInt8(ascii: ":"), UInt8(ascii: " ")])
        // The share of the text is what the name leaves; a NUL inside it goes along.
        let share = PacketLimits.text + 5 - plaintext.count
        guard frame.text.count <= share || core.quirks.contains(.channelTextCut) else { return refuse(.tableFull) }
        plaintext.append(contentsOf: frame.text.bytes.prefix(share))
        guard let packet = createGroupDatagram(.grpTxt, channel, plaintext) else {
            return refuse(core.quirks.contains(.poolErrorNames) ? .notFound : .tableFull)
        }
        floodScoped(packet)
        ok()
    }

    mutating func handle(_ frame: SendChannelData) {
        let pathLength = frame.pathLength
        guard pathLength.isValid || pathLength.isUnknown else { return refuse(.illegalArg) }
        guard let channel = channels.usable(Int(frame.channelIndex)) else { return refuse(.notFound) }
        guard frame.dataType != 0, frame.payload.count <= channelDataLimit else { return refuse(.illegalArg) }
        guard frame.payload.count <= CompanionLimits.channelDataOfPacket else { return refuse(.tableFull) }
        var plaintext = [
            UInt8(truncatingIfNeeded: frame.dataType), UInt8(truncatingIfNeeded: frame.dataType >> 8),
            UInt8(truncatingIfNeeded: frame.payload.count),
        ]
        plaintext.append(contentsOf: frame.payload)
        guard let packet = createGroupDatagram(.grpData, channel, plaintext) else { return refuse(.tableFull) }
        if pathLength.isUnknown {
            floodScoped(packet)
        } else {
            core.sendDirect(packet, pathLength: pathLength, path: frame.path)
        }
        ok()
    }

    private var channelDataLimit: Int {
        let limit = core.switches.channelDataOfCommand
        return core.quirks.contains(.channelDataLimitMismatch) ? limit : min(limit, CompanionLimits.channelDataOfPacket)
    }

    mutating func handle(_ frame: SyncNextMessage) {
        messageInDelivery = nil
        guard let message = offlineQueue.popFirst() else { return send(Resp.NoMoreMessages()) }
        display.fetched(waiting: offlineQueue.count)
        if !core.quirks.contains(.messageLeavesBeforeDelivery) { messageInDelivery = message }
        send(bytes: laidOutForDelivery(message))
    }
}
