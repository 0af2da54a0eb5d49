public import MeshBoards
import MeshFirmware
import MeshSimulator
import MeshWire

/// A rule for the stacks of all people: for the store, the texts and the radio of each.
public struct StackRule: Expectation {
    public let sentence: String
    public let cast: [Member] = []
    public let needs: Abilities
    let wrong: @Sendable (Stage, Member, [ScenarioMessage]) async throws -> String?

    /// - Parameter wrong: what is not as the sentence has it with somebody's stack, by what the app shows.
    init(
        _ sentence: String, needs: Abilities = [],
        wrong: @escaping @Sendable (Stage, Member, [ScenarioMessage]) async throws -> String?
    ) {
        self.sentence = sentence
        self.needs = needs
        self.wrong = wrong
    }

    public func look(at stage: Stage) async throws -> Observation {
        for book in try await stage.books() where book.who.hasStack {
            if let wrong = try await wrong(stage, book.who, book.messages) { return .holdsNot(wrong) }
        }
        return .holds
    }
}

/// Rules for stacks, stores and radios when all traffic is done, however bad links and air have been.
public enum StoreRules {
    /// Rules for a scenario that ends with a quiet while. Texts must be different from each other.
    public static let all: [Rule] = [
        always(deliveredStays), always(TextsStayOne()), eventually(arrivalsAreStored), eventually(storedHasArrived),
        eventually(writtenIsStored), eventually(statusesAreTrue), eventually(unreadIsTrue), eventually(nothingIsLeft),
    ]

    /// Expects each text that a radio delivered, or that a sender's app saw confirmed, to be stored.
    public static let arrivalsAreStored = StackRule("what has arrived at a stack is stored") { stage, who, messages in
        let stored = Set(messages.filter(\.isReceived).map { Said(thread: $0.thread, text: $0.text) })
        for said in try await stage.handed(to: who) where !stored.contains(said) {
            return "\(who.name) lacks “\(said.text)”, which the radio has handed out"
        }
        let own = ScenarioMessage.Thread.contact(try await stage.key(of: who).sixBytes)
        for sender in stage.people where sender != who {
            let thread = ScenarioMessage.Thread.contact(try await stage.key(of: sender).sixBytes)
            for said in try await stage.confirmed(to: sender) where said.thread == own {
                guard !stored.contains(Said(thread: thread, text: said.text)) else { continue }
                return "\(who.name) lacks “\(said.text)”, which \(sender.name) was confirmed"
            }
        }
        return nil
    }

    /// Expects each text shown as received to have come from the radio, in that conversation.
    public static let storedHasArrived = StackRule("what is stored as received has come from the radio") {
        stage, who, messages in
        let handed = Set(try await stage.handed(to: who))
        let strange = messages.first { $0.isReceived && !handed.contains(Said(thread: $0.thread, text: $0.text)) }
        return strange.map { "\(who.name) has “\($0.text)”, which the radio never handed out" }
    }

    /// Expects each text written in the script in its writer's app, as often as it was written.
    public static let writtenIsStored = StackRule("what was written is in its writer's app once") {
        stage, who, messages in
        var written: [String: Int] = [:]
        for action in stage.actionsDone.map({ ($0 as? any ActionAround)?.inner ?? $0 })
        where action is Sends || action is Says || action is Posts {
            guard action.cast.first == who, case .text(let text)? = action.subjects.first else { continue }
            written[text, default: 0] += 1
        }
        var stored: [String: Int] = [:]
        for message in messages where !message.isReceived { stored[message.text, default: 0] += 1 }
        let wrong = written.sorted { $0.key < $1.key }.first { stored[$0.key] != $0.value }
        return wrong.map {
            "\(who.name) wrote “\($0.key)” \($0.value) times, and it is stored \(stored[$0.key] ?? 0) times"
        }
    }

    /// Every status is its last one, and true: delivered with a confirmation, failed without one.
    public static let statusesAreTrue = StackRule("what is shown of texts that were sent is true") {
        stage, who, messages in
        let confirmed = Set(try await stage.confirmed(to: who))
        for message in messages {
            guard let standing = message.standing else { continue }
            let isConfirmed = confirmed.contains(Said(thread: message.thread, text: message.text))
            let what = "\(who.name)'s “\(message.text)”"
            switch (standing, message.thread) {
            case (.sent, .channel): break
            case (.delivered, .contact), (.delivered, .room):
                if !isConfirmed { return "\(what) is delivered, and no confirmation came" }
            case (.failed, .contact), (.failed, .room):
                if isConfirmed { return "\(what) has failed, and its confirmation came" }
            default: return "\(what) ended as \(standing.rawValue)"
            }
        }
        return nil
    }

    /// Expects a text that was shown as delivered to stay so.
    public static let deliveredStays = StackRule("what was delivered stays delivered") { stage, who, messages in
        for message in messages {
            guard let standing = message.standing else { continue }
            let word = "delivered: \(who.name) \(message.text)"
            if standing == .delivered {
                stage.memory.note(word)
            } else if stage.memory.has(word) {
                return "\(who.name)'s “\(message.text)” was delivered and is \(standing.rawValue) now"
            }
        }
        return nil
    }

    /// The counts of unread messages are those of the messages.
    public static let unreadIsTrue = StackRule("apps count as many unread messages as they have") { stage, who, _ in
        try await (try stage.stackApp(of: who)).miscount().map { "\(who.name)'s app: \($0)" }
    }

    /// Apps are connected and have nothing left to send, radios nothing to hand out, and every message has its
    /// conversation.
    public static let nothingIsLeft = StackRule(
        "nothing is left to be sent, fetched or found a place for", needs: .air
    ) { stage, who, _ in
        let app = try stage.stackApp(of: who)
        guard await app.isConnected() else { return "\(who.name)'s app is not connected" }
        if let rest = try await app.rest() { return "\(who.name)'s app: \(rest)" }
        let count = try await stage.withWorld { world in
            world.companion(try world.node(of: who))?.offlineQueue.count ?? 0
        }
        return count > 0 ? "\(count) messages were left with \(who.name)'s radio" : nil
    }
}

/// A text that arrives with two timestamps is two texts for its recipient.
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

/// Expects a person with a stack to see no errors but these, by code, on sending or entering a room.
public struct SeesOnlyErrors: Expectation {
    /// The person who sends or enters; only an app with a whole stack keeps a list of its errors.
    public let who: Member
    /// The codes of errors that may be seen (`StackError.code`); each may be seen any number of times, or never.
    public let codes: [String]

    public var sentence: String { "\(who.name) sees no error but \(codes.joined(separator: ", "))" }
    public var cast: [Member] { [who] }

    public func look(at stage: Stage) async throws -> Observation {
        let others = Set(await (try stage.stackApp(of: who)).errors).subtracting(codes).sorted()
        return Observation(others.isEmpty, otherwise: "there was " + others.joined(separator: ", "))
    }
}

extension Person {
    /// Has seen no errors but these: the codes of what the services throw.
    public func seesOnlyErrors(_ codes: [String]) -> SeesOnlyErrors { SeesOnlyErrors(who: member, codes: codes) }
}
