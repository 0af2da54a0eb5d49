/// Something that somebody does in a scenario.
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
    /// What reports print: who does what, in the present tense.
    var sentence: String { get }
    /// The nodes without which it cannot be done.
    var cast: [Member] { get }
    /// What the target has to be able to do.
    var needs: Abilities { get }
    /// What it brings about; none unless stated.
    var subjects: [Subject] { get }
    /// Does it, and returns as soon as the next thing may happen. An error breaks the scenario.
    func perform(on stage: Stage) async throws
}

/// Something that can be true.
public protocol Expectation: Sendable {
    /// What reports print: who has what, in the present tense.
    var sentence: String { get }
    /// The nodes that it is about.
    var cast: [Member] { get }
    /// What the target has to be able to do.
    var needs: Abilities { get }
    /// What it looks for; none unless stated.
    var subjects: [Subject] { get }
    /// Looks, and changes nothing.
    func look(at stage: Stage) async throws -> Observation
}

/// Something that goes wrong, from a moment on and until another.
public protocol ScenarioFault: Sendable {
    /// What reports print: what goes wrong, and where.
    var sentence: String { get }
    /// The nodes without which it cannot go wrong.
    var cast: [Member] { get }
    /// What the target has to be able to do.
    var needs: Abilities { get }
    /// Called once when it begins; an error breaks the scenario.
    func begin(on stage: Stage) async throws
    /// Called once when it is over; not for fault that lasts to the end.
    func end(on stage: Stage) async throws
}

/// What an expectation saw.
public enum Observation: Hashable, Sendable {
    case holds
    /// With what is there instead.
    case holdsNot(String)

    /// Turns a truth value into one; the text says what is there instead, and is asked for only then.
    public init(_ holds: Bool, otherwise: @autoclosure () -> String) {
        self = holds ? .holds : .holdsNot(otherwise())
    }

    /// Whether the expectation holds.
    public var isTrue: Bool { self == .holds }
}

/// What a target can do beyond talking to one radio.
public struct Abilities: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nodes of any kind, and links between them.
    public static let mesh = Abilities(rawValue: 1 << 0)
    /// Links, losses and what is on the air can be changed.
    public static let air = Abilities(rawValue: 1 << 1)
    /// Boards can be switched off and on.
    public static let power = Abilities(rawValue: 1 << 2)
    /// The link between app and radio can be disturbed.
    public static let link = Abilities(rawValue: 1 << 3)
    /// Hours pass in no time.
    public static let time = Abilities(rawValue: 1 << 4)
    /// Flash, clocks and sensors can be reached.
    public static let board = Abilities(rawValue: 1 << 5)
    /// More than one radio.
    public static let secondRadio = Abilities(rawValue: 1 << 6)
    /// The radio may be erased and restarted.
    public static let destructive = Abilities(rawValue: 1 << 7)

    public static let all: Abilities = [.mesh, .air, .power, .link, .time, .board, .secondRadio, .destructive]

    static let words: [(ability: Abilities, word: String)] = [
        (.mesh, "nodes of its own"), (.air, "control over the air"), (.power, "control over power"),
        (.link, "control over the link of the app"), (.time, "control over time"),
        (.board, "a look into the board"), (.secondRadio, "a second radio"),
        (.destructive, "--destructive"),
    ]

    /// What is missing, in words; `nil` when nothing is.
    public func missing(for needs: Abilities) -> String? {
        let lacking = Self.words.filter { needs.contains($0.ability) && !contains($0.ability) }.map(\.word)
        return lacking.isEmpty ? nil : lacking.joined(separator: ", ")
    }
}

extension Action { public var needs: Abilities { [] } }
extension Expectation { public var needs: Abilities { [] } }
extension ScenarioFault {
    /// A mesh that is ours, unless stated.
    public var needs: Abilities { .air }
    /// Nothing, unless stated.
    public func end(on stage: Stage) async throws {}
}
