import MeshFirmware
package import MeshSimulator
package import MeshTime
package import NIOCore

/// A piece of a world's time that somebody has asked for, or waits for where time passes by itself.
struct WorldStep {
    /// How long it lasts at most.
    let span: TimeSpan
    /// Where it ends; `nil` until its turn has come.
    var end: Instant?
    /// What ends it earlier.
    let condition: (@Sendable (WorldRunner) -> Bool)?
    /// Whether it also ends when a client is told something.
    var stopsWhenTold = false
    /// How often clients had been told something when its turn came.
    var toldBefore = 0
    /// Is called at its end, before anybody else comes: with whether the condition is met.
    var ended: (@Sendable (WorldRunner, Bool) -> Void)?
    /// Succeeds with whether the condition is met.
    let promise: EventLoopPromise<Bool>
}

extension WorldStep {
    /// Tells whoever asked for it.
    func end(in runner: WorldRunner, isMet: Bool) {
        ended?(runner, isMet)
        promise.succeed(isMet)
    }
}

/// How a run stands, or ended.
package struct RunOutcome: Hashable, Sendable {
    /// The moment up to which the world has run.
    package let now: Instant
    /// Over everything that happened.
    package let digest: Digest
    /// One last draw of each random stream.
    package let unseed: Digest
    /// How often a client did something while time was passing (`ClientGate.unpromptedInputs`); `nil` where time does not
    /// wait for clients. With 0, the same seed and the same clients give the same run.
    package let unpromptedInputs: Int?
    /// Events on the air.
    package let statistics: WorldStatistics
}

extension WorldRunner {
    /// Lets time of a stepped world pass, after those who asked before.
    func step(
        _ span: TimeSpan, until condition: (@Sendable (WorldRunner) -> Bool)? = nil, stopsWhenTold: Bool = false,
        ended: (@Sendable (WorldRunner, Bool) -> Void)? = nil, promise: EventLoopPromise<Bool>
    ) {
        add(
            WorldStep(
                span: max(.zero, span), condition: condition, stopsWhenTold: stopsWhenTold, ended: ended,
                promise: promise))
        advance()
    }
}

// Requests of whoever steers the world.
extension WorldRunner {
    /// Tells whether bytes of clients are on their way to this process.
    var hasUnreadBytes: Bool { attached.contains { ports[$0.index]?.hasUnread == true } }

    /// Tells whether clients have sent what is not in a world yet whose time somebody lets pass.
    private var isBehindClients: Bool {
        !isStopped && pace == .stepped && (gate?.hasInput == true || hasUnreadBytes)
    }

    /// Does something when all that clients have sent over TCP before is in the world, and all that was asked for before is
    /// done; at once where time passes by itself.
    ///
    /// A program has one order then: what its clients write comes before what it asks for next, however fast the machine is.
    package func inOrder<R: Sendable>(_ body: @escaping (WorldRunner) throws -> R) -> EventLoopFuture<R> {
        let promise = eventLoop.makePromise(of: R.self)
        requests.append { [self] in promise.completeWith(Result { try body(self) }) }
        // Where time passes by itself, this answers the request after what was due before it.
        if pace == .stepped { advance() } else { answerRequests() }
        if isStopped { answerRequests() }
        return promise.futureResult
    }

    /// Answers requests until one has to wait.
    func answerRequests() {
        // What a request lets happen is over before the next one begins.
        guard !isAnswering else { return }
        isAnswering = true
        defer { isAnswering = false }
        while !requests.isEmpty, !isBehindClients { requests.removeFirst()() }
    }
}

extension Pace {
    /// Whether time stands still until clients have answered.
    var waitsForClients: Bool {
        switch self {
        case .clock: false
        case .stepped, .lockstep: true
        }
    }
}
