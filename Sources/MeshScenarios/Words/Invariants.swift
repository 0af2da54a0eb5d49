import MeshFirmware
import MeshSimulator
import MeshWire

/// What holds in every scenario, whatever happens in it.
public enum Invariants {
    /// All of them.
    public static let standard: [any Checker] = [
        NoRuleBroken(), NothingTwice(), NothingFromNowhere(), DeliveredIsThere(), AttemptsEnd(), StatusesEnd(),
        ContactsAgree(), QueueIsBounded(),
    ]
}

/// No node has done what firmware never does: see the simulator's checkers.
public struct NoRuleBroken: Checker {
    public let sentence = "no node breaks a rule of the air"
    public let cast: [Member] = []
    public let needs = Abilities.air

    public func look(at stage: Stage) async throws -> Sight {
        let found = try await stage.withWorld { world in
            world.checkers.violations.first.map { "\(world.label(of: $0.node)): \($0.rule.rawValue)" }
        }
        return found.map(Sight.holdsNot) ?? .holds
    }
}

/// No app with a store shows a text twice that was sent once, be it direct, on a channel or in a room.
///
/// A radio hands out what was tried again as one more message each time: no more of them than attempts were made.
public struct NothingTwice: Checker {
    public let sentence = "no app shows a text more often than it was sent"
    public let cast: [Member] = []

    public func look(at stage: Stage) async throws -> Sight {
        let (books, senders) = try await stage.letters()
        var sent: [String: Int] = [:]
        var attempts: [String: Int] = [:]
        for book in senders {
            for letter in book.letters where !letter.isReceived {
                sent[letter.text, default: 0] += 1
                attempts[letter.text, default: 0] += letter.attempts
            }
        }
        for book in books {
            let limits = book.who.hasStack ? sent : attempts
            var seen: [String: Int] = [:]
            for letter in book.letters where letter.isReceived {
                seen[letter.text, default: 0] += letter.copies
                guard let limit = limits[letter.text], seen[letter.text, default: 0] > limit else { continue }
                return .holdsNot("\(book.who.name) has “\(letter.text)” more often than it was sent")
            }
        }
        return .holds
    }
}

/// What an app shows as a contact's text was sent to it by that contact.
///
/// No frame says how long its text is: who has a link that cuts frames in two may show the beginning of a text.
public struct NothingFromNowhere: Checker {
    public let sentence = "no app shows a text of somebody who never sent it"
    public let cast: [Member] = []

    public func look(at stage: Stage) async throws -> Sight {
        let (books, senders) = try await stage.letters()
        var texts: [FixedBytes<6>: Set<String>] = [:]
        for book in senders {
            let mine = book.letters.filter { !$0.isReceived }.map(\.text)
            texts[try await stage.key(of: book.who).sixBytes] = Set(mine)
        }
        for book in books {
            for letter in book.letters where letter.isReceived {
                guard case .contact(let prefix) = letter.thread, let known = texts[prefix] else { continue }
                guard !known.contains(letter.text) else { continue }
                if stage.hasCutFrames(book.who), known.contains(where: { $0.hasPrefix(letter.text) }) { continue }
                return .holdsNot("\(book.who.name) has “\(letter.text)”, which that contact never sent")
            }
        }
        return .holds
    }
}

/// What a sender sees as delivered is in the recipient's app, or waits in the recipient's radio.
///
/// A text may be on the link between both for a moment. The queue of a radio does not outlive its power, and a radio forgets
/// what it has handed to a link that loses it: see `hasLostFrames`.
public struct DeliveredIsThere: Checker {
    public let sentence = "what is shown as delivered has been received"
    public let cast: [Member] = []
    public let needs = Abilities.air

    /// How long a text may be on a link.
    static let grace = Duration.seconds(10)

    public func look(at stage: Stage) async throws -> Sight {
        let books = try await stage.books()
        var recipients: [FixedBytes<6>: (who: Member, letters: [Letter])] = [:]
        for book in books { recipients[try await stage.key(of: book.who).sixBytes] = book }
        for book in books {
            for letter in book.letters where letter.standing == .delivered {
                guard case .contact(let prefix) = letter.thread, let recipient = recipients[prefix] else { continue }
                let text = letter.text
                if recipient.letters.contains(where: { $0.isReceived && $0.text == text }) { continue }
                if stage.hasLostFrames(recipient.who) { continue }
                let isWaiting = try await isWaiting(recipient.who, stage)
                let span = stage.memory.span(
                    of: "not there: \(book.who.name) \(recipient.who.name) \(text)", isSo: !isWaiting, at: stage.time)
                guard let span, span >= Self.grace else { continue }
                return .holdsNot(
                    "\(recipient.who.name) never got “\(text)”, which \(book.who.name) sees as delivered")
            }
        }
        return .holds
    }

    private func isWaiting(_ recipient: Member, _ stage: Stage) async throws -> Bool {
        try await stage.withWorld { world in
            // A radio that is off, or not a companion's, has no queue to look at.
            guard let radio = world.companion(try world.node(of: recipient)) else { return true }
            return radio.offlineQueue.count > 0
        }
    }
}

extension Stage {
    /// What everybody's app shows at this moment, in the order of the cast; all that look at one moment see the same.
    func books() async throws -> [(who: Member, letters: [Letter])] {
        let now = time
        if let books = memory.books(at: now) { return books }
        var books: [(who: Member, letters: [Letter])] = []
        for who in people { books.append((who, try await app(of: who).letters())) }
        memory.keep(books, at: now)
        return books
    }

    /// What everybody's app shows as received, and what apps show as sent by then.
    ///
    /// Looked at one after the other: over real links time passes between two apps, and a text could be received in the
    /// second one that was not sent yet in the first.
    func letters() async throws -> (
        received: [(who: Member, letters: [Letter])], sent: [(who: Member, letters: [Letter])]
    ) {
        let received = try await books()
        return (received, try await books())
    }

    /// Whether what a radio held for its app may be lost: it has lost its power, were it for a moment, or its link has
    /// lost frames, of which a radio keeps no copy.
    func hasLostFrames(_ who: Member) -> Bool {
        hasBegun { trouble in
            trouble.cast.contains { $0.name == who.name } && (trouble.needs.contains(.power) || trouble.losesFrames)
        }
    }

    /// Whether an app's link has cut frames in two.
    func hasCutFrames(_ who: Member) -> Bool {
        hasBegun { trouble in
            guard let trouble = trouble as? LinkTrouble, case .cutsInTwo = trouble.kind else { return false }
            return trouble.who == who
        }
    }

    /// Whether a trouble of that kind has begun.
    func hasBegun(_ isMeant: (any Trouble) -> Bool) -> Bool {
        let troubles = scenario.script.flatMap(\.troubles).filter(isMeant)
        guard !troubles.isEmpty else { return false }
        let begun = Set(
            diary.entries.compactMap { entry -> String? in
                if case .trouble(let sentence, true) = entry.kind { sentence } else { nil }
            })
        return troubles.contains { begun.contains($0.sentence) }
    }
}

extension Trouble {
    /// Whether frames between an app and its radio are gone, or not what they were.
    fileprivate var losesFrames: Bool { (self as? LinkTrouble)?.kind.losesFrames ?? false }
}

extension LinkTrouble.Kind {
    fileprivate var losesFrames: Bool {
        switch self {
        // The two parts of a frame are two other frames.
        case .cutsInTwo, .drops, .cutsAfter: true
        case .doubles, .delays, .stalls: false
        }
    }
}

extension Step {
    /// The troubles of the line and of all in it.
    var troubles: [any Trouble] {
        switch self {
        case .trouble(let trouble, _): [trouble]
        case .at(_, let steps), .when(_, let steps), .meanwhile(let steps): steps.flatMap(\.troubles)
        case .does, .expects, .stays, .waits: []
        }
    }
}

extension Member {
    /// Whether an app with a store stands behind its radio.
    var hasStack: Bool { if case .stack = role { true } else { false } }
}
