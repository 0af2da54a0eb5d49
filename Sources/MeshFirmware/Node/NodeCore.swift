public import MeshTime

/// A node without a clock, a socket or a disk: inputs and time in, effects out, and the time of the next wake.
///
/// One call of `handle` is one pass of the firmware's main loop. The caller keeps the time: it calls again at
/// `nextWake`, or earlier when there is an input. Time never runs backwards.
public protocol NodeCore: Sendable {
    /// The moment at which the node wants its next pass; `.never` when only an input can wake it.
    var nextWake: Instant { get }

    /// Handles one input and runs one pass. Effects are appended in their order.
    mutating func handle(
        _ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect])
}
