public import MeshBoards
import MeshWire

/// One line of a scenario's script.
///
/// The script is walked from top to bottom: an action is performed, an expectation is waited for. `at`, `whenever` and
/// faults with a length go on beside it.
public indirect enum Step: Sendable {
    /// Is done before the script goes on.
    case does(any Action)
    /// Must become true in that time.
    case expects(any Expectation, within: Duration)
    /// Must be true now and stay so for that time.
    case stays(any Expectation, for: Duration)
    /// Lets time pass.
    case waits(Duration)
    /// `nil` lasts to the end.
    case fault(any ScenarioFault, lasting: Duration?)
    /// At that time after the script has begun.
    case at(Duration, [Step])
    /// As soon as that is true.
    case when(any Expectation, [Step])
    /// All at the same time; the script goes on when all of them are through.
    case meanwhile([Step])
}

/// An expectation for the whole of a scenario.
public enum Rule: Sendable {
    /// True at every look.
    case always(any Expectation)
    /// False at every look.
    case never(any Expectation)
    /// True at the end.
    case eventually(any Expectation)
    /// Counted: whether a state worth reaching was reached. It breaks nothing; a soak prints how often it was.
    case sometimes(any Expectation)
}

extension Step {
    /// The line as it is read.
    public var sentence: String {
        switch self {
        case .does(let action): action.sentence
        case .expects(let expectation, let span): "within \(span.text): \(expectation.sentence)"
        case .stays(let expectation, let span): "for \(span.text): \(expectation.sentence)"
        case .waits(let span): "\(span.text) pass"
        case .fault(let fault, nil): fault.sentence
        case .fault(let fault, let span?): "\(fault.sentence) for \(span.text)"
        case .at(let span, let steps): "at \(span.text): " + Self.list(steps)
        case .when(let expectation, let steps): "as soon as \(expectation.sentence): " + Self.list(steps)
        case .meanwhile(let steps): "at the same time: " + Self.list(steps)
        }
    }

    private static func list(_ steps: [Step]) -> String { steps.map(\.sentence).joined(separator: "; ") }

    /// The time that it waits for of its own accord.
    var length: Duration {
        switch self {
        case .waits(let span), .stays(_, let span): span
        case .meanwhile(let steps): steps.map(\.length).max() ?? .zero
        case .does, .expects, .fault, .at, .when: .zero
        }
    }

    /// The earliest time at which a step that goes on beside the script is over.
    var moment: Duration {
        guard case .at(let moment, let steps) = self else { return .zero }
        return steps.reduce(moment) { $0 + $1.length }
    }

    /// The nodes that it is about.
    public var cast: [Member] {
        switch self {
        case .does(let action): action.cast
        case .expects(let expectation, _), .stays(let expectation, _): expectation.cast
        case .waits: []
        case .fault(let fault, _): fault.cast
        case .at(_, let steps), .meanwhile(let steps): steps.flatMap(\.cast)
        case .when(let expectation, let steps): expectation.cast + steps.flatMap(\.cast)
        }
    }

    /// Abilities that it needs of the target.
    public var needs: Abilities {
        switch self {
        case .does(let action): action.needs
        case .expects(let expectation, _), .stays(let expectation, _): expectation.needs
        case .waits: []
        case .fault(let fault, _): fault.needs
        case .at(_, let steps), .meanwhile(let steps): steps.reduce([]) { $0.union($1.needs) }
        case .when(let expectation, let steps): steps.reduce(expectation.needs) { $0.union($1.needs) }
        }
    }
}

extension Rule {
    /// The expectation of the rule.
    public var expectation: any Expectation {
        switch self {
        case .always(let expectation), .never(let expectation), .eventually(let expectation),
            .sometimes(let expectation):
            expectation
        }
    }

    /// The rule as it is read.
    public var sentence: String {
        switch self {
        case .always(let expectation): "always: \(expectation.sentence)"
        case .never(let expectation): "never: \(expectation.sentence)"
        case .eventually(let expectation): "in the end: \(expectation.sentence)"
        case .sometimes(let expectation): "sometimes: \(expectation.sentence)"
        }
    }
}

extension Duration {
    /// `1.5 s`, `2 min`, `40 ms`.
    var text: String {
        let milliseconds = Int64(nearest: self / .milliseconds(1))
        if milliseconds % 60_000 == 0, milliseconds != 0 { return "\(milliseconds / 60_000) min" }
        if milliseconds % 1000 == 0 { return "\(milliseconds / 1000) s" }
        return milliseconds > 1000 ? "\(Double(milliseconds) / 1000) s" : "\(milliseconds) ms"
    }
}

// MARK: Ways to say it

extension Expectation {
    /// Expects it to become true in that time.
    public func within(_ span: Duration) -> Step { .expects(self, within: span) }
    /// Expects it to be true at once.
    public var now: Step { .expects(self, within: .zero) }
    /// Expects it to be true and to stay so.
    public func stays(for span: Duration) -> Step { .stays(self, for: span) }
}

extension ScenarioFault {
    /// The fault ends after a time, while the script goes on.
    public func lasts(_ span: Duration) -> Step { .fault(self, lasting: span) }
}

/// A pause of the script.
public func pause(_ span: Duration) -> Step { .waits(span) }
/// Beside the rest of the script, at a time after its beginning.
public func at(_ moment: Duration, @StepBuilder _ steps: () -> [Step]) -> Step { .at(moment, steps()) }
/// Beside the rest of the script, as soon as something is true.
public func whenever(_ expectation: some Expectation, @StepBuilder _ steps: () -> [Step]) -> Step {
    .when(expectation, steps())
}
/// Several things at the same time.
public func meanwhile(@StepBuilder _ steps: () -> [Step]) -> Step { .meanwhile(steps()) }

/// Must be true at every look.
public func always(_ expectation: some Expectation) -> Rule { .always(expectation) }
/// Must be false at every look.
public func never(_ expectation: some Expectation) -> Rule { .never(expectation) }
/// Must be true at the end.
public func eventually(_ expectation: some Expectation) -> Rule { .eventually(expectation) }
/// Counts whether it was true at any look; breaks nothing.
public func sometimes(_ expectation: some Expectation) -> Rule { .sometimes(expectation) }

/// The opposite of an expectation.
public struct Not<Inner: Expectation>: Expectation {
    let inner: Inner

    /// Is true when the other is false.
    public init(_ inner: Inner) { self.inner = inner }

    public var sentence: String { "not: \(inner.sentence)" }
    public var cast: [Member] { inner.cast }
    public var needs: Abilities { inner.needs }

    public func look(at stage: Stage) async throws -> Observation {
        Observation(!(try await inner.look(at: stage)).isTrue, otherwise: inner.sentence)
    }

    public func missingOccasion(on stage: Stage) -> String? { inner.missingOccasion(on: stage) }
}

/// Collects the lines of a part of the script.
@resultBuilder
public enum StepBuilder {
    public static func buildExpression(_ action: some Action) -> [Step] { [.does(action)] }
    public static func buildExpression(_ fault: some ScenarioFault) -> [Step] { [.fault(fault, lasting: nil)] }
    public static func buildExpression(_ step: Step) -> [Step] { [step] }
    public static func buildExpression(_ steps: [Step]) -> [Step] { steps }
    public static func buildBlock(_ parts: [Step]...) -> [Step] { parts.flatMap(\.self) }
    public static func buildArray(_ parts: [[Step]]) -> [Step] { parts.flatMap(\.self) }
    public static func buildOptional(_ part: [Step]?) -> [Step] { part ?? [] }
    public static func buildEither(first part: [Step]) -> [Step] { part }
    public static func buildEither(second part: [Step]) -> [Step] { part }
}
