/// The weight of a difference, the heaviest first: the order of reports.
package enum FindingWeight: String, Hashable, Sendable, CaseIterable, Comparable, Encodable {
    /// A value that a node had is gone or another one after an update, or after going back.
    case lostState = "lost state"
    /// A node or an app is answered in another way.
    case brokenProtocol = "changed protocol"
    /// Packets go other ways, or not at all.
    case routing
    /// Packets come at other times.
    case timing
    /// The mesh spends more time on the air.
    case airtime
    /// Something that the protocol leaves open is done in another way; it does not count against the release.
    case permitted
    /// Something is better or new; it does not count against the release.
    case gain

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (one: FindingWeight, other: FindingWeight) -> Bool { one.rank < other.rank }

    /// Tells whether it counts against a release.
    package var matters: Bool { self != .gain && self != .permitted }

    /// The heading in reports.
    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

/// One difference between two releases.
package struct ReleaseFinding: Hashable, Sendable, Encodable {
    package let weight: FindingWeight
    /// `CMP-040`, `state/repeater/regions/update`, `mesh/delivery`.
    package let id: String
    /// The difference in a sentence without its end.
    package let title: String
    /// The values before and after, a line each.
    package var details: [String]
}
