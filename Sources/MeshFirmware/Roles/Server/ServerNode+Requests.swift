import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshWire

// Requests of clients, and the answers that roles share. Source: InfrastructureNodes, "Requests".
extension ServerNode {
    mutating func receivedFromPeer(
        _ packet: PacketView, type: PayloadType, peer index: Int, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) {
        switch type {
        case .req:
            guard let request = try? RequestPlaintext(reading: data) else { return }
            receivedRequest(packet, from: index, secret: secret, request: request)
        case .txtMsg:
            guard let text = try? TextPlaintext(reading: data) else { return }
            receivedText(packet, from: index, secret: secret, text: text)
        default: break
        }
    }

    /// Answers a request as repeaters and sensors do: it must be newer than the last one, and is noted only with an
    /// answer.
    mutating func answerNewer(
        _ request: RequestPlaintext, from index: Int, secret: SharedSecret, after packet: PacketView
    ) {
        guard request.tag > server.clients[index].lastTimestamp,
            let answer = answer(to: request, from: index)
        else { return }
        server.clients[index].lastTimestamp = request.tag
        server.clients[index].lastActivity = core.unixTime
        respond(answer, to: request, from: index, secret: secret, after: packet)
    }

    /// Sends an answer behind the time stamp of its request.
    mutating func respond(
        _ answer: [UInt8], to request: RequestPlaintext, from index: Int, secret: SharedSecret, after packet: PacketView
    ) {
        respond(
            ResponsePlaintext(tag: request.tag, data: answer).written(), to: server.clients[index].publicKey[0],
            secret: secret, after: packet, by: replyRoute(to: index, after: packet))
    }

    /// Returns the fields that the status of a repeater and that of a room begin with (INF-074, INF-075).
    func status() -> ServerStatus {
        var status = ServerStatus()
        let counters = core.statistics
        status.batteryMillivolts = server.environment.batteryMillivolts(at: core.now)
        status.queueLength = UInt16(truncatingIfNeeded: core.queuedToSend)
        status.noiseFloor = core.noiseFloor
        status.lastRSSI = Int16(truncatingIfNeeded: Int(core.lastSignal.rssiHundredths) / 100)
        status.packetsReceived = counters.framesReceived
        status.packetsSent = counters.framesSent
        status.airtime = counters.airtime / 1000
        status.uptime = core.uptimeSeconds
        status.sentFlood = counters.sentFlood
        status.sentDirect = counters.sentDirect
        status.receivedFlood = counters.receivedFlood
        status.receivedDirect = counters.receivedDirect
        status.errorFlags = core.errorFlags.rawValue
        status.lastSNR = Int16(core.lastSignal.snrQuarters)
        status.directDuplicates = UInt16(truncatingIfNeeded: core.seen.directDuplicates)
        status.floodDuplicates = UInt16(truncatingIfNeeded: core.seen.floodDuplicates)
        return status
    }

    /// Permissions of clients, for administrators, when the two reserved bytes are zero (INF-085).
    func accessList(for index: Int, parameters: [UInt8]) -> [UInt8]? {
        guard server.clients[index].permissions.isAdmin, parameters.prefix(2).allSatisfy({ $0 == 0 }) else {
            return nil
        }
        return server.clients.accessList(role: server.role)
    }

    /// Returns the measurements of the sensors that the client may see (INF-078 to INF-082).
    func telemetry(for index: Int, parameters: [UInt8]) -> [UInt8] {
        server.environment.telemetry(
            answering: parameters, role: server.role, isGuest: server.clients[index].permissions.role == .guest,
            at: core.now)
    }
}

// Texts. Source: InfrastructureNodes, "Room server", "Sensor" and "Command line".
extension ServerNode {
    /// Runs a command of an administrator, and sends its answer as a text if there is one.
    ///
    /// `time` is the answer's time stamp; it is made different from that of the command, as apps want it.
    mutating func runCommand(
        _ text: TextPlaintext, from index: Int, secret: SharedSecret, after packet: PacketView, delayMillis: UInt32,
        time: UInt32? = nil
    ) {
        let outcome = handleCommand(text.text.bytes, timestamp: text.timestamp)
        guard case .reply(let reply) = outcome, !reply.isEmpty else { return perform(outcome) }
        var stamp = time ?? core.uniqueTime()
        if stamp == text.timestamp { stamp &+= 1 }
        // The command may have removed its sender from the table.
        guard index < server.clients.count else { return }
        // Up to two bytes more than an app may write: only the sealed size is limited (INF-214).
        var answer = TextPlaintext()
        answer.timestamp = stamp
        answer.head = TextType.cliData.rawValue << 2
        answer.body = reply
        sendDatagram(
            .txtMsg, answer.written(), to: server.clients[index].publicKey[0], secret: secret, after: packet,
            by: storedRoute(to: index), delayMillis: delayMillis)
    }

    /// Returns whether a text is a command: type 3 counts as type 1 since 1.18 (FWV-131).
    func isCommand(_ type: TextType) -> Bool {
        type == .cliData || type == .remoteCommand && core.switches.hasRemoteCommands
    }

    /// The bytes that acknowledge a text of a client, which is done now; `nil` for a text that is never acknowledged.
    mutating func ackBytes(of text: TextPlaintext, from index: Int) -> [UInt8]? {
        guard let ack = text.ackHash(sender: server.clients[index].publicKey, receiver: core.publicKey) else {
            return nil
        }
        core.trace(.acknowledging(ack))
        return withUnsafeBytes(of: ack.littleEndian) { [UInt8]($0) }
    }
}
