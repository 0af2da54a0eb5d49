public import MeshTime

/// An hour of a whole service stack in a lossy mesh, with a link to its radio that keeps going away.
///
/// Alice, who has the stack, talks with contacts in her range and behind repeaters, on channels and in rooms; the
/// others' apps are bare sessions. Behind the hour is a quiet while, in which what is owed arrives. Then the store is
/// held against what the radios handed to their apps by the world's own trace: nothing that a peer saw acknowledged may
/// be missing, nothing stored twice, and every status must be true. All of it runs on virtual time, so a seed gives the
/// same hour in every process.
public struct StackHour: Sendable {
    /// Contacts in alice's range.
    public var near = 25
    /// Contacts that only repeaters in her range hear.
    public var far = 25
    public var channels = 8
    public var rooms = 2
    /// Peers that are members of each room, beside alice.
    public var membersOfARoom = 3
    /// Texts from alice to contacts; as many come from them.
    public var directEachWay = 1600
    public var channelTextsEachWay = 320
    public var postsEachWay = 80
    /// How long they talk.
    public var talk: Duration = .seconds(3600)
    /// How long they listen after that.
    public var quiet: Duration = .seconds(300)
    /// Frames lost on every link, in each direction.
    public var lossPerTenThousand: UInt16 = 2000
    /// How long alice's link to her radio holds, and how long it is gone then.
    public var untilCut: ClosedRange<Duration> = .seconds(120)...(.seconds(300))
    public var cutLength: ClosedRange<Duration> = .seconds(2)...(.seconds(20))
    /// What the order of tasks is drawn from that are ready at the same moment; first come, first served when `nil`.
    public var order: Seed?

    public init() {}

    var contacts: Int { near + far }

    /// The peers of a room: the last one is behind a repeater, when anybody is.
    func members(of room: Int) -> [Int] {
        let inRange = (0..<membersOfARoom).map { $0 * rooms + room }.filter { $0 < near }
        return far > room ? inRange.dropLast() + [near + room] : inRange
    }
}
