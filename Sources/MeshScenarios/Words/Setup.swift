/// Two nodes that hear each other.
public struct RadioRange: Hashable, Sendable {
    /// One of the two.
    public var one: Member
    /// The other one.
    public var other: Member
    /// In decibels.
    public var snr: Double
    /// The share of frames that is lost on the way, 0…1.
    public var loss: Double
    /// Tells whether only `other` hears `one`.
    public var isOneWay = false
}

/// A contact that an app has when the scenario begins.
public struct KnownContact: Hashable, Sendable {
    /// The person who has the contact.
    public var who: Member
    /// The node that is the contact.
    public var whom: Member
    /// The repeaters on the way, in their order; `nil` when the way is not known, `[]` for next-door.
    public var path: [Member]?
}

extension Node {
    /// Both hear each other.
    public func hears(_ other: some Node, snr: Double = 10, loss: Double = 0) -> RadioRange {
        RadioRange(one: member, other: other.member, snr: snr, loss: loss)
    }

    /// The other hears us, and we do not hear it.
    public func isHeard(by other: some Node, snr: Double = 10, loss: Double = 0) -> RadioRange {
        RadioRange(one: member, other: other.member, snr: snr, loss: loss, isOneWay: true)
    }
}

/// Each node hears the next one, and no other.
public func chain(_ nodes: any Node..., loss: Double = 0) -> [RadioRange] { chain(nodes, loss: loss) }

/// Links among all of these nodes.
public func together(_ nodes: any Node..., loss: Double = 0) -> [RadioRange] { together(nodes, loss: loss) }

extension Person {
    /// Has the node among the contacts from the beginning; the way is found when it is needed.
    public func knows(_ whom: some Node) -> KnownContact {
        KnownContact(who: member, whom: whom.member, path: nil)
    }

    /// Has the node among the contacts, and the way to it.
    public func knows(_ whom: some Node, over path: Repeater...) -> KnownContact {
        KnownContact(who: member, whom: whom.member, path: path.map(\.member))
    }

    /// Hears the node itself, and knows it.
    public func knowsNextDoor(_ whom: some Node) -> KnownContact {
        KnownContact(who: member, whom: whom.member, path: [])
    }
}

/// All of them are contacts of each other from the beginning, without a way.
public func acquainted(_ people: Person...) -> [KnownContact] {
    people.flatMap { who in people.filter { $0 != who }.map { who.knows($0) } }
}
