import Foundation
import MeshCapture
import MeshTime
import MeshWire
import Testing

@testable import MeshCaptureIO
@testable import MeshTestbed
@testable import meshbed

/// Text from outside on its way to a terminal.
@Suite struct VisibleOutputTests {
    private static let hostile = "\u{1B}[2J\u{07}\nforged\r\u{9B}1m\u{202E}"
    private static let visible = #"\u001B[2J\u0007\nforged\r\u009B1m\u202E"#

    /// The bytes that a descriptor receives when text is written.
    private func written(_ body: (OutputSink) -> Void) throws -> String {
        let url = FileManager.default.temporaryDirectory.appending(path: "visible-\(UUID().uuidString)")
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        defer {
            close(descriptor)
            try? FileManager.default.removeItem(at: url)
        }
        body(OutputSink(descriptor, called: "here"))
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }

    @Test func `a line stays one, whatever it says`() throws {
        #expect(try written { $0.line("from \(Self.hostile)") } == "from \(Self.visible)\n")
        #expect(try written { $0.line("") } == "\n")
    }

    @Test func `several lines keep their ends and nothing else that acts`() throws {
        #expect(try written { $0.text("a\nb\u{1B}[1m") } == "a\nb\\u001B[1m\n")
        #expect(try written { $0.text("a\n") } == "a\n")
    }

    @Test func `JSON says the same after it was made visible`() throws {
        let values = [Self.hostile, "\u{7F}\u{2028}\u{0}\t", "日本 \\u001B \"quoted\""]
        let json = CaptureJSON.line(values, isPretty: true)

        let shown = try written { $0.text(json) }

        #expect(try JSONDecoder().decode([String].self, from: Data(shown.utf8)) == values)
        #expect(shown.unicodeScalars.allSatisfy { $0 == "\n" || !(0..<0x20 ~= $0.value || 0x7F...0x9F ~= $0.value) })
    }

    @Test func `a table has a row for each row, and columns that stand`() {
        let lines = TextTable.lines(["name", "key"], [[Self.hostile, "00"], ["日e\u{301}", "01"]], indent: "")

        #expect(lines.count == 3 && lines.allSatisfy { !$0.contains("\n") })
        #expect(lines[1] == "\(Self.visible)  00")
        #expect(lines[2].hasPrefix("日e\u{301} ") && lines[2].hasSuffix("  01"))
        #expect(lines[2].count == lines[1].count)
    }

    @Test func `what a recording says of itself cannot forge a row of its summary`() throws {
        var problems: [CaptureProblem] = []
        let text = "meshbed capture 1\nstory: \u{1B}[2J\u{202E}x\nname: a\u{85}b\n\n0.0 tcp ! \u{9B}31m\n"
        let recording = try Recording(text.utf8, problems: &problems)
        let part = LoadedCapture.Part(recording: recording, places: [1])

        let shown = CaptureSummary(part).lines.joinedVisibleLines

        #expect(shown.contains("\\u001B[2J\\u202Ex") && shown.contains("a\\u0085b"))
        #expect(!shown.contains("\u{1B}") && !shown.contains("\u{202E}") && !shown.contains("\u{85}"))
    }

    @Test func `a recording that is written holds nothing that acts, and reads the same again`() throws {
        let header = RecordingHeader(story: "a\nb\u{1B}[2J", rows: [.init("peer", "\u{202E}\u{9B}x")])
        let entry = RecordingEntry(.zero, .ble, .disconnected(reason: "gone\u{07}"), note: "by\u{1B}c")

        let text = Recording(header, [entry]).text
        var problems: [CaptureProblem] = []
        let again = try Recording(text.utf8, problems: &problems)

        #expect(text == text.visibleText && problems.isEmpty)
        #expect(again.text == text)
        #expect(again.header.story == "a b\\u001B[2J")
    }
}
