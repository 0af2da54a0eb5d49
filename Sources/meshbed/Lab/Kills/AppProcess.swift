import Foundation
import Glibc
import MeshFiles

/// A process that receives its work as arguments and is killed without warning.
final class AppProcess {
    private let process = Process()
    private let output = Pipe()
    private var rest = LineBuffer()
    /// The lines of its output so far.
    private(set) var lines: [String] = []

    init(_ command: [String]) throws {
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let descriptor = output.fileHandleForReading.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    var isRunning: Bool { process.isRunning }

    /// Reads its output up to now.
    func listen() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(output.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            rest.append(buffer[..<count])
        }
        while let line = rest.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }

    /// Ends it as a crash would; `true` when it had not ended by itself.
    func kill() -> Bool {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        listen()
        return process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    }

    /// Waits until it has ended by itself; whether it was content.
    func end(within limit: Duration) async throws -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        while process.isRunning, clock.now < deadline {
            listen()
            try await clock.sleep(for: .milliseconds(2))
        }
        if process.isRunning {
            _ = kill()
            return false
        }
        listen()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }
}
