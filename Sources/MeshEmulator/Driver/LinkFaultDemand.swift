import MeshTime
package import MeshTransports

/// Faults that one direction of a client's link was given, with the counter of what they did.
package struct LinkFaultDemand: Sendable {
    /// Tells whether they concern the frames to the app; else those to the radio.
    package let isToApp: Bool
    /// The faults that were asked for.
    package let faults: LinkFaults
    /// The counter that the link reports to.
    package let counter: LinkFaultCounter
    /// Tells whether a run in which they do nothing is valid all the same.
    package let mayNotFire: Bool

    /// The kinds among them that have done nothing; none when they may do nothing.
    package var idleParts: [LinkFaults.Part] {
        mayNotFire ? [] : faults.parts.filter { !counter.count(of: $0).hasFired }
    }
}
