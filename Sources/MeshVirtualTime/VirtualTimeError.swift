/// The reason why a run on virtual time was not completed.
package enum VirtualTimeError: Error, Hashable, Sendable {
    /// Nothing is ready and no deadline is left: a deadlock, or a wait outside of virtual time.
    ///
    /// `lastRun` names the tasks that ran last, the newest first; the waiting one is usually among them.
    case stalled(at: Duration, lastRun: [String])
    /// A task of the run was resumed by a foreign thread, as sockets, Dispatch and Foundation timers do.
    case resumedFromOutside(task: String, at: Duration)
    /// The clock of the run was used by a thread that does not run it.
    case usedFromOutside(operation: String, at: Duration)
    /// Tasks ran in a great number of steps without time passing: they seem to wait for it by spinning.
    case spinning(at: Duration, steps: Int, lastRun: [String])
}

extension VirtualTimeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .stalled(let moment, let tasks):
            "virtual time stalled at \(moment): no task is ready and no deadline is left, so somebody waits for an "
                + "event that never comes or that is outside (a socket, a thread, a process); \(Self.names(tasks))"
        case .resumedFromOutside(let task, let moment):
            "\(task) was resumed at \(moment) of virtual time by a thread outside of the run; put a "
                + "transport of this process in place of the real one"
        case .usedFromOutside(let operation, let moment):
            "the virtual clock's \(operation) was used at \(moment) by a thread outside of the run: some of its code "
                + "left virtual time, through a detached thread, Dispatch or a socket"
        case .spinning(let moment, let steps, let tasks):
            "\(steps) steps at \(moment) of virtual time and none of them waits; \(Self.names(tasks))"
        }
    }

    private static func names(_ tasks: [String]) -> String {
        tasks.isEmpty ? "no task has run" : "ran last: " + tasks.joined(separator: ", ")
    }
}
