import MeshBluetoothHost
import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWorlds
import Testing

@testable import MeshEmulator

/// The bench's command over a link: faults that those arm who hold only a phone.
@Suite struct JigTests {
    private static let time: [UInt8] = [5]

    private static func bench(_ link: LoopbackLink, hasJig: Bool = true) -> DriverBench {
        var bench = DriverBench(.pair, .stepped, clients: ["alice"], link: link) {
            $0.hasJig = hasJig
            $0.hasLinkFaults = hasJig
        }
        bench.connect("alice")
        return bench
    }

    private static func command(_ operation: UInt8, _ rest: some Sequence<UInt8>) -> [UInt8] {
        [0xBE, operation] + rest
    }

    private static func arming(_ json: String) -> [UInt8] { command(1, json.utf8) }
    private static func reading(_ number: UInt8) -> [UInt8] { command(2, [number, 0]) }

    private static func text(_ answer: [UInt8]?) -> String {
        String(decoding: answer?.dropFirst(2) ?? [], as: UTF8.self)
    }

    // MARK: Without a jig

    @Test(arguments: [LoopbackLink.direct, .bluetoothESP32, .bluetoothNRF52])
    func `without a jig the radio answers as hardware does, and nothing is armed`(link: LoopbackLink) throws {
        var bench = Self.bench(link, hasJig: false)

        for frame in [Self.command(0, []), Self.arming(#"{"fault":"mtu","size":64}"#), [0xBE], [0xBD, 1]] {
            #expect(try bench.answer("alice", frame) == [1, 1])
        }

        #expect(bench.driver.bluetoothFaults(of: bench.node("alice")).isEmpty)
    }

    @Test(arguments: [LoopbackLink.direct, .bluetoothESP32])
    func `a jig that nobody uses changes nothing`(link: LoopbackLink) throws {
        var digests: [Digest] = []
        for hasJig in [false, true] {
            var bench = Self.bench(link, hasJig: hasJig)
            for command in [[1, 3, 0, 0, 0, 0, 0, 0, 0x61], [22, 3], [5], [7, 1]] as [[UInt8]] {
                _ = try bench.answer("alice", command)
            }
            #expect(try bench.step(.seconds(20)) == false)
            digests.append(bench.driver.world.digest)
        }

        #expect(digests[0] == digests[1])
    }

    // MARK: Bluetooth

    @Test(arguments: [LoopbackLink.bluetoothESP32, .bluetoothNRF52])
    func `a fault is armed over the link, meets its occasion, and is read back`(link: LoopbackLink) throws {
        var bench = Self.bench(link)
        #expect(try bench.answer("alice", Self.command(0, [])) == [0xBE, 0, 1, 0, 0])

        let armed = try bench.answer(
            "alice", Self.arming(#"{"fault":"late-answer","at":{"operation":"write","number":2},"seconds":1}"#))
        #expect(armed == [0xBE, 1, 1, 0])
        _ = try bench.answer("alice", Self.time)
        let before = Self.text(try bench.answer("alice", Self.reading(1)))
        _ = try bench.answer("alice", Self.time)
        let after = Self.text(try bench.answer("alice", Self.reading(1)))

        // The bench's own frames are no occasions.
        #expect(before.contains(#""operations":1"#) && before.contains(#""times":0"#), "\(before)")
        #expect(after.contains(#""operations":2"#) && after.contains(#""times":1"#), "\(after)")
        #expect(after.contains(#""fault":"late-answer""#) && after.contains(#""first":"#), "\(after)")
    }

    @Test func `a fault that did nothing makes the run invalid, unless it may`() throws {
        var bench = Self.bench(.bluetoothNRF52)
        _ = try bench.answer("alice", Self.arming(#"{"fault":"no-answer","at":"mtu"}"#))
        _ = try bench.answer("alice", Self.arming(#"{"fault":"bond-lost","mayNotFire":true}"#))

        #expect(bench.driver.outcome.invalid == ["link fault of alice, no-answer at mtu: it never took effect"])
    }

    @Test func `a fault that is taken back does nothing more, and can still be read`() throws {
        var bench = Self.bench(.bluetoothNRF52)
        _ = try bench.answer("alice", Self.arming(#"{"fault":"no-answer","at":"write","times":9}"#))

        #expect(try bench.answer("alice", Self.command(3, [1, 0])) == [0xBE, 3, 1, 0])

        #expect(try bench.answer("alice", Self.time)?.first == 9)
        #expect(Self.text(try bench.answer("alice", Self.reading(1))).contains(#""times":0"#))
        #expect(try bench.answer("alice", Self.command(3, [1, 0]))?.prefix(2) == [1, 2])
        #expect(try bench.answer("alice", Self.command(3, [0, 0])) == [0xBE, 3, 0, 0])
    }

    // MARK: Frames

    @Test(arguments: [LoopbackLink.direct, .bluetoothESP32])
    func `a fault of frames is armed the same way`(link: LoopbackLink) throws {
        var bench = Self.bench(link)
        let armed = try bench.answer(
            "alice", Self.arming(#"{"fault":"error-answer","error":"TABLE_FULL","at":{"answerTo":"GET_DEVICE_TIME"}}"#))
        #expect(armed == [0xBE, 1, 1, 0])

        #expect(try bench.answer("alice", Self.time) == [1, 3])

        #expect(try bench.answer("alice", Self.time)?.first == 9)
        #expect(Self.text(try bench.answer("alice", Self.reading(1))).contains(#""times":1"#))
    }

    // MARK: Refusals

    @Test(arguments: [
        (#"{"fault":"gravity"}"#, "\"gravity\" is no fault"), (#"{"fault":"mtu"}"#, "size is missing"),
        (#"{"fault":"mtu","size":7}"#, "size must be from 23 to 517"), ("{", "is no JSON"), ("", "is no JSON"),
        (#"{"fault":"mtu","size":64,"at":"write"}"#, "mtu does not happen at it"),
        (#"{"fault":"mtu","size":64,"when":1}"#, "when is not known here"),
    ])
    func `what cannot be armed is refused with the reason`(json: String, reason: String) throws {
        var bench = Self.bench(.bluetoothNRF52)

        let answer = try bench.answer("alice", Self.arming(json))

        #expect(answer?.prefix(2) == [1, 6])
        #expect(Self.text(answer).contains(reason), "\(Self.text(answer))")
        #expect(bench.driver.bluetoothFaults(of: bench.node("alice")).isEmpty)
    }

    @Test func `a link without Bluetooth has none of its faults`() throws {
        var bench = Self.bench(.direct)

        let answer = try bench.answer("alice", Self.arming(#"{"fault":"mtu","size":64}"#))

        #expect(answer?.prefix(2) == [1, 6])
        #expect(Self.text(answer) == "this link is none over Bluetooth")
    }

    @Test func `two faults that exclude each other are refused, and numbers that were not given`() throws {
        var bench = Self.bench(.bluetoothNRF52)
        _ = try bench.answer("alice", Self.arming(#"{"fault":"mtu","size":64}"#))

        let answer = try bench.answer("alice", Self.arming(#"{"fault":"mtu-lie","told":517,"used":64}"#))

        #expect(Self.text(answer) == "fault 1 decides on the same operation")
        for frame in [Self.reading(0), Self.reading(2), Self.command(2, [0xFF, 0xFF]), Self.command(3, [9, 9])] {
            #expect(try bench.answer("alice", frame)?.prefix(2) == [1, 2])
        }
        for frame in [Self.command(2, []), Self.command(9, [1]), [0xBE]] {
            #expect(try bench.answer("alice", frame) == [1, 1])
        }
    }

    // MARK: Frames of streams

    @Test func `the command is found in a stream in whatever pieces it comes`() {
        let bytes =
            StreamFraming.encode(toRadio: [5]) + StreamFraming.encode(toRadio: [0xBE, 0])
            + StreamFraming.encode(toRadio: [22, 3])
        for length in 1...bytes.count {
            var reader = JigReader(isStream: true)
            var (passed, commands): ([UInt8], [JigCommand]) = ([], [])
            for start in stride(from: 0, to: bytes.count, by: length) {
                let (more, found) = reader.split(Array(bytes[start...].prefix(length)))
                passed += more
                commands += found
            }
            #expect(passed == StreamFraming.encode(toRadio: [5]) + StreamFraming.encode(toRadio: [22, 3]))
            #expect(commands == [.version])
        }
    }

    @Test func `on whole frames everything else passes as it is`() {
        var reader = JigReader(isStream: false)
        for frame in [[], [5], [0xBD, 1], [0x3C, 1, 0, 0xBE]] as [[UInt8]] {
            let (passed, commands) = reader.split(frame)
            #expect(passed == frame && commands.isEmpty)
        }
    }
}

extension DriverBench {
    /// Writes a frame, and lets time pass until a frame answers that is no push of the radio.
    mutating func answer(_ label: String, _ frame: [UInt8]) throws -> [UInt8]? {
        let place = effects.count
        send(label, StreamFraming.encode(toRadio: frame))
        for _ in 0..<200 {
            let answers = frames(since: place)
            if let answer = answers.first(where: { $0.first ?? 0xFF < 0x80 || $0.first == 0xBE }) { return answer }
            _ = try step(.milliseconds(100))
        }
        return nil
    }
}
