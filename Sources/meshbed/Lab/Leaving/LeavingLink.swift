import MeshCompanion
import MeshCore
import MeshScenarios

/// A link that ends once, at a place of the conversation, and can be opened again some time later.
///
/// It stands between an app and a link that can be cut, and numbers the frames that cross it. The app learns of the end
/// as over TCP: its stream of frames ends behind those that have arrived.
actor LeavingLink: MeshTransport {
    /// A frame on its way across the link.
    struct Crossing: Hashable, Sendable {
        let direction: FrameDirection
        let phase: LeavePhase
        /// The number of the connection, from 1 on.
        let connection: Int
    }

    /// The effects that the link cannot have by itself.
    struct Effects: Sendable {
        /// Has half of a frame reach the radio.
        var sendHalf: @Sendable (_ frame: [UInt8]) async -> Void = { _ in }
        /// Has the event of the pair happen at the radio.
        var happen: @Sendable () async -> Void = {}
        var elapsed: @Sendable () -> Duration
    }

    private let link: CuttableLink
    /// The place and what happens there; `nil` for a run that only lists the frames.
    private let pair: LeavePair?
    private let clock: any Clock<Duration>
    private let effects: Effects
    private var inbox = FrameInbox()
    private var pump: Task<Void, Never>?
    private var phase = LeavePhase.connect
    private var connections = 0
    private var comeBackLater: Task<Void, Never>?

    /// The frames so far.
    private(set) var crossings: [Crossing] = []
    /// Tells whether the place has been reached.
    private(set) var hasHappened = false
    /// A message was asked for, and no answer has arrived.
    private var isOwedMessage = false
    /// Messages that were asked for when the link ended, and may be lost: the radio forgets a message that it sends.
    private(set) var owedMessages = 0
    /// The time since which the link can be opened again, that of the event where it stays; `nil` before that.
    private var backSince: Duration?
    private var waiters: [CheckedContinuation<Duration, Never>] = []

    init(_ link: CuttableLink, _ pair: LeavePair?, clock: any Clock<Duration>, effects: Effects) {
        self.link = link
        self.pair = pair
        self.clock = clock
        self.effects = effects
    }

    var receivedData: AsyncStream<[UInt8]> { inbox.stream }
    var connectionState: ConnectionState { get async { await link.connectionState } }
    var capabilities: TransportCapabilities { get async { await link.capabilities } }

    func connect() async throws {
        if pair?.place == .connect, !hasHappened { await reach() }
        if pump != nil, await link.isConnected { return }
        await pump?.value
        try await link.connect()
        connections += 1
        let inbox = FrameInbox()
        self.inbox = inbox
        let frames = await link.receivedData
        pump = Task(name: "a link that is left") {
            for await frame in frames {
                guard await pass(frame, into: inbox) else { break }
            }
            inbox.finish()
            noteOwed()
            pump = nil
        }
    }

    func disconnect() async {
        await link.disconnect()
        await pump?.value
    }

    func send(_ frame: [UInt8]) async throws {
        guard await link.isConnected else { throw MeshTransportError.notConnected }
        let number = note(frame, .toRadio)
        if isPlace(number, .toRadio, .before), await reach() { throw MeshTransportError.notConnected }
        if isPlace(number, .toRadio, .inside) {
            await effects.sendHalf(frame)
            // The bytes are written; that the rest will not follow shows later.
            await reach()
            return
        }
        // The answer may be there before this returns.
        if frame.first == CommandCode.syncNextMessage.rawValue { isOwedMessage = true }
        do { try await link.send(frame) } catch {
            isOwedMessage = false
            throw error
        }
        if isPlace(number, .toRadio, .after) { await reach() }
    }

    /// Passes a frame on to the app; `false` when it was the last one, or did not arrive.
    private func pass(_ frame: [UInt8], into inbox: FrameInbox) async -> Bool {
        let number = note(frame, .toApp)
        if isPlace(number, .toApp, .before), await reach() { return false }
        if Self.isAnswerToMessage(frame) { isOwedMessage = false }
        guard inbox.deliver(frame) else {
            await link.disconnect()
            return false
        }
        return isPlace(number, .toApp, .after) ? await !reach() : true
    }

    private static func isAnswerToMessage(_ frame: [UInt8]) -> Bool {
        switch frame.first.flatMap(ResponseCode.init(rawValue:)) {
        case .contactMsgRecv, .contactMsgRecvV3, .channelMsgRecv, .channelMsgRecvV3, .channelDataRecv, .noMoreMessages:
            true
        default: false
        }
    }

    private func note(_ frame: [UInt8], _ direction: FrameDirection) -> Int {
        if direction == .toRadio { phase = phase.following(frame.first ?? 0) }
        crossings.append(Crossing(direction: direction, phase: phase, connection: connections))
        return crossings.count - 1
    }

    private func isPlace(_ number: Int, _ direction: FrameDirection, _ side: LeavePlace.Side) -> Bool {
        !hasHappened && pair?.place.isAt(number, direction, side) == true
    }

    // MARK: The place

    /// Has everything happen that the pair asks for; whether the link has ended by that.
    @discardableResult
    func reach() async -> Bool {
        guard let pair, !hasHappened else { return false }
        hasHappened = true
        if pair.occasion != nil { await effects.happen() }
        guard pair.back != .stays else {
            tellBack()
            return false
        }
        noteOwed()
        inbox.finish()
        await link.cut()
        if let span = pair.back.span {
            comeBackLater = Task(name: "the return of an app") {
                guard (try? await clock.sleep(for: span)) != nil else { return }
                await comeBack()
            }
        }
        return true
    }

    /// Lets the link be opened again.
    func comeBack() async {
        await link.mend()
        tellBack()
    }

    private func tellBack() {
        let now = effects.elapsed()
        backSince = now
        for waiter in waiters { waiter.resume(returning: now) }
        waiters = []
    }

    /// Waits until the link can be opened again, and returns since when; the time of the event where it stays.
    func returnTime() async -> Duration {
        if let backSince { return backSince }
        return await withCheckedContinuation { waiters.append($0) }
    }

    /// The link has ended: an answer that is awaited will not come.
    private func noteOwed() {
        if isOwedMessage { owedMessages += 1 }
        isOwedMessage = false
    }
}
