public import MeshSimulator
public import MeshTime

/// A fault that counts its effects. A run in which it has none is invalid, unless it was marked with `mayNotFire()`.
///
/// A fault of your own that conforms begins in `start(on:)` and returns how its effects are read at the end:
///
/// ```swift
/// struct HoldsBreath: CountedFault {
///     let who: Person
///     var isOptional = false
///     var sentence: String { "\(who.member.name)'s radio is quiet" }
///     var cast: [Member] { [who.member] }
///     func start(on stage: Stage) async throws -> FaultReading {
///         let number = try await stage.withWorld { world in
///             world.schedule(Fault(.deafness(try world.node(of: who.member)), from: world.now))
///         }
///         return FaultReading { world in world?.effect(ofFault: number) ?? FaultCount() }
///     }
/// }
/// ```
public protocol CountedFault: ScenarioFault {
    /// Tells whether a run in which it does nothing is valid all the same.
    var isOptional: Bool { get set }
    /// Begins it, and returns the reading of what it does from then on; an error breaks the scenario.
    func start(on stage: Stage) async throws -> FaultReading
}

extension CountedFault {
    /// Begins it, for callers that do not ask for its effects.
    public func begin(on stage: Stage) async throws { _ = try await start(on: stage) }

    /// The same fault in a run that is valid although the fault does nothing.
    public func mayNotFire() -> Self {
        var copy = self
        copy.isOptional = true
        return copy
    }
}

/// The way to read what a fault has done.
public struct FaultReading: Sendable {
    let read: @Sendable (World?) -> FaultCount

    /// A reading that gets the world behind the radios as it is in the end; `nil` on targets that have none.
    public init(_ read: @escaping @Sendable (World?) -> FaultCount) { self.read = read }
}

/// A fault of a run, with its effects.
public struct FaultOutcome: Hashable, Sendable {
    /// The sentence of the fault.
    public var sentence: String
    /// The time at which it began, since the stage was built.
    public var begin: Duration
    /// True when a run in which it does nothing is valid.
    public var isOptional: Bool
    /// The effects.
    public var count: FaultCount
    /// The names of the nodes that met it.
    public var nodes: [String]
}

// MARK: Words

extension Step {
    /// The line in a run that is valid although its faults do nothing, or its moment never comes.
    public func mayNotFire() -> Step {
        switch self {
        case .fault(let fault, let span):
            guard let fault = fault as? any CountedFault else { return self }
            return .fault(fault.mayNotFire(), lasting: span)
        case .expects(let expectation, let span): return .expects(WithoutOccasion(inner: expectation), within: span)
        case .stays(let expectation, let span): return .stays(WithoutOccasion(inner: expectation), for: span)
        case .when(let expectation, let steps):
            return .when(WithoutOccasion(inner: expectation), steps.map { $0.mayNotFire() })
        case .at(let moment, let steps): return .at(moment, steps.map { $0.mayNotFire() })
        case .meanwhile(let steps): return .meanwhile(steps.map { $0.mayNotFire() })
        case .does, .waits: return self
        }
    }
}

extension [Step] {
    /// All of the lines, in a run that is valid although their faults do nothing.
    public func mayNotFire() -> [Step] { map { $0.mayNotFire() } }
}

extension Rule {
    /// The rule in a run that is valid although it could not have been broken.
    public func mayNotFire() -> Rule {
        switch self {
        case .always(let expectation): .always(WithoutOccasion(inner: expectation))
        case .never(let expectation): .never(WithoutOccasion(inner: expectation))
        case .eventually, .sometimes: self
        }
    }
}
