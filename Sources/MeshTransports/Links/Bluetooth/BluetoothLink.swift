import Glibc
import MeshBluetoothHost
import MeshBus
import MeshCompanion
import MeshTime
import NIOCore
import NIOPosix

/// A radio over Bluetooth as a stream of bytes, one end of a pair of sockets, as if it were a TCP port.
///
/// The core of its ``BluetoothWay`` makes all decisions; here are the clock and the other end of the pair. The pair
/// costs each frame two more system calls. It gives the properties of a stream that a Bluetooth link has not. Bytes
/// wait for their reader, senders wait for room, and both sides see an end.
final class BluetoothLink {
    /// Bytes of frames that may wait for an app that does not read.
    private static let pendingLimit = 1024 * 1024
    /// The time in which frames of an app that has gone must be written.
    private static let grace = TimeAmount.seconds(5)

    private let address: LinkAddress
    private let way: any BluetoothWay
    private let eventLoop: any EventLoop
    private let alarm: LoopAlarm
    private let opened: EventLoopPromise<Int32>
    private let ended: EventLoopPromise<Void>
    /// The reader of frames. All lengths are accepted: a frame too long for the radio is dropped as a whole.
    private var frames = ClientReceiver(marker: StreamFraming.toRadioMarker, longest: Int(UInt16.max), capacity: 0)
    private var app: ByteSource?
    /// The app's end of the pair, until the caller receives it.
    private var appEnd: Int32 = -1
    /// A frame that found no room.
    private var next: [UInt8]?
    /// True while a frame is being sent; reports in that time do not send the next one.
    private var isSending = false
    /// Bytes that the app has not read.
    private var pending = 0
    private var isReady = false
    private var hasAppLeft = false
    /// True while the link is being ended, for any reason.
    private var isLeaving = false
    private var isOver = false

    private init(_ plan: BluetoothWayPlan, ended: EventLoopPromise<Void>, on eventLoop: any EventLoop) {
        address = plan.address
        way = plan.make(on: eventLoop)
        self.eventLoop = eventLoop
        self.ended = ended
        alarm = LoopAlarm(eventLoop)
        opened = eventLoop.makePromise()
    }

    // MARK: Opening

    /// Dials the radio and blocks until frames pass; the descriptor is the caller's to close.
    ///
    /// - Parameter bus: Where bluetoothd is, when it is on another bus than the system's.
    static func open(_ radio: BluetoothRadio, on bus: Bus.Place = .system) throws(LinkError) -> Int32 {
        let address = LinkAddress.bluetooth(radio)
        let plan = try BluetoothWayPlan(
            radio.controller, .init(radio.peer), passkey: try radio.passkey(), for: address, bus: bus)
        let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let ended = eventLoop.makePromise(of: Void.self)
        do {
            let hold = try BluetoothHolds.take(plan, until: ended)
            return try eventLoop.flatSubmit {
                let link = BluetoothLink(plan, ended: ended, on: eventLoop)
                let bound = NIOLoopBound(link, eventLoop: eventLoop)
                hold.isLeft(by: { eventLoop.execute { bound.value.hangUp() } })
                return bound.value.dial()
            }.wait()
        } catch {
            throw LinkError(error, at: address)
        }
    }

    private func dial() -> EventLoopFuture<Int32> {
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        way.report = { this.value.happenedBelow($0) }
        openPair(LinkFlow(readSize: ByteSource.readSize)).flatMap {
            let link = this.value
            return link.isOver
                ? link.eventLoop.makeSucceededVoidFuture() : link.way.open { .start + link.alarm.now }
        }.whenFailure { this.value.end($0) }
        return opened.futureResult
    }

    private func openPair(_ flow: LinkFlow) -> EventLoopFuture<Void> {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            return eventLoop.makeFailedFuture(IOError(errnoCode: errno, reason: "socketpair"))
        }
        appEnd = ends[1]
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        let setup = ChannelSetup(flow: flow, kind: .pair) { channel in
            let source = ByteSource { this.value.happenedAtApp($1, $0) }
            try channel.pipeline.syncOperations.addHandler(source)
        }
        return ClientBootstrap(group: eventLoop).channelInitializer { setup($0) }.withConnectedSocket(ends[0]).map {
            _ in
        }
    }

    // MARK: The radio

    private func happenedBelow(_ event: BluetoothWayEvent) {
        guard !isOver else { return }
        switch event {
        case .ready:
            isReady = true
            opened.succeed(appEnd)
            appEnd = -1
        case .frame(let frame): tell(frame)
        case .found: break
        case .settled:
            pump()
            setAlarm()
        case .ended(let error): end(error)
        }
    }

    private func setAlarm() {
        let deadline = isOver ? nil : way.deadline
        alarm.set(deadline.map { $0 - .start }) { [weak self] in self?.way.expire() }
    }

    // MARK: The app

    private func happenedAtApp(_ event: ByteSource.Event, _ source: ByteSource) {
        switch event {
        case .active: app = source
        case .received: pump()
        case .inputEnded, .closed:
            guard !hasAppLeft else { return }
            hasAppLeft = true
            let this = NIOLoopBound(self, eventLoop: eventLoop)
            eventLoop.scheduleTask(in: Self.grace) { this.value.hangUp() }
            pump()
        }
    }

    /// Sends the app's frames, as far as there is room for them.
    private func pump() {
        guard !isSending else { return }
        while isReady, !isLeaving, let frame = next ?? nextFrame() {
            do throws(BluetoothCentral.Refusal) {
                next = frame
                isSending = true
                defer { isSending = false }
                try way.send(frame)
                next = nil
            } catch .full {
                return
            } catch {
                // Longer than any value, or too late.
                next = nil
            }
        }
        if hasAppLeft, isReady, way.unwritten == 0, next == nil { hangUp() }
    }

    private func nextFrame() -> [UInt8]? {
        while true {
            if let frame = frames.nextFrame() { return frame }
            guard let bytes = app?.take(frames.room), !bytes.isEmpty else { return nil }
            _ = frames.append(bytes)
        }
    }

    private func tell(_ frame: [UInt8]) {
        // What is empty or too long is no frame of a radio.
        guard let channel = app?.channel, let bytes = StreamFraming.encode(toApp: frame) else { return }
        pending += bytes.count
        guard pending <= Self.pendingLimit else { return hangUp() }
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenComplete { _ in this.value.pending -= bytes.count }
    }

    // MARK: Ending

    private func hangUp() {
        guard !isLeaving else { return }
        isLeaving = true
        way.hangUp()
        // The way is not there yet.
        if way.isIdle { end(BluetoothCentral.Failure.hungUp) }
    }

    private func end(_ error: any Error) {
        guard !isOver else { return }
        (isLeaving, isOver) = (true, true)
        alarm.set(nil) {}
        opened.fail(LinkError(error, at: address))
        if appEnd >= 0 { close(appEnd) }
        appEnd = -1
        app?.channel?.close(promise: nil)
        way.close().recover { _ in }.cascade(to: ended)
        app = nil
    }
}
