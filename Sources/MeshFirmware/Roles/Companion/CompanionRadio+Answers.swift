import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshWire

// Answers of others: paths, acknowledgements, responses (CompanionStatements, CMP-122 to CMP-125 and
// CMP-161 to CMP-179).
extension CompanionRadio {
    mutating func receivedPath(
        _ packet: PacketView, peer index: Int, secret: SharedSecret, pathLength: PathLength,
        path: UnsafeRawBufferPointer, extraType: UInt8, extra: UnsafeRawBufferPointer
    ) -> Bool {
        guard contacts.slots.indices.contains(index) else { return false }
        let type = PayloadType(rawValue: extraType & 15)
        if type == .response, extra.count > 4, endPending(.discovery, tag: Self.tag(extra)) {
            reportDiscovery(packet, from: index, pathLength, path)
            return false
        }
        let key = contacts[index].publicKey
        contacts[index].outPathLength = pathLength
        contacts[index].outPath.withUnsafeMutableBytes { stored in
            stored.copyMemory(from: UnsafeRawBufferPointer(rebasing: path.prefix(pathLength.byteCount)))
        }
        contacts[index].lastModified = core.unixTime
        send(Push.PathUpdated(publicKey: key))
        contactsChanged()
        if type == .ack, extra.count >= 4 {
            _ = confirm(Self.tag(extra))
        } else if type == .response, !extra.isEmpty {
            takeResponse(extra, from: index)
        }
        return true
    }

    private mutating func reportDiscovery(
        _ packet: PacketView, from index: Int, _ pathLength: PathLength, _ path: UnsafeRawBufferPointer
    ) {
        guard pathLength.isValid, packet.pathLength.isValid else { return }
        send(
            Push.PathDiscoveryResponse(
                publicKeyPrefix: FixedBytes(contacts[index].publicKey.prefix(6)),
                outPathLength: pathLength, outPath: [UInt8](path.prefix(pathLength.byteCount)),
                inPathLength: packet.pathLength, inPath: packet.path))
    }

    // MARK: Acknowledgements

    mutating func receivedAck(_ packet: PacketView, ack: UInt32) -> Bool {
        guard let index = confirm(ack) else { return false }
        if packet.isFlood, !core.quirks.contains(.noPathRetryOnAck), contacts.slots.indices.contains(index) {
            retryPath(of: packet, to: index)
        }
        return true
    }

    /// Reports the first text that awaits this value; the slot of its contact.
    private mutating func confirm(_ ack: UInt32) -> Int? {
        let matchesEmpty = core.quirks.contains(.zeroAckConfirms)
        guard let entry = expectedAcks.take(ack, matchingEmpty: matchesEmpty) else { return nil }
        send(Push.SendConfirmed(ack: ack, roundTrip: core.millis.count &- entry.sentAtMilliseconds))
        core.trace(.acked(ack))
        return entry.contact
    }

    // MARK: Responses

    /// Matches a response with the first request that it fits.
    mutating func takeResponse(_ data: UnsafeRawBufferPointer, from index: Int) {
        let key = contacts[index].publicKey
        let mark = PendingRequests.mark(of: key)
        let prefix = FixedBytes<6>(key.prefix(6))
        let tag = Self.tag(data)
        let statusTag = core.quirks.contains(.statusMatchedBySender) ? nil : tag
        if pending.end(.login, mark: mark) {
            return takeLoginAnswer(data, tag: tag, from: key)
        }
        guard data.count > 4 else { return reportUnmatched(data, tag: tag) }
        let content = appContent(data)
        if pending.end(.status, mark: mark, tag: statusTag) {
            send(Push.StatusResponse(publicKeyPrefix: prefix, data: content))
        } else if endPending(.telemetry, tag: tag) {
            send(Push.TelemetryResponse(publicKeyPrefix: prefix, lpp: content))
        } else if endPending(.binary, tag: tag) {
            send(Push.BinaryResponse(tag: tag, data: content))
        } else {
            reportUnmatched(data, tag: tag)
        }
    }

    /// Reports a response without a request, or one that came too late (FWV-132).
    private mutating func reportUnmatched(_ data: UnsafeRawBufferPointer, tag: UInt32) {
        guard core.switches.reportsUnmatchedResponses else { return }
        send(Push.BinaryResponse(tag: tag, data: [UInt8](data.dropFirst(4))))
    }

    /// Reports a server's answer to a login; bytes that it left out read as zero.
    private mutating func takeLoginAnswer(_ data: UnsafeRawBufferPointer, tag: UInt32, from key: PublicKey) {
        func byte(_ offset: Int) -> UInt8 { offset < data.count ? data[offset] : 0 }
        let prefix = FixedBytes<6>(key.prefix(6))
        if byte(4) == UInt8(ascii: "O"), byte(5) == UInt8(ascii: "K") {
            send(Push.LoginSuccess(permissions: 0, publicKeyPrefix: prefix))
        } else if byte(4) == 0 {
            let keepAlive = UInt32(byte(5)) * 16
            if keepAlive > 0 { connections.start(key, keepAliveSeconds: keepAlive) }
            send(
                Push.LoginSuccess(
                    permissions: byte(6), publicKeyPrefix: prefix, serverTime: tag, aclPermissions: byte(7),
                    firmwareLevel: byte(12)))
        } else {
            send(Push.LoginFail(publicKeyPrefix: prefix))
        }
    }

    /// Returns the bytes after the tag; with the padding of the cipher block unless that quirk is off.
    private func appContent(_ data: UnsafeRawBufferPointer) -> [UInt8] {
        var content = [UInt8](data.dropFirst(4))
        if !core.quirks.contains(.cipherBlockPadding) {
            while content.last == 0 { content.removeLast() }
        }
        return content
    }

    /// A tag of zero fits a request that is not there.
    private mutating func endPending(_ kind: PendingRequests.Kind, tag: UInt32) -> Bool {
        pending.end(kind, tag: tag, zeroFitsNone: core.quirks.contains(.zeroTagTelemetry))
    }

    /// Returns the first four bytes; missing ones read as zero.
    private static func tag(_ data: UnsafeRawBufferPointer) -> UInt32 {
        (0..<min(4, data.count)).reduce(0) { $0 | UInt32(data[$1]) << UInt32(8 * $1) }
    }
}
