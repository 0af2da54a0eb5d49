import MeshFirmware
import MeshSimulator
import MeshWire

// What holds of the stores of stacks, by what passed on the links to their radios.

/// What a radio handed to a stack, and what a sender's radio was confirmed, is in the stack's store.
public struct ArrivalsAreStored: Expectation {
    public let sentence = "what has arrived at a stack is stored"
    public let cast: [Member] = []

    public func look(at stage: Stage) async throws -> Observation {
        let books = try await stage.books()
        for book in books where book.who.hasStack {
            let stored = Set(book.messages.filter(\.isReceived).map { Said(thread: $0.thread, text: $0.text) })
            for said in try await stage.handed(to: book.who) where !stored.contains(said) {
                return .holdsNot("\(book.who.name) lacks “\(said.text)”, which the radio has handed out")
            }
            let own = ScenarioMessage.Thread.contact(try await stage.key(of: book.who).sixBytes)
            for sender in stage.people where sender != book.who {
                let thread = ScenarioMessage.Thread.contact(try await stage.key(of: sender).sixBytes)
                for said in try await stage.confirmed(to: sender)
                where said.thread == own && !stored.contains(Said(thread: thread, text: said.text)) {
                    return .holdsNot("\(book.who.name) lacks “\(said.text)”, which \(sender.name) was confirmed")
                }
            }
        }
        return .holds
    }
}

/// What a stack shows as received came from its radio, in that conversation.
public struct StoredHasArrived: Expectation {
    public let sentence = "what is stored as received has come from the radio"
    public let cast: [Member] = []

    public func look(at stage: Stage) async throws -> Observation {
        for book in try await stage.books() where book.who.hasStack {
            let handed = Set(try await stage.handed(to: book.who))
            for message in book.messages where message.isReceived {
                guard !handed.contains(Said(thread: message.thread, text: message.text)) else { continue }
                return .holdsNot("\(book.who.name) has “\(message.text)”, which the radio never handed out")
            }
        }
        return .holds
    }
}

/// What people with a stack have written in the script is in their apps, once each.
public struct WrittenIsStored: Expectation {
    public let sentence = "what was written is in its writer's app once"
    public let cast: [Member] = []

    public func look(at stage: Stage) async throws -> Observation {
        let actions = stage.actionsDone.map { ($0 as? any ActionAround)?.inner ?? $0 }
        for book in try await stage.books() where book.who.hasStack {
            var counts: [String: Int] = [:]
            for message in book.messages where !message.isReceived { counts[message.text, default: 0] += 1 }
            var written: [String: Int] = [:]
            for action in actions where action is Sends || action is Says || action is Posts {
                guard action.cast.first == book.who, case .text(let text)? = action.subjects.first else { continue }
                written[text, default: 0] += 1
            }
            for (text, count) in written.sorted(by: { $0.key < $1.key }) where counts[text] != count {
                return .holdsNot(
                    "\(book.who.name) wrote “\(text)” \(count) times, and it is stored \(counts[text] ?? 0) times")
            }
        }
        return .holds
    }
}

/// Every status of a stack's own texts is its last one, and true: delivered with a confirmation, failed without one.
public struct StatusesAreTrue: Expectation {
    public let sentence = "what is shown of texts that were sent is true"
    public let cast: [Member] = []

    public func look(at stage: Stage) async throws -> Observation {
        for book in try await stage.books() where book.who.hasStack {
            let confirmed = Set(try await stage.confirmed(to: book.who))
            for message in book.messages {
                guard let standing = message.standing else { continue }
                let isConfirmed = confirmed.contains(Said(thread: message.thread, text: message.text))
                let what = "\(book.who.name)'s “\(message.text)”"
                switch (standing, message.thread) {
                case (.sent, .channel): break
                case (.delivered, .contact), (.delivered, .room):
                    if !isConfirmed { return .holdsNot("\(what) is delivered, and no confirmation came") }
                case (.failed, .contact), (.failed, .room):
                    if isConfirmed { return .holdsNot("\(what) has failed, and its confirmation came") }
                default: return .holdsNot("\(what) ended as \(standing.rawValue)")
                }
            }
        }
        return .holds
    }
}

/// What was shown as delivered once is shown so ever after.
public struct DeliveredStays: Expectation {
    public let sentence = "what was delivered stays delivered"
    public let cast: [Member] = []

    public func look(at stage: Stage) async throws -> Observation {
        for book in try await stage.books() where book.who.hasStack {
            for message in book.messages {
                guard let standing = message.standing else { continue }
                let word = "delivered: \(book.who.name) \(message.text)"
                if standing == .delivered {
                    stage.memory.note(word)
                } else if stage.memory.has(word) {
                    return .holdsNot(
                        "\(book.who.name)'s “\(message.text)” was delivered and is \(standing.rawValue) now")
                }
            }
        }
        return .holds
    }
}

/// A text that reaches somebody with two timestamps is two texts there.
public struct TextsStayOne: Expectation {
    public let sentence = "no text reaches anybody as two"
    public let cast: [Member] = []

    public func look(at stage: Stage) async throws -> Observation {
        var sent: [String: Int] = [:]
        for book in try await stage.books() {
            for message in book.messages where !message.isReceived { sent[message.text, default: 0] += 1 }
        }
        for who in stage.people {
            var timestamps: [LinkLedger.Handed: Set<UInt32>] = [:]
            for handed in stage.ledger.page(of: who).handed {
                guard let limit = sent[handed.text] else { continue }
                var text = handed
                text.timestamp = 0
                timestamps[text, default: []].insert(handed.timestamp)
                guard timestamps[text, default: []].count > limit else { continue }
                return .holdsNot("“\(handed.text)” is \(limit + 1) texts at \(who.name)")
            }
        }
        return .holds
    }
}

/// The counts of unread messages that stacks show are those of their messages.
public struct UnreadIsTrue: Expectation {
    public let sentence = "apps count as many unread messages as they have"
    public let cast: [Member] = []

    public func look(at stage: Stage) async throws -> Observation {
        for who in stage.people where who.hasStack {
            if let wrong = try await (try stage.stackApp(of: who)).miscount() {
                return .holdsNot("\(who.name)'s app: \(wrong)")
            }
        }
        return .holds
    }
}

/// Apps are connected and have nothing left to send, radios nothing to hand out, and every message has its conversation.
public struct NothingIsLeft: Expectation {
    public let sentence = "nothing is left to be sent, fetched or found a place for"
    public let cast: [Member] = []
    public let needs = Abilities.air

    public func look(at stage: Stage) async throws -> Observation {
        for who in stage.people where who.hasStack {
            let app = try stage.stackApp(of: who)
            guard await app.isConnected() else { return .holdsNot("\(who.name)'s app is not connected") }
            if let rest = try await app.rest() { return .holdsNot("\(who.name)'s app: \(rest)") }
            let count = try await stage.withWorld { world in
                world.companion(try world.node(of: who))?.offlineQueue.count ?? 0
            }
            if count > 0 { return .holdsNot("\(count) messages were left with \(who.name)'s radio") }
        }
        return .holds
    }
}

/// Whoever sends something or enters a room with a stack sees no errors but these, by their codes.
public struct SeesOnlyErrors: Expectation {
    public let who: Member
    public let codes: [String]

    public var sentence: String { "\(who.name) sees no error but \(codes.joined(separator: ", "))" }
    public var cast: [Member] { [who] }

    public func look(at stage: Stage) async throws -> Observation {
        let others = Set(await (try stage.stackApp(of: who)).errors).subtracting(codes).sorted()
        return Observation(others.isEmpty, otherwise: "there was " + others.joined(separator: ", "))
    }
}

/// What holds of stacks, their stores and their radios when everybody is done, however bad links and air have been.
public enum StoreRules {
    /// Rules for a scenario that ends with a quiet while. Texts must be different from each other.
    public static let all: [Rule] = [
        always(DeliveredStays()), always(TextsStayOne()), eventually(ArrivalsAreStored()),
        eventually(StoredHasArrived()), eventually(WrittenIsStored()), eventually(StatusesAreTrue()),
        eventually(UnreadIsTrue()), eventually(NothingIsLeft()),
    ]
}

extension Person {
    /// Has seen no errors but these: the codes of what the services throw.
    public func seesOnlyErrors(_ codes: [String]) -> SeesOnlyErrors { SeesOnlyErrors(who: member, codes: codes) }
}
