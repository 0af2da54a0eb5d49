import FoundationEssentials
import MeshCompanion
import MeshCompliance
import MeshCore
import MeshCrypto
import MeshEmulator
import MeshFirmware
import MeshScenarios
import MeshSimulator
import MeshTime
import MeshVirtualTime
import PocketMeshServices

/// One synchronisation on virtual time whose link ends at a place, with the checks that follow the app's return.
///
/// The app has the whole service stack over a store in memory. The radio is emulated in this process: a board with this
/// table of contacts, these channels and these messages in its queue.
struct LeaveRun: Sendable {
    var load: SyncLoad
    /// The link between app and radio.
    var over = LoopbackLink.direct
    var seed = Seed(1)
    /// The firmware of the radio.
    var firmware = FirmwareVersion.standard
    /// The seed for the order of tasks that are ready at the same moment. When `nil`, they keep the order in which they
    /// became ready.
    var order: Seed?
    /// A fault in the stack, for tests of the survey.
    var defect: StackDefect?

    /// The time within which an app must be whole again, from the moment at which its link can be opened.
    static let limit = Duration.seconds(120)
    /// The time that an app is away that comes back by hand.
    static let handSpan = Duration.seconds(120)
    /// The time after a synchronisation at which the place `idle` is.
    private static let idleSpan = Duration.seconds(10)
    /// The time after which a connected app asks for nothing more.
    static let quietSpan = Duration.seconds(2)
    /// The time between two looks at the app.
    private static let look = Duration.milliseconds(50)
    /// The number of looks at store and radio, a second apart, until they must agree: news of contacts is collected
    /// for two seconds before the app asks for them.
    private static let agreements = 20

    /// 350 contacts, 40 channels and 100 messages.
    init() {
        load = SyncLoad()
        (load.contacts, load.channels, load.messages) = (350, 40, 100)
        // A listing that breaks off has then said the time up to which an app may believe to know everything.
        load.beginsWithNewest = true
    }

    /// The frames of two synchronisations that nothing disturbs, the first and one that asks for changes; throws where
    /// one fails by itself.
    func crossings() throws -> [LeavingLink.Crossing] {
        try VirtualTime.run(order: drawn) { clock in
            let desk = try await LeaveDesk(self, nil, clock: clock)
            try await desk.app.open()
            var faults = try await desk.settledFaults(looks: Self.agreements)
            // A connected app looks into the queue once more.
            try await clock.sleep(for: Self.quietSpan)
            try await desk.openAgain()
            faults += try await desk.settledFaults(looks: Self.agreements)
            try await clock.sleep(for: Self.quietSpan)
            let crossings = await desk.link.crossings
            await desk.close()
            guard faults.isEmpty else { throw UnsoundReference(faults: faults) }
            return crossings
        }
    }

    private var drawn: VirtualTime.Order { order.map(VirtualTime.Order.drawn) ?? .arrival }

    /// Carries out one pair.
    func play(_ pair: LeavePair) -> LeaveOutcome {
        var outcome = LeaveOutcome(pair)
        do {
            outcome = try VirtualTime.run(order: drawn) { [outcome] clock in try await play(outcome, pair, clock) }
        } catch {
            outcome.faults.append("the run did not end: \(error)")
        }
        return outcome
    }

    private func play(_ outcome: LeaveOutcome, _ pair: LeavePair, _ clock: VirtualClock) async throws -> LeaveOutcome {
        var outcome = outcome
        let desk = try await LeaveDesk(self, pair, clock: clock)
        // A user's connect fails after some attempts while the link is away, and says so.
        do { try await desk.app.open() } catch { outcome.errorCode = (error as? StackError)?.code ?? "\(error)" }
        if pair.place == .idle {
            try await clock.sleep(for: Self.idleSpan)
            await desk.link.reach()
        }
        var isReached = try await desk.reachesPlace(within: Self.quietSpan)
        if !isReached {
            // It is one of the second synchronisation, which asks for changes alone.
            do { try await desk.openAgain() } catch { outcome.errorCode = (error as? StackError)?.code ?? "\(error)" }
            isReached = try await desk.reachesPlace(within: Self.quietSpan)
        }
        guard isReached else {
            outcome.faults.append("the place was not reached")
            await desk.close()
            return outcome
        }
        if pair.back == .byHand {
            try await clock.sleep(for: Self.handSpan)
            await desk.link.comeBack()
        }
        let begin = await desk.link.returnTime()
        // What happens to a link that stays shows a little later.
        if pair.back == .stays { try await clock.sleep(for: Self.look) }
        let connect = await connectAgain(desk, pair, &outcome)
        let isWhole = try await desk.becomesWhole(within: Self.limit, look: Self.look)
        outcome.recovery = desk.elapsed() - (connect ?? begin)
        outcome.faults +=
            isWhole
            ? try await desk.settledFaults(looks: Self.agreements)
            : ["not synchronised \(Self.limit) after the return: \(await desk.situation())"]
        outcome.forgotten = await desk.forgotten
        if outcome.faults.isEmpty, let stuck = await desk.stuckRequest() { outcome.faults.append(stuck) }
        let closing = desk.elapsed()
        await desk.close()
        if desk.elapsed() - closing > .seconds(5) { outcome.faults.append("the app does not end within 5 s") }
        return outcome
    }

    /// The user connects where the app does not do so by itself: on the return by hand, and after an error. Returns the
    /// time of that.
    private func connectAgain(_ desk: LeaveDesk, _ pair: LeavePair, _ outcome: inout LeaveOutcome) async -> Duration? {
        let hasGivenUp = await desk.hasGivenUp
        guard pair.back == .byHand || hasGivenUp else { return nil }
        outcome.isByHand = true
        let begin = desk.elapsed()
        do { try await desk.app.open() } catch {
            outcome.faults.append("the user cannot connect after the return: \(error)")
        }
        return begin
    }
}

/// A synchronisation that failed although nothing disturbed it.
struct UnsoundReference: Error, Hashable, Sendable, CustomStringConvertible {
    let faults: [String]

    var description: String {
        "the synchronisation fails although nothing disturbs it: \(faults.joined(separator: "; "))"
    }
}

/// The result of one run.
struct LeaveOutcome: Sendable {
    let pair: LeavePair
    /// From the time at which the link could be opened again, or the user's connect, until the app was synchronised.
    var recovery = Duration.zero
    /// The user had to connect: on a return by hand, or because the app had given up with an error.
    var isByHand = false
    /// The code of the error that the user saw at first; `nil` for none.
    var errorCode: String?
    /// Messages that the radio had sent, or had in memory alone, when the link ended: no app can have them.
    var forgotten = 0
    /// Faults that were found; empty when all is well.
    var faults: [String] = []

    init(_ pair: LeavePair) {
        self.pair = pair
    }
}
