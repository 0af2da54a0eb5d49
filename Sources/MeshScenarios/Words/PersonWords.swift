import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire

// What people do.

/// A text to a contact.
public struct Sends: Action {
    let who: Member
    let text: String
    let whom: Member

    public var sentence: String { "\(who.name) sends “\(text)” to \(whom.name)" }
    public var cast: [Member] { [who, whom] }
    public var subjects: [Subject] { [.text(text)] }

    public func perform(on stage: Stage) async throws {
        try await stage.app(of: who).send(text, to: stage.key(of: whom))
    }
}

/// A text on a channel.
public struct Says: Action {
    let who: Member
    let text: String
    let channel: ChannelWord

    public var sentence: String { "\(who.name) says “\(text)” on \(channel.name)" }
    public var cast: [Member] { [who] }
    public var subjects: [Subject] { [.text(text), .place(channel.name)] }

    public func perform(on stage: Stage) async throws { try await stage.app(of: who).send(text, on: channel) }
}

/// Joins a channel.
public struct Joins: Action {
    let who: Member
    let channel: ChannelWord

    public var sentence: String { "\(who.name) joins \(channel.name)" }
    public var cast: [Member] { [who] }
    public var subjects: [Subject] { [.member(who.name, of: channel.name)] }

    public func perform(on stage: Stage) async throws { try await stage.app(of: who).join(channel) }
}

/// Sends an advert, by which others learn of the node.
public struct Adverts: Action {
    let who: Member
    let isFlood: Bool

    public var sentence: String { "\(who.name) adverts \(isFlood ? "to everybody" : "next door")" }
    public var cast: [Member] { [who] }
    public var subjects: [Subject] { [.introduction(who.name)] }

    public func perform(on stage: Stage) async throws {
        try await stage.app(of: who).session().sendAdvertisement(flood: isFlood)
    }
}

/// Forgets the way to a contact.
public struct ForgetsWay: Action {
    let who: Member
    let whom: Member

    public var sentence: String { "\(who.name) forgets the way to \(whom.name)" }
    public var cast: [Member] { [who, whom] }

    public func perform(on stage: Stage) async throws {
        try await stage.app(of: who).session().resetPath(stage.key(of: whom))
    }
}

/// Closes the app, or opens it again.
public struct TurnsApp: Action {
    let who: Member
    let isOn: Bool

    public var sentence: String { "\(who.name) \(isOn ? "opens" : "closes") the app" }
    public var cast: [Member] { [who] }

    public func perform(on stage: Stage) async throws {
        let app = try stage.app(of: who)
        if isOn { try await app.open() } else { await app.close() }
    }
}

// What people have.

/// Expects an app to show a text that came in.
public struct HasText: Expectation {
    let who: Member
    let text: String
    /// The number of times that it must be shown.
    let times: Int

    public var sentence: String { "\(who.name) has “\(text)”" + (times == 1 ? "" : " \(times) times") }
    public var cast: [Member] { [who] }
    public var subjects: [Subject] { [.text(text)] }

    public func look(at stage: Stage) async throws -> Observation {
        let messages = try await stage.app(of: who).messages()
        let count = messages.count { $0.isReceived && $0.text == text }
        if times > 1 { stage.memory.note(memo(count)) }
        return Observation(
            count == times,
            otherwise: count > 0
                ? "\(who.name) has it \(count) times"
                : "\(who.name) has " + ScenarioMessage.list(messages.filter(\.isReceived).map(\.text)))
    }

    /// A text that never came once cannot come twice.
    public func missingOccasion(on stage: Stage) -> String? {
        guard times > 1 else { return stage.missingAction(about: subjects) }
        let isClose = stage.memory.has(memo(times - 1))
        return isClose ? nil : "\(who.name) never had it \(times == 2 ? "once" : "\(times - 1) times")"
    }

    private func memo(_ count: Int) -> String { "\(who.name) has \(count) times: \(text)" }
}

/// Expects an app to show a sent text with a status.
public struct SeesText: Expectation {
    let who: Member
    let text: String
    let standing: ScenarioMessage.DeliveryStatus

    public var sentence: String { "\(who.name) sees “\(text)” as \(standing.rawValue)" }
    public var cast: [Member] { [who] }
    public var subjects: [Subject] { [.text(text)] }

    public func look(at stage: Stage) async throws -> Observation {
        let found = try await stage.app(of: who).messages().last { !$0.isReceived && $0.text == text }
        return Observation(
            found?.standing == standing,
            otherwise: found.map { "it is shown as \($0.standing?.rawValue ?? "received")" } ?? "it is not there")
    }
}

/// Expects a radio to have a node among its contacts.
public struct HasMet: Expectation {
    let who: Member
    let whom: Member

    public var sentence: String { "\(who.name) has \(whom.name) among the contacts" }
    public var cast: [Member] { [who, whom] }
    public var subjects: [Subject] { [.introduction(whom.name)] }

    public func look(at stage: Stage) async throws -> Observation {
        let key = try await stage.key(of: whom)
        let contacts = try await stage.app(of: who).session().getContacts().contacts
        return Observation(
            contacts.contains { $0.publicKey == key },
            otherwise: "the contacts are: " + contacts.map { $0.name.text.readable }.joined(separator: ", "))
    }

    /// A contact from the beginning needs no introduction.
    public func missingOccasion(on stage: Stage) -> String? {
        let isKnown = stage.scenario.knownContacts.contains { $0.who == who && $0.whom == whom }
        return isKnown ? nil : stage.missingAction(about: subjects)
    }
}

/// Expects a radio to know a way to a contact, over a number of repeaters.
public struct KnowsWay: Expectation {
    let who: Member
    let whom: Member
    /// `nil` for any number.
    let hops: Int?

    public var sentence: String {
        "\(who.name) knows a way to \(whom.name)" + (hops.map { " over \($0) repeaters" } ?? "")
    }
    public var cast: [Member] { [who, whom] }

    public func look(at stage: Stage) async throws -> Observation {
        let contact = try await stage.app(of: who).session().getContact(publicKey: stage.key(of: whom))
        guard contact.outPathLength != .unknown else { return .holdsNot("no way is known") }
        let count = contact.outPathLength.hopCount
        return Observation(hops == nil || hops == count, otherwise: "the way has \(count) repeaters")
    }
}

/// Expects an app to be connected to its radio.
public struct IsConnected: Expectation {
    let who: Member

    public var sentence: String { "\(who.name)'s app is connected" }
    public var cast: [Member] { [who] }

    public func look(at stage: Stage) async throws -> Observation {
        Observation(await (try stage.app(of: who)).isConnected(), otherwise: "it is not")
    }
}

extension Person {
    /// Sends a text to a contact; the script goes on when the app has accepted it.
    public func sends(_ text: String, to whom: Person) -> Sends { Sends(who: member, text: text, whom: whom.member) }
    /// Sends a text on a channel.
    public func says(_ text: String, on channel: ChannelWord = .everybody) -> Says {
        Says(who: member, text: text, channel: channel)
    }
    /// Has the channel from now on.
    public func joins(_ channel: ChannelWord) -> Joins { Joins(who: member, channel: channel) }
    /// Sends an advert that repeaters carry on.
    public func advertsToEverybody() -> Adverts { Adverts(who: member, isFlood: true) }
    /// Sends an advert for those in range.
    public func advertsNextDoor() -> Adverts { Adverts(who: member, isFlood: false) }
    /// Forgets the path to a contact, so that the next text is flooded.
    public func forgetsWay(to whom: some Node) -> ForgetsWay { ForgetsWay(who: member, whom: whom.member) }
    /// Closes the app; the radio stays on.
    public func closesApp() -> TurnsApp { TurnsApp(who: member, isOn: false) }
    /// Opens the app again.
    public func opensApp() -> TurnsApp { TurnsApp(who: member, isOn: true) }

    /// Has received the text, once.
    public func has(_ text: String, times: Int = 1) -> HasText { HasText(who: member, text: text, times: times) }
    /// Sees the text that was sent in that standing.
    public func sees(_ text: String, as standing: ScenarioMessage.DeliveryStatus) -> SeesText {
        SeesText(who: member, text: text, standing: standing)
    }
    /// The radio has the node among its contacts.
    public func hasMet(_ whom: some Node) -> HasMet { HasMet(who: member, whom: whom.member) }
    /// The radio knows a path to a contact, over so many repeaters when that is said.
    public func knowsWay(to whom: some Node, hops: Int? = nil) -> KnowsWay {
        KnowsWay(who: member, whom: whom.member, hops: hops)
    }
    /// The app can talk to its radio.
    public var isConnected: IsConnected { IsConnected(who: member) }
}
