public import MeshBoards
import MeshCompliance
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire

// What somebody does who means no good. What is sent is written by the suite's own hand, not by the firmware under
// test.

/// A stranger puts something on the air.
public struct Transmits: Action {
    enum Deed: Hashable, Sendable {
        /// The last packet that was heard, once more, so many times.
        case replay(Int)
        /// An advert in another node's name, with the transmitter's own key.
        case impersonation(Member)
        /// An advert with another node's key and a signature by a different one.
        case forgery(Member)
        /// Frames of random bytes, so many.
        case garbage(Int)
        /// Adverts of so many people who do not exist.
        case crowd(Int)
        /// A text in one person's name to another, sealed with a key that is not theirs.
        case fakeText(String, from: Member, to: Member)
    }

    let who: Member
    let deed: Deed

    public var cast: [Member] {
        switch deed {
        case .replay, .garbage, .crowd: [who]
        case .impersonation(let whom), .forgery(let whom): [who, whom]
        case .fakeText(_, let from, let to): [who, from, to]
        }
    }

    public let needs: Abilities = .air
    public var subjects: [Subject] {
        switch deed {
        case .fakeText(let text, _, _): [.text(text)]
        case .impersonation(let whom): [.name(whom.name)]
        case .replay, .forgery, .garbage, .crowd: []
        }
    }

    public var sentence: String {
        switch deed {
        case .replay(1): "\(who.name) repeats what was heard last"
        case .replay(let count): "\(who.name) repeats what was heard last, \(count) times"
        case .impersonation(let whom): "\(who.name) calls itself \(whom.name)"
        case .forgery(let whom): "\(who.name) forges an advert of \(whom.name)"
        case .garbage(let count): "\(who.name) sends \(count) frames of garbage"
        case .crowd(let count): "\(who.name) adverts \(count) people who do not exist"
        case .fakeText(let text, let from, let to): "\(who.name) sends “\(text)” to \(to.name) in \(from.name)'s name"
        }
    }

    public func perform(on stage: Stage) async throws {
        for frame in try await frames(stage) {
            try await stage.withWorld { world in world.inject(.appBytes(frame), into: try world.node(of: who)) }
            // The transmitter sends one after the other; the air is left free in between.
            try await stage.sleep(.seconds(2))
        }
    }

    private func frames(_ stage: Stage) async throws -> [[UInt8]] {
        let now = stage.seconds
        let own = Peer(who.name, seed: 0x66)
        switch deed {
        case .replay(let count):
            let heard = try await stage.withWorld { world in
                (world.guest(try world.node(of: who)) as? RogueCore)?.heard.last
            }
            guard let heard else { throw ScenarioError("\(who.name) has heard nothing") }
            return Array(repeating: heard, count: count)
        case .impersonation(let whom): return [own.advert(now, name: whom.name).bytes]
        case .forgery(let whom):
            let key = try await stage.key(of: whom).array
            var packet = own.advert(now &+ 10_000, name: "not " + whom.name)
            packet.payload.replaceSubrange(0..<32, with: key)
            return [packet.bytes]
        case .garbage(let count):
            var stream = stage.seed.stream("garbage", who.name)
            return (0..<count).map { _ in
                (0..<Int(stream.draw(1, 200))).map { _ in stream.nextByte() }
            }
        case .crowd(let count): return (0..<count).map { Peer(number: $0).advert(now).bytes }
        case .fakeText(let text, let from, let to):
            let key = try await stage.key(of: to).array
            var packet = own.text(text, at: now, to: key)
            packet.payload[1] = try await stage.key(of: from).array[0]
            return [packet.bytes]
        }
    }
}

extension RogueTransmitter {
    /// Repeats the last packet that was heard.
    public func replays(times count: Int = 1) -> Transmits { Transmits(who: member, deed: .replay(count)) }
    /// Sends adverts in another node's name, with a key of its own.
    public func callsItself(_ whom: some Node) -> Transmits {
        Transmits(who: member, deed: .impersonation(whom.member))
    }
    /// Sends adverts with another node's key and a signature that does not fit.
    public func forgesAdvert(of whom: some Node) -> Transmits { Transmits(who: member, deed: .forgery(whom.member)) }
    /// Sends frames of random bytes.
    public func sendsGarbage(frames count: Int) -> Transmits { Transmits(who: member, deed: .garbage(count)) }
    /// Adverts so many people who do not exist.
    public func advertsCrowd(of count: Int) -> Transmits { Transmits(who: member, deed: .crowd(count)) }
    /// Sends a text in a person's name, sealed with a key that is not theirs.
    public func fakes(_ text: String, from one: Person, to other: Person) -> Transmits {
        Transmits(who: member, deed: .fakeText(text, from: one.member, to: other.member))
    }
}
