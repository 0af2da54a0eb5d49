import MeshCrypto
import MeshFirmware
import MeshReports
import MeshTime
import MeshWire

/// A recorded conversation between an app, a companion radio and the air, to be repeated word by word.
///
/// The script has a line a step; lines that begin with a blank go on with the hex of the line before:
///
/// | line | means |
/// |---|---|
/// | `app> HEX` | the app sends this command |
/// | `<app HEX` | the radio's next frame is this one, and no other comes before it |
/// | `<app ignoring 9-33 HEX` | the same, but for these bytes |
/// | `<app within 1 HEX` | the same, but for so much that the number behind its code may differ |
/// | `air< SNR RSSI HEX` | the radio hears this packet |
/// | `air> HEX` | the radio sends this packet, at about this time |
/// | `air> payload 5 HEX` | the same, but for these bytes of the payload |
/// | `air> sealed 4,5 HEX` | the same, but for these bytes of what is sealed in it |
/// | `wait MS` | so much time passes |
/// | `link down`, `link up`, `power` | the client leaves or comes, the power is cut and restored |
/// | `# …` | for readers |
///
/// Source: the vectors of the companion protocol, `sequences`, recorded from the reference firmware 1.17.1.
struct Conversation: Sendable {
    let name: String
    let about: String
    var maxContacts = 350
    var maxChannels = 40
    /// The version that the app had announced before, 0 for none.
    var appVersion: UInt8 = 3
    let script: String

    static let all: [Conversation] = [
        connect, autoAddAndSync, textFloodThenDirect, textReceive, channel, scopedFlood, loginStatus,
        binaryAndDiscovery, manualAdd, contactsFull, traceRawControl, offlineQueue, iteration, settingsAndReboot,
        signing, errors,
    ]

    var needs: Capabilities {
        var needs: Capabilities = [.freshRadio, .virtualTime, .identity]
        for step in steps {
            switch step {
            case .heard, .sent: needs.insert(.air)
            case .link: needs.insert(.link)
            case .power: needs.insert(.power)
            default: break
            }
        }
        return needs
    }

    var setup: Setup {
        let (contacts, channels) = (maxContacts, maxChannels)
        return Setup(interface: needs.contains(.link) ? .wifi : .serial) {
            $0.maxContacts = contacts
            $0.maxChannels = channels
        }
    }

    // MARK: Playing

    /// Brings the radio to where the recording began, then goes through the steps.
    @Sendable
    func play(_ radio: Probe) throws {
        try radio.ask("08 'EF590493'", "00")
        try radio.ask("18 \(Self.radioIdentity.privateKey)", "00")
        if appVersion > 0 { try radio.ask("16 \(appVersion)", "0D …") }
        try radio.ask("06 \(UInt32(1_800_000_000))", "00")
        var expected: [ExpectedTransmission] = []
        for step in steps { try play(step, radio, &expected) }
        try judge(&expected, radio)
    }

    private func play(_ step: ScriptStep, _ radio: Probe, _ expected: inout [ExpectedTransmission]) throws {
        switch step {
        case .command(let frame): try radio.send(bytes: frame)
        case .frame(let frame, let ignored): try expect(frame, ignored, radio)
        case .number(let frame, let bound): try expect(frame, within: bound, radio)
        case .heard(let packet, let snr, let rssi): try radio.hear(packet, snr: snr, rssi: rssi)
        case .sent(let transmission): expected.append(transmission)
        // The shortest waits stand for passes of the main loop, which reading makes.
        case .wait(let milliseconds): if milliseconds > 10 { try radio.wait(.milliseconds(milliseconds)) }
        case .link(let isUp): try isUp ? radio.connect() : radio.disconnect()
        case .power: try radio.powerCycle()
        case .note: break
        case .unreadable(let line): throw PatternError(source: line, reason: "is no step of a conversation")
        }
    }

    private func expect(_ frame: [UInt8], _ ignored: ClosedRange<Int>?, _ radio: Probe) throws {
        let got = try radio.expectAny().frame
        let differs = zip(frame, got).enumerated().first { ignored?.contains($0) != true && $1.0 != $1.1 }
        guard got.count == frame.count, differs == nil else {
            let place = differs.map { "differs at byte \($0.offset)" } ?? "has \(got.count) bytes, not \(frame.count)"
            throw radio.failure(expected: FrameText.reply(frame), got: FrameText.reply(got) + " (\(place))")
        }
    }

    private func expect(_ frame: [UInt8], within bound: UInt32, _ radio: Probe) throws {
        let got = try radio.expectAny().frame
        guard got.count == frame.count, got.first == frame.first,
            Self.number(in: got).distance(to: Self.number(in: frame)).magnitude <= bound
        else {
            throw radio.failure(
                expected: FrameText.reply(frame) + " (within \(bound))", got: FrameText.reply(got))
        }
    }

    /// Behind the code, the lowest byte first.
    private static func number(in frame: [UInt8]) -> Int {
        frame.dropFirst().reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// When transmissions happen is only roughly recorded; which ones happen is exact.
    ///
    /// The recording ends with the last step, so what the radio begins to send later is looked at only while something
    /// recorded is missing.
    private func judge(_ expected: inout [ExpectedTransmission], _ radio: Probe) throws {
        guard needs.contains(.air) else { return }
        while let frame = try radio.target.transmission(within: expected.isEmpty ? .zero : .seconds(60)) {
            guard let index = expected.firstIndex(where: { $0.matches(frame) }) else {
                throw radio.failure(
                    expected: expected.first.map { FrameText.hex($0.frame) } ?? "no more packets",
                    got: FrameText.hex(frame))
            }
            expected.remove(at: index)
        }
        guard let missing = expected.first else { return }
        throw radio.failure(expected: "on the air " + FrameText.hex(missing.frame), got: "nothing")
    }
}

/// A packet that the radio must send, with the bytes that no two runs have in common.
struct ExpectedTransmission: Hashable, Sendable {
    let frame: [UInt8]
    /// Offsets in the payload that are random.
    var randomPayload: [Int] = []
    /// Offsets in what is sealed that are random.
    var randomPlaintext: [Int] = []

    func matches(_ other: [UInt8]) -> Bool {
        if frame == other { return true }
        guard let mine = AirPacket(frame), let theirs = AirPacket(other) else { return false }
        guard mine.bytes.count == theirs.bytes.count, mine.by(.flood).kind == theirs.kind else { return false }
        let heads = (frame.dropLast(mine.payload.count), other.dropLast(theirs.payload.count))
        guard heads.0.elementsEqual(heads.1) else { return false }
        if !randomPayload.isEmpty { return equal(mine.payload, theirs.payload, but: randomPayload) }
        guard !randomPlaintext.isEmpty, mine.payload.prefix(2) == theirs.payload.prefix(2),
            let plaintexts = opened(mine, theirs)
        else { return false }
        return equal(plaintexts.0, plaintexts.1, but: randomPlaintext)
    }

    private func equal(_ one: [UInt8], _ other: [UInt8], but random: [Int]) -> Bool {
        one.count == other.count && one.indices.allSatisfy { random.contains($0) || one[$0] == other[$0] }
    }

    /// What both packets hold for the peer that they are for.
    private func opened(_ one: AirPacket, _ other: AirPacket) -> ([UInt8], [UInt8])? {
        for peer in Conversation.peers where peer[0] == one.payload[0] {
            let secret = Conversation.radioIdentity.sharedSecret(with: peer)
            if let first = Sealing.open([UInt8](one.payload.dropFirst(2)), secret: secret),
                let second = Sealing.open([UInt8](other.payload.dropFirst(2)), secret: secret)
            {
                return (first, second)
            }
        }
        return nil
    }
}
