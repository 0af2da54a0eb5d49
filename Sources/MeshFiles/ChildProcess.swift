import Glibc

/// A process of another program that this one started and whose output it reads.
///
/// It leads a process group of its own, so that an interrupt from the terminal reaches this process alone.
package final class ChildProcess {
    /// The way in which a process ended.
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// The place of its standard error.
    package enum Errors {
        /// The stream of this process.
        case shown
        case hidden
        /// Among its output.
        case joined
    }

    private let identifier: pid_t
    /// The end of the pipe at which its output is read.
    package let output: Int32
    private var known: Ending?

    /// Starts a program at a path with the environment of this process and an empty standard input.
    package init(_ program: String, _ arguments: [String], errors: Errors = .shown) throws(FileSystem.Failure) {
        let open = try FileSystem.names(in: "/proc/self/fd").compactMap { Int32($0) }.filter { $0 > STDERR_FILENO }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw FileSystem.Failure(program) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        switch errors {
        case .shown: break
        case .hidden: posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        case .joined: posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
        }
        // Open files of ours are none of its business, nor are the ends of the pipe.
        for file in open + ends { posix_spawn_file_actions_addclose(&actions, file) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var identifier: pid_t = 0
        let code = posix_spawn(&identifier, program, &actions, &attributes, &words, environ)
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            throw FileSystem.Failure(program, code: code)
        }
        (self.identifier, output) = (identifier, ends[0])
    }

    deinit { close(output) }

    /// The way it ended; `nil` while it runs.
    package var ending: Ending? { wait(WNOHANG) }

    /// Sends it a signal, unless it has ended.
    package func send(_ signal: Int32) {
        // An ended process that has been waited for has left its number to others.
        if ending == nil { kill(identifier, signal) }
    }

    /// Kills it and what it has started in its group, unless it has ended.
    func killGroup() {
        if ending == nil { kill(-identifier, SIGKILL) }
    }

    /// Waits until it ends.
    package func waitUntilEnded() -> Ending {
        while true { if let ending = wait(0) { return ending } }
    }

    /// Reads its output up to the end.
    package func readOutput(atMost limit: Int) throws(FileSystem.Failure) -> [UInt8] {
        try FileSystem.read(output, "output of a program", atMost: limit)
    }

    private func wait(_ options: Int32) -> Ending? {
        if let known { return known }
        var status: Int32 = 0
        let found = waitpid(identifier, &status, options)
        guard found == identifier else {
            precondition(found == 0 || errno == EINTR, "a child of ours was awaited by others")
            return nil
        }
        // The low seven bits are the signal that ended it, and 0 after an exit.
        let signal = status & 0x7F
        known = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
        return known
    }
}
