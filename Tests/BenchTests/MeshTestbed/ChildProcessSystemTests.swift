import Glibc
import MeshFiles
import Testing

@Suite struct ChildProcessSystemTests {
    @Test func `a program's output and exit status arrive`() throws {
        let process = try ChildProcess("/bin/sh", ["-c", "echo \"$0\"; exit 3", "two words"])

        let output = try process.readOutput(atMost: 100)

        #expect(output == Array("two words\n".utf8))
        #expect(process.waitUntilEnded() == .exited(3) && process.ending == .exited(3))
    }

    @Test func `the input of a program is empty`() throws {
        let process = try ChildProcess("/bin/cat", [])

        #expect(try process.readOutput(atMost: 100) == [])
        #expect(process.waitUntilEnded() == .exited(0))
    }

    @Test func `a signal ends a program that runs`() throws {
        let process = try ChildProcess("/bin/cat", ["/dev/zero"])
        #expect(process.ending == nil)

        process.send(SIGKILL)

        #expect(process.waitUntilEnded() == .signalled(SIGKILL))
    }

    @Test func `a program that is not there is an error with its path`() {
        let error = #expect(throws: FileSystem.Failure.self) { try ChildProcess("/nothing/here", []) }

        #expect(error?.description == "/nothing/here: No such file or directory")
    }

    @Test func `open files of this process are none of the program's`() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }

        let open = "for file in /proc/$$/fd/*; do readlink $file; done; readlink /proc/\(getpid())/fd/\(ends[0])"
        let process = try ChildProcess("/bin/sh", ["-c", open])
        let files = String(decoding: try process.readOutput(atMost: 4000), as: UTF8.self).split(separator: "\n")

        // The last one is ours, and no other is the same.
        #expect(process.waitUntilEnded() == .exited(0))
        #expect(files.count > 3 && files.last?.hasPrefix("pipe:") == true)
        #expect(files.count { $0 == files.last } == 1)
    }

    @Test func `errors are shown only where they are wanted`() throws {
        let quiet = try ChildProcess("/bin/sh", ["-c", "readlink /proc/$$/fd/2"], errors: .hidden)

        #expect(try quiet.readOutput(atMost: 100) == Array("/dev/null\n".utf8))
        #expect(quiet.waitUntilEnded() == .exited(0))
    }
}
