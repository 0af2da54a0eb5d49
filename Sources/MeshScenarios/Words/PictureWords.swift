import FoundationEssentials
import MeshTime
import MeshWire
import PocketMeshServices

/// A picture to a contact, chunk by chunk. Both apps must be stacks.
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

    /// Returns bytes that begin and end as a JPEG does, with noise between them, as in a well-packed picture.
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

/// Expects the sender of a picture to know that it has arrived.
public struct PictureIsConfirmed: Expectation {
    let who: Member
    let whom: Member

    public var sentence: String { "\(who.name) knows that the picture is at \(whom.name)'s" }
    public var cast: [Member] { [who, whom] }
    public var subjects: [Subject] { [.picture(from: who.name, to: whom.name)] }

    public func look(at stage: Stage) async throws -> Observation {
        let statuses = try await pictures(of: who, with: whom, .outgoing, at: stage).rows.map(\.status)
        return Observation(
            statuses.last == .delivered,
            otherwise: "it is \(statuses.last.map(String.init(describing:)) ?? "not there")")
    }
}

/// Expects a picture to have come within a share of the pace that air and firmware allow.
///
/// Where links lose frames, chunks go again: each is lost anywhere on its way, and each time costs the whole way.
public struct PictureKeepsPace: Expectation {
    let who: Member
    let whose: Member
    /// In percent.
    let least: Int
    /// The share of the frames that each link loses; `nil` for the pace of an air that loses nothing.
    let loss: Double?

    private var pace: String { loss == nil ? "the pace of the air" : "the pace of such an air" }

    public var sentence: String {
        "\(whose.name)'s picture came to \(who.name) at \(least) % of \(pace) or more"
    }
    public var cast: [Member] { [who, whose] }
    public var subjects: [Subject] { [.picture(from: whose.name, to: who.name)] }

    public func look(at stage: Stage) async throws -> Observation {
        let (sender, sent) = try await pictures(of: whose, with: who, .outgoing, at: stage)
        let (_, received) = try await pictures(of: who, with: whose, .incoming, at: stage)
        guard let sent = sent.first, let received = received.first,
            let data = try await sender.store.fetchBlob(messageID: sent.id)?.data
        else { return .holdsNot("no picture is there") }
        let contact = try await sender.contact(stage.key(of: who))
        let plan = try await sender.services().imageService.plan(of: data, to: contact)
        let span = received.createdAt.timeIntervalSince(sent.createdAt)
        let sends = (0...plan.hops).reduce(1.0) { sends, _ in sends / (1 - min(max(0, loss ?? 0), 0.9)) }
        let share = Int(wholePart: 100 * sends * (plan.shortest / .seconds(1)) / max(1, span))
        let figure = "\(data.count) bytes over \(plan.hops) repeaters came at \(share) % of \(pace)"
        if stage.memory.note(figure) { stage.eventLog.add(.cameTrue(figure), who: who.name, at: stage.time) }
        return Observation(share >= least, otherwise: "it came at \(share) %, in \(Int(wholePart: span)) s")
    }
}

/// The pictures between two people in one direction, oldest first, with the app of the first person.
private func pictures(
    of who: Member, with whom: Member, _ direction: MessageDirection, at stage: Stage
) async throws -> (app: StackApp, rows: [MessageDTO]) {
    guard let stack = try stage.app(of: who) as? StackApp else { throw ScenarioError("a bare session has no pictures") }
    let contact = try await stack.contact(stage.key(of: whom))
    let rows = try await stack.store.fetchMessages(deviceID: stack.device(), thread: .contact(contact.id), limit: .max)
    return (stack, rows.filter { $0.kind == .image && $0.direction == direction })
}

extension Person {
    /// Sends a picture, `bytes` long; both apps must be stacks.
    public func sendsPicture(to whom: Person, bytes: Int = 600) -> SendsPicture {
        SendsPicture(who: member, whom: whom.member, size: bytes)
    }

    /// Has received a whole picture of this length from a person.
    public func hasPicture(from whose: Person, bytes: Int = 600) -> HasPicture {
        HasPicture(who: member, whose: whose.member, size: bytes)
    }

    /// Knows that the last picture for a person has arrived.
    public func knowsOfPicture(at whom: Person) -> PictureIsConfirmed {
        PictureIsConfirmed(who: member, whom: whom.member)
    }

    /// Has received a picture at this share of the pace of the air, in percent; links may lose `loss` of the frames.
    public func gotPicture(from whose: Person, atPace least: Int, withLoss loss: Double? = nil) -> PictureKeepsPace {
        PictureKeepsPace(who: member, whose: whose.member, least: least, loss: loss)
    }
}
