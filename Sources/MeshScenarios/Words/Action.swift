public import MeshBoards

/// An action of a person or node in a scenario.
///
/// An action of your own is a value with a sentence, the nodes that it is about, and what it does on the stage:
///
/// ```swift
/// struct Restarts: Action {
///     let who: Person
///     var sentence: String { "\(who.member.name) restarts the radio" }
///     var cast: [Member] { [who.member] }
///     func perform(on stage: Stage) async throws {
///         try await stage.app(of: who).session().reboot()
///     }
/// }
/// ```
public protocol Action: Sendable {
    /// The sentence in reports: who does what, in the present tense.
    var sentence: String { get }
    /// The nodes without which it cannot be done.
    var cast: [Member] { get }
    /// Abilities that it needs of the target.
    var needs: Abilities { get }
    /// The subjects that it brings about; none unless stated.
    var subjects: [Subject] { get }
    /// Does it, and returns as soon as the script may go on. An error breaks the scenario.
    func perform(on stage: Stage) async throws
}

/// A condition that must hold at one point of a script, or all the time.
public protocol Expectation: Sendable {
    /// The sentence in reports: who has what, in the present tense.
    var sentence: String { get }
    /// The nodes that it is about.
    var cast: [Member] { get }
    /// Abilities that it needs of the target.
    var needs: Abilities { get }
    /// The subjects that it looks for; none unless stated.
    var subjects: [Subject] { get }
    /// The reason why a rule of this expectation could not be broken in the run so far; `nil` when it could.
    ///
    /// A run whose `always` or `never` had no occasion proves nothing, and is invalid. Unless stated, an expectation
    /// with subjects needs an action about one of them.
    func missingOccasion(on stage: Stage) -> String?
    /// Looks, and changes nothing.
    func look(at stage: Stage) async throws -> Observation
}

/// A fault that goes on from one moment until another. One that counts its effects is a `CountedFault`.
public protocol ScenarioFault: Sendable {
    /// The sentence in reports: what goes wrong, and where.
    var sentence: String { get }
    /// The nodes without which it cannot go wrong.
    var cast: [Member] { get }
    /// Abilities that it needs of the target.
    var needs: Abilities { get }
    /// Called once when it begins; an error breaks the scenario.
    func begin(on stage: Stage) async throws
    /// Called once when it is over; not for fault that lasts to the end.
    func end(on stage: Stage) async throws
}

/// The result of one look at an expectation.
public enum Observation: Hashable, Sendable {
    case holds
    /// With what is there instead.
    case holdsNot(String)

    /// Turns a truth value into one; the text says what is there instead, and is asked for only then.
    public init(_ holds: Bool, otherwise: @autoclosure () -> String) {
        self = holds ? .holds : .holdsNot(otherwise())
    }

    /// Tells whether the expectation holds.
    public var isTrue: Bool { self == .holds }
}

extension Action { public var needs: Abilities { [] } }
extension Expectation { public var needs: Abilities { [] } }
extension ScenarioFault {
    /// A mesh that is ours, unless stated.
    public var needs: Abilities { .air }
    /// Nothing, unless stated.
    public func end(on stage: Stage) async throws {}
}
