import MeshBoards
import MeshTime

// What people do in a drawn scenario. Every text is another one, so that expectations can tell them apart.
extension Draw {
    /// Direct texts at moments of the span, each between two people.
    public mutating func texts(_ number: ClosedRange<Int>, among people: [Person], over span: Duration) -> [Step] {
        (0..<count("texts", in: number)).map { index in
            let (one, other) = pair("who writes", from: people)
            return .at(moment("a text", span), [.does(one.sends("text \(index + 1)", to: other).ifPossible)])
        }
    }

    /// Direct texts that are written one after the other, faster than they can be confirmed.
    public mutating func burst(_ number: ClosedRange<Int>, among people: [Person], over span: Duration) -> [Step] {
        let (one, other) = pair("who is in a hurry", from: people)
        return [
            .at(
                moment("a hurry", span),
                (0..<count("texts in a hurry", in: number)).map { index in
                    .does(one.sends("hurry \(index + 1)", to: other).ifPossible)
                })
        ]
    }

    /// Texts on the channel that all radios have.
    public mutating func channelTexts(
        _ number: ClosedRange<Int>, among people: [Person], over span: Duration
    ) -> [Step] {
        (0..<count("channel texts", in: number)).map { index in
            let who = pick("who speaks", from: people)
            return .at(moment("a channel text", span), [.does(who.says("word \(index + 1)").ifPossible)])
        }
    }

    /// Adverts, which repeaters carry on or not.
    public mutating func adverts(_ number: ClosedRange<Int>, of people: [Person], over span: Duration) -> [Step] {
        (0..<count("adverts", in: number)).map { _ in
            let who = pick("who adverts", from: people)
            let advert = chance("advert to everybody", 0.5) ? who.advertsToEverybody() : who.advertsNextDoor()
            return .at(moment("an advert", span), [.does(advert.ifPossible)])
        }
    }

    /// Apps that are closed for a while.
    public mutating func absences(_ number: ClosedRange<Int>, of people: [Person], over span: Duration) -> [Step] {
        // One absence of each at most: to close what is closed means nothing.
        some("who is away", count("absences", in: number), of: people).map { who in
            let begin = moment("an absence", span)
            let length = self.span("absence", in: .seconds(5)...max(.seconds(6), span / 2))
            return .at(begin, [.does(who.closesApp()), .waits(length), .does(who.opensApp().ifPossible)])
        }
    }

    /// All members enter the room at a moment of the span, and so many enter it once more in the second one.
    public mutating func entries(
        of people: [Person], into room: Room, over span: Duration, again number: ClosedRange<Int>, until end: Duration
    ) -> [Step] {
        let first = people.map { who in
            Step.at(moment("an entry", span), [.does(who.enters(room).ifPossible)])
        }
        return first
            + (0..<count("entries once more", in: number)).map { _ in
                let who = pick("who enters once more", from: people)
                return .at(moment("an entry once more", end), [.does(who.enters(room).ifPossible)])
            }
    }

    /// Posts in a room at moments of the span.
    public mutating func posts(
        _ number: ClosedRange<Int>, of people: [Person], in room: Room, over span: Duration
    ) -> [Step] {
        (0..<count("posts", in: number)).map { index in
            let who = pick("who posts", from: people)
            return .at(moment("a post", span), [.does(who.posts("post \(index + 1)", in: room).ifPossible)])
        }
    }

    /// A moment of the span.
    public mutating func moment(_ word: String, _ span: Duration) -> Duration {
        self.span("moment of " + word, in: .zero...span)
    }
}

/// An action that does another one in its own way.
protocol ActionAround: Action {
    var inner: any Action { get }
}

extension ActionAround {
    public var cast: [Member] { inner.cast }
    public var subjects: [Subject] { inner.subjects }
    public var needs: Abilities { inner.needs }
}

/// Does something, and goes on when it cannot be done: people press the button all the same.
public struct IfPossible: ActionAround {
    /// The action that is tried once; any error of it but a cancellation is only noted.
    public let inner: any Action

    public var sentence: String { inner.sentence + " if possible" }

    public func perform(on stage: Stage) async throws {
        do {
            try await inner.perform(on: stage)
        } catch let error as CancellationError {
            throw error
        } catch {
            stage.memory.note("not possible: " + inner.sentence)
        }
    }
}

/// Does something, and tries again while it cannot be done.
///
/// A text that is in the app is not written again, whatever became of it.
public struct UntilDone: ActionAround {
    /// The action that is tried, with a drawn pause of one to two seconds between two tries.
    public let inner: any Action
    /// For how long it is tried again, in the time of the world; behind that, an error says why each try failed.
    public let limit: Duration

    public var sentence: String { inner.sentence + ", tried again for \(limit.text)" }

    public func perform(on stage: Stage) async throws {
        let deadline = stage.time + limit
        var pauses = stage.seed.stream("until done", inner.sentence)
        var failures = Failures()
        while true {
            do {
                return try await inner.perform(on: stage)
            } catch let error as CancellationError {
                throw error
            } catch {
                if try await isWritten(on: stage) { return }
                failures.add("\(error)")
                guard stage.time < deadline else { throw ScenarioError(failures.description) }
            }
            try await stage.sleep(pauses.pause(.seconds(1)))
        }
    }

    /// Reasons for which tries failed, in the order in which they came up first.
    struct Failures: CustomStringConvertible {
        private var reasons: [(text: String, count: Int)] = []
        private var last = ""

        mutating func add(_ reason: String) {
            last = reason
            if let known = reasons.firstIndex(where: { $0.text == reason }) {
                reasons[known].count += 1
            } else {
                reasons.append((reason, 1))
            }
        }

        /// The last reason, and how often the tries before it failed for each.
        var description: String {
            let tries = reasons.reduce(0) { $0 + $1.count }
            guard tries > 1 else { return last }
            let all = reasons.map { "\($0.count) × \($0.text)" }.joined(separator: ", ")
            return "\(last); \(tries) tries: \(all)"
        }
    }

    private func isWritten(on stage: Stage) async throws -> Bool {
        guard let who = inner.cast.first, case .text(let text)? = inner.subjects.first else { return false }
        return try await stage.app(of: who).messages().contains { !$0.isReceived && $0.text == text }
    }
}

extension Action {
    /// Goes on when it cannot be done.
    public var ifPossible: IfPossible { IfPossible(inner: self) }
    /// Is tried again while it cannot be done, for that time.
    public func tried(for limit: Duration) -> UntilDone { UntilDone(inner: self, limit: limit) }
}

/// Waits until no direct text is on its way any more.
public struct Settles: Action {
    let limit: Duration

    public var sentence: String { "everything that was sent is settled within \(limit.text)" }
    public var cast: [Member] { [] }

    public func perform(on stage: Stage) async throws {
        let deadline = stage.time + limit
        while let open = try await unsettled(stage) {
            guard stage.time < deadline else { throw ScenarioError(open) }
            try await stage.sleep(.seconds(1))
        }
    }

    private func unsettled(_ stage: Stage) async throws -> String? {
        for who in stage.people {
            for message in try await stage.app(of: who).messages() where message.isOnItsWay {
                return "\(who.name) sees “\(message.text)” as \(message.standing?.rawValue ?? "")"
            }
        }
        return nil
    }
}

extension ScenarioMessage {
    /// Tells whether its status may still change. A channel text is sent for good when the radio has accepted it.
    var isOnItsWay: Bool {
        guard let standing else { return false }
        switch (standing, thread) {
        case (.delivered, _), (.failed, _), (.sent, .channel): return false
        case (.waiting, _), (.sending, _), (.retrying, _), (.sent, _): return true
        }
    }
}

/// The last line of most drawn scripts: goes on when every text is delivered or given up.
public func everythingIsSettled(within limit: Duration) -> Step { .does(Settles(limit: limit)) }
