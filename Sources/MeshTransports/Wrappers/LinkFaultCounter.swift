public import MeshTime
import Synchronization

/// The counts of the faults that one direction of a link was given, kind by kind, or of a plan, fault by fault.
///
/// The link that meets them reports here, and who has set them reads. A direction that is given other faults reports to
/// another counter, and so does each plan.
public final class LinkFaultCounter: Sendable {
    private struct Counts {
        var parts: [LinkFaults.Part: FaultCount] = [:]
        var planned: [Int: FaultCount] = [:]
    }

    private let counts = Mutex(Counts())

    /// A counter of faults that have done nothing yet.
    public init() {}

    /// Returns the effects of one kind up to now.
    public func count(of part: LinkFaults.Part) -> FaultCount { counts.withLock { $0.parts[part] ?? FaultCount() } }

    /// Returns the effects of one fault of a plan up to now, by its place in the plan.
    ///
    /// Those of a brown-out are none of the link's: the world counts them as its torn writes.
    public func count(ofPlanned place: Int) -> FaultCount { counts.withLock { $0.planned[place] ?? FaultCount() } }

    /// Counts an effect on a frame.
    func note(_ part: LinkFaults.Part, frame: [UInt8], at now: Instant?) {
        counts.withLock { $0.parts[part, default: FaultCount()].note(frames: 1, bytes: frame.count, at: now) }
    }

    /// Counts an effect of a planned fault, on a frame or on an attempt to connect.
    func note(planned place: Int, frame: [UInt8], at now: Instant?) {
        counts.withLock {
            $0.planned[place, default: FaultCount()].note(frames: frame.isEmpty ? 0 : 1, bytes: frame.count, at: now)
        }
    }
}
