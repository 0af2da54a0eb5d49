import Foundation
import Testing

@testable import MeshFiles

/// Files that users ask for, on disks with and without room for them.
@Suite struct OutputFileSystemTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }
    private func content(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    /// Has whatever is written from now on meet a disk without room.
    private func fill(_ file: OutputFile) throws {
        let full = open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        #expect(dup2(full, file.descriptor) >= 0)
        close(full)
    }

    @Test func `half a file stays nowhere, and a file that was there before is empty`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try "old".write(toFile: path("old"), atomically: false, encoding: .utf8)
        for name in ["new", "old"] {
            let file = try OutputFile(path(name))
            try file.write(Array("half".utf8))
            #expect(content(path(name)) == "half")

            try fill(file)
            let failure = #expect(throws: FileSystem.Failure.self) { try file.write(Array("rest".utf8)) }

            #expect(failure?.code == ENOSPC)
        }

        #expect(content(path("new")) == nil)
        #expect(content(path("old")) == "")
    }

    @Test func `pieces that are worth keeping stay, and the one that was cut goes`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try OutputFile(path("trace"), keepsPieces: true)
        try file.write(Array("first\n".utf8))
        // Some bytes of the piece are taken before the disk is full.
        let taken = open(path("trace"), O_WRONLY | O_APPEND)
        #expect(write(taken, "sec", 3) == 3)
        close(taken)

        try fill(file)
        #expect(throws: FileSystem.Failure.self) { try file.write(Array("second\n".utf8)) }

        #expect(content(path("trace")) == "first\n")
    }

    @Test func `a file that is there is none of ours where that is said`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try "old".write(toFile: path("old"), atomically: false, encoding: .utf8)

        let failure = #expect(throws: FileSystem.Failure.self) { try OutputFile(path("old"), over: .refused) }

        #expect(failure?.code == EEXIST && content(path("old")) == "old")
    }

    @Test func `what is added stands behind what a file has, and goes alone when the disk is full`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileSystem.writeOutput(path("page"), over: .continued, Array("one\n".utf8))
        try FileSystem.writeOutput(path("page"), over: .continued, Array("two\n".utf8))
        #expect(content(path("page")) == "one\ntwo\n")

        let file = try OutputFile(path("page"), over: .continued)
        let taken = open(path("page"), O_WRONLY | O_APPEND)
        #expect(write(taken, "thr", 3) == 3)
        close(taken)
        try fill(file)
        #expect(throws: FileSystem.Failure.self) { try file.write(Array("three\n".utf8)) }

        #expect(content(path("page")) == "one\ntwo\n")
    }

    @Test func `a look at whether a file could be written leaves everything as it was`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try "old".write(toFile: path("old"), atomically: false, encoding: .utf8)

        try OutputFile.check(path("old"))
        try OutputFile.check(path("new"))
        try OutputFile.check("/dev/null")
        #expect(throws: FileSystem.Failure.self) { try OutputFile.check(path("no/folder")) }

        #expect(content(path("old")) == "old" && content(path("new")) == nil)
    }

    @Test func `a pipe into which nobody writes is refused, and one with a writer is read to its end`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        let failure = #expect(throws: FileSystem.Failure.self) {
            try FileSystem.readInput(path("pipe"), atMost: 100, looks: 1)
        }
        #expect(failure?.reason == "is a pipe that nobody writes into")

        let writer = Process()
        writer.executableURL = URL(filePath: "/bin/sh")
        writer.arguments = ["-c", "(printf lin; printf e:3) > \(path("pipe"))"]
        try writer.run()
        let bytes = try FileSystem.readInput(path("pipe"), atMost: 100, looks: 100_000)
        writer.waitUntilExit()
        #expect(bytes == Array("line:3".utf8))
    }

    @Test func `a file that many replace at once is always whole`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = path("unit")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for round in 0..<25 {
                        let byte = UInt8(writer * 25 + round)
                        try FileSystem.replace(file, with: [UInt8](repeating: byte, count: 200_000 + Int(byte) * 1000))
                        let content = try FileSystem.read(file, atMost: 1 << 20)
                        let first = try #require(content.first)
                        #expect(content.count == 200_000 + Int(first) * 1000 && content.allSatisfy { $0 == first })
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["unit"])
    }

    @Test func `files and devices are read as ever`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let long = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        try Data(long).write(to: folder.appending(path: "long"))

        #expect(try FileSystem.readInput(path("long"), atMost: 200_000) == long)
        #expect(try FileSystem.readInput("/dev/null", atMost: 10).isEmpty)
        let failure = #expect(throws: FileSystem.Failure.self) {
            try FileSystem.readInput(path("long"), atMost: 199_999)
        }
        #expect(failure?.code == EFBIG)
    }
}
