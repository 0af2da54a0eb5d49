public import MeshBoards
import MeshCompanion
import MeshCore
import MeshFirmware
import MeshSimulator
import MeshTransports
import MeshWire

/// Expectations that hold in every scenario.
public enum Invariants {
    /// All of them.
    public static let standard: [any Expectation] = [
        NoRuleBroken(), NothingTwice(), NothingFromNowhere(), DeliveredIsThere(), AttemptsEnd(), StatusesEnd(),
        ContactsAgree(), QueueIsBounded(),
    ]
}

/// No node has done what firmware never does: see the simulator's invariants.
public struct NoRuleBroken: Expectation {
    public let sentence = "no node breaks a rule of the air"
    public let cast: [Member] = []
    public let needs = Abilities.air

    public func look(at stage: Stage) async throws -> Observation {
        let found = try await stage.withWorld { world in
            world.invariants.violations.first.map { "\(world.label(of: $0.node)): \($0.rule.rawValue)" }
        }
        return found.map(Observation.holdsNot) ?? .holds
    }
}

/// No app with a store shows a text twice that was sent once, be it direct, on a channel or in a room.
///
/// A radio delivers each attempt as one more message: no more of them than attempts were made.
public struct NothingTwice: Expectation {
    public let sentence = "no app shows a text more often than it was sent"
    public let cast: [Member] = []

    public func look(at stage: Stage) async throws -> Observation {
        let (books, senders) = try await stage.messages()
        var sent: [String: Int] = [:]
        var attempts: [String: Int] = [:]
        for book in senders {
            for message in book.messages where !message.isReceived {
                sent[message.text, default: 0] += 1
                attempts[message.text, default: 0] += message.attempts
            }
            // An app whose link was lost in an attempt may begin to count anew.
            var asked: [String: Int] = [:]
            for command in stage.ledger.page(of: book.who).asked { asked[command.text.readable, default: 0] += 1 }
            attempts.merge(asked, uniquingKeysWith: max)
        }
        for book in books {
            let limits = book.who.hasStack ? sent : attempts
            var seen: [String: Int] = [:]
            for message in book.messages where message.isReceived {
                // A room brings a post again whose confirmation was lost.
                let isPost = if case .room = message.thread { true } else { false }
                seen[message.text, default: 0] += isPost ? 1 : message.copies
                guard let limit = limits[message.text], seen[message.text, default: 0] > limit else { continue }
                return .holdsNot("\(book.who.name) has “\(message.text)” more often than it was sent")
            }
        }
        return .holds
    }
}

/// Expects each text that an app shows as a contact's to have been sent to it by that contact.
///
/// No frame says how long its text is. An app whose link cuts frames may show the beginning of a text.
public struct NothingFromNowhere: Expectation {
    public let sentence = "no app shows a text of somebody who never sent it"
    public let cast: [Member] = []

    public func look(at stage: Stage) async throws -> Observation {
        let (books, senders) = try await stage.messages()
        var texts: [FixedBytes<6>: Set<String>] = [:]
        for book in senders {
            let mine = book.messages.filter { !$0.isReceived }.map(\.text)
            // People who share a radio have one key.
            texts[try await stage.key(of: book.who).sixBytes, default: []].formUnion(mine)
        }
        for book in books {
            for message in book.messages where message.isReceived {
                guard case .contact(let prefix) = message.thread, let known = texts[prefix] else { continue }
                guard !known.contains(message.text), !stage.hasSpoiledFrames(book.who) else { continue }
                if stage.hasCutFrames(book.who), known.contains(where: { $0.hasPrefix(message.text) }) { continue }
                return .holdsNot("\(book.who.name) has “\(message.text)”, which that contact never sent")
            }
        }
        return .holds
    }
}

/// Expects a text that its sender sees as delivered in the recipient's app or radio.
///
/// A text may be on the link between both for a moment. The queue of a radio does not outlive its power. A radio
/// forgets frames that it has written to a link, even if the link loses them: see `hasLostFrames`. Of people who share
/// a radio one is enough: it knows no difference between them.
public struct DeliveredIsThere: Expectation {
    public let sentence = "what is shown as delivered has been received"
    public let cast: [Member] = []
    public let needs = Abilities.air

    /// The time that a text may be on a link.
    static let grace = Duration.seconds(10)

    public func look(at stage: Stage) async throws -> Observation {
        let books = try await stage.books()
        var recipients: [FixedBytes<6>: [(who: Member, messages: [ScenarioMessage])]] = [:]
        for book in books { recipients[try await stage.key(of: book.who).sixBytes, default: []].append(book) }
        for book in books {
            for message in book.messages where message.standing == .delivered {
                guard case .contact(let prefix) = message.thread, let sharers = recipients[prefix],
                    let recipient = sharers.last
                else { continue }
                let text = message.text
                if sharers.contains(where: { $0.messages.contains { $0.isReceived && $0.text == text } }) { continue }
                if sharers.contains(where: { stage.hasLostFrames($0.who) }) { continue }
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
    /// Returns the messages in all apps at this moment, in the order of the cast. All that look at one moment see the
    /// same.
    func books() async throws -> [(who: Member, messages: [ScenarioMessage])] {
        let now = time
        if let books = memory.books(at: now) { return books }
        var books: [(who: Member, messages: [ScenarioMessage])] = []
        for who in people { books.append((who, try await app(of: who).messages())) }
        memory.keep(books, at: now)
        return books
    }

    /// Returns the messages that apps show as received, and those that they show as sent by then.
    ///
    /// Apps are read one after the other, and over real links time passes between two reads. A text could be received
    /// in the second app that was not sent yet when the first was read.
    func messages() async throws -> (
        received: [(who: Member, messages: [ScenarioMessage])], sent: [(who: Member, messages: [ScenarioMessage])]
    ) {
        let received = try await books()
        return (received, try await books())
    }

    /// Tells whether texts in a radio may be lost before its app has them. It has lost its power, or its link has lost
    /// frames, of which a radio keeps no copy.
    func hasLostFrames(_ who: Member) -> Bool {
        hasBegun { fault in
            fault.cast.contains { $0.name == who.name } && (fault.needs.contains(.power) || fault.losesFrames)
        }
    }

    /// Tells whether an app's link has cut frames in two.
    func hasCutFrames(_ who: Member) -> Bool {
        hasBegun { fault in
            if let fault = fault as? LinkFault, case .cutsInTwo = fault.kind { return fault.who == who }
            return (fault as? PlannedFault).map { $0.who == who && $0.fault.kind.cutsText } ?? false
        }
    }

    /// Tells whether an app's link may have made texts of other bytes: no frame has a checksum.
    func hasSpoiledFrames(_ who: Member) -> Bool {
        hasBegun { fault in (fault as? PlannedFault).map { $0.who == who && $0.fault.kind.spoilsText } ?? false }
    }

    /// Tells whether a fault of that kind has begun.
    func hasBegun(_ isMeant: (any ScenarioFault) -> Bool) -> Bool {
        let faults = scenario.script.flatMap(\.faults).filter(isMeant)
        guard !faults.isEmpty else { return false }
        let begun = Set(
            eventLog.entries.compactMap { entry -> String? in
                if case .fault(let sentence, true) = entry.kind { sentence } else { nil }
            })
        return faults.contains { begun.contains($0.sentence) }
    }
}

extension ScenarioFault {
    /// Tells whether it loses or changes frames between an app and its radio.
    fileprivate var losesFrames: Bool {
        (self as? LinkFault)?.kind.losesFrames ?? (self as? PlannedFault)?.fault.kind.losesFrames ?? false
    }
}

extension LinkFaultKind {
    /// Tells whether a frame may not arrive by it, or not as it was.
    fileprivate var losesFrames: Bool {
        switch self {
        case .late, .double, .push, .moreContacts, .fewerContacts, .stall, .refuseConnection: false
        default: true
        }
    }

    /// Tells whether a text may lack its end by it.
    fileprivate var cutsText: Bool {
        switch self {
        case .cut, .split, .loseBytes, .endWithin: true
        default: false
        }
    }

    /// Tells whether a text may have other bytes by it.
    fileprivate var spoilsText: Bool {
        switch self {
        case .merge, .doubleBytes, .cutFront, .loseBytes, .garble, .insert, .rubbish, .otherAnswer, .wrongLength: true
        default: false
        }
    }
}

extension LinkFault.Kind {
    fileprivate var losesFrames: Bool {
        switch self {
        // The two parts of a frame are two other frames.
        case .cutsInTwo, .drops, .dropsNext, .cutsAfter: true
        case .doubles, .delays, .stalls: false
        }
    }
}

extension Step {
    /// The faults of the line and of all in it.
    var faults: [any ScenarioFault] {
        switch self {
        case .fault(let fault, _): [fault]
        case .at(_, let steps), .when(_, let steps), .meanwhile(let steps): steps.flatMap(\.faults)
        case .does, .expects, .stays, .waits: []
        }
    }
}

extension Member {
    /// Tells whether an app with a store stands behind its radio.
    var hasStack: Bool { if case .stack = role { true } else { false } }
}
