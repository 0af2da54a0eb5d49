import MeshBoards

// An expectation that could not have failed proves nothing: the occasions that expectations need.

extension Expectation {
    /// The reason why a rule of this expectation could not be broken; `nil` when it could.
    ///
    /// An expectation with subjects needs an action about one of them. Others have their occasion at every look.
    public func missingOccasion(on stage: Stage) -> String? {
        stage.missingAction(about: subjects)
    }
}

extension Stage {
    /// The reason why nothing could come of some subjects: no action was about one of them. `nil` when one was.
    func missingAction(about subjects: [Subject]) -> String? {
        let subjects = Set(subjects)
        guard !subjects.isEmpty else { return nil }
        let isDone = actionsDone.contains { !subjects.isDisjoint(with: $0.subjects) }
        return isDone ? nil : "nothing was done that it depends on"
    }
}

/// An expectation that asks for no occasion.
struct WithoutOccasion: Expectation {
    let inner: any Expectation

    var sentence: String { inner.sentence }
    var cast: [Member] { inner.cast }
    var needs: Abilities { inner.needs }
    var subjects: [Subject] { inner.subjects }

    func look(at stage: Stage) async throws -> Observation { try await inner.look(at: stage) }
    func missingOccasion(on stage: Stage) -> String? { nil }
}

/// An expectation that another one does not hold, which is true as long as nothing has happened.
protocol NegatedExpectation: Expectation {}

extension Not: NegatedExpectation {}
