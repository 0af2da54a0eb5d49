import MeshCompanion
import MeshFirmware
import MeshPacket
import MeshRadio
import MeshSimulator
import MeshTime
import MeshWire

/// The app of a person who sends a picture: packets as long as its chunks, along a way of repeaters.
///
/// Each goes once, and nobody puts them together: the cost for the others counts.
struct PictureSender: Sendable {
    /// The place of the sender in the topology.
    let node: Int
    private let picture: PeopleHabits.Picture
    private let path: [UInt8]
    private let pace: RelayPace
    private var turn = RelayTurn()
    /// Chunks that the radio has accepted.
    private var accepted = 0
    private var payload: [UInt8] = []
    private var isAwaiting = false
    /// The moment when it acts next; `.never` while its radio has not answered, and after the last chunk.
    private(set) var next: Instant

    /// Bytes of a packet beside its path and its payload.
    private static let head = 2
    /// Bytes of a full chunk of the first app with pictures, with its head.
    private static let chunk = 150
    /// The pause before a chunk for which the radio had no room goes again.
    private static let fullPause = TimeSpan.seconds(1)

    /// `nil` where a label is that of no node.
    init?(_ picture: PeopleHabits.Picture, in plan: WorldPlan, _ world: World) {
        func place(_ label: String) -> Int? { plan.topology.nodes.firstIndex { $0.label == label } }
        guard let node = place(picture.from) else { return nil }
        path = picture.over.compactMap { label in
            place(label).flatMap { world.firmware(NodeID(index: $0)) }.map { $0.publicKey[0] }
        }
        guard path.count == picture.over.count else { return nil }
        (self.node, self.picture) = (node, picture)
        let air = Airtime(plan.equipment[node].board.radio)
        pace = RelayPace(
            frame: .microseconds(air.microseconds(bytes: Self.head + path.count + Self.chunk)), hops: path.count,
            delayHundredths: picture.relayDelayHundredths, slack: .milliseconds(60))
        next = .start + picture.first
    }

    /// True for an app that waits for the first relay of each chunk.
    var listens: Bool { picture.pace == .relay }

    /// Returns the command that is due, if any.
    mutating func due(at now: Instant) -> SendRawData? {
        guard next <= now, !isAwaiting, accepted < picture.chunks else { return nil }
        if picture.pace != .radio {
            switch turn.next(at: Self.elapsed(now)) {
            case .free: break
            case .wait(let span):
                next = now + TimeSpan(span)
                return nil
            case .again:
                turn.repeated(at: Self.elapsed(now))
                return command
            }
        }
        payload = (0..<Self.chunk).map { $0 < 2 ? UInt8(truncatingIfNeeded: accepted >> (8 * $0)) : UInt8($0) }
        isAwaiting = true
        next = .never
        return command
    }

    private var command: SendRawData {
        SendRawData(pathLength: UInt8(clamping: path.count), path: path, payload: payload)
    }

    /// Handles the answer of the radio to the last command.
    mutating func answered(isTaken: Bool, at now: Instant) {
        // That to a chunk which goes again does not matter.
        guard isAwaiting else { return }
        isAwaiting = false
        guard isTaken else { return next = now + Self.fullPause }
        accepted += 1
        next = accepted < picture.chunks ? now : .never
        if picture.pace != .radio { turn.sent(pace, isHeard: listens, at: Self.elapsed(now)) }
    }

    /// Handles a packet that the radio heard.
    mutating func heard(_ packet: PacketView, at now: Instant) {
        guard listens, !isAwaiting, packet.type == .rawCustom, packet.hopCount + 1 == path.count,
            packet.payload == payload
        else { return }
        turn.relayed(at: Self.elapsed(now))
        if accepted < picture.chunks { next = now }
    }

    private static func elapsed(_ now: Instant) -> Duration { .microseconds(now.microseconds) }
}
