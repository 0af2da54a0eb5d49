public import MeshTime
import Synchronization

/// The counts of the faults that one direction of a link was given, kind by kind.
///
/// The link that meets them reports here, and who has set them reads. A direction that is given other faults reports to
/// another counter.
public final class LinkFaultCounter: Sendable {
    private let counts = Mutex<[LinkFaults.Part: FaultCount]>([:])

    /// A counter of faults that have done nothing yet.
    public init() {}

    /// Returns the effects of one kind up to now.
    public func count(of part: LinkFaults.Part) -> FaultCount { counts.withLock { $0[part] ?? FaultCount() } }

    /// Counts an effect on a frame.
    func note(_ part: LinkFaults.Part, frame: [UInt8]) {
        counts.withLock { $0[part, default: FaultCount()].note(frames: 1, bytes: frame.count) }
    }
}
