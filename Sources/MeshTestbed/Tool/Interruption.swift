import Glibc
import Synchronization

/// The first Ctrl-C ends a run in good order, the second one ends the program.
public enum Interruption {
    private static let flag = Atomic(false)

    /// Tells whether the user wants the run to end.
    public static var hasCome: Bool { flag.load(ordering: .relaxed) }

    /// Looks for Ctrl-C from now on.
    public static func isAwaited() {
        signal(SIGINT) { _ in
            Interruption.flag.store(true, ordering: .relaxed)
            signal(SIGINT, SIG_DFL)
        }
    }
}
