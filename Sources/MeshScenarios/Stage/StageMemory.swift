import Synchronization

/// Facts that expectations remember from look to look: since when something is so, and what was so once.
///
/// An expectation is a value that changes nothing it looks at. Facts that outlast a look are stored here.
public final class StageMemory: Sendable {
    private struct State {
        var beginnings: [String: Duration] = [:]
        var notes: Set<String> = []
        var books: [(who: Member, messages: [ScenarioMessage])] = []
        var booksTime = Duration.seconds(-1)
    }

    private let state = Mutex(State())

    /// For how long something has been so without a break, by the looks that asked; `nil` when it is not so now.
    public func span(of key: String, isSo: Bool, at now: Duration) -> Duration? {
        state.withLock { state in
            guard isSo else {
                state.beginnings[key] = nil
                return nil
            }
            let begin = state.beginnings[key] ?? now
            state.beginnings[key] = begin
            return now - begin
        }
    }

    /// Remembers a word; whether it is new.
    @discardableResult
    public func note(_ word: String) -> Bool { state.withLock { $0.notes.insert(word).inserted } }

    /// Tells whether this was noted before.
    public func has(_ word: String) -> Bool { state.withLock { $0.notes.contains(word) } }

    /// The books of all apps, if they were read at this moment.
    func books(at now: Duration) -> [(who: Member, messages: [ScenarioMessage])]? {
        state.withLock { $0.booksTime == now ? $0.books : nil }
    }

    func keep(_ books: [(who: Member, messages: [ScenarioMessage])], at now: Duration) {
        state.withLock { state in
            state.books = books
            state.booksTime = now
        }
    }
}
