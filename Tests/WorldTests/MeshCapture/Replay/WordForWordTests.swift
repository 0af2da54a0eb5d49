import MeshCapture
import MeshCrypto
import MeshTime
import MeshWire
import Testing

/// The capture plays the client on a bench that has air and power, and follows every line word for word.
@Suite struct WordForWordTests {
    @Test func `lines follow each other, with the pauses of the recording between them`() throws {
        var bench = try PlayedBench(
            """
            0 tcp +
            0 tcp > 14
            0 tcp < 0c0410
            0.01 tcp > 2b
            0.01 tcp < 1700
            1.01 air < 3e00 snr=5.25 rssi=-80
            1.01 tcp - closed
            3.01 tcp +
            3.01 tcp > 05
            3.01 tcp < 0901
            3.01 tcp - power cut
            3.01 tcp +
            """, frames: ["0c0410", "1700", "0901"])

        #expect(bench.run() == [])

        #expect(
            bench.seen == [
                "connect", "> 14", "> 2b", "1000 ms", "air < 3e00 21 -80", "disconnect", "2000 ms", "connect", "> 05",
                "cut", "connect",
            ])
    }

    @Test(arguments: [
        ("0c0411", "RESP_CODE_BATT_AND_STORAGE: differs at byte 2: recorded was 0c0410, seen 0c0411"),
        ("0c0410ff", "RESP_CODE_BATT_AND_STORAGE: has 4 bytes, not 3: recorded was 0c0410, seen 0c0410ff"),
        ("83", "RESP_CODE_BATT_AND_STORAGE: differs at byte 0: recorded was 0c0410, seen 83"),
        (nil, "RESP_CODE_BATT_AND_STORAGE: not answered; recorded was 0c0410"),
    ])
    func `it ends at the first frame that is not the recorded one`(frame: String?, problem: String) throws {
        var bench = try PlayedBench(
            "0 tcp +\n0 tcp > 14\n0 tcp < 0c0410\n0 tcp > 2b\n", frames: [frame].compactMap { $0 })

        #expect(bench.run() == [problem])

        #expect(bench.seen == ["connect", "> 14"])
    }

    @Test(arguments: [
        ("0904000010 within=2", "0902000010", true), ("0904000010 within=2", "0906000010", true),
        ("0904000010 within=2", "0907000010", false), ("0904000010 within=2", "0904000011", false),
        ("0904000010 within=2", "09040000", false), ("0904000010 within=2", "0a04000010", false),
        ("120041424300 any=1,3-4", "1205419999 00", true), ("120041424300 any=1,3-4", "120040424300", false),
        ("120041424300 any=1,3-4", "1205419999", false),
    ])
    func `a line says how far a frame may be from it`(line: String, frame: String, passes: Bool) throws {
        var bench = try PlayedBench("0 tcp +\n0 tcp < \(line)\n", frames: [frame.filter { $0 != " " }])

        #expect(bench.run().isEmpty == passes)
    }

    @Test func `a frame that is left over is none of the recording's`() throws {
        var bench = try PlayedBench("0 tcp +\n0 tcp < 83\n", frames: ["83"], early: ["80"])

        #expect(bench.run().first == "PUSH_CODE_MSG_WAITING: differs at byte 0: recorded was 83, seen 80")
    }

    // MARK: On the air

    @Test func `packets are compared in the end, in any order`() throws {
        let lines = "0 tcp +\n0 air > 3e0001 any=2\n0 air > 3e0002\n"
        var turned = try PlayedBench(lines, packets: ["3e0002", "3e0009"])
        var missing = try PlayedBench(lines, packets: ["3e0001"])
        var other = try PlayedBench(lines, packets: ["3e0001", "3e0003"])
        var more = try PlayedBench("0 tcp +\n0 air > 3e0001\n", packets: ["3e0001", "3e0001"])

        #expect(turned.run() == [])
        #expect(missing.run() == ["RAW_CUSTOM: not sent on the air; recorded was 3e0002"])
        #expect(other.run() == ["RAW_CUSTOM: a packet that was not recorded: 3e0003; due is 3e0002"])
        #expect(more.run() == ["RAW_CUSTOM: a packet that was not recorded: 3e0001"])
    }

    @Test func `what two packets have sealed is compared when the header has the keys`() throws {
        let radio = LocalIdentity(seed: .init([UInt8](repeating: 1, count: 32)))
        let peer = LocalIdentity(seed: .init([UInt8](repeating: 2, count: 32)))
        func packet(_ text: [UInt8]) -> String {
            let sealed = Sealing.seal(text, secret: radio.sharedSecret(with: peer.publicKey))
            return ([0x0A, 0x00, peer.publicKey[0], radio.publicKey[0]] + sealed).hex
        }
        let lines = "0 tcp +\n0 air > \(packet([1, 2, 3, 4])) sealed=1-2\n"
        let keys = "private key: \(radio.privateKey.hex)\nkey of bob: \(peer.publicKey.hex)\n"
        func run(_ packet: String, header: String) throws -> Bool {
            var bench = try PlayedBench(lines, header: header, packets: [packet])
            return bench.run().isEmpty
        }

        #expect(try run(packet([1, 9, 9, 4]), header: keys))
        #expect(try !run(packet([1, 9, 9, 5]), header: keys))
        #expect(try !run(packet([1, 9, 9, 4]), header: ""))
        #expect(try !run("0e" + packet([1, 9, 9, 4]).dropFirst(2), header: keys))
    }
}

/// A bench that gives a player the next frame or packet whenever it waits for one, and all the time.
struct PlayedBench {
    private var client: ClientReplayer
    private var frames: [String]
    private var packets: [String]
    private(set) var seen: [String] = []

    /// `early` frames come before those that are waited for.
    init(
        _ lines: String, header: String = "", frames: [String] = [], packets: [String] = [], early: [String] = []
    ) throws {
        var problems: [CaptureProblem] = []
        let recording = try Recording("meshbed capture 1\n\(header)\n\(lines)\n".utf8, problems: &problems)
        try #require(problems.isEmpty, "\(problems)")
        client = ClientReplayer(wordForWord: recording)
        self.frames = early + frames
        self.packets = packets
    }

    /// Runs to the end; what was wrong, a line each.
    mutating func run() -> [String] {
        var effects: [ClientReplayer.Effect] = []
        var now = Instant.start
        client.begin(at: now, into: &effects)
        while !client.hasEnded || !effects.isEmpty {
            let input = effects.isEmpty ? answer(&now) : perform(effects.removeFirst())
            if let input { client.handle(input, at: now, into: &effects) }
        }
        return client.checks.flatMap { check in check.problems.map { "\(check.title): \($0)" } }
    }

    private mutating func perform(_ effect: ClientReplayer.Effect) -> ClientReplayer.Input? {
        switch effect {
        case .connect: seen.append("connect")
        case .disconnect: seen.append("disconnect")
        case .cutPower: seen.append("cut")
        case .send(let frame): seen.append("> " + frame.hex)
        case .hear(let packet, let signal):
            seen.append("air < \(packet.hex) \(signal?.snrQuarterDecibels ?? 0) \(signal?.rssi ?? 0)")
        }
        return effect == .connect ? .connected : nil
    }

    private mutating func answer(_ now: inout Instant) -> ClientReplayer.Input {
        switch client.awaits {
        case .frame where !frames.isEmpty: return .frame([UInt8](hex: frames.removeFirst()) ?? [])
        case .packet where !packets.isEmpty: return .packet([UInt8](hex: packets.removeFirst()) ?? [])
        case .time: seen.append("\((client.nextWake - now).milliseconds) ms")
        default: break
        }
        now = client.nextWake
        return .woke
    }
}
