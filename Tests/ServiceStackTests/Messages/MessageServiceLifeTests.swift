import Foundation
import Testing

@testable import PocketMeshServices

/// The tasks that a service of messages may begin in each state, and those that end together.
@Suite struct MessageServiceLifeTests {
    private enum Stage: CaseIterable {
        case quiet, listening, stopped
    }

    private func life(at stage: Stage) -> MessageServiceLife {
        var life = MessageServiceLife()
        if stage != .quiet { life.listen(listening) }
        if stage == .stopped { _ = life.stop() }
        return life
    }

    private func listening(_ number: Int) -> MessageServiceLife.Listening {
        .init(number: number, tasks: [Task {}, Task {}], confirmations: AsyncStream.makeStream().continuation)
    }

    private func confirmation(_ code: UInt32) -> PocketMeshServices.Confirmation {
        .init(code: code, verdict: .unknown)
    }

    @Test func `listening begins from quiet alone`() {
        let outcomes = Stage.allCases.map { stage in
            var life = life(at: stage)
            let isExpected = life.mayListen
            return (isExpected, life.listen(listening))
        }

        #expect(outcomes.map(\.0) == [true, false, false])
        #expect(outcomes.map(\.1) == [true, false, false])
    }

    @Test func `a period of listening ends once, under its own number`() {
        var life = life(at: .listening)
        let first = life.endListening()
        life.listen(listening)
        let late = life.endListening(first?.number)
        let second = life.endListening()
        let none = life.endListening()
        let mayListen = life.mayListen

        #expect(first != nil)
        #expect(late == nil)
        #expect(second != nil)
        #expect(second?.number != first?.number)
        #expect(none == nil)
        #expect(mayListen)
    }

    @Test func `a stopped service has no period to end`() {
        var life = life(at: .stopped)
        let ended = life.endListening()
        let isStopped = life.isStopped

        #expect(ended == nil)
        #expect(isStopped)
    }

    @Test func `a confirmation reaches its handler while the service listens, and never else`() async {
        let (confirmations, continuation) = AsyncStream.makeStream(of: PocketMeshServices.Confirmation.self)
        var life = MessageServiceLife()
        life.yield(confirmation(1))
        life.listen { .init(number: $0, tasks: [], confirmations: continuation) }
        life.yield(confirmation(2))
        life.endListening()?.finish()
        life.yield(confirmation(3))
        _ = life.stop()
        life.yield(confirmation(4))

        var codes: [UInt32] = []
        for await confirmation in confirmations { codes.append(confirmation.code) }
        #expect(codes == [2])
    }

    @Test func `one check runs at a time, and none begins in a stopped service`() {
        for (stage, isRunning) in [(Stage.quiet, true), (.listening, true), (.stopped, false)] {
            var life = life(at: stage)
            var count = 0
            for _ in 0..<2 {
                life.check {
                    count += 1
                    return Task {}
                }
            }
            let ended = [life.endChecking() != nil, life.endChecking() != nil]

            #expect(count == (isRunning ? 1 : 0))
            #expect(ended == [isRunning, false])
        }
    }

    @Test func `one drain of the queue runs at a time, and none in a stopped service`() {
        for (stage, isRunning) in [(Stage.quiet, true), (.listening, true), (.stopped, false)] {
            var life = life(at: stage)
            let first = life.beginDraining()
            let second = life.beginDraining()
            life.endDraining()
            let third = life.beginDraining()

            #expect([first, second, third] == [isRunning, false, isRunning])
        }
    }

    @Test func `the end returns all that runs, once`() {
        for stage in [Stage.quiet, .listening] {
            var life = life(at: stage)
            life.check { Task {} }
            var numbers: [Int] = []
            for _ in 0..<3 {
                life.keep { number in
                    numbers.append(number)
                    return Task {}
                }
            }
            life.forget(numbers[1])
            let ended = life.stop()
            let again = life.stop()
            let isStopped = life.isStopped

            #expect(Set(numbers).count == 3)
            #expect(ended?.tasks.count == 2)
            #expect(ended?.checker != nil)
            #expect((ended?.listening != nil) == (stage == .listening))
            #expect(again == nil)
            #expect(isStopped)
        }
    }

    @Test func `no task begins in a stopped service`() {
        var life = life(at: .stopped)
        var isMade = false
        life.keep { _ in
            isMade = true
            return Task {}
        }
        life.forget(1)

        #expect(!isMade)
    }
}

/// The gates of messages, as far as they belong together.
@Suite struct SendingGatesTests {
    @Test func `a place among the unconfirmed is free again once, and wakes the text that rests behind it`() {
        let (bob, first, second) = (UUID(), UUID(), UUID())
        var gates = SendingGates(unconfirmed: 1)
        _ = gates.drawPlace(for: first)
        gates.spacing.begin(behind: first, to: bob, until: .seconds(5))
        _ = gates.spacing.follow(bob, by: second, at: .zero)
        let count = gates.unconfirmedCount
        let woken = [gates.free(first), gates.free(first)]

        #expect(count == 1)
        #expect(gates.unconfirmedCount == 0)
        #expect(woken == [second, nil])
    }

    @Test func `a recipient has one line, and a line that is made after the end is closed`() async {
        let (bob, carol) = (UUID(), UUID())
        let error = StackError(.messages, .notConnected)
        var gates = SendingGates(unconfirmed: 1)
        let line = gates.line(bob)
        #expect(line === gates.line(bob))
        #expect(line !== gates.line(carol))

        gates.close(error)
        for gate in [line, gates.line(UUID()), gates.storing, gates.writing, gates.drawPlace(for: bob).gate] {
            await #expect(throws: StackError.self) { try await gate.pass(gate.ticket()) }
        }
    }
}
