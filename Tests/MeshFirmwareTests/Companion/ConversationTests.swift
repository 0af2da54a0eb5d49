import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshWire
import Testing

/// Plays a recorded conversation against the role, step by step.
///
/// Frames to the app must come in the recorded order with nothing between them. Transmissions are collected and
/// compared in order: byte by byte, or opened where part of their plaintext is random.
private struct ConversationPlayer {
    let conversation: CompanionVectors.Conversation
    var bench: CompanionBench
    let identity: LocalIdentity
    let peers: [PublicKey]

    init(_ conversation: CompanionVectors.Conversation) {
        self.conversation = conversation
        let vectors = CompanionVectors.stored
        var board = BoardProfile.vectors
        board.maxContacts = conversation.maxContacts
        board.maxChannels = conversation.maxChannels
        bench = CompanionBench(board: board, flash: .holding(vectors.identity("factory").local))
        identity = vectors.identity("radio").local
        peers = vectors.identities.values.map(\.key)
        bench.send(ImportPrivateKey(privateKey: identity.privateKey))
        if conversation.appTargetVer > 0 { bench.send(DeviceQuery(appTargetVersion: conversation.appTargetVer)) }
        bench.send(SetDeviceTime(epoch: 1_800_000_000))
        bench.toApp = []
    }

    mutating func play() {
        for (number, step) in conversation.steps.enumerated() {
            if step.fromApp != nil || step.airRx != nil || step.waitMs != nil {
                #expect(bench.toApp.map(\.hex) == [], "before step \(number)")
            }
            play(step, number)
        }
        #expect(bench.takeFrames().map(\.hex) == [], "at the end")
        compareTransmissions()
        bench.wait(milliseconds: 10_000)
        #expect(bench.takeFrames().map(\.hex) == [], "after the end")
    }

    private mutating func play(_ step: CompanionVectors.Step, _ number: Int) {
        if let frame = step.fromApp { bench.send(bytes(frame)) }
        if let frame = step.toApp { expect(bytes(frame), step, number) }
        if let packet = step.airRx { bench.hear(bytes(packet), snr: step.snrDb ?? 0, rssi: step.rssiDbm ?? 0) }
        // Frames that come while time passes are for the steps that follow.
        if let milliseconds = step.waitMs { bench.wait(milliseconds: milliseconds) }
        if step.link == "down" { bench.disconnect() }
        if step.link == "up" { bench.connect() }
        if step.powerCycle == true { bench.reboot() }
    }

    private mutating func expect(_ frame: [UInt8], _ step: CompanionVectors.Step, _ number: Int) {
        if bench.toApp.isEmpty { bench.waitForFrame() }
        guard !bench.toApp.isEmpty else {
            Issue.record("step \(number): nothing came instead of \(frame.hex)")
            return
        }
        var seen = bench.toApp.removeFirst()
        var wanted = frame
        if let range = step.dontCare, seen.count == wanted.count {
            for index in range[0]...range[1] where index < seen.count {
                seen[index] = 0
                wanted[index] = 0
            }
        }
        #expect(seen.hex == wanted.hex, "step \(number)")
    }

    private mutating func compareTransmissions() {
        let wanted = conversation.steps.filter { $0.airTx != nil }
        let seen = bench.takeTransmissions()
        #expect(seen.count == wanted.count, "transmissions: \(seen.map(\.hex))")
        for (packet, step) in zip(seen, wanted) {
            guard let recorded = step.airTx else { continue }
            if let random = step.randomPlaintextBytes {
                compareOpened(packet, bytes(recorded), bytes(step.plaintext ?? ""), random)
            } else {
                compare(packet, bytes(recorded), random: step.randomPayloadBytes ?? [])
            }
        }
    }

    private func compare(_ seen: [UInt8], _ wanted: [UInt8], random: [Int]) {
        guard let a = try? PacketView(seen), let b = try? PacketView(wanted) else {
            return #expect(seen.hex == wanted.hex)
        }
        #expect(masked(seen, a.payloadOffset, random).hex == masked(wanted, b.payloadOffset, random).hex)
    }

    private func masked(_ frame: [UInt8], _ start: Int, _ random: [Int]) -> [UInt8] {
        var frame = frame
        for index in random where start + index < frame.count { frame[start + index] = 0 }
        return frame
    }

    /// Header, path and hashes must be equal, and so must the plaintext but for its random bytes.
    private func compareOpened(_ seen: [UInt8], _ wanted: [UInt8], _ plaintext: [UInt8], _ random: [Int]) {
        guard let packet = try? PacketView(seen), let recorded = try? PacketView(wanted) else {
            Issue.record("no packet: \(seen.hex)")
            return
        }
        #expect(seen.prefix(packet.payloadOffset + 2) == wanted.prefix(recorded.payloadOffset + 2))
        let payload = packet.payload
        let opened = peers.filter { $0[0] == payload[0] }.lazy.compactMap {
            Sealing.open([UInt8](payload.dropFirst(2)), secret: identity.sharedSecret(with: $0))
        }.first
        guard let opened else {
            Issue.record("nobody can open \(seen.hex)")
            return
        }
        #expect(masked(opened, 0, random).hex == masked(plaintext, 0, random).hex)
    }

    private func bytes(_ hex: String) -> [UInt8] { [UInt8](hex: hex) ?? [] }
}

@Suite struct ConversationTests {
    @Test(arguments: CompanionVectors.stored.sequences.list)
    func `the radio speaks as the reference did`(_ conversation: CompanionVectors.Conversation) {
        var player = ConversationPlayer(conversation)
        player.play()
    }
}
