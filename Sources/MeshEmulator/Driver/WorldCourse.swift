import MeshCapture
import MeshFirmware
package import MeshSimulator
package import MeshTime
import MeshWorlds

/// Course of a run: the world with everything that goes back with it. A snapshot is a copy of it.
struct WorldCourse {
    var world: World
    var people: MeshPeople?
    /// Everything that has happened, where somebody steers the world.
    var log: HappeningLog?
    /// Names frames that were lost to others, where people want to know.
    var losses: LossTeller?
    /// Texts of clients, where somebody steers the world.
    var texts = ClientTexts()
    var recorder: RadioRecorder?
    /// Ways between the nodes and their clients, in the order of the driver's seats.
    var links: [CourseLink] = []

    init(_ world: World) {
        self.world = world
    }

    /// The next moment at which something happens in the world, among its people, or on a link.
    mutating func nextTime() -> Instant {
        var next = min(world.peekNextEventTime(), people?.nextStop ?? .never)
        // In place, and asked only where there is something: a copy of each link would cost more than the moment.
        for place in links.indices {
            if links[place].faults != nil { next = min(next, links[place].faults?.nextRelease ?? .never) }
            if links[place].bluetooth != nil {
                next = min(next, links[place].bluetooth?.deadline(at: world.now) ?? .never)
            }
        }
        return next
    }
}

/// Way between a node and its client: faults, modelled Bluetooth, and a recording of what passes.
struct CourseLink {
    /// `nil` where no frames pass, or nobody steers.
    var faults: FaultyLink?
    var bluetooth: ModelledLink?
    /// Recording that a tester has asked for.
    var recording: OpenRecording?
    /// Finds the bench's commands in what the client writes; `nil` before the first write.
    var jig: JigReader?
    /// The faults that the client has armed, by their numbers from 1.
    var jigFaults: [JigFault] = []
    /// Numbers of faults of Bluetooth that may do nothing.
    var mayNotFire: [Int] = []
}

/// Recording that was begun while the world ran, and stays in memory.
struct OpenRecording {
    /// Lines at most; later ones are not in it.
    private static let most = 1_000_000

    private(set) var entries: [RecordingEntry] = []

    mutating func add(_ entry: RecordingEntry) {
        if entries.count < Self.most { entries.append(entry) }
    }
}

/// Course of a steered run as it was at a moment, under a name.
///
/// Clients are not in it: a connection cannot go back in time.
package struct WorldSnapshot {
    /// Its name, which the tester has chosen.
    package let name: String
    let course: WorldCourse

    package var now: Instant { course.world.now }
    package var digest: Digest { course.world.digest }
}

/// Reason for which a run cannot go back to what it was.
package enum SnapshotProblem: Error, Hashable, Sendable {
    /// There are as many as are kept.
    case tooMany(Int)
    case unknown(String)
    /// A node lives elsewhere, and what is there does not go back.
    case hasGuest(String)
}
