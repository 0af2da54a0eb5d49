import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The omissions that a synchronisation reports.
@Suite struct SyncOutcomeTests {
    private func run<R: Sendable>(
        _ radio: QueueRadio, answers: (@Sendable ([UInt8]) -> [[UInt8]])? = nil, order: VirtualTime.Order = .arrival,
        _ body: @escaping @Sendable (ContainerBench) async throws -> R
    ) throws -> R {
        try withScriptedRadio(order: order, answers: answers ?? { radio.answers($0) }) { bench, link in
            let app = try await ContainerBench(bench, link, radio)
            let result = try await body(app)
            await app.services.tearDown()
            return result
        }
    }

    /// Announces two contacts, and says nothing more of them.
    @Sendable private static func silent(_ frame: [UInt8]) -> [[UInt8]] {
        switch frame.first.flatMap(CommandCode.init(rawValue:)) {
        case .getContacts: [Resp.ContactsStart(count: 2).encoded()]
        case .getDeviceTime: [Resp.CurrTime(epoch: UInt32(ServiceBench.startDate.timeIntervalSince1970)).encoded()]
        default: []
        }
    }

    @Test func `everything came`() throws {
        let radio = QueueRadio(queue: Frames.messages(3), contacts: [Frames.contact(2)])
        try run(radio) { app in
            #expect(await app.services.syncCoordinator.lastOutcome == nil)
            try await app.connect()

            #expect(await app.services.syncCoordinator.lastOutcome == SyncOutcome())
            #expect(await app.services.syncCoordinator.lastOutcome?.isComplete == true)
        }
    }

    @Test(arguments: [VirtualTime.Order.arrival, .drawn(Seed(1)), .drawn(Seed(2)), .drawn(Seed(3))])
    func `a failure stays known while retries run, and when the link goes`(order: VirtualTime.Order) throws {
        try run(QueueRadio(), answers: Self.silent, order: order) { app in
            let failure = await #expect(throws: StackError.self) { try await app.connect() }
            let expected = SyncOutcome(failure: failure)
            #expect(await app.services.syncCoordinator.lastOutcome == expected)
            // Behind the pause a retry runs, of which the state tells.
            try await app.bench.clock.sleep(for: .seconds(3))
            guard case .syncing = await app.services.syncCoordinator.state else {
                Issue.record("no retry runs")
                return
            }
            #expect(await app.services.syncCoordinator.lastOutcome == expected)

            await app.services.syncCoordinator.onDisconnected()

            #expect(await app.services.syncCoordinator.state == .idle)
            #expect(await app.services.syncCoordinator.lastOutcome == expected)
        }
    }

    @Test func `a radio that sends fewer contacts than it has is not complete`() throws {
        let radio = QueueRadio(contacts: [Frames.contact(2)])
        let answers: @Sendable ([UInt8]) -> [[UInt8]] = { frame in
            var answers = radio.answers(frame)
            if frame.first == CommandCode.getContacts.rawValue { answers[0] = Resp.ContactsStart(count: 2).encoded() }
            return answers
        }
        try run(radio, answers: answers) { app in
            try await app.connect()

            let outcome = await app.services.syncCoordinator.lastOutcome
            #expect(outcome == SyncOutcome(omissions: [.contacts(received: 1)]))
            #expect(outcome.map { "\($0)" } == "the radio has more contacts than the 1 that it sent")
        }
    }

    @Test func `slots that were not read are told`() throws {
        let radio = QueueRadio(contacts: [Frames.contact(2)])
        let answers: @Sendable ([UInt8]) -> [[UInt8]] = { frame in
            let answers = radio.answers(frame)
            let isSilent = frame.first == CommandCode.getChannel.rawValue && frame.count > 1 && frame[1] > 4
            return isSilent ? [] : answers
        }
        try run(radio, answers: answers) { app in
            try await app.connect()

            let outcome = await app.services.syncCoordinator.lastOutcome
            guard case .channels(let reasons) = outcome?.omissions.first else {
                Issue.record("\(String(describing: outcome))")
                return
            }
            #expect(outcome?.failure == nil)
            #expect(reasons.count == 35)
            #expect(reasons[0].hasPrefix("channel slot 5: "))
        }
    }

    @Test func `who watches the state is told of each phase, in order`() throws {
        let phases = Notes<SyncPhase>()
        try run(QueueRadio(queue: Frames.messages(3), contacts: [Frames.contact(2)])) { app in
            await app.services.syncCoordinator.status.watch { state in
                if case .syncing(let progress) = state, phases.all.last != progress.phase { phases.add(progress.phase) }
            }
            try await app.connect()
        }

        #expect(phases.all == [.contacts, .channels, .messages])
    }
}

extension SyncStatus {
    fileprivate func watch(_ handler: @escaping @MainActor (SyncState) -> Void) { onStateChange = handler }
}
