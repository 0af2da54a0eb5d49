public import MeshBoards
import MeshTransports
import MeshWire

/// A fault between an app and its radio while the link stays.
public struct LinkFault: CountedFault {
    /// The kinds of faults in frames.
    public enum Kind: Hashable, Sendable {
        /// A share of the frames arrives twice.
        case doubles(Double)
        /// A share of the frames comes in two pieces, as Bluetooth may cut them.
        case cutsInTwo(Double)
        /// A share of the frames is lost.
        case drops(Double)
        /// The next frames are lost, so many of them.
        case dropsNext(Int)
        /// Each frame is held back for up to so long.
        case delays(Duration)
        /// The next frame is held for so long, and all behind it.
        case stalls(Duration)
        /// The link is gone after so many more frames.
        case cutsAfter(Int)
    }

    /// The direction of the frames that it meets.
    public enum Way: String, Hashable, Sendable {
        case toRadio = "to the radio", toApp = "to the app"
    }

    let who: Member
    let kind: Kind
    let way: Way
    public var isOptional = false

    public var cast: [Member] { [who] }
    /// Any app's end of its link is ours.
    public var needs: Abilities { [] }

    public var sentence: String {
        let frames = "\(who.name)'s link \(way.rawValue)"
        switch kind {
        case .doubles(let share): return "\(frames) doubles \((share * 100).formatted) % of the frames"
        case .cutsInTwo(let share): return "\(frames) cuts \((share * 100).formatted) % of the frames in two"
        case .drops(let share): return "\(frames) drops \((share * 100).formatted) % of the frames"
        case .dropsNext(let count): return "\(frames) drops the next \(count.counted("frame"))"
        case .delays(let span): return "\(frames) takes up to \(span.text)"
        case .stalls(let span): return "\(frames) stalls for \(span.text)"
        case .cutsAfter(let count): return "\(frames) is gone after \(count) frames"
        }
    }

    public func start(on stage: Stage) async throws -> FaultReading {
        var faults = LinkFaults()
        switch kind {
        case .doubles(let share): faults.duplicate = Self.perTenThousand(share)
        case .cutsInTwo(let share): faults.fragment = Self.perTenThousand(share)
        case .drops(let share): faults.drop = Self.perTenThousand(share)
        case .dropsNext(let count): (faults.drop, faults.frames) = (10_000, count)
        case .delays(let span): faults.delay = span
        case .stalls(let span): faults.stall = .init(after: 0, lasts: span)
        case .cutsAfter(let count): faults.cutAfter = count
        }
        let counter = LinkFaultCounter()
        try await set(faults, counter, on: stage)
        let part = kind.part
        return FaultReading { _ in counter.count(of: part) }
    }

    public func end(on stage: Stage) async throws { try await set(.none, LinkFaultCounter(), on: stage) }

    private func set(_ faults: LinkFaults, _ counter: LinkFaultCounter, on stage: Stage) async throws {
        let link = try stage.player(who).faults
        switch way {
        case .toRadio: await link.setFaults(toRadio: faults, counter: counter)
        case .toApp: await link.setFaults(toApp: faults, counter: counter)
        }
    }

    private static func perTenThousand(_ share: Double) -> UInt32 { UInt32(nearest: share * 10_000, in: 0...10_000) }
}

extension LinkFault.Kind {
    /// The kind of fault by which the link counts it.
    fileprivate var part: LinkFaults.Part {
        switch self {
        case .doubles: .duplicate
        case .cutsInTwo: .fragment
        case .drops, .dropsNext: .drop
        case .delays: .delay
        case .stalls: .stall
        case .cutsAfter: .cutAfter
        }
    }
}

extension Person {
    /// The link between app and radio misbehaves.
    public func linkFault(_ kind: LinkFault.Kind, _ way: LinkFault.Way) -> LinkFault {
        LinkFault(who: member, kind: kind, way: way)
    }
}
