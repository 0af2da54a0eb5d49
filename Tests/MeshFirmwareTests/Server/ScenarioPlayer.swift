import Foundation
import MeshCrypto
import MeshPacket
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// Plays a recorded scenario against a node and compares everything that the node sends.
///
/// Where the recording holds random bytes, the plaintext is compared under its mask. What differs is collected as text:
/// scenario, step, field, what was expected and what was seen.
struct ScenarioPlayer<Node: MeshNode> {
    private let scenario: InfrastructureVectors.Scenario
    private(set) var bench: Bench<Node>
    private(set) var differences: [String] = []
    private var step = ""
    /// The time by which the step's first push came later than in the recording.
    private var pushShift: Int64?
    /// The acknowledgement of the room's latest push here, and that of the recording.
    private var latestPush: (here: UInt32, recorded: UInt32)?

    init(_ scenario: InfrastructureVectors.Scenario, node: Node) {
        self.scenario = scenario
        bench = Bench(node)
        bench.handle()
    }

    mutating func play() {
        if let setup = scenario.setup {
            step = "setup"
            for command in setup.serialCommands { _ = bench.type(command) }
            bench.run(.seconds(20))
            bench.setClock(setup.serverClock)
        }
        for (number, recorded) in scenario.steps.enumerated() {
            step = "step \(number) (\(recorded.name ?? recorded.serial ?? "time"))"
            play(recorded)
        }
    }

    private mutating func play(_ recorded: InfrastructureVectors.Step) {
        pushShift = nil
        let start = bench.now
        let sentBefore = bench.sent.count
        if let command = recorded.serial {
            expect(recorded.reply ?? "", bench.type(command), "reply")
        }
        if let frame = recorded.receive {
            let signal = Signal(snrHundredths: Int16((recorded.snr ?? 0) * 100), rssiHundredths: -6000)
            bench.handle(.heard(RadioFrame(acknowledgingHere(bytes(frame))), signal))
        }
        bench.run(.milliseconds(recorded.observeMs ?? recorded.advanceMs ?? 0))
        let sent = bench.sent[sentBefore...].map { (at: $0.at - start.milliseconds, frame: bytes($0.frame)) }
        compare(sent, recorded.expect ?? [])
    }

    /// The recording acknowledges its own push, whose attempt number is random: here it is that of our push.
    private func acknowledgingHere(_ frame: [UInt8]) -> [UInt8] {
        guard let push = latestPush, let ack = (try? PacketView(frame))?.payloadU32(at: 0), ack == push.recorded else {
            return frame
        }
        return frame.dropLast(4) + Peer.bytes(push.here)
    }
}

// MARK: Comparing

extension ScenarioPlayer {
    private mutating func compare(
        _ sent: [(at: Int64, frame: [UInt8])], _ expected: [InfrastructureVectors.Transmission]
    ) {
        var left = sent
        for (number, transmission) in expected.enumerated() {
            let isHere: (PacketView?) -> Bool = { $0?.type.name == transmission.type }
            let index = transmission.orderFree == true ? left.firstIndex { isHere(try? PacketView($0.frame)) } : 0
            guard let index, index < left.count else {
                differs("transmission \(number)", transmission.raw ?? transmission.type, "nothing")
                continue
            }
            compare(left.remove(at: index), transmission)
        }
        for extra in left { differs("transmission after \(extra.at) ms", "nothing", extra.frame.hex) }
    }

    private mutating func compare(
        _ sent: (at: Int64, frame: [UInt8]), _ expected: InfrastructureVectors.Transmission
    ) {
        compareTime(sent.at, expected)
        guard let packet = try? PacketView(sent.frame) else {
            return differs("packet", expected.raw ?? expected.type, sent.frame.hex)
        }
        expect(expected.route, packet.route.name, "route")
        expect(expected.type, packet.type.name, "type")
        if let length = expected.pathLenByte { expect(length, packet.pathLength.rawValue, "path_len") }
        if let path = expected.path { expect(path, packet.path.hex, "path") }
        if let payload = expected.payload { expect(payload, packet.payload.hex, "payload") }
        if let raw = expected.raw, expected.rawIsExample != true { expect(raw, sent.frame.hex, "raw") }
        if let data = expected.appData { expect(data, [UInt8](packet.payload.dropFirst(100)).hex, "app_data") }
        if let codes = expected.transportCodes { compareCodes(codes, packet, expected) }
        if let name = expected.to, let plaintext = expected.plaintext {
            compareOpened(packet, InfrastructureVectors.peer(name), bytes(plaintext), expected)
        }
    }

    /// A code that is made from random bytes is compared with the code that these bytes have in the same region.
    private mutating func compareCodes(
        _ codes: [UInt16], _ packet: PacketView, _ expected: InfrastructureVectors.Transmission
    ) {
        guard let seen = packet.transportCodes else { return differs("transport_codes", "\(codes)", "none") }
        expect(codes[1], seen.reserved, "transport_codes[1]")
        guard expected.rawIsExample == true else { return expect(codes[0], seen.region, "transport_codes[0]") }
        let eu = MeshHash.regionKey(name: [UInt8]("eu".utf8))
        let recorded = (try? PacketView(bytes(expected.raw ?? "")))?.transportCode(for: eu)
        expect(codes[0], recorded ?? 0, "region of the recording")
        expect(packet.transportCode(for: eu), seen.region, "transport_codes[0] in region eu")
    }

    private mutating func compareOpened(
        _ packet: PacketView, _ peer: Peer, _ plaintext: [UInt8], _ expected: InfrastructureVectors.Transmission
    ) {
        guard let opened = peer.opened(packet.bytes, with: InfrastructureVectors.server.publicKey) else {
            return differs("plaintext", plaintext.hex, "not sealed for \(peer.name)")
        }
        let mask = expected.plaintextMask.map(bytes) ?? []
        expect(masked(plaintext, mask).hex, masked(opened, mask).hex, "plaintext")
        if let path = expected.pathReturn { comparePath(path, opened) }
        if packet.type == .txtMsg { latestPush = pushAcks(here: opened, recorded: plaintext, to: peer) }
    }

    private mutating func comparePath(_ expected: InfrastructureVectors.Transmission.PathReturn, _ opened: [UInt8]) {
        guard let seen = try? opened.withUnsafeBytes({ try PathReturnPlaintext(opened: $0) }) else {
            return differs("path_return", expected.path, "unreadable")
        }
        expect(expected.pathLenByte, seen.pathLength.rawValue, "path_return.path_len")
        expect(expected.path, seen.path.hex, "path_return.path")
        expect(expected.extraType, seen.extraHead, "path_return.extra_type")
    }

    private mutating func compareTime(_ at: Int64, _ expected: InfrastructureVectors.Transmission) {
        if let delay = expected.delayMs, !isDrawn(expected) { expect(delay, at, "delay_ms") }
        if let recorded = expected.atMs { compareMoment(at, recorded, expected) }
        if let range = expected.delayRangeMs, !(range[0]...range[1]).contains(at) {
            differs("delay_range_ms", "\(range)", "\(at)")
        }
        if let least = expected.delayMinMs, at < least { differs("delay_min_ms", "\(least)", "\(at)") }
    }

    /// Returns whether a pause is drawn: the recording has that of one forward as a fixed one (SC-REP-FLOOD, 63
    /// hops).
    private func isDrawn(_ expected: InfrastructureVectors.Transmission) -> Bool {
        expected.route == "FLOOD" && expected.type == "GRP_TXT"
    }

    /// Compares the moment of a transmission with that of the recording.
    ///
    /// A room looks for pushes every 150 ms, and a step of the recording begins at any time within. So the first
    /// push of a step may come two looks earlier or later. Those that follow have their distance from it.
    private mutating func compareMoment(
        _ at: Int64, _ recorded: Int64, _ expected: InfrastructureVectors.Transmission
    ) {
        guard expected.type == "TXT_MSG" else { return expect(recorded, at, "at_ms") }
        let shift = pushShift ?? at - recorded
        pushShift = shift
        if at - recorded != shift || abs(shift) > 300 { differs("at_ms", "\(recorded) and \(shift)", "\(at)") }
    }

    private func pushAcks(here: [UInt8], recorded: [UInt8], to peer: Peer) -> (here: UInt32, recorded: UInt32)? {
        let acks = [here, recorded].map { plaintext in
            plaintext.withUnsafeBytes {
                AckHash.text($0, sender: InfrastructureVectors.server.publicKey, receiver: peer.key)
            }
        }
        guard let here = acks[0], let recorded = acks[1] else { return nil }
        return (here, recorded)
    }

    private func masked(_ text: [UInt8], _ mask: [UInt8]) -> [UInt8] {
        text.enumerated().map { $1 & ($0 < mask.count ? mask[$0] : 0xFF) }
    }

    private func bytes(_ hex: String) -> [UInt8] { [UInt8](hex: hex) ?? [] }

    private mutating func expect<Value: Equatable>(_ expected: Value, _ seen: Value, _ field: String) {
        if expected != seen { differs(field, "\(expected)", "\(seen)") }
    }

    private mutating func differs(_ field: String, _ expected: String, _ seen: String) {
        differences.append("\(scenario.id), \(step), \(field): expected \(expected), got \(seen)")
    }
}

extension Bench {
    /// Sets the calendar clock; a new second begins.
    mutating func setClock(_ unixSeconds: UInt32) {
        handle()
        node.core.setUnixTime(unixSeconds)
    }

    /// Types a line on the console; what the node answers behind its `-> `, without the end of line.
    mutating func type(_ line: String) -> String {
        printed = []
        handle(.appBytes([UInt8]((line + "\r").utf8)))
        let text = String(decoding: printed, as: UTF8.self)
        guard let answer = text.range(of: "  -> ", options: .backwards) else { return "" }
        return String(text[answer.upperBound...].dropLast(text.hasSuffix("\r\n") ? 1 : 0))
    }
}
