import ArgumentParser
import Foundation
import MeshCapture
import MeshTestSupport
import Testing

@testable import meshbed

/// Files of observers in `meshbed capture` and `meshbed decode`.
@Suite struct RecordCommandTests {
    private static func path(_ name: String) -> String { FieldExample.url(name).path }

    private static func status(_ words: [String]) -> Int32 {
        do {
            var command = try Meshbed.parseAsRoot(words)
            try command.run()
            return 0
        } catch {
            return Meshbed.status(of: error).rawValue
        }
    }

    // MARK: Captures

    @Test func `each observer is a part, and one is chosen`() throws {
        let capture = try LoadedCapture(Self.path("observers.jsonl"))

        #expect(capture.kind == "observers' records" && capture.parts.count == 2)
        #expect(try capture.part(connection: 2).places == [5, 7, 8, 10])
        let failure = #expect(throws: LoadedCapture.Failure.self) { try capture.part(connection: nil) }
        #expect(failure?.description.contains("holds 2 observers; choose one with --connection") == true)
        #expect(throws: LoadedCapture.Failure.self) { try capture.part(connection: 3) }
        #expect(capture.problems.count == 3 && capture.losses.count == 2)
        #expect(capture.losses.first.map { "\($0.count) \($0.name)" } == "1 records without a packet")
    }

    @Test func `one observer is the only part, also packed`() throws {
        let scratch = Scratch()
        let packed = scratch.file("rxlog.jsonl.gz")
        try Data(gzip(FieldExample.bytes("rxlog.jsonl"))).write(to: URL(filePath: packed))

        let capture = try LoadedCapture(packed)

        #expect(try capture.part(connection: nil).recording == capture.part(connection: 1).recording)
        #expect(try capture.part(connection: nil).recording.entries.count == 2)
        #expect(throws: LoadedCapture.Failure.self) { try capture.part(connection: 2) }
    }

    @Test func `a packed file that is cut is read up to there, and told`() throws {
        let scratch = Scratch()
        let packed = scratch.file("rxlog.jsonl.gz")
        try Data(gzip(FieldExample.bytes("rxlog.jsonl")).dropLast(40)).write(to: URL(filePath: packed))

        let (bytes, problem) = try RecordLoad.bytes(of: packed)

        #expect(problem != nil && bytes.starts(with: FieldExample.bytes("rxlog.jsonl").prefix(500)))
        #expect(Self.status(["decode", "packet", "--from", packed]) == 1)
    }

    @Test func `packets are exported at the time at which they were heard`() throws {
        let part = try LoadedCapture(Self.path("observers.jsonl")).part(connection: 1)

        let file = try CaptureExport.bytes(of: part.recording)

        // 12:00:01.7 UTC on 22 November 2025, in seconds and nanoseconds behind the file's header.
        func word(_ offset: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(file[offset + $1]) << UInt32(8 * $1) } }
        #expect(word(24) == 1_763_812_801 && word(28) == 700_000_000)
    }

    @Test func `records become a recording, and no Bluetooth capture`() throws {
        let scratch = Scratch()
        let output = scratch.file("valley.capture")
        let convert = ["capture", "convert", Self.path("observers.jsonl")]

        // What was cut is left out, and said.
        #expect(Self.status(convert + [output, "--connection", "1", "--salt", "x"]) == 1)
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(text.hasPrefix("meshbed capture 1\n") && text.contains("began: 12:00:01.700000\n"))
        #expect(!text.contains("Valley observer"), "a name of another tool is no word of a recorder")
        #expect(Self.status(convert + [scratch.file("a.pcapng"), "--connection", "1"]) == 2)
        #expect(Self.status(["capture", "info", Self.path("observers.jsonl")]) == 1)
        #expect(Self.status(["capture", "show", Self.path("rxlog.jsonl"), "--json"]) == 0)
        #expect(Self.status(["capture", "scrub", Self.path("rxlog.jsonl"), scratch.file("b")]) == 2)
    }

    @Test func `a text without a packet is no capture, and the error says what was looked for`() throws {
        let failure = #expect(throws: LoadedCapture.Failure.self) {
            try LoadedCapture(Self.path("app-export.json"))
        }

        let text = failure?.description ?? ""
        #expect(text.contains("neither a recording nor a Bluetooth capture"))
        #expect(text.contains("looked for a packet in hex a line; console lines with RAW"))
    }

    // MARK: Decoding

    @Test(
        arguments: [
            (["rxlog.jsonl"], 0), (["observers.jsonl"], 1),
            (["cards.txt", "rxlog.jsonl", "corescope-packets.json"], 0),
            (["console.log"], 1), (["app-export.json"], 1), (["no-such-file"], 1),
        ] as [([String], Int32)])
    func `a file is decoded, and its faults are the exit status`(names: [String], status: Int32) {
        for more in [[], ["--json"]] {
            let words = ["decode", "packet"] + names.flatMap { ["--from", Self.path($0)] } + more
            #expect(Self.status(words) == status, "\(words)")
        }
    }
}
