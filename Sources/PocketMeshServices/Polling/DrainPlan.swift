import MeshCore

/// Decides how far a radio's queue is emptied, and which task works on it.
///
/// It waits for nothing; `MessagePollingService` requests and delivers. The number of a task shows whether the drain is
/// still its own. A message with a slow handler is left to its task, and another task goes on.
///
/// ```
/// task 1  --ask--message--ask--message- - - - - - - - (too long) - - -|
/// task 2                                               --ask--message--ask--none--> ended
///
/// ended by   none left | nobody wants it any more | stop
/// failed by  16 times the same | 10,000 messages | 17 in a row that cannot be read | an error of the radio
/// ```
struct DrainPlan: Equatable, Sendable {
    /// The greatest number of unreadable messages in a row that are dropped.
    ///
    /// One more ends a drain: the radio sends nothing readable.
    static let unreadableLimit = 16

    let policy: SyncPolicy
    /// True while a queue is being emptied.
    private(set) var isDraining = false
    /// True when only the radio asked for it.
    private(set) var isAuto = false
    /// The task that works on the drain, or did last; no two of a service have one number.
    private(set) var worker = 0
    /// Messages that came.
    private(set) var count = 0
    /// The number of times in a row that the last message came.
    private(set) var repeats = 0
    private var last: MessageResult?
    /// Messages in a row that could not be read.
    private(set) var unreadable = 0
    /// The moment at which the running handler exceeds its limit, by the service's time; `nil` between two of them.
    private(set) var due: Duration?
    /// True when the last drain was ended because the radio always had one more message.
    private(set) var isEndless = false

    init(policy: SyncPolicy) {
        self.policy = policy
    }

    /// A queue is to be emptied.
    mutating func begin(isAuto: Bool) {
        self.isAuto = isAuto
        isDraining = true
        isEndless = false
        (count, repeats, unreadable, last) = (0, 0, 0, nil)
    }

    /// Starts a new task on the drain, and returns its number: the first one, or one after a slow handler.
    mutating func takeOver() -> Int {
        worker += 1
        due = nil
        return worker
    }

    /// Returns whether the drain belongs to the task with this number.
    func isAt(_ number: Int) -> Bool { isDraining && worker == number }

    /// A message came.
    mutating func note(_ message: MessageResult) {
        count += 1
        repeats = message == last ? repeats + 1 : 1
        last = message
    }

    /// The answer could be read.
    mutating func noteReadable() { unreadable = 0 }

    /// Notes a message that cannot be read; returns whether it is dropped, which does not end the drain.
    ///
    /// The radio has forgotten it, so there is nothing to request again.
    mutating func dropsUnreadable() -> Bool {
        guard unreadable < Self.unreadableLimit else { return false }
        unreadable += 1
        return true
    }

    /// Notes that the handler of a message is at work, and its limit.
    mutating func handle(until due: Duration) {
        if isDraining { self.due = due }
    }

    /// The message is handled.
    mutating func noteHandled() { due = nil }

    /// Returns whether to ask for more after a message.
    ///
    /// Throws where the radio has not said that its queue is empty, and a further request is pointless.
    mutating func goesOn(isFetching: Bool) throws(StackError) -> Bool {
        guard isDraining else { return false }
        let isRepeated = repeats >= policy.repeatLimit
        if isRepeated || count >= policy.drainLimit {
            isEndless = true
            throw StackError(.polling, .queueDoesNotEnd(drained: count, isRepeated: isRepeated))
        }
        return isFetching || !isAuto
    }

    /// Ends the requests; the task at work may still finish.
    mutating func end() {
        isDraining = false
        due = nil
        last = nil
    }
}
