/// The lanes of `ci/unit`, by the names of suites, and the calls that each allows.
///
/// A test that waits for the operating system is slow or quick as the machine is busy or idle. It runs alone, and waits
/// for an event, not for a time: a lane has a time limit, a test has none.
enum TestLanes {
    /// Suites whose tests run one at a time: with sockets, terminals, pipes and buses, and by the clock.
    static let alone = ["SystemTests", "RealTimeTests"]

    /// Calls that move a test out of the process or off virtual time.
    ///
    /// Children that exit by themselves are not among them: the test awaits them, and they hold no thread.
    static let marks = [
        "ContinuousClock", "SuspendingClock", "Task.sleep(", "DispatchQueue", "DispatchSemaphore", "usleep(",
        "sched_yield(", "Process(", "posix_spawn(", "fork(",
        "socket(", "socketpair(", "openpty(", "pipe(", "TestClient", "TestServer", "TestTerminal", "PrivateBus",
        "StreamTransport(", "WebServer.start(", "WebBench(", "SteeredBench.with(",
        "Emulator.start(", "Emulator.with(", "EndpointServer.start(", "Rig.start(",
        "RigTarget.started(", "RigConnection(", "Tap.open(", "SyncBenchmark()", "ContactBenchmark()",
    ]

    /// A file whose mark does not mean what it means elsewhere.
    static let allowed: [(path: String, mark: String, reason: String)] = [
        (
            "Tests/ShellTests/MeshVirtualTime/VirtualTimeConstructTests.swift", "Task.sleep(",
            "inside a run of virtual time, which is what the test is about"
        ),
        (
            "Tests/ProductTests/Meshbed/OutputTests.swift", "pipe(",
            "written to and closed at both ends by the test; nobody waits for anything"
        ),
    ]

    static func check(_ file: SourceText) -> [Finding] {
        let limits = file.occurrences(of: ".timeLimit(").map {
            Finding(
                path: file.path, line: file.line(at: $0),
                message: "a limit counts how long a busy machine takes: wait for what happens; the lane has a limit")
        }
        let suites = file.codeLines.enumerated().compactMap { index, line in
            line.firstMatch(of: /\bstruct (\w+Tests)\b/).map { (name: String($0.1), line: index + 1) }
        }
        guard !suites.isEmpty else { return limits }
        let marks = marks.filter { mark in
            !allowed.contains { $0.path == file.path && $0.mark == mark } && !file.occurrences(of: mark).isEmpty
        }
        return limits
            + suites.compactMap { name, line in
                let isAlone = alone.contains(where: name.hasSuffix)
                guard isAlone == marks.isEmpty else { return nil }
                return Finding(
                    path: file.path, line: line,
                    message: isAlone
                        ? "\(name) uses nothing of the system's: it can run with the others, under another name"
                        : "\(name) uses \(marks.joined(separator: ", ")): name it …SystemTests, so that it runs alone")
            }
    }
}
