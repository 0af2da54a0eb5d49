import FoundationEssentials
import MeshCompanion
import MeshCore
import MeshSimulator
import MeshTime
import MeshWire
import PocketMeshServices

/// A small picture to a contact, chunk by chunk. Both apps must be stacks.
public struct SendsPicture: Action {
    let who: Member
    let whom: Member
    /// Bytes of the picture.
    let size: Int

    public var sentence: String { "\(who.name) sends \(whom.name) a picture of \(size) bytes" }
    public var cast: [Member] { [who, whom] }
    public var subjects: [Subject] { [.picture(from: who.name, to: whom.name)] }

    public func perform(on stage: Stage) async throws {
        guard let stack = try stage.app(of: who) as? StackApp else {
            throw ScenarioError("a bare session sends no pictures")
        }
        let contact = try await stack.contact(stage.key(of: whom))
        _ = try await stack.services().imageService.sendImage(Self.picture(size, stage), to: contact)
    }

    /// Returns bytes that begin and end as a JPEG does; between is noise, as in a picture that is packed well.
    static func picture(_ size: Int, _ stage: Stage) -> Data {
        var stream = stage.seed.stream("picture")
        let body = (0..<max(0, size - 5)).map { _ in stream.nextByte() & 0x7F }
        return Data([0xFF, 0xD8, 0xFF] + body + [0xFF, 0xD9])
    }
}

/// Expects an app to have a picture, whole.
public struct HasPicture: Expectation {
    let who: Member
    let whose: Member
    let size: Int

    public var sentence: String { "\(who.name) has the picture from \(whose.name)" }
    public var cast: [Member] { [who, whose] }
    public var subjects: [Subject] { [.picture(from: whose.name, to: who.name)] }

    public func look(at stage: Stage) async throws -> Observation {
        guard let stack = try stage.app(of: who) as? StackApp else {
            return .holdsNot("a bare session has no pictures")
        }
        let contact = try await stack.contact(stage.key(of: whose))
        let rows = try await stack.store.fetchMessages(
            deviceID: stack.device(), thread: .contact(contact.id), limit: .max)
        let pictures = rows.filter { $0.kind == .image && $0.direction == .incoming }
        guard let picture = pictures.first else { return .holdsNot("no picture is there") }
        let data = try await stack.store.fetchBlob(messageID: picture.id)?.data
        return Observation(
            pictures.count == 1 && data == SendsPicture.picture(size, stage),
            otherwise: "there are \(pictures.count), the first of \(data?.count ?? 0) bytes")
    }
}

/// Floods go through a region only, or everywhere again.
public struct ScopesFloods: Action {
    let who: Member
    /// Without its `#`; `nil` for everywhere.
    let region: String?

    public var sentence: String { "\(who.name)'s floods go \(region.map { "through \($0)" } ?? "everywhere")" }
    public var cast: [Member] { [who] }

    public func perform(on stage: Stage) async throws {
        try await stage.app(of: who).session().setFloodScope(region.map(ScopeKey.region) ?? .disabled)
    }
}

/// Expects a radio to have at most a number of contacts.
public struct ContactCount: Expectation {
    let who: Member
    let most: Int

    public var sentence: String { "\(who.name)'s radio has \(most) contacts at most" }
    public var cast: [Member] { [who] }

    public func look(at stage: Stage) async throws -> Observation {
        let count = try await stage.app(of: who).session().getContacts().contacts.count
        return Observation(count <= most, otherwise: "it has \(count)")
    }
}

/// Expects a radio's clock to be close to the true time.
public struct ClockIsRight: Expectation {
    let who: Member
    /// Seconds.
    let tolerance: Int64

    public var sentence: String { "the clock of \(who.name)'s radio is right" }
    public var cast: [Member] { [who] }

    public func look(at stage: Stage) async throws -> Observation {
        let clock = try await stage.app(of: who).session().getTime()
        let difference = Int64(clock) - Int64(stage.seconds)
        return Observation(abs(difference) <= tolerance, otherwise: "it is \(difference) s ahead")
    }
}

extension Person {
    /// Sends a small picture, `bytes` long; both apps must be stacks.
    public func sendsPicture(to whom: Person, bytes: Int = 600) -> SendsPicture {
        SendsPicture(who: member, whom: whom.member, size: bytes)
    }

    /// Has the picture of somebody who sent one of this length, whole.
    public func hasPicture(from whose: Person, bytes: Int = 600) -> HasPicture {
        HasPicture(who: member, whose: whose.member, size: bytes)
    }

    /// Floods are carried on by repeaters of that region only.
    public func scopesFloods(to region: String) -> ScopesFloods { ScopesFloods(who: member, region: region) }
    /// Lets floods go everywhere again.
    public func unscopesFloods() -> ScopesFloods { ScopesFloods(who: member, region: nil) }

    /// The radio has so many contacts or fewer.
    public func hasContacts(atMost most: Int) -> ContactCount { ContactCount(who: member, most: most) }
    /// The radio's clock is right to a number of seconds.
    public func hasRightClock(within seconds: Int64 = 5) -> ClockIsRight {
        ClockIsRight(who: member, tolerance: seconds)
    }
}
