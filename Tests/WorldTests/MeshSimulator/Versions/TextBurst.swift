import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime

/// Four direct texts that one app writes at once, between two radios of a version, and what becomes of them.
struct TextBurst: Hashable {
    /// Texts that the other radio received.
    let arrived: Int
    /// Texts that the sender's app saw confirmed.
    let acknowledged: Int

    /// The two radios and the texts.
    struct Setting {
        let version: FirmwareVersion
        /// Bytes of each text.
        var length = 16
        var quirks = QuirkSet.all
        /// The strength at which the radios receive each other.
        var rssiHundredths: Int16 = -8000

        init(_ version: FirmwareVersion) { self.version = version }
    }

    private static let texts = 4
    private static let time: UInt32 = 1_800_000_000

    /// Bytes of a text whose packet has 22 bytes, 38 bytes and 54 bytes.
    static let lengths = [6, 16, 32]

    /// One burst, sent `delay` after all was quiet. The seed gives the radios' random numbers.
    init(_ setting: Setting, after delay: TimeSpan, seed: UInt64) {
        var line = MixedLine.pair(
            setting.version, setting.version, seed: seed, quirks: setting.quirks,
            rssiHundredths: setting.rssiHundredths)
        // The first text floods, and both learn the way.
        line.sendText("first", from: 0, to: 1, at: Self.time)
        line.wait(20)
        _ = line.frames(of: 0)
        line.forgetTrace()
        line.wait(delay)
        for number in 1...UInt32(Self.texts) {
            let text = "\(number)" + String(repeating: "x", count: setting.length - 1)
            line.sendText(text, from: 0, to: 1, at: Self.time + number)
        }
        line.wait(20)
        acknowledged = line.frames(of: 0).count { $0.first == 0x82 }
        arrived = line.world.reports { if case .acknowledging = $0 { true } else { false } }
    }

    /// True when the app saw all of them confirmed.
    var isWhole: Bool { acknowledged == Self.texts }

    /// Bursts at so many moments that are spread evenly over a part of two seconds, in which one sampling begins.
    static func spread(
        _ count: Int, over span: TimeSpan = .seconds(2), from first: TimeSpan = .zero, _ setting: Setting
    ) -> [TextBurst] {
        (0..<count).map { number in
            let delay = TimeSpan(microseconds: span.microseconds * Int64(number) / Int64(count))
            return TextBurst(setting, after: first + delay, seed: UInt64(number) + 1)
        }
    }
}
