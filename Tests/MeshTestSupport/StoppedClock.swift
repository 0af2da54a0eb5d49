/// A clock that stands: nothing is ever too late, and only a cancellation ends a sleep.
///
/// It is for waits on sockets and terminals. Such a wait ends with an event, which may come late on a busy machine.
package struct StoppedClock: Clock {
    package struct Instant: InstantProtocol {
        fileprivate var offset = Swift.Duration.zero

        package func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
        package static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    package let now = Instant()
    package let minimumResolution = Swift.Duration.microseconds(1)

    package init() {}

    package func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        if deadline > now { for await _ in never {} }
        end.finish()
        try Task.checkCancellation()
    }
}
