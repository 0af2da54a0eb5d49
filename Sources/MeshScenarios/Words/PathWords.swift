import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire
import PocketMeshServices

// Ways from one node to another.

/// With how many bytes for each repeater a radio remembers the way to a contact.
public struct KnowsHashes: Expectation {
    let who: Member
    let whom: Member
    let bytes: Int

    public var sentence: String {
        "\(who.name) knows the way to \(whom.name) by \(bytes.counted("byte")) of each repeater"
    }
    public var cast: [Member] { [who, whom] }

    public func look(at stage: Stage) async throws -> Observation {
        let contact = try await stage.app(of: who).session().getContact(publicKey: stage.key(of: whom))
        guard contact.outPathLength != .unknown else { return .holdsNot("no way is known") }
        let size = contact.outPathLength.hashSize
        return Observation(size == bytes, otherwise: "it is \(size)")
    }
}

/// Asks the mesh for the way to a contact.
public struct AsksForWay: Action {
    let who: Member
    let whom: Member

    public var sentence: String { "\(who.name) asks for the way to \(whom.name)" }
    public var cast: [Member] { [who, whom] }

    public func perform(on stage: Stage) async throws {
        _ = try await stage.app(of: who).session().sendPathDiscovery(to: stage.key(of: whom))
    }
}

/// Writes the way to a contact into the radio.
public struct SetsWay: Action {
    let who: Member
    let whom: Member
    let path: [Member]

    public var sentence: String {
        "\(who.name) sets the way to \(whom.name) to "
            + (path.isEmpty ? "next door" : path.map(\.name).joined(separator: ", "))
    }
    public var cast: [Member] { [who, whom] + path }

    public func perform(on stage: Stage) async throws {
        let session = try await stage.app(of: who).session()
        let contact = try await session.getContact(publicKey: stage.key(of: whom))
        var hashes: [UInt8] = []
        for hop in path { hashes.append(try await stage.key(of: hop)[0]) }
        try await session.changeContactPath(
            contact, length: PathLength(hashSize: 1, hops: hashes.count), path: hashes)
    }
}

/// Expects an app to show a way to a contact, which its radio need not know.
public struct ShowsWay: Expectation {
    let who: Member
    let whom: Member
    let hops: Int

    public var sentence: String { "\(who.name)'s app shows a way to \(whom.name) over \(hops) repeaters" }
    public var cast: [Member] { [who, whom] }

    public func look(at stage: Stage) async throws -> Observation {
        let contact = try await stage.stackApp(of: who).contact(stage.key(of: whom))
        guard case .path(_, let count) = contact.routing else { return .holdsNot("it shows no way") }
        return Observation(count == hops, otherwise: "it shows one over \(count)")
    }
}

extension Person {
    /// Knows a path to a contact with so many bytes for each repeater.
    public func knowsWay(to whom: some Node, hashBytes: Int) -> KnowsHashes {
        KnowsHashes(who: member, whom: whom.member, bytes: hashBytes)
    }
    /// Asks the mesh for the way there and back, without sending a text.
    public func asksForWay(to whom: some Node) -> AsksForWay { AsksForWay(who: member, whom: whom.member) }
    /// Writes the way to a contact into the radio; without repeaters: next door.
    public func setsWay(to whom: some Node, over path: Repeater...) -> SetsWay {
        SetsWay(who: member, whom: whom.member, path: path.map(\.member))
    }
    /// The app shows a way over so many repeaters.
    public func showsWay(to whom: some Node, hops: Int) -> ShowsWay {
        ShowsWay(who: member, whom: whom.member, hops: hops)
    }
}
