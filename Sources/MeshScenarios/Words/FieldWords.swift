public import MeshBoards
import MeshCompanion
import MeshCore
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire
import PocketMeshServices

// What stories of the field need beside the rest.

/// A command line that is entered at a station's own console.
public struct IsTold: Action {
    let station: Member
    let line: String

    public var sentence: String { "the keeper of \(station.name) enters “\(line)”" }
    public var cast: [Member] { [station] }
    public var needs: Abilities { .board }

    public func perform(on stage: Stage) async throws {
        let bytes = [UInt8]((line + "\r").utf8)
        try await stage.withWorld { world in world.inject(.appBytes(bytes), into: try world.node(of: station)) }
        try await stage.sleep(.milliseconds(50))
    }
}

/// Expects several nodes to have sent a number of frames together.
public struct HaveTransmitted: Expectation {
    let nodes: [Member]
    let amount: Amount

    public var sentence: String { "\(nodes.count) nodes have sent \(amount.text("frame")) together" }
    public var cast: [Member] { nodes }
    public let needs = Abilities.air

    public func look(at stage: Stage) async throws -> Observation {
        let count = try await stage.withWorld { world in
            try nodes.reduce(0) { $0 + world.framesSent(by: try world.node(of: $1)) }
        }
        return Observation(amount.fits(count), otherwise: "they have sent \(count.counted("frame"))")
    }
}

/// Expects an app to show only texts that a person has written.
public struct ShowsOnly: Expectation {
    let who: Member
    let texts: [String]

    public var sentence: String { "\(who.name)'s app shows only what was written" }
    public var cast: [Member] { [who] }
    public var subjects: [Subject] { texts.map(Subject.text) }

    public func look(at stage: Stage) async throws -> Observation {
        let stray = try await stage.app(of: who).messages().first { $0.isReceived && !texts.contains($0.text) }
        return Observation(stray == nil, otherwise: "it shows “\(stray?.text ?? "")”")
    }
}

/// Expects an app to list a number of contacts.
public struct ListsContacts: Expectation {
    let who: Member
    let amount: Amount

    public var sentence: String { "\(who.name)'s app lists \(amount.text("contact"))" }
    public var cast: [Member] { [who] }

    public func look(at stage: Stage) async throws -> Observation {
        let app = try stage.stackApp(of: who)
        let count = try await app.store.fetchContacts(deviceID: app.device()).count { $0.onRadio }
        return Observation(amount.fits(count), otherwise: "it lists \(count)")
    }
}

/// Marks a contact so that it does not give way to a new one.
public struct Favours: Action {
    let who: Member
    let whom: Member

    public var sentence: String { "\(who.name) makes \(whom.name) a favourite" }
    public var cast: [Member] { [who, whom] }

    public func perform(on stage: Stage) async throws {
        let session = try await stage.app(of: who).session()
        var contact = try await session.getContact(publicKey: stage.key(of: whom))
        contact.flags |= 1
        try await session.updateContact(contact)
    }
}

/// Another app connects to the radio for a moment, and leaves it to the first one.
public struct LendsRadio: Action {
    let who: Member
    let isReading: Bool

    public var sentence: String {
        "another app takes \(who.name)'s radio" + (isReading ? " and fetches its messages" : " and leaves its messages")
    }
    public var cast: [Member] { [who] }
    public var needs: Abilities { .board }

    public func perform(on stage: Stage) async throws {
        let link = try await stage.mesh.transport(to: who)
        try await MeshCoreSession.visit(link, clock: stage.clock) { session in
            try await session.queryDeviceIfTold()
            if isReading { while try await session.getMessage() != .noMoreMessages {} }
        }
    }
}

/// Sends the last line on a channel again.
public struct RepeatsLine: Action {
    let who: Member

    public var sentence: String { "\(who.name) sends the last line again" }
    public var cast: [Member] { [who] }

    public func perform(on stage: Stage) async throws {
        guard let app = try stage.app(of: who) as? SessionApp else {
            throw ScenarioError("\(who.name)'s app does not send lines again")
        }
        try await app.repeatLine()
    }
}

extension Person {
    /// Keeps the contact when others have to give way to new ones.
    public func favours(_ whom: some Node) -> Favours { Favours(who: member, whom: whom.member) }
    /// The app lists so many contacts as being on the radio.
    public func listsContacts(_ amount: Amount) -> ListsContacts { ListsContacts(who: member, amount: amount) }
    /// Expects the app to show only texts that a person wrote.
    public func showsOnly(_ texts: [String]) -> ShowsOnly { ShowsOnly(who: member, texts: texts) }
    /// Lets another app use the radio for a moment, which fetches what waits in it or leaves it there.
    public func lendsRadio(reading: Bool) -> LendsRadio { LendsRadio(who: member, isReading: reading) }
    /// Sends the last line on a channel once more; the app must be a bare session.
    public func repeatsLine() -> RepeatsLine { RepeatsLine(who: member) }
}

extension Asks {
    /// The same, asked a single time: what is not answered is not asked again.
    public var askedOnce: Asks {
        var copy = self
        copy.attempts = 1
        return copy
    }
}

extension Repeater {
    /// A line at the repeater's own console.
    public func isTold(_ line: String) -> IsTold { IsTold(station: member, line: line) }
}

extension Array where Element == Repeater {
    /// All of them together have sent so many frames.
    public func haveTransmitted(_ amount: Amount) -> HaveTransmitted {
        HaveTransmitted(nodes: map(\.member), amount: amount)
    }

    /// All of them are without power, and start again at the same moment.
    public func haveNoPower(for span: Duration) -> [Step] { map { .fault($0.hasNoPower(for: span), lasting: nil) } }
}

extension Node {
    /// Spoils the frames that it sends, in such a way that those who hear them do not notice.
    public func spoilsFrames(_ share: Double, for span: Duration? = nil) -> WorldFault {
        let member = member
        return WorldFault(
            "\((share * 100).formatted) % of the frames of \(member.name) are spoiled", [member], for: span
        ) {
            .corruption(
                perTenThousand: Int(nearest: share * 10_000, in: 0...10_000), from: try $0.node(of: member),
                passesChecksum: true)
        }
    }

    /// Its chip reports a preamble that is not there, until its driver clears the flag.
    public func seesStuckPreamble(for span: Duration? = nil) -> WorldFault {
        let member = member
        return WorldFault("\(member.name) takes the air for busy", [member], for: span) {
            .stuckPreamble(try $0.node(of: member))
        }
    }

    /// Its receiver sleeps and listens by turns to save its battery.
    public func naps(listening: Duration, sleeping: Duration, for span: Duration? = nil) -> WorldFault {
        let member = member
        return WorldFault(
            "the receiver of \(member.name) listens for \(listening.text) and sleeps for \(sleeping.text)", [member],
            for: span
        ) {
            .dutyCycle(
                try $0.node(of: member), listens: TimeSpan(listening), sleeps: TimeSpan(sleeping))
        }
    }
}
