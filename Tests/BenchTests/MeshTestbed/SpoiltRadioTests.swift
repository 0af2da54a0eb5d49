import MeshCompanion
import MeshFirmware
import Testing

@testable import MeshCompliance

/// The suite must be able to fail: radios that are spoilt on purpose, and the statements that must notice.
struct SpoiltRadioTests {
    /// A quirk of the firmware, and the statements that are about it.
    struct Spoilt: CustomTestStringConvertible, Sendable {
        let quirk: Quirk
        let statements: [Int]

        init(_ quirk: Quirk, _ statements: Int...) {
            self.quirk = quirk
            self.statements = statements
        }

        var testDescription: String { quirk.rawValue }
    }

    static let spoilt: [Spoilt] = [
        Spoilt(.receiveBufferResidue, 36, 37),
        Spoilt(.transmitBufferResidue, 77, 153),
        Spoilt(.hiddenContactSlots, 101, 234),
        Spoilt(.zeroKeyChannels, 128),
        Spoilt(.floatConversions, 55, 66, 210, 230),
        Spoilt(.cipherBlockPadding, 163, 164, 165, 166, 167, 172, 177, 179),
        Spoilt(.zeroLastmodNeverListed, 242),
        Spoilt(.unfilteredContactCount, 88, 89, 242),
        Spoilt(.zeroEndOfContacts, 89),
        Spoilt(.waitingForDiscarded, 142, 249),
        Spoilt(.zeroTagTelemetry, 177),
        Spoilt(.statusMatchedBySender, 163),
        Spoilt(.poolErrorNames, 134),
        Spoilt(.channelDataLimitMismatch, 133),
        Spoilt(.invalidPathSent, 231),
        Spoilt(.clockFromContacts, 217),
    ]

    @Test(arguments: spoilt)
    func `a radio without a quirk breaks the statements that name it, and no other`(_ spoilt: Spoilt) throws {
        let report = try ComplianceRun.emulator(only: "CMP-*", quirks: QuirkSet.all.removing(spoilt.quirk))

        let broken = report.entries.filter(\.isBroken).map(\.id)
        #expect(broken == spoilt.statements.map(Self.id))
        #expect(report.exitCode == 1)
    }

    /// Returns the entries of streams: the fault is in a stream, and over Bluetooth the suite looks at values.
    private func streamed(_ report: ComplianceReport) -> [ComplianceReport.Entry] {
        report.entries.filter { $0.group != "C Bluetooth LE" }
    }

    @Test func `a radio that never answers keeps nothing`() throws {
        let report = try ComplianceRun.emulator(tamper: { $0 = [] })

        #expect(streamed(report).filter(\.isKept).map(\.id) == [])
        #expect(streamed(report).count(where: \.isBroken) == EmulatorComplianceTests.checks.count - 14)
    }

    /// The rest does not look at the end of a frame, or is about frames that do not come.
    @Test func `a radio whose frames are a byte too long keeps next to nothing`() throws {
        let report = try ComplianceRun.emulator(tamper: { bytes in
            bytes[1] &+= 1
            bytes.append(0xEE)
        })

        let kept =
            [38, 48, 194].map(Self.id) + ["28", "3C", "40", "01"].map { "MATRIX-\($0)-longest" } + ["VERSION-P01"]
        #expect(streamed(report).filter(\.isKept).map(\.id) == kept)
    }

    @Test func `a radio that says everything twice keeps next to nothing`() throws {
        let report = try ComplianceRun.emulator(tamper: { $0 += $0 })

        #expect(streamed(report).filter(\.isKept).map(\.id) == ["CMP-193", "MATRIX-frame-88-lengths", "VERSION-P20"])
    }

    @Test func `a radio that answers OK instead of errors breaks what is about errors`() throws {
        let report = try ComplianceRun.emulator(tamper: { bytes in
            if bytes[3] == 1 { bytes = [0x3E, 1, 0, 0] }
        })

        let broken = report.entries.filter(\.isBroken).map(\.id)
        for number in [7, 33, 34, 53, 58, 91, 95, 107, 116, 132, 171, 197, 208] {
            #expect(broken.contains(Self.id(number)))
        }
    }

    @Test func `a failure says what was sent, what was expected and what came`() throws {
        let quirks = QuirkSet.all.removing(.channelDataLimitMismatch)
        let text = try ComplianceRun.emulator(only: "133", quirks: quirks).text()

        #expect(text.contains("BROKEN   CMP-133"))
        #expect(text.contains("CMD_SEND_CHANNEL_DATA"))
        #expect(text.contains("expected  01 03"))
        #expect(text.contains("got       01 06"))
        #expect(text.contains("broken 1, not run 0, not applicable 0"))
    }

    private static func id(_ number: Int) -> String {
        Section.all.flatMap(\.statements)[number - 1].id
    }
}
