import ArgumentParser
import Foundation
import MeshFiles
import Testing

@testable import MeshTestbed
@testable import meshbed

/// The places of output, and failures of writing.
@Suite struct OutputTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private static func status(of words: [String]) -> Int32 {
        do {
            var command = try Meshbed.parseAsRoot(words)
            try command.run()
            return 0
        } catch {
            return Meshbed.status(of: error).rawValue
        }
    }

    /// A file, a device or a pipe behind a link stays what it is: replacing `/dev/null` would remove it for all.
    @Test(arguments: [
        ["mesh", "run", "line:3", "--for", "20s", "--trace"], ["mesh", "draw", "line:3", "-o"],
        ["comply", "--target", "emulator", "--only", "34", "--json"],
    ])
    func `output goes through a link`(words: [String]) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("old".utf8).write(to: folder.appending(path: "file"))
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: path("file"))

        #expect(Self.status(of: words + [path("link")]) == 0)

        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == path("file"))
        #expect(try Data(contentsOf: folder.appending(path: "file")).count > 100)
    }

    @Test func `a picture written to - is no file of that name`() {
        #expect(Self.status(of: ["mesh", "draw", "line:3", "-o", "-"]) == 0)

        #expect(!FileManager.default.fileExists(atPath: "-"))
    }

    @Test(arguments: [
        ["mesh", "run", "line:3", "--for", "20s", "--trace"], ["mesh", "draw", "line:3", "-o"],
        ["comply", "--target", "emulator", "--only", "34", "--html"],
    ])
    func `a full disk ends with status 2`(words: [String]) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // Through a link, so that not even a defect can take the device away.
        try FileManager.default.createSymbolicLink(atPath: path("full"), withDestinationPath: "/dev/full")

        #expect(Self.status(of: words + [path("full")]) == 2)

        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("full")) == "/dev/full")
    }

    @Test func `a command complains under the words by which it was called`() {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(CommandVoice("meshbed", "world import").complaint("no room") == "meshbed world import: no room")
        #expect(CommandVoice("meshbed", "study", "").complaint("no room") == "meshbed study: no room")
    }

    /// Another seed is another map: the losses of the trace would be drawn at wrong places.
    @Test func `a world is drawn with a trace of the same seed only`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (trace, picture) = (path("trace"), path("picture"))
        #expect(Self.status(of: ["mesh", "run", "random:9", "--for", "1s", "--seed", "7", "--trace", trace]) == 0)

        #expect(Self.status(of: ["mesh", "draw", "random:9", "--trace", trace, "-o", picture]) == 2)
        #expect(!FileManager.default.fileExists(atPath: picture))
        #expect(Self.status(of: ["mesh", "draw", "random:9", "--seed", "7", "--trace", trace, "-o", picture]) == 0)
        #expect(Self.status(of: ["mesh", "draw", "--trace", trace, "-o", picture]) == 0)
    }

    @Test func `what standard output does not take is told, a reader that has gone is not`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        let disk = OutputSink(full, called: "here")
        disk.write(Array("lost".utf8))
        #expect(disk.problem == "here: No space left on device")
        #expect(!disk.isClosed)

        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let reader = OutputSink(ends[1], called: "here")
        reader.write(Array("taken".utf8))
        #expect(reader.problem == nil && !reader.isClosed)
        close(ends[0])
        reader.write(Array("nobody reads it".utf8))
        close(ends[1])
        #expect(reader.isClosed)
        #expect(reader.problem == nil)
    }

    @Test func `errors of libraries are told in the words of the system`() {
        defer { try? FileManager.default.removeItem(at: folder) }
        let error = #expect(throws: (any Error).self) { try Data(contentsOf: folder.appending(path: "nothing")) }

        #expect(error?.plainReason == "\(path("nothing")): No such file or directory")
        #expect(error.map { Meshbed.status(of: $0).rawValue } == 2)
    }

    @Test func `two reports are two files, devices excepted`() {
        defer { try? FileManager.default.removeItem(at: folder) }
        for command in [["comply", "--target", "emulator"], ["scenario", "run"], ["scenario", "soak"]] {
            #expect(throws: (any Error).self) { try Meshbed.parseAsRoot(command + ["--json", "a", "--html", "a"]) }
            #expect(throws: (any Error).self) { try Meshbed.parseAsRoot(command + ["--json", ""]) }
            #expect(throws: Never.self) {
                try Meshbed.parseAsRoot(command + ["--json", "/dev/stderr", "--html", "/dev/stderr"])
            }
        }
    }

    @Test func `lines of input come one by one, and none is longer than a line may be`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let long = String(repeating: "a", count: InputLines.longest + 1)
        let longest = String(long.dropLast())
        try Data("05\n\n\(long)\n\(longest)\n\(long)\n82".utf8).write(to: folder.appending(path: "lines"))
        let descriptor = open(path("lines"), O_RDONLY)
        defer { close(descriptor) }
        var input = InputLines(descriptor)
        var lines: [InputLines.Line] = []
        while let line = input.next() { lines.append(line) }

        #expect(lines == [.text("05"), .text(""), .tooLong, .text(longest), .tooLong, .text("82")])
        #expect(input.next() == nil)

        let directory = open(folder.path, O_RDONLY)
        defer { close(directory) }
        var nothing = InputLines(directory)
        #expect(nothing.next() == .failed("Is a directory"))
        #expect(nothing.next() == nil)
    }
}
