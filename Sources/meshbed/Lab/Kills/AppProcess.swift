import Glibc
import MeshFiles

/// A process that receives its work as arguments and is killed without warning.
final class AppProcess {
    private let process: ChildProcess
    private var rest = LineBuffer()
    /// The lines of its output so far.
    private(set) var lines: [String] = []

    init(_ command: [String]) throws {
        process = try ChildProcess(command[0], Array(command.dropFirst()))
        _ = fcntl(process.output, F_SETFL, fcntl(process.output, F_GETFL) | O_NONBLOCK)
    }

    var isRunning: Bool { process.ending == nil }

    /// Reads its output up to now.
    func listen() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(process.output, &buffer, buffer.count)
            guard count > 0 else { break }
            rest.append(buffer[..<count])
        }
        while let line = rest.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }

    /// Ends it as a crash would; `true` when it had not ended by itself.
    func kill() -> Bool {
        process.send(SIGKILL)
        let ending = process.waitUntilEnded()
        listen()
        return ending == .signalled(SIGKILL)
    }

    /// Waits until it has ended by itself; whether it was content.
    func end(within limit: Duration) async throws -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        while isRunning, clock.now < deadline {
            listen()
            try await clock.sleep(for: .milliseconds(2))
        }
        if isRunning {
            _ = kill()
            return false
        }
        listen()
        return process.ending == .exited(0)
    }
}
