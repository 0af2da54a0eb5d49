import MeshFirmware
package import MeshSimulator
package import MeshTime

/// A piece of a world's time that a tester has asked for, or waits for where time passes by itself.
package struct DriverStep: Sendable {
    /// Number of a step, by which its end is told.
    package typealias Number = Int
    /// Condition that ends a step; inout only so that nothing is copied for a look.
    package typealias Condition = @Sendable (inout WorldDriver) -> Bool

    let number: Number
    /// The longest time that it lasts.
    let span: TimeSpan
    /// The end of it; `nil` until its turn has come.
    var end: Instant?
    /// Ends it earlier.
    let condition: Condition?
    /// Tells whether it also ends when a client receives something.
    var stopsWhenTold = false
    /// The number of times that clients had received something when its turn came.
    var toldBefore = 0
}

/// State or end of a run.
package struct RunOutcome: Hashable, Sendable {
    /// The moment up to which the world has run.
    package let now: Instant
    /// Digest over everything that happened.
    package let digest: Digest
    /// One last draw of each random stream.
    package let unseed: Digest
    /// The number of times that a client did something while time was passing; `nil` where time does not wait for
    /// clients.
    ///
    /// With 0, the same seed and the same clients give the same run (`ClientGate.unpromptedInputs`).
    package let unpromptedInputs: Int?
    /// Counts of events on the air.
    package let statistics: WorldStatistics
    /// The reasons why the run proves nothing: faults of the world that did nothing and had to.
    package let invalid: [String]
}

extension Pace {
    /// Tells whether time stands still until clients have answered.
    var waitsForClients: Bool {
        switch self {
        case .clock: false
        case .stepped, .lockstep: true
        }
    }
}
