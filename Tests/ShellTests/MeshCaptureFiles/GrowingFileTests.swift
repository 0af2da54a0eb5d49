import Glibc
import MeshCaptureIO
import Testing

/// Files that grow while something is recorded.
@Suite struct GrowingFileTests {
    private static func path() -> String { "/tmp/growing-\(getpid())-\(UInt32.random(in: 0 ... .max))" }

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : -1
    }

    @Test func `what was added is there, for the user alone`() throws {
        let path = Self.path()
        defer { unlink(path) }
        let file = try GrowingFile(creating: path)

        try file.append([1, 2, 3])
        try file.append([])
        try file.append([4])

        #expect(Self.size(of: path) == 4)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test(arguments: [
        ("/nowhere/a", "No such file or directory"), ("/tmp", "File exists"), ("/dev/full", "File exists"),
        ("/proc/a", "No such file or directory"),
    ])
    func `a path that cannot be written is an error with its path`(path: String, reason: String) {
        #expect(throws: CaptureFileError(path, reason)) { try GrowingFile(creating: path) }
    }

    /// A limit of the child's stands for the end of the disk.
    @Test func `what does not fit is cut off behind the last piece that does`() async throws {
        let path = Self.path()
        defer { unlink(path) }

        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let file = try GrowingFile(creating: path)
            try file.append([UInt8](repeating: 1, count: 600))
            #expect(throws: CaptureFileError(path, "File too large")) {
                try file.append([UInt8](repeating: 2, count: 600), ends: [100, 250, 600])
            }
            #expect(GrowingFileTests.size(of: path) == 850)
            #expect(throws: CaptureFileError.self) { try file.append([UInt8](repeating: 3, count: 200)) }
        }

        #expect(Self.size(of: path) == 850)
    }
}
