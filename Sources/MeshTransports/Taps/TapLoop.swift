package import MeshCapture
import MeshCompanion
import MeshTime
import NIOCore

/// The work of a tap; it and everything that touches it live on one event loop.
final class TapLoop {
    /// The time for which an end is still read after its last byte.
    static let grace = TimeAmount.seconds(1)

    private let radio: LinkAddress
    private let eventLoop: any EventLoop
    private let log: (String) -> Void
    private let record: (RecordingEntry) throws -> Void
    private let ended: EventLoopPromise<Void>
    private let startedAt = NIODeadline.now()
    private var recorder: StreamRecorder
    private var entries: [RecordingEntry] = []
    private var door: (any TapDoor)?
    private var pair: TapPair?
    private var isStopped = false

    init(
        _ radio: LinkAddress, keepsNoise: Bool, on eventLoop: any EventLoop, log: @escaping (String) -> Void,
        record: @escaping (RecordingEntry) throws -> Void
    ) {
        self.radio = radio
        self.eventLoop = eventLoop
        self.log = log
        self.record = record
        recorder = StreamRecorder(RecordingLink(radio), keepsNoise: keepsNoise)
        ended = eventLoop.makePromise()
    }

    var whenEnded: EventLoopFuture<Void> { ended.futureResult }

    func open(_ place: LinkAddress) -> EventLoopFuture<LinkAddress> {
        let report: (TapArrival) -> Void = { [weak self] in self?.happened($0) }
        let opening: EventLoopFuture<NIOLoopBound<any TapDoor>> =
            switch place {
            case .tcp(let host, let port): TapPort.open(host: host, port: port, on: eventLoop, report: report)
            case .pty(let path): TapTerminal.open(path: path, on: eventLoop, report: report)
            case .serial, .remote, .controller, .bluetooth: eventLoop.makeFailedFuture(LinkError.noListener(place))
            }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        return opening.map { opened in
            this.value.door = opened.value
            return opened.value.place
        }
    }

    // MARK: What happens

    private func happened(_ arrival: TapArrival) {
        switch arrival {
        case .event(let side, .opened): arrived(side)
        case .event(let side, .received(let bytes)): received(bytes, from: side)
        case .event(let side, .inputEnded), .event(let side, .closed): hasEnded(side)
        case .left(let side): left(side)
        case .failed(let error): stop(failure: TapError("\(error)"))
        }
    }

    /// Handles an app's arrival: it receives a connection to the radio of its own.
    private func arrived(_ app: TapSide) {
        guard !isStopped else { return app.close() }
        if let pair { end(pair, "another app took its place") }
        let pair = TapPair(app: app)
        self.pair = pair
        let bound = NIOLoopBound((self, pair), eventLoop: eventLoop)
        openRadio().whenComplete { result in
            let (loop, pair) = bound.value
            switch result {
            case .success(let side): loop.connected(pair, side.value)
            case .failure(let error): loop.failed(pair, error)
            }
        }
    }

    private func connected(_ pair: TapPair, _ side: TapSide) {
        guard !pair.isOver else { return side.close() }
        pair.radio = side
        note("an app is connected with \(radio)")
        recorder.connected(at: now, into: &entries)
        keep()
        let early = pair.early
        pair.early = []
        for bytes in early { received(bytes, from: pair.app) }
        guard !pair.isOver else { return }
        settle(pair.app, in: pair)
        if pair.app.waiting == 0 { goOn(pair.app, in: pair) }
        side.read()
    }

    private func failed(_ pair: TapPair, _ error: any Error) {
        guard !pair.isOver else { return }
        let reason = (error as? LinkError)?.reason ?? "\(error)"
        recorder.problem("an app came, and the radio could not be reached: \(reason)", at: now, into: &entries)
        keep()
        close(pair, "\(radio) cannot be reached: \(reason)", isRadioGone: true)
    }

    private func received(_ bytes: ByteBuffer, from side: TapSide) {
        guard let pair, let other = pair.other(than: side) else {
            // The last words of an app that did not wait for the radio.
            if let pair, side === pair.app { pair.early.append(bytes) }
            return
        }
        let direction: FrameDirection = side === pair.app ? .toRadio : .toApp
        recorder.take(bytes.readableBytesView, direction, at: now, into: &entries)
        keep()
        side.pass(bytes, to: other) { [weak self] isTaken in
            guard let self, !pair.isOver else { return }
            guard isTaken else { return hasEnded(other) }
            settle(side, in: pair)
            if side.waiting == 0 { goOn(side, in: pair) }
        }
    }

    /// Reads the next piece, or finds that a terminal's app has left.
    private func goOn(_ side: TapSide, in pair: TapPair) {
        guard !pair.isOver, !side.hasEnded else { return }
        if side === pair.app, pair.isLeaving, door?.hasInput != true { return hasEnded(side) }
        side.read()
    }

    // MARK: Ends

    private func left(_ app: TapSide) {
        guard let pair, pair.app === app else { return }
        pair.isLeaving = true
        if pair.radio != nil, app.waiting == 0 { goOn(app, in: pair) }
    }

    private func hasEnded(_ side: TapSide) {
        guard let pair, side === pair.app || side === pair.radio, !side.hasEnded else { return }
        side.hasEnded = true
        pair.reason = pair.reason ?? (side === pair.app ? "closed by the app" : "closed by the radio")
        settle(side, in: pair)
        guard !pair.isOver else { return }
        let bound = NIOLoopBound((self, pair), eventLoop: eventLoop)
        eventLoop.scheduleTask(in: Self.grace) { bound.value.0.end(bound.value.1) }
    }

    /// Ends the other side once a side that has ended has delivered everything.
    private func settle(_ side: TapSide, in pair: TapPair) {
        guard !pair.isOver, side.hasEnded, side.waiting == 0, let other = pair.other(than: side) else { return }
        if other.hasEnded {
            if other.waiting == 0 { end(pair) }
        } else if other.endsOutputAlone {
            other.endOutput()
        } else {
            end(pair)
        }
    }

    private func end(_ pair: TapPair, _ reason: String? = nil) {
        guard !pair.isOver else { return }
        let why = pair.reason ?? reason ?? "the recorder ended"
        if pair.radio != nil {
            recorder.disconnected(why, at: now, into: &entries)
            keep()
        }
        close(pair, "disconnected: \(why)", isRadioGone: pair.radio?.hasEnded == true)
    }

    private func close(_ pair: TapPair, _ why: String, isRadioGone: Bool) {
        guard !pair.isOver else { return }
        pair.isOver = true
        pair.app.close()
        pair.radio?.close()
        self.pair = nil
        note(why)
        door?.release(isRadioGone: isRadioGone)
    }

    /// Ends the tap.
    func stop(failure: TapError? = nil) {
        guard !isStopped else { return }
        isStopped = true
        if let pair { end(pair) }
        recorder.flush(at: now, into: &entries)
        keep()
        door?.stop()
        door = nil
        if let failure { ended.fail(failure) } else { ended.succeed() }
    }

    // MARK: Recording

    private var now: TimeSpan { .microseconds((NIODeadline.now() - startedAt).nanoseconds / 1000) }

    private func note(_ text: String) { log(text) }

    /// Sends the lines to the recorder. One that fails ends the tap: it is there for the recording.
    private func keep() {
        let lines = entries
        entries.removeAll(keepingCapacity: true)
        do {
            for line in lines { try record(line) }
        } catch {
            stop(failure: TapError("the recording could not go on: \(error)"))
        }
    }

    // MARK: The radio

    private func openRadio() -> EventLoopFuture<NIOLoopBound<TapSide>> {
        let report: (TapSide, TapSide.Event) -> Void = { [weak self] side, event in
            // Its opening is told by the future.
            if case .opened = event { return }
            self?.happened(.event(side, event))
        }
        let side = NIOLoopBound(TapSide(endsOutputAlone: !radio.isLine, report: report), eventLoop: eventLoop)
        return LinkDialer.channel(to: radio, flow: TapSide.flow, on: eventLoop) { channel in
            try channel.pipeline.syncOperations.addHandler(side.value)
        }.map { _ in side }
    }
}

extension RecordingLink {
    /// Returns the name that recordings give a link to this address.
    package init(_ address: LinkAddress) {
        switch address {
        case .tcp: self = .tcp
        case .serial, .remote, .pty: self = .serial
        case .controller, .bluetooth: self = .ble
        }
    }
}
