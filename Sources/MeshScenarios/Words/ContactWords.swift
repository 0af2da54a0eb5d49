import FoundationEssentials
import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire
import PocketMeshServices

// How people meet.

/// The nodes that a radio makes contacts without asking.
public enum Adding: Hashable, Sendable {
    /// All nodes whose advert is heard, which is the default of a radio.
    case everybody
    /// No node: the app asks first.
    case nobody
    /// Those whose advert came over fewer repeaters than this.
    case fewerHops(than: UInt8)
    /// All nodes; when there is no room, the oldest that is no favourite gives way.
    case overwritingOldest

    var text: String {
        switch self {
        case .everybody: "everybody who is heard"
        case .nobody: "nobody unasked"
        case .fewerHops(let limit): "those who are heard over fewer than \(limit) repeaters"
        case .overwritingOldest: "everybody who is heard, in place of the oldest"
        }
    }
}

/// Says whom the radio makes a contact by itself.
public struct Adds: Action {
    let who: Member
    let adding: Adding

    public var sentence: String { "\(who.name)'s radio adds \(adding.text)" }
    public var cast: [Member] { [who] }

    public func perform(on stage: Stage) async throws {
        let session = try await stage.app(of: who).session()
        try await session.setManualAdd(adding == .nobody)
        // Nobody goes that far.
        var limit: UInt8 = 0
        if case .fewerHops(let hops) = adding { limit = hops }
        try await session.setAutoAddConfig(adding == .overwritingOldest ? 1 : 0, maxHops: limit)
    }
}

/// Adds a node that was heard and not added before.
public struct Accepts: Action {
    let who: Member
    let whom: Member

    public var sentence: String { "\(who.name) accepts \(whom.name)" }
    public var cast: [Member] { [who, whom] }
    public var subjects: [Subject] { [.introduction(whom.name)] }

    public func perform(on stage: Stage) async throws {
        let app = try stage.stackApp(of: who)
        let contact = try await app.discovered(stage.key(of: whom))
        _ = try await app.services().contactService.confirmContact(id: contact.id)
    }
}

/// Forgets a contact.
public struct Removes: Action {
    let who: Member
    let whom: Member

    public var sentence: String { "\(who.name) removes \(whom.name) from the contacts" }
    public var cast: [Member] { [who, whom] }

    public func perform(on stage: Stage) async throws {
        try await stage.app(of: who).session().removeContact(stage.key(of: whom))
    }
}

/// Gives another person a card, by any way that people have beside the mesh.
public struct HandsCard: Action {
    let who: Member
    /// The node on the card; `nil` for the person's own.
    let card: Member?
    let whom: Member

    public var sentence: String {
        "\(who.name) hands \(whom.name) " + (card.map { "the card of \($0.name)" } ?? "a card")
    }
    public var cast: [Member] { [who, whom] + (card.map { [$0] } ?? []) }
    public var subjects: [Subject] { [.introduction((card ?? who).name)] }

    public func perform(on stage: Stage) async throws {
        var key: FixedBytes<32>?
        if let card { key = try await stage.key(of: card) }
        let made = try await stage.app(of: who).session().exportContact(key)
        try await stage.app(of: whom).session().importContact(made)
    }
}

/// Sends the advert of a contact to those in range.
public struct Shares: Action {
    let who: Member
    let whom: Member

    public var sentence: String { "\(who.name) shares \(whom.name) with those in range" }
    public var cast: [Member] { [who, whom] }
    public var subjects: [Subject] { [.introduction(whom.name)] }

    public func perform(on stage: Stage) async throws {
        try await stage.app(of: who).session().shareContact(stage.key(of: whom))
    }
}

/// Sets another name, which others learn from the next advert.
public struct TakesName: Action {
    let who: Member
    let name: String

    public var sentence: String { "\(who.name) takes the name \(name)" }
    public var cast: [Member] { [who] }
    public var subjects: [Subject] { [.name(name)] }

    public func perform(on stage: Stage) async throws { try await stage.app(of: who).session().setName(name) }
}

/// Expects an app to list a node among those that were heard and not added.
public struct HasDiscovered: Expectation {
    let who: Member
    let whom: Member

    public var sentence: String { "\(who.name)'s app offers \(whom.name) as a new contact" }
    public var cast: [Member] { [who, whom] }
    public var subjects: [Subject] { [.introduction(whom.name)] }

    public func look(at stage: Stage) async throws -> Observation {
        let app = try stage.stackApp(of: who)
        let names = try await app.discoveries().map(\.name)
        let key = try await stage.key(of: whom)
        let isThere = try await app.discoveries().contains { $0.publicKey == Data(key.array) }
        return Observation(isThere, otherwise: "it offers: " + names.joined(separator: ", "))
    }
}

/// Under which name a person's contacts have a node; those of the app where there is one, else of the radio.
public struct Lists: Expectation {
    let who: Member
    let whom: Member
    let name: String

    public var sentence: String { "\(who.name) knows \(whom.name) by the name \(name)" }
    public var cast: [Member] { [who, whom] }
    public var subjects: [Subject] { [.introduction(whom.name), .name(name)] }

    public func look(at stage: Stage) async throws -> Observation {
        let key = try await stage.key(of: whom)
        let found =
            if let app = try? stage.stackApp(of: who) {
                try await app.contact(key).name
            } else {
                try await stage.app(of: who).session().getContact(publicKey: key).name.text.readable
            }
        return Observation(found == name, otherwise: "the name is \(found)")
    }
}

extension Person {
    /// Sets which nodes the radio makes contacts by itself.
    public func adds(_ adding: Adding) -> Adds { Adds(who: member, adding: adding) }
    /// Adds a contact that the app offers.
    public func accepts(_ whom: some Node) -> Accepts { Accepts(who: member, whom: whom.member) }
    /// Forgets a contact.
    public func removes(_ whom: some Node) -> Removes { Removes(who: member, whom: whom.member) }
    /// Gives another person the own card, by any way that people have beside the mesh.
    public func handsCard(to whom: Person) -> HandsCard { HandsCard(who: member, card: nil, whom: whom.member) }
    /// Gives another person the card of a third.
    public func handsCard(of card: some Node, to whom: Person) -> HandsCard {
        HandsCard(who: member, card: card.member, whom: whom.member)
    }
    /// Sends a contact's advert once more, for those in range.
    public func shares(_ whom: some Node) -> Shares { Shares(who: member, whom: whom.member) }
    /// Changes the name that the radio gives itself.
    public func takesName(_ name: String) -> TakesName { TakesName(who: member, name: name) }

    /// The app offers the node as a new contact.
    public func hasDiscovered(_ whom: some Node) -> HasDiscovered { HasDiscovered(who: member, whom: whom.member) }
    /// Has the contact under that name.
    public func lists(_ whom: some Node, as name: String) -> Lists {
        Lists(who: member, whom: whom.member, name: name)
    }
}
