package import MeshBluetoothHost
public import MeshCompanion

/// The faults of one link that are armed in advance, each with the occasion at which it happens.
///
/// The plan is the same for every link: TCP, serial lines, modelled and real Bluetooth, and links in one process. When
/// the occasions of two faults come with one frame, the earlier one of the list decides on it.
///
/// ```swift
/// let plan = LinkFaultPlan([
///     PlannedLinkFault(.cut(bytes: 3), at: .frame(.contact, number: 3)),
///     PlannedLinkFault(.error(.tableFull), at: .answer(to: .setChannel)),
/// ])
/// ```
public struct LinkFaultPlan: Hashable, Sendable {
    /// The most faults of one plan.
    public static let most = 1000

    /// The faults, in the order in which they decide on a frame.
    public var faults: [PlannedLinkFault]

    /// The faults below the frames of a link over Bluetooth, in their order.
    package var bluetooth: [BluetoothFault] {
        faults.compactMap { if case .bluetooth(let fault) = $0.kind { fault } else { nil } }
    }

    /// The plan without those.
    package var ofFrames: LinkFaultPlan { LinkFaultPlan(faults.filter { !$0.kind.isOfBluetooth }) }

    /// A plan of these faults; it is checked when it is armed, or by `check(on:)`.
    public init(_ faults: [PlannedLinkFault] = []) {
        self.faults = faults
    }
}

/// A fault of a link with its direction and the occasion at which it happens.
public struct PlannedLinkFault: Hashable, Sendable {
    /// The most occasions of one fault: in effect, each of them.
    public static let mostTimes = 1_000_000

    /// The effect, with its parameters.
    public var kind: LinkFaultKind
    /// The direction whose frames are counted and changed.
    public var way: FrameDirection
    /// The occasion at which it happens.
    public var occasion: LinkOccasion
    /// The number of occasions that it takes, one after the other, from 1 to `mostTimes`.
    public var times: Int
    /// True when a run in which it does nothing is valid all the same.
    public var mayNotFire: Bool

    /// A fault at an occasion.
    ///
    /// - Parameters:
    ///   - way: the direction; without one it is that of the occasion's frame, else to the app.
    ///   - times: the number of occasions; without one it is the usual number of the kind.
    public init(
        _ kind: LinkFaultKind, way: FrameDirection? = nil, at occasion: LinkOccasion = .nextFrame, times: Int? = nil,
        mayNotFire: Bool = false
    ) {
        self.kind = kind
        self.way = way ?? occasion.way ?? kind.onlyWay ?? .toApp
        self.occasion = occasion
        self.times = times ?? kind.usualTimes
        self.mayNotFire = mayNotFire
    }
}

extension PlannedLinkFault: CustomStringConvertible {
    /// The fault in words, as `cut-bytes 3 at RESP_CODE_CONTACT number 3, to the app`.
    public var description: String {
        if case .bluetooth = kind { return "\(kind)" }
        let often = times == kind.usualTimes ? "" : times == Self.mostTimes ? ", each time" : ", \(times) times"
        return "\(kind) \(occasion)\(often), to the \(way == .toApp ? "app" : "radio")"
    }
}
