import MeshBoards
import MeshCompanion
import MeshReports
import MeshSimulator
import MeshTime
import MeshWire

/// One request whose answer distinguishes versions: a row of the probe table in the article FirmwareVersions, section
/// 7.
struct VersionProbe: Sendable {
    /// The answer of a radio from a release on, until the next step.
    struct Step: Sendable {
        let since: Release
        /// `nil` where nothing comes.
        let answer: Pattern?

        var text: String { answer?.source ?? "nothing" }
    }

    /// The number of `P…`.
    let number: Int
    let title: String
    let needs: Abilities
    let setup: Setup
    /// Oldest first; versions before the first step are not asked.
    let steps: [Step]
    /// Asks; the frame or the bytes that are compared, `nil` where nothing came.
    let observe: @Sendable (Probe) throws -> [UInt8]?

    init(
        _ number: Int, _ title: String, needs: Abilities = [], on interface: AppLink? = nil,
        _ steps: KeyValuePairs<String, Pattern?>, _ observe: @escaping @Sendable (Probe) throws -> [UInt8]?
    ) {
        self.number = number
        self.title = title
        self.needs = needs
        setup = Setup(interface: interface)
        self.steps = steps.map { Step(since: Release($0.key), answer: $0.value) }
        self.observe = observe
    }

    /// `VERSION-P05`.
    var id: String { "VERSION-P" + (number < 10 ? "0" : "") + "\(number)" }

    /// Returns the step of a version; `nil` for versions that the row leaves out.
    func step(of version: FirmwareVersion) -> Step? { steps.last { $0.since <= version.release } }

    /// Asks a radio, and compares with its own version.
    func run(_ radio: Probe) throws {
        guard let expected = step(of: radio.version) else { return }
        let answer = try observe(radio)
        func fits(_ step: Step) throws -> Bool {
            guard let answer, let pattern = step.answer else { return answer == nil && step.answer == nil }
            guard case .matches = try pattern.match(answer) else { return false }
            return true
        }
        if try fits(expected) { return }
        let others = try FirmwareVersion.all.filter { version in try step(of: version).map(fits) ?? false }
        let names = others.isEmpty ? "no known version" : others.map(\.name).joined(separator: ", ")
        throw radio.failure(
            expected: "\(expected.text), as firmware \(radio.version)",
            got: (answer.map(FrameText.hex) ?? "nothing") + ", as \(names)", answer: answer)
    }
}

extension VersionProbe {
    /// All rows, in order.
    static let all: [VersionProbe] = commands + settings + newCommands + air

    private static let commands: [VersionProbe] = [
        VersionProbe(1, "The level in DEVICE_INFO", ["1.14": "0A", "1.15": "0B", "1.16": "0D", "1.18": "0E"]) {
            try $0.deviceInfo()["level"]
        },
        VersionProbe(2, "GET_DEFAULT_FLOOD_SCOPE after it was cleared", ["1.14": "01 01", "1.15": "1C"]) {
            try $0.ask("3F", "…")
            return try $0.ask("40", "…").frame
        },
        VersionProbe(3, "A channel datagram of two bytes", ["1.14": "01 01", "1.15": "00"]) {
            try datagram(of: 2, $0)
        },
        VersionProbe(4, "A channel datagram of 164 bytes", ["1.14": "01 01", "1.15": "01 06", "1.16": "00"]) {
            try datagram(of: 164, $0)
        },
        VersionProbe(
            5, "A channel datagram of 166 bytes", ["1.14": "01 01", "1.15": "01 06", "1.16": "01 03", "1.18": "01 06"]
        ) { try datagram(of: 166, $0) },
        VersionProbe(6, "Floods without a scope", needs: .freshRadio, ["1.14": "01 01", "1.16": "00"]) {
            try $0.ask("36 01", "…").frame
        },
        VersionProbe(7, "SEND_RAW_PACKET", needs: .freshRadio, ["1.14": "01 01", "1.16": "00"]) {
            try $0.ask("41 00 11 00 AA", "…").frame
        },
        VersionProbe(
            8, "SEND_ANON_REQ to an unknown node", needs: .freshRadio, ["1.14": "01 02", "1.16": "06 00 tag4 timeout4"]
        ) { try $0.ask("39 \(Peer.carol.key) 01", "…").frame },
        VersionProbe(9, "The contact with the key of zeros", ["1.14": "01 02", "1.17": "03 00×147"]) {
            try $0.ask("1E 00×32", "…").frame
        },
    ]

    private static let settings: [VersionProbe] = [
        VersionProbe(10, "A frequency of 200 MHz", needs: .freshRadio, ["1.14": "01 06", "1.15": "00"]) {
            try $0.ask("0B \(UInt32(200_000)) 90D00300 0B 05", "…").frame
        },
        VersionProbe(
            11, "The second pair of repeat frequencies", needs: .freshRadio,
            ["1.14": "88420D00 88420D00", "1.16": "77440D00 77440D00"]
        ) { try $0.ask("3C", "1A ?8 pair8 ?8")["pair"] },
        VersionProbe(12, "Repeating at 869.495 MHz", needs: .freshRadio, ["1.14": "01 06", "1.16": "00"]) {
            try $0.ask("0B \(UInt32(869_495)) 24F40000 08 05 01", "…").frame
        },
        // At a frequency of its own version each radio shows it.
        VersionProbe(
            13, "The repeat byte 2 in DEVICE_INFO", needs: .freshRadio, ["1.14": "02", "1.17": "01"]
        ) { radio in
            try radio.ask("0B \(radio.switches.middleRepeatFrequency) 24F40000 08 05 02", "00")
            return try radio.deviceInfo()["repeat"]
        },
    ]

    private static let newCommands: [VersionProbe] = [
        VersionProbe(
            14, "Raw data with an encoded path length", needs: .freshRadio, ["1.14": "01 01", "1.18": "00"]
        ) { try $0.ask("19 41 AABB 01020304", "…").frame },
        VersionProbe(15, "Raw data of three bytes", needs: .freshRadio, ["1.14": "01 01", "1.18": "01 06"]) {
            try $0.ask("19 02 AABB 010203", "…").frame
        },
        VersionProbe(16, "A text of type 3", needs: .freshRadio, ["1.14": "01 01", "1.18": "06 01 00×4 timeout4"]) {
            radio in
            try radio.add(.bob)
            return try radio.ask("02 03 00 \(radio.sentAt) \(Peer.bob.prefix) 'A'", "…").frame
        },
        VersionProbe(17, "RUN_CLI_COMMAND", ["1.14": "01 01", "1.18": "1D 'v1.' …"]) {
            try $0.ask("42 'ver'", "…").frame
        },
        VersionProbe(18, "RUN_CLI_COMMAND of one byte", ["1.14": "01 01"]) { try $0.ask("42 76", "…").frame },
    ]

    private static let air: [VersionProbe] = [
        VersionProbe(
            19, "Bytes on the air of a text of 160 bytes", needs: .air, on: .serial, ["1.14": "9F", "1.16": "A0"]
        ) { radio in
            try radio.add(.bob)
            try radio.ask("02 00 00 \(radio.sentAt) \(Peer.bob.prefix) 41×160", "06 …")
            let plaintext = try radio.open(try radio.expectAir(.text, .flood), by: .bob)
            return [UInt8(plaintext.count { $0 == 0x41 })]
        },
        VersionProbe(20, "The log of a packet of 170 bytes", needs: .air, ["1.14": nil, "1.16": "88 ?172"]) { radio in
            let packet = AirPacket(.reserved12, .flood, payload: radio.nonce + bytes(0x11, 164))
            try radio.hear(packet)
            return try radio.log(within: .seconds(2))
        },
        VersionProbe(21, "Bytes of the acknowledgement in a returned path", needs: .air, ["1.14": "04", "1.16": "06"]) {
            radio in
            try radio.add(.bob)
            // The fifth attempt is repeated behind the sum, where padding would be zeros.
            let text = Peer.bob.text([UInt8]("hi".utf8) + [0, 5], at: radio.sentAt, attempt: 5, to: try radio.me())
            try radio.hear(text.by(.flood))
            try radio.expect("83")
            let path = try radio.open(try radio.expectAir(.path, .flood), by: .bob)
            return [path[6] == 5 ? 6 : 4]
        },
        VersionProbe(22, "What a flooded text of type 1 returns", needs: .air, ["1.14": "08", "1.18": nil]) { radio in
            try radio.add(.bob)
            try radio.hear(
                Peer.bob.text([UInt8]("hi".utf8), at: radio.sentAt, type: 1, to: try radio.me()).by(.flood))
            try radio.expect("83")
            radio.beginStep("air?")
            guard let frame = try radio.nextTransmission(within: .seconds(10), isExpected: false) else { return nil }
            return AirPacket(frame).map { [$0.kind.rawValue] } ?? frame
        },
        VersionProbe(
            23, "A response that nobody waits for", needs: .air, ["1.14": nil, "1.18": "8C 00 78563412 00×12"]
        ) { radio in
            try radio.add(.bob, path: [])
            try radio.hear(Peer.bob.response(UInt32(0x1234_5678).wireBytes, to: try radio.me()).by(.direct))
            return try radio.pushed(within: .seconds(2))
        },
        VersionProbe(
            24, "The time-out of a short text", needs: .freshRadio,
            ["1.14": "\(UInt32(4644))", "1.16": "\(UInt32(5684))"]
        ) { radio in
            try radio.ask("0B \(try radio.selfInfo()["freq"]) 24F40000 08 05", "00")
            try radio.add(.bob)
            return try radio.ask("02 00 00 \(radio.sentAt) \(Peer.bob.prefix) 'A'", "06 01 ?4 timeout4")["timeout"]
        },
    ]

    /// Datagrams on a channel that nobody else has, so that no user of the public one sees them.
    private static func datagram(of count: Int, _ radio: Probe) throws -> [UInt8] {
        try Section.useChannel(radio)
        return try radio.ask("3E 01 FF FFFF \(bytes(0xA1, count))", "…").frame
    }
}
