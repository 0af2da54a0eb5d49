import MeshCompanion
import MeshCore
import MeshSimulator
import MeshTime
import MeshWire
import PocketMeshServices

/// Floods go through a region only, or everywhere again.
public struct ScopesFloods: Action {
    let who: Member
    /// Without its `#`; `nil` for everywhere.
    let region: String?

    public var sentence: String { "\(who.name)'s floods go \(region.map { "through \($0)" } ?? "everywhere")" }
    public var cast: [Member] { [who] }

    public func perform(on stage: Stage) async throws {
        try await stage.app(of: who).session().setFloodScope(region.map(ScopeKey.region) ?? .disabled)
    }
}

/// Expects a radio to have at most a number of contacts.
public struct ContactCount: Expectation {
    let who: Member
    let most: Int

    public var sentence: String { "\(who.name)'s radio has \(most) contacts at most" }
    public var cast: [Member] { [who] }

    public func look(at stage: Stage) async throws -> Observation {
        let count = try await stage.app(of: who).session().getContacts().contacts.count
        return Observation(count <= most, otherwise: "it has \(count)")
    }
}

/// Expects a radio's clock to be close to the true time.
public struct ClockIsRight: Expectation {
    let who: Member
    /// Seconds.
    let tolerance: Int64

    public var sentence: String { "the clock of \(who.name)'s radio is right" }
    public var cast: [Member] { [who] }

    public func look(at stage: Stage) async throws -> Observation {
        let clock = try await stage.app(of: who).session().getTime()
        let difference = Int64(clock) - Int64(stage.seconds)
        return Observation(abs(difference) <= tolerance, otherwise: "it is \(difference) s ahead")
    }
}

extension Person {
    /// Floods are carried on by repeaters of that region only.
    public func scopesFloods(to region: String) -> ScopesFloods { ScopesFloods(who: member, region: region) }
    /// Lets floods go everywhere again.
    public func unscopesFloods() -> ScopesFloods { ScopesFloods(who: member, region: nil) }

    /// The radio has so many contacts or fewer.
    public func hasContacts(atMost most: Int) -> ContactCount { ContactCount(who: member, most: most) }
    /// The radio's clock is right to a number of seconds.
    public func hasRightClock(within seconds: Int64 = 5) -> ClockIsRight {
        ClockIsRight(who: member, tolerance: seconds)
    }
}
