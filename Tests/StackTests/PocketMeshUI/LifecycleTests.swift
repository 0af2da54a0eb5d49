import Foundation
import MeshTestSupport
import PocketMeshServices
import Testing

@testable import PocketMeshUI

/// The attempt to connect, in each state, without a radio.
@Suite struct ConnectAttemptTests {
    private enum Stage: CaseIterable {
        case none, trying, tryingAgain, calledOff, failed, read
    }

    private let radio = UUID()
    private let first = ErrorPresentation(StackError(.connection, .addressUnknown("a")))
    private let second = ErrorPresentation(StackError(.connection, .notConnected))

    private func attempt(at stage: Stage) -> ConnectAttempt {
        var attempt = ConnectAttempt()
        if stage == .none { return attempt }
        attempt.begin(radio)
        if stage == .trying { return attempt }
        if stage == .calledOff {
            attempt.callOff()
            return attempt
        }
        attempt.fail(first)
        if stage == .tryingAgain { attempt.begin(nil) }
        if stage == .read { attempt.show(false) }
        return attempt
    }

    /// The parts of an attempt that pages read.
    private func facts(_ attempt: borrowing ConnectAttempt) -> Facts {
        Facts(deviceID: attempt.deviceID, message: attempt.message, isShown: attempt.isShown)
    }

    private struct Facts: Hashable {
        var deviceID: UUID?
        var message: ErrorPresentation?
        var isShown = false
    }

    @Test func `each state has what it may show`() {
        let all = Stage.allCases.map { facts(attempt(at: $0)) }

        #expect(
            all == [
                Facts(), Facts(deviceID: radio), Facts(deviceID: radio, message: first), Facts(deviceID: radio),
                Facts(deviceID: radio, message: first, isShown: true), Facts(deviceID: radio, message: first),
            ])
    }

    @Test func `an attempt hides the failure before, and another radio replaces the one to try again`() {
        let other = UUID()
        for stage in Stage.allCases {
            let before = facts(attempt(at: stage))
            var unnamed = attempt(at: stage)
            unnamed.begin(nil)
            var named = attempt(at: stage)
            named.begin(other)

            #expect(facts(unnamed) == Facts(deviceID: before.deviceID, message: before.message))
            #expect(facts(named) == Facts(deviceID: other, message: before.message))
        }
    }

    @Test func `success clears everything, and a failure is shown with the radio of its attempt`() {
        for stage in Stage.allCases {
            let before = facts(attempt(at: stage))
            var connected = attempt(at: stage)
            connected.succeed()
            var failed = attempt(at: stage)
            failed.fail(second)

            #expect(facts(connected) == Facts())
            #expect(facts(failed) == Facts(deviceID: before.deviceID, message: second, isShown: true))
        }
    }

    @Test func `what is called off keeps the failure before, and nothing else can be called off`() {
        for stage in Stage.allCases {
            let before = facts(attempt(at: stage))
            var attempt = attempt(at: stage)
            attempt.callOff()

            #expect(facts(attempt) == before, "\(stage)")
        }
    }

    @Test func `a failure can be hidden and shown again, and without one nothing is shown`() {
        for stage in Stage.allCases {
            let before = facts(attempt(at: stage))
            var attempt = attempt(at: stage)
            attempt.show(true)
            let isShown = attempt.isShown
            attempt.show(false)
            let after = facts(attempt)

            #expect(isShown == (before.message != nil), "\(stage)")
            #expect(!after.isShown)
            #expect(after.message == before.message)
        }
    }
}

/// The first steps of a new user.
@Suite struct FirstStepsTests {
    private func steps(at step: OnboardingStep) -> FirstSteps {
        var steps = FirstSteps()
        if step == .done { steps.end() }
        while steps.step != step { _ = steps.advance() }
        return steps
    }

    @Test func `the steps follow each other, and the last one ends them only when its holder says so`() {
        var steps = FirstSteps()
        var line = [steps.step]
        while case .moved = steps.advance() { line.append(steps.step) }
        let isOver = steps.isOver

        #expect(line == [.welcome, .permissions, .deviceScan])
        #expect(!isOver)
        steps.end()
        #expect(steps.isOver && steps.step == .done)
        #expect(steps.advance() == .toBeEnded)
    }

    @Test func `no step leads back or to the scan once they are over`() {
        for step in OnboardingStep.allCases {
            var back = steps(at: step)
            let wentBack = back.goBack()
            var scan = steps(at: step)
            let wentToScan = scan.goToScan()

            #expect(wentBack == (step != .done))
            #expect(back.step == (step == .done ? .done : step.previous))
            #expect(wentToScan == (step != .done))
            #expect(scan.step == (step == .done ? .done : .deviceScan))
        }
    }

    @Test func `they begin anew from every step`() {
        for step in OnboardingStep.allCases {
            var steps = steps(at: step)
            steps.restart()

            #expect(steps.step == .welcome && !steps.isOver)
        }
    }
}

/// The facts of a connection, which end with its services.
@Suite struct ServiceWiringTests {
    @Test func `nothing is known without services`() {
        var wiring = ServiceWiring()
        wiring.note(progress: SyncProgress(phase: .contacts, current: 1, total: 2))
        wiring.note(battery: 4000)
        wiring.note(workBegan: true)
        let hasEnded = wiring.unwire() != nil

        #expect(wiring.progress == nil && wiring.battery == nil && wiring.workCount == 0)
        #expect(!hasEnded)
        #expect(wiring.container == nil && wiring.reader == nil)
    }

    @Test func `facts are kept while services are wired, and forgotten with them`() throws {
        try withApp { bench in
            try await bench.connect()
            let container = try #require(bench.app.services)
            var wiring = ServiceWiring()
            wiring.wire(container)
            wiring.note(progress: SyncProgress(phase: .contacts, current: 1, total: 2))
            wiring.note(battery: 4000)
            #expect(wiring.progress?.total == 2 && wiring.battery == 4000)
            #expect(wiring.container === container)

            wiring.wire(container)
            #expect(wiring.progress == nil && wiring.battery == nil)

            let ended = wiring.unwire()
            #expect(ended?.container === container)
            #expect(wiring.container == nil)
        }
    }

    @Test func `work ends as often as it began, and never below none`() throws {
        try withApp { bench in
            try await bench.connect()
            var wiring = ServiceWiring()
            wiring.wire(try #require(bench.app.services))
            let counts = [true, true, false, false, false, true].map { hasBegun in
                wiring.note(workBegan: hasBegun)
                return wiring.workCount
            }

            #expect(counts == [1, 2, 1, 0, 0, 1])
        }
    }

    @Test func `the reader of events outlives its services, and is not accepted without any`() throws {
        try withApp { bench in
            try await bench.connect()
            let container = try #require(bench.app.services)
            let task = Task {}
            let subscription = container.events.subscribe(bufferSize: 1)
            var wiring = ServiceWiring()
            let isRefused = !wiring.follow(.init(subscription: subscription, task: task))
            wiring.wire(container)
            let isAccepted = wiring.follow(.init(subscription: subscription, task: task))
            let ended = wiring.unwire()
            subscription.cancel()

            #expect(isRefused && isAccepted)
            #expect(ended?.subscription != nil)
            #expect(wiring.reader == task)
        }
    }
}
