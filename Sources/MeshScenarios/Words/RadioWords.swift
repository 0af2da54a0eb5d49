public import MeshBoards
import MeshCore
import MeshFirmware
import MeshSimulator
import MeshWire

// What radios are set to, and what waits in them.

/// Expects a number of messages to wait in a radio for its app.
public struct RadioHolds: Expectation {
    let who: Member
    let amount: Amount

    public var sentence: String { "\(who.name)'s radio holds \(amount.text("message")) for the app" }
    public var cast: [Member] { [who] }
    public let needs = Abilities.board

    public func look(at stage: Stage) async throws -> Observation {
        let count = try await stage.withWorld { world in
            world.companion(try world.node(of: who))?.offlineQueue.count ?? 0
        }
        return Observation(amount.fits(count), otherwise: "it holds \(count.counted("message"))")
    }
}

/// Has the radio confirm each text twice.
public struct ConfirmsTwice: Action {
    let who: Member

    public var sentence: String { "\(who.name)'s radio confirms every text twice" }
    public var cast: [Member] { [who] }

    public func perform(on stage: Stage) async throws {
        try await stage.app(of: who).session().setMultiAcks(1)
    }
}

/// Has repeaters on the way of a radio's floods leave so many bytes of their keys.
public struct UsesHashes: Action {
    let who: Member
    let bytes: Int

    public var sentence: String { "\(who.name)'s radio asks repeaters for \(bytes) bytes of their keys" }
    public var cast: [Member] { [who] }

    public func perform(on stage: Stage) async throws {
        try await stage.app(of: who).session().setPathHashMode(UInt8(bytes - 1))
    }
}

/// Lets contacts ask the radio how it is, which is also what answers a question for the way.
public struct AnswersContacts: Action {
    let who: Member

    public var sentence: String { "\(who.name)'s radio answers the questions of contacts" }
    public var cast: [Member] { [who] }

    public func perform(on stage: Stage) async throws {
        try await stage.app(of: who).session().setTelemetryModes(base: 2)
    }
}

extension Person {
    /// Expects a number of messages to wait in the radio.
    public func radioHolds(_ amount: Amount) -> RadioHolds { RadioHolds(who: member, amount: amount) }
    /// Sends every confirmation two times, against losses.
    public func confirmsTwice() -> ConfirmsTwice { ConfirmsTwice(who: member) }
    /// One, two or three bytes stand for a repeater in the paths of this radio's floods.
    public func usesHashes(ofBytes bytes: Int) -> UsesHashes { UsesHashes(who: member, bytes: bytes) }
    /// Lets contacts ask for its battery, and for the way.
    public func answersContacts() -> AnswersContacts { AnswersContacts(who: member) }
}
