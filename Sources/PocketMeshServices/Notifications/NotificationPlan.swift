/// Decides whether a notification is shown by itself, or counted for a summary.
///
/// It governs bursts, as of a radio's queue that is drained, and heaps of messages that are posted together. It does
/// not know which notifications the user wants: `NotificationService` asks after that check, and shows.
///
/// ```
///           begin                  end: one summary, unless none was counted
/// single ----------> burst ----------> single
///   |  ^               ^
///   |  |               | heap over
/// heap |   begin       |       end
///   v  | heap over     |
/// heap ----------> burst in heap ----------> heap
/// ```
///
/// In a heap the preferences are those of its beginning. In a burst a heap is counted at once, so none begins.
struct NotificationPlan: ~Copyable {
    /// The result of a notification that the user wants.
    enum OnPost: Hashable, Sendable {
        case show
        /// The summary tells of it.
        case counted
    }

    /// The result of many messages that come together.
    enum OnHeap: Hashable, Sendable {
        /// Post each of them, then end the heap.
        case postEach
        /// The summary tells of them.
        case counted
    }

    /// The result of the end of a burst.
    enum OnBurstEnded: Hashable, Sendable {
        /// Show the summary of this number, which tells of so many messages.
        case summary(Int, count: Int)
        case nothing
    }

    private enum State: ~Copyable {
        case single
        case heap(NotificationPreferences)
        case burst(Int)
        case burstInHeap(Int, NotificationPreferences)
    }

    private var state = State.single
    /// The number of summaries so far.
    private var summaries = 0

    init() {}

    private init(_ summaries: Int, _ state: consuming State) {
        self.summaries = summaries
        self.state = state
    }

    /// The preferences of a heap that is posted; `nil` when there is none.
    var preferences: NotificationPreferences? {
        switch state {
        case .heap(let preferences): preferences
        case .burstInHeap(_, let preferences): preferences
        case .single: nil
        case .burst: nil
        }
    }

    /// Begins a burst; one that is under way goes on.
    mutating func beginBurst() {
        let summaries = summaries
        switch consume state {
        case .single: self = Self(summaries, .burst(0))
        case .heap(let preferences): self = Self(summaries, .burstInHeap(0, preferences))
        case .burst(let count): self = Self(summaries, .burst(count))
        case .burstInHeap(let count, let preferences): self = Self(summaries, .burstInHeap(count, preferences))
        }
    }

    /// Ends a burst; returns the summary to show.
    mutating func endBurst() -> OnBurstEnded {
        let ended: Int
        let summaries = summaries
        switch consume state {
        case .burst(let count):
            self = Self(summaries, .single)
            ended = count
        case .burstInHeap(let count, let preferences):
            self = Self(summaries, .heap(preferences))
            ended = count
        case .single:
            self = Self(summaries, .single)
            return .nothing
        case .heap(let preferences):
            self = Self(summaries, .heap(preferences))
            return .nothing
        }
        guard ended > 0 else { return .nothing }
        self.summaries += 1
        return .summary(self.summaries, count: ended)
    }

    /// Decides about one notification; only messages are counted in a burst.
    mutating func post(isMessage: Bool) -> OnPost {
        let summaries = summaries
        switch consume state {
        case .burst(let count):
            self = Self(summaries, .burst(isMessage ? count + 1 : count))
            return isMessage ? .counted : .show
        case .burstInHeap(let count, let preferences):
            self = Self(summaries, .burstInHeap(isMessage ? count + 1 : count, preferences))
            return isMessage ? .counted : .show
        case .single: self = Self(summaries, .single)
        case .heap(let preferences): self = Self(summaries, .heap(preferences))
        }
        return .show
    }

    /// Begins a heap under these preferences; in a burst its messages are counted, as many as `wanted` says.
    mutating func beginHeap(_ preferences: NotificationPreferences, wanted: () -> Int) -> OnHeap {
        let summaries = summaries
        switch consume state {
        case .single: self = Self(summaries, .heap(preferences))
        case .heap: self = Self(summaries, .heap(preferences))
        case .burst(let count):
            self = Self(summaries, .burst(count + wanted()))
            return .counted
        case .burstInHeap(let count, let earlier):
            self = Self(summaries, .burstInHeap(count + wanted(), earlier))
            return .counted
        }
        return .postEach
    }

    /// Ends a heap: preferences are read again for each notification.
    mutating func endHeap() {
        let summaries = summaries
        switch consume state {
        case .heap: self = Self(summaries, .single)
        case .burstInHeap(let count, _): self = Self(summaries, .burst(count))
        case .single: self = Self(summaries, .single)
        case .burst(let count): self = Self(summaries, .burst(count))
        }
    }

    /// Drops a burst without a summary.
    mutating func dropBurst() {
        let summaries = summaries
        switch consume state {
        case .burst: self = Self(summaries, .single)
        case .burstInHeap(_, let preferences): self = Self(summaries, .heap(preferences))
        case .single: self = Self(summaries, .single)
        case .heap(let preferences): self = Self(summaries, .heap(preferences))
        }
    }
}
