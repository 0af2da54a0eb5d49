package import MeshTime
package import NIOCore

/// An event loop's clock, which begins at zero, with one alarm.
package final class LoopAlarm {
    private let eventLoop: any EventLoop
    private let startedAt = NIODeadline.now()
    private var task: Scheduled<Void>?

    package init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// The time on the clock.
    package var now: TimeSpan { .microseconds((NIODeadline.now() - startedAt).nanoseconds / 1000) }

    /// Calls `ring` when the clock shows `time`, in place of an earlier alarm; `nil` sets none.
    package func set(_ time: TimeSpan?, ring: @escaping () -> Void) {
        task?.cancel()
        task = nil
        guard let time else { return }
        // A day is far enough: who is called looks again.
        let wait = min(time - now, .seconds(86_400))
        task = eventLoop.assumeIsolated().scheduleTask(deadline: .now() + .microseconds(wait.microseconds), ring)
    }
}
