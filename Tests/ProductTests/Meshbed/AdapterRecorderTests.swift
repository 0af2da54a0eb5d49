import ArgumentParser
import BluetoothCapture
import Foundation
import MeshCapture
import MeshCompanion
import MeshTestSupport
import MeshTime
import Synchronization
import Testing

@testable import MeshCaptureIO
@testable import meshbed

/// Records from an array, as many at once as an adapter may have, with an action between two batches.
private final class ListedSource: LiveSource {
    typealias Record = (header: RecordHeader, bytes: [UInt8])

    private let batches: [[Record]]
    private let before: @Sendable (Int) throws -> Void
    private var next = 0

    init(_ records: [Record], atOnce size: Int, before: @escaping @Sendable (Int) throws -> Void = { _ in }) {
        batches = stride(from: 0, to: records.count, by: size).map {
            [Record](records[$0..<min($0 + size, records.count)])
        }
        self.before = before
    }

    func pump(into sink: inout some RecordSink, waiting milliseconds: Int32) throws -> Bool {
        try before(next)
        guard next < batches.count else { return false }
        for record in batches[next] { sink.take(record.header, record.bytes.span) }
        next += 1
        return true
    }
}

/// Records to a file that is read as if live, to arrays, and to the recorder's own thread.
private struct Records: RecordSink {
    var all: [ListedSource.Record] = []
    var problems: [CaptureProblem] = []

    mutating func take(_ header: RecordHeader, _ bytes: Span<UInt8>) {
        all.append((header, bytes.withUnsafeBufferPointer { [UInt8]($0) }))
    }

    mutating func note(_ problem: CaptureProblem) { problems.append(problem) }

    static func reading(_ path: String) throws -> Records {
        var records = Records()
        _ = try CaptureFile(path).read(into: &records)
        return records
    }
}

/// The recorder of an adapter, without one. Source: CaptureFormats, "Live sources" and "Private data".
@Suite struct AdapterRecorderTests {
    static let endings = ["capture", "pcap", "pcapng", "btsnoop"]

    /// A session of an app and a radio, with a password.
    static let session = """
        meshbed capture 1

        0.000000 tcp +
        0.100000 tcp > 05
        0.200000 tcp < 0901020304
        0.300000 tcp > 1aabababababababababababababababababababababababababababababababab6f70656e20736573616d65
        0.400000 tcp < 00
        0.500000 tcp > 05
        0.600000 tcp < 0902020304

        """

    /// The records of an adapter in the meantime.
    private static func records() throws -> [ListedSource.Record] {
        var problems: [CaptureProblem] = []
        let capture = SyntheticCapture(try Recording(session.utf8, problems: &problems))
        var encoder = try #require(LinkEncoder(.linuxMonitor, Records()))
        capture.write(into: &encoder)
        return encoder.sink.all
    }

    private static func command(_ words: [String]) throws -> RecordBLE {
        try RecordBLE.parse(words)
    }

    /// Records them into a file of this ending, batch by batch.
    private static func record(
        _ records: [ListedSource.Record], into path: String, atOnce size: Int = 5, with words: [String] = [],
        before: @escaping @Sendable (Int) throws -> Void = { _ in }
    ) async throws -> AdapterRecorder.Progress {
        let recording = try command(["--output", path, "--keep-secrets"] + words).recording(
            at: Date(timeIntervalSince1970: 1_700_000_000), of: .linuxMonitor, "bluetooth-monitor")
        let recorder = try AdapterRecorder(
            ListedSource(records, atOnce: size, before: before), recording, into: path)
        recorder.start()
        try await recorder.waitUntilEnded()
        return recorder.progress
    }

    @Test(arguments: endings)
    func `every format has what was read, and converts to the same recording`(ending: String) async throws {
        let folder = try CaptureCommandTests.Folder()
        let records = try Self.records()
        // The same packets as libpcap would have written them.
        let whole = folder.path("whole.pcap")
        _ = try await Self.record(records, into: whole, atOnce: records.count)
        let path = folder.path("a.\(ending)")

        let progress = try await Self.record(records, into: path)

        #expect(progress.tally.packets == records.count && progress.tally.connections == 1)
        #expect(progress.tally.frames == 6 && progress.tally.problems == 0 && progress.problem == nil)
        let words = ["--to", "capture", "--keep-secrets"]
        #expect(CaptureCommandTests.status(["convert", whole, folder.path("b")] + words) == 0)
        #expect(CaptureCommandTests.status(["convert", path, folder.path("c")] + words) == 0)
        #expect(try folder.read("b") == folder.read("c"))
        if ending == "capture" { #expect(try folder.read("b") == folder.read("a.capture")) }
        #expect(try folder.read("b").contains("6f70656e20736573616d65"))
    }

    @Test func `the keys of bondings are overwritten on request, and it is said`() async throws {
        let folder = try CaptureCommandTests.Folder()
        var records = try Self.records()
        let key = [UInt8](repeating: 0xA7, count: 16)
        var header = records[2].header
        let bytes = [0, 0, 0, 3, 0x18, 23, 1, 2, 3, 4, 5, 6] + key + [4]
        header.originalLength = bytes.count
        records.insert((header, bytes), at: 2)

        let progress = try await Self.record(records, into: folder.path("a.pcapng"), with: ["--redact-keys"])

        let kept = try Records.reading(folder.path("a.pcapng")).all.map(\.bytes)
        records[2].bytes.replaceSubrange(12..<28, with: [UInt8](repeating: 0, count: 16))
        #expect(kept == records.map(\.bytes))
        #expect(progress.tally.omissions == ["1 packet with keys, which were overwritten"])
    }

    @Test func `a file that is read as if live goes the same way, by the library or piece by piece`() async throws {
        let folder = try CaptureCommandTests.Folder()
        let path = folder.path("whole.pcap")
        _ = try await Self.record(try Self.records(), into: path)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        try Data(gzip(bytes)).write(to: URL(fileURLWithPath: folder.path("packed")))
        func run(_ source: sending any LiveSource, _ name: String) async throws {
            let recording = try Self.command(["--output", name + ".pcap", "--keep-secrets"]).recording(
                at: Date(), of: nil, "bluetooth-monitor")
            let recorder = try AdapterRecorder(source, recording, into: folder.path(name + ".pcap"))
            recorder.start()
            try await recorder.waitUntilEnded()
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path(name + ".pcap"))) == Data(bytes), "\(name)")
        }

        try await run(LiveCapture(file: path), "library")
        try await run(PipedSource(path), "piped")
        try await run(PipedSource(folder.path("packed")), "packed")
    }

    @Test(arguments: endings, [0, 1, 4])
    func `a recorder that is killed leaves all that it has read`(ending: String, after batches: Int) async throws {
        let folder = try CaptureCommandTests.Folder()
        let path = folder.path("a.\(ending)")
        let whole = folder.path("whole.\(ending)")
        let records = try Self.records()
        _ = try await Self.record([ListedSource.Record](records.prefix(batches * 9)), into: whole)

        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, batches = batches as Int] in
            _ = try await AdapterRecorderTests.record(try AdapterRecorderTests.records(), into: path, atOnce: 9) {
                if $0 == batches { kill(getpid(), SIGKILL) }
            }
        }

        #expect(
            try Data(contentsOf: URL(fileURLWithPath: path)) == Data(contentsOf: URL(fileURLWithPath: whole)))
        if ending == "capture" {
            let capture = try LoadedCapture(path)
            #expect(capture.problems.isEmpty && capture.parts[0].recording.entries.isEmpty == (batches < 4))
        } else {
            let read = try Records.reading(path)
            #expect(read.all.count == min(batches * 9, records.count) && read.problems.isEmpty)
        }
    }

    /// A limit of the child's stands for the end of the disk.
    @Test(arguments: endings)
    func `a full disk ends the recording with a sentence, and the file is whole`(ending: String) async throws {
        let folder = try CaptureCommandTests.Folder()
        let path = folder.path("a.\(ending)")

        await #expect(processExitsWith: .success) { [path = path as String, ending = ending as String] in
            signal(SIGXFSZ, SIG_IGN)
            let size: rlim_t = ending == "capture" ? 100 : 500
            var limit = rlimit(rlim_cur: size, rlim_max: size)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let records = try AdapterRecorderTests.records()
            await #expect(throws: CaptureFileError(path, "File too large")) {
                _ = try await AdapterRecorderTests.record(records, into: path)
            }
        }

        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        if ending == "capture" {
            let capture = try LoadedCapture(path)
            #expect(capture.problems.isEmpty && bytes.count <= 100)
            #expect(bytes.last == UInt8(ascii: "\n") && capture.parts[0].recording.entries.count > 0)
        } else {
            let read = try Records.reading(path)
            #expect(read.problems.isEmpty && read.all.count > 5 && bytes.count <= 500)
        }
    }

    @Test(arguments: ["/nowhere/a.pcap", "/proc/a.capture"])
    func `a path that cannot be written is refused before anything is read`(path: String) async throws {
        await #expect(throws: CaptureFileError(path, "No such file or directory")) {
            _ = try await Self.record(try Self.records(), into: path) { _ in Issue.record("something is read") }
        }
    }

    @Test func `an adapter that goes away ends the recording with its reason, and what waited is told`() async throws {
        struct Gone: Error {}
        let folder = try CaptureCommandTests.Folder()
        let path = folder.path("a.capture")
        let records = try Self.records()

        await #expect(throws: Gone.self) {
            _ = try await Self.record(records, into: path, atOnce: records.count) { if $0 == 1 { throw Gone() } }
        }

        #expect(try LoadedCapture(path).parts[0].recording.entries.count == 8)
    }

    @Test func `a wish to end is heard`() async throws {
        let folder = try CaptureCommandTests.Folder()
        final class Silence: LiveSource {
            func pump(into sink: inout some RecordSink, waiting milliseconds: Int32) throws -> Bool { true }
        }
        let recording = try Self.command(["--from", "-", "--output", "a.capture"]).recording(at: Date())
        let recorder = try AdapterRecorder(Silence(), recording, into: folder.path("a.capture"))
        recorder.start()

        recorder.stop()

        try await recorder.waitUntilEnded()
        #expect(recorder.progress.tally == AdapterRecording.Tally())
        // What waited for the first packet is told in the end.
        #expect(try folder.read("a.capture").hasPrefix("meshbed capture 1\ntransport: ble\nscrubbed: "))
    }

    @Test func `what is no capture is said to be none`() async throws {
        let folder = try CaptureCommandTests.Folder()
        let path = try folder.write("diary", "Dear diary, today nothing happened.")
        let recording = try Self.command(["--output", "a.capture"]).recording(at: Date())
        let recorder = try AdapterRecorder(PipedSource(path), recording, into: folder.path("a.capture"))
        recorder.start()

        await #expect(throws: CaptureFileError(path, "is no Bluetooth capture")) { try await recorder.waitUntilEnded() }
    }

    @Test func `the command leaves no file behind of what is no capture`() async throws {
        let folder = try CaptureCommandTests.Folder()
        let diary = try folder.write("diary", "Dear diary, today nothing happened.")
        let path = folder.path("a.pcap")

        await #expect(processExitsWith: .exitCode(2)) { [diary = diary as String, path = path as String] in
            do {
                try await RecordBLE.parse(["--from", diary, "--output", path, "--keep-secrets"]).run()
            } catch {
                exit(Meshbed.status(of: error).rawValue)
            }
        }

        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// Runs the whole command in a child, as it handles the signals of its process.
    @Test func `the command records what another program captures, scrubbed, and ends with it`() async throws {
        let folder = try CaptureCommandTests.Folder()
        let whole = folder.path("whole.btsnoop")
        _ = try await Self.record(try Self.records(), into: whole)
        let path = folder.path("a.capture")

        await #expect(processExitsWith: .success) { [whole = whole as String, path = path as String] in
            dup2(open(whole, O_RDONLY), STDIN_FILENO)
            try await RecordBLE.parse(["--from", "-", "--output", path, "--story", "login"]).run()
        }

        let text = try folder.read("a.capture")
        #expect(!text.contains("6f70656e20736573616d65"))
        let recording = try LoadedCapture(path).part(connection: nil).recording
        #expect(recording.header.story == "login" && recording.header.date == "2023-11-14")
        #expect(recording.header.scrubbed == RecordingScrubber.usual)
        #expect(recording.entries.count == 8)
    }
}

/// The output for people about a recording that grows.
@Suite struct RecordingWatchTests {
    private func progress(_ packets: Int, problems: Int = 0) -> AdapterRecorder.Progress {
        var progress = AdapterRecorder.Progress()
        progress.tally.packets = packets
        progress.tally.connections = 1
        progress.tally.frames = 2
        progress.tally.problems = problems
        if problems > 0 { progress.problem = CaptureProblem(offset: 9, number: 3, "too short") }
        return progress
    }

    @Test func `a terminal has a line that counts, not more often than anybody can read`() {
        var watch = RecordingWatch(isTerminal: true)

        #expect(!watch.isShown)
        #expect(watch.output(progress(1), at: .zero) == .init(counts: "1 packet, 1 connection, 2 frames"))
        #expect(watch.output(progress(2), at: .milliseconds(100)) == .init())
        #expect(
            watch.output(progress(7), at: .milliseconds(200)) == .init(counts: "7 packets, 1 connection, 2 frames"))
        #expect(watch.output(progress(7), at: .seconds(5)) == .init())
        #expect(watch.isShown)
    }

    @Test func `what is no terminal has no line`() {
        var watch = RecordingWatch(isTerminal: false)

        #expect(watch.output(progress(1), at: .zero) == .init())
        #expect(!watch.isShown)
    }

    @Test(arguments: [false, true])
    func `the first problems are named, the others only counted`(isTerminal: Bool) {
        var watch = RecordingWatch(isTerminal: isTerminal)

        let lines = (1...100).flatMap { watch.output(progress($0, problems: $0 / 2), at: .milliseconds($0)).lines }

        #expect(lines.count == 11)
        #expect(lines.first?.hasSuffix("meshbed record: record 3, offset 9: too short") == true)
        #expect(lines.last?.hasSuffix("further problems are only counted") == true)
    }

    @Test func `what is not in the recording is told in the end`() {
        var tally = AdapterRecording.Tally()
        #expect(tally.omissions == [])
        tally.packets = 10
        tally.otherPackets = 4
        tally.otherConnections = 1
        tally.refusedPackets = 1
        tally.problems = 3

        #expect(tally.words == "5 packets, 0 connections, 0 frames")
        #expect(
            tally.omissions == [
                "4 packets of other devices left out",
                "1 connection to other radios left out: a recording has one, and --device chooses it",
                "1 packet without a place in such a file left out", "2 other problems",
            ])
    }
}
