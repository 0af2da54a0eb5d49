public import MeshBoards
import MeshWire
import PocketMeshServices

// More about texts: their way, their order, their attempts.

/// The ways by which a text can come.
public enum Way: String, Hashable, Sendable {
    /// Over nodes that carry everything on.
    case flood
    /// Over the path that the sender has named, or from next door.
    case direct
}

/// Expects an app to show a text that came by a way.
public struct HasTextBy: Expectation {
    let who: Member
    let text: String
    let way: Way

    public var sentence: String { "\(who.name) has “\(text)” by \(way.rawValue)" }
    public var cast: [Member] { [who] }
    public var subjects: [Subject] { [.text(text)] }

    public func look(at stage: Stage) async throws -> Observation {
        let found = try await stage.app(of: who).messages().first { $0.isReceived && $0.text == text }
        return Observation(
            found?.isFlood == (way == .flood),
            otherwise: found.map { $0.isFlood == true ? "it came by flood" : "it came direct" } ?? "it is not there")
    }
}

/// Expects an app to show these texts, in this order; others may be in between.
public struct HasInOrder: Expectation {
    let who: Member
    let texts: [String]

    public var sentence: String {
        "\(who.name) has in this order: " + texts.map { "“\($0)”" }.joined(separator: ", ")
    }
    public var cast: [Member] { [who] }
    public var subjects: [Subject] { texts.map(Subject.text) }

    public func look(at stage: Stage) async throws -> Observation {
        let all = try await stage.app(of: who).messages().filter(\.isReceived).map(\.text)
        let there = all.filter(texts.contains)
        return Observation(there == texts, otherwise: "there are: " + there.joined(separator: ", "))
    }
}

/// Expects a number of sendings of a text until it was confirmed or given up.
public struct HasTried: Expectation {
    let who: Member
    let text: String
    let amount: Amount

    public var sentence: String { "\(who.name) has made \(amount.text("attempt")) to send “\(text)”" }
    public var cast: [Member] { [who] }
    public var subjects: [Subject] { [.text(text)] }

    public func look(at stage: Stage) async throws -> Observation {
        let found = try await stage.app(of: who).messages().first { !$0.isReceived && $0.text == text }
        guard let found else { return .holdsNot("it is not there") }
        return Observation(
            amount.fits(found.attempts), otherwise: "there were \(found.attempts.counted("attempt"))")
    }
}

/// Expects a number of repeats of a sent text, as the app has counted them.
public struct HearsRepeats: Expectation {
    let who: Member
    let text: String
    let amount: Amount

    public var sentence: String { "\(who.name) hears \(amount.text("repeat")) of “\(text)”" }
    public var cast: [Member] { [who] }
    public var subjects: [Subject] { [.text(text)] }

    public func look(at stage: Stage) async throws -> Observation {
        let found = try await stage.app(of: who).messages().first { !$0.isReceived && $0.text == text }
        guard let found else { return .holdsNot("it is not there") }
        return Observation(
            amount.fits(found.repeats), otherwise: "there were \(found.repeats.counted("repeat"))")
    }
}

/// Expects a sent text to be done: it is delivered, or has failed.
public struct IsDone: Expectation {
    let who: Member
    let text: String

    public var sentence: String { "\(who.name)'s app is done with “\(text)”" }
    public var cast: [Member] { [who] }
    public var subjects: [Subject] { [.text(text)] }

    public func look(at stage: Stage) async throws -> Observation {
        let found = try await stage.app(of: who).messages().first { !$0.isReceived && $0.text == text }
        guard let standing = found?.standing else { return .holdsNot("it is not there") }
        return Observation(
            standing == .delivered || standing == .failed, otherwise: "it is shown as \(standing.rawValue)")
    }
}

/// Sends a text again that has failed, as people do by a tap.
public struct TriesAgain: Action {
    let who: Member
    let text: String
    let whom: Member

    public var sentence: String { "\(who.name) tries “\(text)” to \(whom.name) again" }
    public var cast: [Member] { [who, whom] }
    public var subjects: [Subject] { [.text(text)] }

    public func perform(on stage: Stage) async throws {
        try await stage.stackApp(of: who).tryAgain(text, to: stage.key(of: whom))
    }
}

/// Does an action, and fails unless it is refused.
public struct Refused<Deed: Action>: Action {
    let deed: Deed

    public var sentence: String { deed.sentence + ", which is refused" }
    public var cast: [Member] { deed.cast }
    public var needs: Abilities { deed.needs }
    public var subjects: [Subject] { deed.subjects }

    public func perform(on stage: Stage) async throws {
        do {
            try await deed.perform(on: stage)
        } catch let error as CancellationError {
            throw error
        } catch {
            return
        }
        throw ScenarioError("it was not refused")
    }
}

extension Action {
    /// Is tried, and must be refused.
    public var isRefused: Refused<Self> { Refused(deed: self) }
}

extension Person {
    /// Has received the text, and it came that way.
    public func has(_ text: String, by way: Way) -> HasTextBy { HasTextBy(who: member, text: text, way: way) }
    /// Has received these texts in their order.
    public func has(inOrder texts: String...) -> HasInOrder { HasInOrder(who: member, texts: texts) }
    /// Shows these texts in this order, others perhaps in between.
    public func has(inOrder texts: [String]) -> HasInOrder { HasInOrder(who: member, texts: texts) }
    /// Expects a number of attempts by the app so far.
    public func hasTried(_ text: String, _ amount: Amount) -> HasTried {
        HasTried(who: member, text: text, amount: amount)
    }
    /// Expects a number of repeats of the text that the app has counted.
    public func hearsRepeats(of text: String, _ amount: Amount = .atLeast(1)) -> HearsRepeats {
        HearsRepeats(who: member, text: text, amount: amount)
    }
    /// Delivered or failed: the app has nothing more to do about the text.
    public func isDone(with text: String) -> IsDone { IsDone(who: member, text: text) }
    /// Sends a failed text once more.
    public func triesAgain(_ text: String, to whom: Person) -> TriesAgain {
        TriesAgain(who: member, text: text, whom: whom.member)
    }
}
