import Glibc

/// A command of the user's own: a program with its arguments, which no shell reads, and which has to end in time.
package struct UserCommand: Hashable, Sendable {
    /// The reason why a command did not do its work, in a sentence without its full stop.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let description: String
        /// The output up to there, with that for errors, which anybody may have written.
        package var output = ""
    }

    /// The program, as a path or as a name that the variable `PATH` finds, and its arguments.
    private let words: [String]
    /// The time in which it has to end, in seconds.
    private let limitSeconds: Int

    package init(_ words: [String], limitSeconds: Int) {
        self.words = words
        self.limitSeconds = limitSeconds
    }

    /// The most that is kept of its output, in bytes.
    private static let outputLimit = 1 << 20
    /// The pause between two looks at a program that runs, in milliseconds.
    private static let pause: Int32 = 20

    /// Runs the command and returns its output, with that for errors; throws when it fails, and ends it when it is
    /// late.
    @discardableResult
    package func run() throws(Failure) -> [UInt8] {
        guard let name = words.first, let program = Self.path(of: name) else {
            throw Failure(description: "there is no program \(words.first ?? "\"\"")")
        }
        let child: ChildProcess
        do throws(FileSystem.Failure) {
            child = try ChildProcess(program, Array(words.dropFirst()), errors: .joined)
        } catch {
            throw Failure(description: error.description)
        }
        let output = collect(from: child, until: ContinuousClock.now + .seconds(limitSeconds))
        let reason: String
        switch child.ending {
        case .exited(0): return output
        case .exited(let status): reason = "ended with exit status \(status)"
        case .signalled(let signal): reason = "was ended by signal \(signal)"
        case nil:
            child.killGroup()
            _ = child.waitUntilEnded()
            reason = "did not end within \(limitSeconds) s"
        }
        throw Failure(description: "\(name) \(reason)", output: String(decoding: output, as: UTF8.self))
    }

    /// Reads the output until the program has ended, or the time is over. A program that it leaves behind may keep the
    /// output open.
    private func collect(from child: ChildProcess, until deadline: ContinuousClock.Instant) -> [UInt8] {
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        var hasEnd = false
        while true {
            let isOver = child.ending != nil
            var request = pollfd(fd: child.output, events: Int16(POLLIN), revents: 0)
            let ready = hasEnd ? poll(nil, 0, Self.pause) : poll(&request, 1, isOver ? 0 : Self.pause)
            if ready > 0 {
                let count = read(child.output, &chunk, chunk.count)
                if count > 0 { output += chunk[..<min(count, max(0, Self.outputLimit - output.count))] }
                if count == 0 { hasEnd = true }
            } else if isOver {
                return output
            }
            if ContinuousClock.now >= deadline { return output }
        }
    }

    /// The path of a program, also of one that is named without a slash.
    private static func path(of name: String) -> String? {
        if name.contains("/") { return name }
        guard !name.isEmpty, let folders = getenv("PATH").map({ String(cString: $0) }) else { return nil }
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
