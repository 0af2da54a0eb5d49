/// One line of a scenario's script.
///
/// The script is walked from top to bottom: a doer is performed, an expectation is waited for. `at`, `whenever` and
/// troubles with a length go on beside it.
public indirect enum Step: Sendable {
    case does(any Doer)
    /// Must become true in that time.
    case expects(any Checker, within: Duration)
    /// Must be true now and stay so for that time.
    case stays(any Checker, for: Duration)
    case waits(Duration)
    /// `nil` lasts to the end.
    case trouble(any Trouble, lasting: Duration?)
    /// At that time after the script has begun.
    case at(Duration, [Step])
    /// As soon as that is true.
    case when(any Checker, [Step])
    /// All at the same time; the script goes on when all of them are through.
    case meanwhile([Step])
}

/// What holds for the whole of a scenario.
public enum Rule: Sendable {
    /// True at every look.
    case always(any Checker)
    /// False at every look.
    case never(any Checker)
    /// True at the end.
    case eventually(any Checker)
    /// Counted: whether a state worth reaching was reached. It breaks nothing; a soak prints how often it was.
    case sometimes(any Checker)
}

extension Step {
    /// The line as it is read.
    public var sentence: String {
        switch self {
        case .does(let doer): doer.sentence
        case .expects(let checker, let span): "within \(span.text): \(checker.sentence)"
        case .stays(let checker, let span): "for \(span.text): \(checker.sentence)"
        case .waits(let span): "\(span.text) pass"
        case .trouble(let trouble, nil): trouble.sentence
        case .trouble(let trouble, let span?): "\(trouble.sentence) for \(span.text)"
        case .at(let span, let steps): "at \(span.text): " + Self.list(steps)
        case .when(let checker, let steps): "as soon as \(checker.sentence): " + Self.list(steps)
        case .meanwhile(let steps): "at the same time: " + Self.list(steps)
        }
    }

    private static func list(_ steps: [Step]) -> String { steps.map(\.sentence).joined(separator: "; ") }

    /// What it waits for of its own accord.
    var length: Duration {
        switch self {
        case .waits(let span), .stays(_, let span): span
        case .meanwhile(let steps): steps.map(\.length).max() ?? .zero
        case .does, .expects, .trouble, .at, .when: .zero
        }
    }

    /// When a step that goes on beside the script is through at the earliest.
    var moment: Duration {
        guard case .at(let moment, let steps) = self else { return .zero }
        return steps.reduce(moment) { $0 + $1.length }
    }

    /// Everybody it is about.
    public var cast: [Member] {
        switch self {
        case .does(let doer): doer.cast
        case .expects(let checker, _), .stays(let checker, _): checker.cast
        case .waits: []
        case .trouble(let trouble, _): trouble.cast
        case .at(_, let steps), .meanwhile(let steps): steps.flatMap(\.cast)
        case .when(let checker, let steps): checker.cast + steps.flatMap(\.cast)
        }
    }

    public var needs: Abilities {
        switch self {
        case .does(let doer): doer.needs
        case .expects(let checker, _), .stays(let checker, _): checker.needs
        case .waits: []
        case .trouble(let trouble, _): trouble.needs
        case .at(_, let steps), .meanwhile(let steps): steps.reduce([]) { $0.union($1.needs) }
        case .when(let checker, let steps): steps.reduce(checker.needs) { $0.union($1.needs) }
        }
    }
}

extension Rule {
    public var checker: any Checker {
        switch self {
        case .always(let checker), .never(let checker), .eventually(let checker), .sometimes(let checker): checker
        }
    }

    public var sentence: String {
        switch self {
        case .always(let checker): "always: \(checker.sentence)"
        case .never(let checker): "never: \(checker.sentence)"
        case .eventually(let checker): "in the end: \(checker.sentence)"
        case .sometimes(let checker): "sometimes: \(checker.sentence)"
        }
    }
}

extension Duration {
    /// `1.5 s`, `2 min`, `40 ms`.
    var text: String {
        let milliseconds = Int64((self / .milliseconds(1)).rounded())
        if milliseconds % 60_000 == 0, milliseconds != 0 { return "\(milliseconds / 60_000) min" }
        if milliseconds % 1000 == 0 { return "\(milliseconds / 1000) s" }
        return milliseconds > 1000 ? "\(Double(milliseconds) / 1000) s" : "\(milliseconds) ms"
    }
}

// MARK: Ways to say it

extension Checker {
    /// Expects it to become true in that time.
    public func within(_ span: Duration) -> Step { .expects(self, within: span) }
    /// Expects it to be true at once.
    public var now: Step { .expects(self, within: .zero) }
    /// Expects it to be true and to stay so.
    public func stays(for span: Duration) -> Step { .stays(self, for: span) }
}

extension Trouble {
    public func lasts(_ span: Duration) -> Step { .trouble(self, lasting: span) }
}

/// Nothing happens for a while.
public func pause(_ span: Duration) -> Step { .waits(span) }
/// Beside the rest of the script, at a time after its beginning.
public func at(_ moment: Duration, @StepBuilder _ steps: () -> [Step]) -> Step { .at(moment, steps()) }
/// Beside the rest of the script, as soon as something is true.
public func whenever(_ checker: some Checker, @StepBuilder _ steps: () -> [Step]) -> Step { .when(checker, steps()) }
/// Several things at the same time.
public func meanwhile(@StepBuilder _ steps: () -> [Step]) -> Step { .meanwhile(steps()) }

public func always(_ checker: some Checker) -> Rule { .always(checker) }
public func never(_ checker: some Checker) -> Rule { .never(checker) }
public func eventually(_ checker: some Checker) -> Rule { .eventually(checker) }
public func sometimes(_ checker: some Checker) -> Rule { .sometimes(checker) }

/// The opposite of a checker.
public struct Not<Inner: Checker>: Checker {
    public let inner: Inner

    public init(_ inner: Inner) { self.inner = inner }

    public var sentence: String { "not: \(inner.sentence)" }
    public var cast: [Member] { inner.cast }
    public var needs: Abilities { inner.needs }

    public func look(at stage: Stage) async throws -> Sight {
        Sight(!(try await inner.look(at: stage)).isTrue, otherwise: inner.sentence)
    }
}

@resultBuilder
public enum StepBuilder {
    public static func buildExpression(_ doer: some Doer) -> [Step] { [.does(doer)] }
    public static func buildExpression(_ trouble: some Trouble) -> [Step] { [.trouble(trouble, lasting: nil)] }
    public static func buildExpression(_ step: Step) -> [Step] { [step] }
    public static func buildExpression(_ steps: [Step]) -> [Step] { steps }
    public static func buildBlock(_ parts: [Step]...) -> [Step] { parts.flatMap(\.self) }
    public static func buildArray(_ parts: [[Step]]) -> [Step] { parts.flatMap(\.self) }
    public static func buildOptional(_ part: [Step]?) -> [Step] { part ?? [] }
    public static func buildEither(first part: [Step]) -> [Step] { part }
    public static func buildEither(second part: [Step]) -> [Step] { part }
}
