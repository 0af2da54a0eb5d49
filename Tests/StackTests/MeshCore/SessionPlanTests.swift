import Testing

@testable import MeshCore

/// The life of a session, without a link.
@Suite struct SessionPlanTests {
    private enum State: CaseIterable {
        case stopped, opened, reading, lost
    }

    private static let loss = SessionError.connectionLost("the link was closed")
    private let reader = Task<Void, Never> {}

    private func plan(_ state: State) -> SessionPlan {
        var plan = SessionPlan()
        if state != .stopped { _ = plan.open() }
        if state == .reading || state == .lost { _ = plan.read(with: reader) }
        if state == .lost { _ = plan.lose(Self.loss) }
        return plan
    }

    @Test func `commands can be sent from the opening of the link to its end`() {
        let obstacles = State.allCases.map { plan($0).obstacle }

        #expect(obstacles == [.notStarted, nil, nil, Self.loss])
    }

    @Test func `only a stopped session is opened, and one that was opened by another caller says so`() {
        let expected: [SessionPlan.OnOpen] = [.read, .isOpen, .isOpen, .isLost(Self.loss)]
        for (state, expected) in zip(State.allCases, expected) {
            var plan = plan(state)
            let before = plan.obstacle

            #expect(plan.open() == expected, "\(state)")
            #expect(plan.obstacle == (state == .stopped ? nil : before), "\(state)")
        }
    }

    @Test func `a reader begins on an open link that has none, and on no other`() {
        for state in State.allCases {
            var plan = plan(state)
            let before = plan.obstacle
            let other = Task<Void, Never> {}

            let isAccepted = plan.read(with: other)
            #expect(isAccepted == (state == .opened), "\(state)")
            #expect(plan.obstacle == before, "\(state)")
            if state == .opened { #expect(plan.stop() == .end(other)) }
            if state == .reading { #expect(plan.stop() == .end(reader)) }
        }
    }

    @Test func `only a link that is read is lost`() {
        for state in State.allCases {
            var plan = plan(state)
            let before = plan.obstacle
            let error = SessionError.connectionLost("again")

            let isNews = plan.lose(error)
            #expect(isNews == (state == .reading), "\(state)")
            #expect(plan.obstacle == (state == .reading ? error : before), "\(state)")
        }
    }

    @Test func `a stop ends the reader once, and a stopped session has nothing to end`() {
        let expected: [SessionPlan.OnStop] = [.nothing, .end(nil), .end(reader), .end(reader)]
        for (state, expected) in zip(State.allCases, expected) {
            var plan = plan(state)

            #expect(plan.stop() == expected, "\(state)")
            #expect(plan.stop() == .nothing, "\(state)")
            #expect(plan.obstacle == .notStarted, "\(state)")
            #expect(plan.open() == .read, "\(state)")
        }
    }
}
