import MeshBoards
import MeshReports
import MeshTime
import Testing

@testable import MeshCompliance

/// The shortest end of a statement's exchange that shows a departure.
@Suite struct ExchangeTests {
    private static func exchange(_ lines: (kind: String, bytes: [UInt8])...) -> [String] {
        let lines = lines.enumerated().map { index, line in
            TranscriptLine(at: .milliseconds(Int64(index)), kind: line.kind, bytes: line.bytes)
        }
        return Evidence(lines: lines, transmissions: [], hasAir: true, end: .milliseconds(100)).exchange
    }

    @Test func `it begins with the last thing that was done to the radio`() {
        let exchange = Self.exchange(
            ("app>", [0x08, 0x41]), ("<app", [0]), ("app>", [0x15, 1, 2]), ("<app", [0x88, 9]), ("<app", [1, 6]))

        #expect(exchange == ["app> 15 01 02", "<app 88 09", "<app 01 06"])
    }

    @Test func `a question has the change before it, and no more`() {
        let exchange = Self.exchange(
            ("app>", [0x0B, 1]), ("<app", [0]), ("app>", [0x15, 7]), ("<app", [0]), ("app>", [0x16, 3]),
            ("<app", [0x0D]), ("app>", [0x2B]), ("<app", [0x17, 8]))

        #expect(
            exchange == ["app> 15 07", "<app 00", "app> 16 03", "<app 0D", "app> 2B", "<app 17 08"])
    }

    @Test func `a question that nothing came before stands alone`() {
        #expect(
            Self.exchange(("app>", [0x16, 3]), ("<app", [0x0D]), ("app>", [0x2B]), ("<app", [1, 1]))
                == ["app> 2B", "<app 01 01"])
    }

    @Test func `waiting and looking are no deeds, and packets from the air are`() {
        let exchange = Self.exchange(
            ("app>", [0x07]), ("<app", [0]), ("air<", [0x11, 0x22]), ("wait 500 ms", []), ("air?", []),
            ("air>", [0x15]))

        #expect(exchange == ["air< 11 22", "wait 500 ms", "air> 15"])
    }

    @Test func `a console is asked and told`() {
        #expect(
            Self.exchange(
                ("console> set af 9", []), ("<console OK", []), ("console> get af", []), ("<console > 1", []))
                == ["console> set af 9", "<console OK", "console> get af", "<console > 1"])
        #expect(
            Self.exchange(("console> ver", []), ("<console v1", []), ("console> reboot", []), ("<console OK", []))
                == ["console> reboot", "<console OK"])
    }

    @Test func `long frames are whole, and of many lines the middle is left out`() {
        let frame = [UInt8](repeating: 0xAB, count: 176)

        let exchange = Self.exchange(("app>", frame))
        let flood = Evidence(
            lines: [TranscriptLine(at: .start, kind: "app>", bytes: [4])]
                + (0..<60).map { TranscriptLine(at: .milliseconds($0), kind: "<app", bytes: [0x80]) },
            transmissions: [], hasAir: false, end: .milliseconds(100)
        ).exchange

        #expect(exchange == ["app>" + String(repeating: " AB", count: 176)])
        #expect(flood.count == 32)
        #expect(flood.first == "app> 04")
        #expect(flood.contains("… 30 lines left out …"))
    }

    @Test func `a broken statement has it in all formats, and a kept one has none`() throws {
        let target = EmulatorTarget()
        target.tamper = { if $0.count > 3, $0[3] == 0x17 { $0[4] ^= 1 } }
        let report = try ComplianceRun(target: .emulator, only: Selection("65,34")).perform(on: target)
        let file = TestReport(report)

        let broken = try #require(file.entries.first { $0.isBroken })
        #expect(broken.exchange.count == 4)
        #expect(broken.exchange.first?.hasPrefix("app> 15") == true)
        #expect(broken.exchange.last?.hasPrefix("<app 17") == true)
        #expect(file.entries.allSatisfy { $0.isBroken != $0.exchange.isEmpty })
        for text in [file.text(), file.json, file.junit, HTMLReport(file).html] {
            #expect(text.contains(broken.exchange[1].replacing("<", with: "&lt;")) || text.contains(broken.exchange[1]))
        }
    }
}
