import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshWire

// What a repeater answers. Source: InfrastructureNodes, "Anonymous questions" and "Requests".
extension RepeaterNode {
    func statusAnswer() -> [UInt8] {
        var answer = RepeaterStatus()
        answer.server = status()
        answer.receiveAirtime = core.statistics.receiveAirtime / 1000
        answer.receiveErrors = core.statistics.receiveErrors
        return answer.written()
    }

    func ownerAnswer() -> [UInt8] {
        [UInt8]("\(core.board.firmware.text)\n".utf8) + nameAndOwner()
    }

    private func nameAndOwner() -> [UInt8] {
        server.preferences.name.bytes + [UInt8(ascii: "\n")] + server.preferences.ownerInfo.bytes
    }

    /// The entries that fit 130 bytes, in the order asked for; equal ones in the order of the table (INF-089 to
    /// INF-091).
    func neighboursAnswer(_ parameters: [UInt8]) -> [UInt8]? {
        // Parameters that the client left out are padding, which is zero.
        let padded = parameters + [UInt8](repeating: 0, count: 11)
        guard
            let request = try? padded.withUnsafeBytes({ bytes throws(FrameError) in
                try NeighboursRequest(reading: bytes)
            }),
            request.version == 0
        else { return nil }
        let sorted = neighbours.sorted(by: request.order)
        let prefix = min(Int(request.prefixLength), 32)
        let chosen = sorted.dropFirst(Int(request.offset)).prefix(min(Int(request.count), 130 / (prefix + 5)))
        var answer = NeighboursAnswer()
        answer.total = UInt16(sorted.count)
        for neighbour in chosen {
            answer.append(
                neighbour.publicKey, prefix: prefix, secondsAgo: core.unixTime &- neighbour.heardTime,
                snr: neighbour.snr)
        }
        return answer.written()
    }

    /// A question that needs no login: regions, owner, features (INF-057 to INF-064). Only those that came direct are
    /// answered.
    mutating func answerQuery(
        _ packet: PacketView, sender: PublicKey, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) {
        guard data.count > 5, (1...3).contains(data[4]), anonymousLimit.allows(at: core.unixTime) else { return }
        guard PathLength(rawValue: data[5]).isValid, let query = try? AnonymousQueryPlaintext(reading: data) else {
            return
        }
        let body: [UInt8] =
            switch query.question {
            case AnonymousQueryPlaintext.regions: server.regions.names(within: 172)
            case AnonymousQueryPlaintext.owner: nameAndOwner()
            default: [(server.preferences.isForwardingDisabled ? 0x80 : 0) | core.board.bridge.features]
            }
        let answer = AnonymousAnswerPlaintext(tag: query.tag, clock: core.unixTime, body: body)
        var path = FixedBytes<64>()
        for (index, byte) in query.replyPath.enumerated() { path[index] = byte }
        sendDatagram(
            .response, answer.written(), to: sender[0], secret: secret, after: packet,
            by: .direct(query.replyPathLength, path: path), delayMillis: ServerTiming.response)
    }
}
