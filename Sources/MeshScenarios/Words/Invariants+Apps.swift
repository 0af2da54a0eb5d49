public import MeshBoards
import MeshCompanion
import MeshCore
import MeshFirmware
import MeshSimulator
import MeshWire
import PocketMeshServices

/// No app tries a text more often than it is set up to.
public struct AttemptsEnd: Expectation {
    public let sentence = "no app tries a text more often than it may"
    public let cast: [Member] = []

    public func look(at stage: Stage) async throws -> Observation {
        for book in try await stage.books() {
            guard case .stack(let choices) = book.who.role else { continue }
            let limit = choices.preset.profile.messages.retry.maxAttempts
            for message in book.messages where message.attempts > limit {
                return .holdsNot(
                    "\(book.who.name) has tried “\(message.text)” \(message.attempts) times, and \(limit) is the most")
            }
        }
        return .holds
    }
}

/// A direct text that the radio accepted is delivered, tried again or given up before long, while its app is connected.
public struct StatusesEnd: Expectation {
    public let sentence = "no text stays without a verdict"
    public let cast: [Member] = []

    /// Longer than all attempts of any preset last, each with the longest wait that a radio asks for.
    static let limit = Duration.seconds(300)

    public func look(at stage: Stage) async throws -> Observation {
        for book in try await stage.books() where book.who.hasStack {
            let isConnected = await (try stage.app(of: book.who)).isConnected()
            for message in book.messages {
                guard case .contact = message.thread, let standing = message.standing else { continue }
                let isOpen = isConnected && (standing == .sent || standing == .retrying)
                let span = stage.memory.span(
                    of: "open: \(book.who.name) \(message.text)", isSo: isOpen, at: stage.time)
                guard let span, span > Self.limit else { continue }
                return .holdsNot(
                    "\(book.who.name) has seen “\(message.text)” as \(standing.rawValue) for \(span.text)")
            }
        }
        return .holds
    }
}

/// A connected app believes those contacts to be on its radio that are there.
///
/// A radio writes contacts some seconds after they have changed, and has forgotten them when its power goes before.
/// That is no excuse: the app finds out when it connects again, as the count of the radio's contacts is not its own.
public struct ContactsAgree: Expectation {
    public let sentence = "apps have the contacts that their radios have"
    public let cast: [Member] = []
    public let needs = Abilities.air

    /// The time in which a change has to be synchronised.
    static let grace = Duration.seconds(60)

    public func look(at stage: Stage) async throws -> Observation {
        for who in stage.people where who.hasStack {
            guard let app = try stage.app(of: who) as? StackApp else { continue }
            let isConnected = await app.isConnected()
            let shown = isConnected ? try await app.contactKeys() : []
            let held = try await stage.withWorld { world in
                world.companion(try world.node(of: who)).map { Set($0.contacts.listed.map(\.publicKey)) }
            }
            let differs = isConnected && held != nil && held != shown
            let span = stage.memory.span(of: "contacts of \(who.name)", isSo: differs, at: stage.time)
            guard let span, span > Self.grace else { continue }
            return .holdsNot(
                "\(who.name)'s app takes \(shown.count) contacts to be on the radio, and it has \(held?.count ?? 0)")
        }
        return .holds
    }
}

/// No radio keeps more than it has room for.
public struct QueueIsBounded: Expectation {
    public let sentence = "no radio's queue is longer than it may be"
    public let cast: [Member] = []
    public let needs = Abilities.air

    public func look(at stage: Stage) async throws -> Observation {
        let people = stage.people
        let found = try await stage.withWorld { world -> String? in
            for who in people {
                guard let radio = world.companion(try world.node(of: who)) else { continue }
                let queue = radio.offlineQueue
                if queue.count > queue.capacity { return "\(who.name)'s radio keeps \(queue.count) messages" }
            }
            return nil
        }
        return found.map(Observation.holdsNot) ?? .holds
    }
}
