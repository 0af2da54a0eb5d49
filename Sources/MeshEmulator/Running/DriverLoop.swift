import MeshTime

/// The driver of a shell, with the effects that the shell has not performed yet.
///
/// The driver is held only while it handles an input: code that performs an effect may look at it and hand in more.
final class DriverLoop {
    var driver: WorldDriver
    private var effects: [DriverEffect] = []
    /// Tells whether effects are being performed.
    private(set) var isPerforming = false

    init(_ driver: WorldDriver) {
        self.driver = driver
    }

    /// Passes an input to the driver; its effects wait.
    func handle(_ input: DriverInput, at clock: TimeSpan) { driver.handle(input, at: clock, into: &effects) }

    /// Calls the driver; its effects wait.
    func call<R, E: Error>(
        _ body: (inout WorldDriver, inout [DriverEffect]) throws(E) -> R
    ) throws(E) -> R {
        try body(&driver, &effects)
    }

    /// Drops the effects that wait.
    func dropEffects() { effects = [] }

    /// Performs the effects that wait, batch by batch, and those that are added in the meantime.
    func perform(_ body: ([DriverEffect]) -> Void) {
        let isInner = isPerforming
        isPerforming = true
        defer { isPerforming = isInner }
        while !effects.isEmpty {
            var batch: [DriverEffect] = []
            swap(&batch, &effects)
            body(batch)
        }
    }

    /// Brings the world to the present, or nearer to it when it is late, and performs the effects.
    ///
    /// - Parameter clock: the time now, which stays the same throughout where time waits for nobody: with a clock that
    ///   goes on meanwhile, events would have no end.
    func turn(at clock: TimeSpan, now: () -> TimeSpan, perform: () -> Void) {
        var clock = clock
        repeat {
            handle(.woke, at: clock)
            perform()
            if driver.pace.waitsForClients { clock = now() }
        } while driver.isInterrupted && !driver.isStopped
    }
}
