import MeshTime
import NIOCore

/// Step of a world's time that a tester waits for.
struct EmulatorStep {
    let span: TimeSpan
    var stopsWhenTold = false
    var condition: DriverStep.Condition?
    /// Is called at its end, before anything else happens, with whether the condition is met.
    var ended: (@Sendable (inout WorldDriver, Bool) -> Void)?
    let promise: EventLoopPromise<Bool>
}
