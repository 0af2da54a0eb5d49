import Glibc
import MeshBluetoothHost
import MeshCompanion
import MeshFiles
import MeshTime
import MeshWire
import NIOCore
import NIOPosix

/// A radio over Bluetooth as a stream of bytes, one end of a pair of sockets, as if it were a TCP port.
///
/// Everything that is decided is ``BluetoothCentral``'s; here are the channel of the controller, the clock, the file of bonds
/// and the other end of the pair. The pair costs each frame two more system calls. It gives what a stream has and a Bluetooth
/// link has not: bytes that wait for their reader, senders that wait for room, and an end that both sides see.
final class BluetoothLink {
    /// Bytes of frames that may wait for an app that does not read.
    private static let pendingLimit = 1024 * 1024
    /// Packets of a controller hold no more.
    private static let packetLimit = 4096
    /// How long frames of an app that has gone may take to be written.
    private static let grace = TimeAmount.seconds(5)

    private let radio: BluetoothRadio
    private let bonds: BondFile?
    private let eventLoop: any EventLoop
    private let alarm: LoopAlarm
    private let opened: EventLoopPromise<Int32>
    private let ended: EventLoopPromise<Void>
    private var central: BluetoothCentral
    private var random = SystemRandomNumberGenerator()
    private var packets = HCI.PacketReader(limit: BluetoothLink.packetLimit)
    /// All lengths are believed: what is too long for the radio is dropped as a whole.
    private var frames = ClientReceiver(marker: StreamFraming.toRadioMarker, longest: Int(UInt16.max), capacity: 0)
    private var controller: ByteSource?
    private var app: ByteSource?
    /// The app's end of the pair, until it is handed over.
    private var appEnd: Int32 = -1
    /// A frame that found no room.
    private var next: [UInt8]?
    /// Bytes that the app has not read.
    private var pending = 0
    private var isReady = false
    private var hasAppLeft = false
    /// The link is being ended, for whatever reason.
    private var isLeaving = false
    private var isOver = false

    private init(
        _ radio: BluetoothRadio, passkey: UInt32, bonds: BondFile?, known: [BluetoothHost.KnownPeer],
        ended: EventLoopPromise<Void>, on eventLoop: any EventLoop
    ) {
        self.radio = radio
        self.bonds = bonds
        self.eventLoop = eventLoop
        self.ended = ended
        alarm = LoopAlarm(eventLoop)
        opened = eventLoop.makePromise()
        let peer: BluetoothCentral.Peer =
            switch radio.peer {
            case .address(let number): .address(number)
            case .name(let name): .name(name)
            }
        central = BluetoothCentral(peer, passkey: passkey, known: known)
    }

    // MARK: Opening

    /// Dials the radio and blocks until frames pass; the descriptor is the caller's to close.
    static func open(_ radio: BluetoothRadio) throws(LinkError) -> Int32 {
        let passkey = try radio.passkey()
        let bonds = BondFile.ofCentral(radio.controller, in: BondFile.environment)
        let known = try bonds.map { (file) throws(LinkError) in try load(file, for: radio) } ?? []
        let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let ended = eventLoop.makePromise(of: Void.self)
        do {
            let hold = try BluetoothHolds.take(radio, until: ended)
            return try eventLoop.flatSubmit {
                let link = BluetoothLink(
                    radio, passkey: passkey, bonds: bonds, known: known, ended: ended, on: eventLoop)
                let bound = NIOLoopBound(link, eventLoop: eventLoop)
                hold.isLeft(by: { eventLoop.execute { bound.value.hangUp() } })
                return bound.value.dial()
            }.wait()
        } catch {
            throw error as? LinkError ?? .unreachable(.bluetooth(radio), reason: "\(error)")
        }
    }

    private static func load(
        _ file: BondFile, for radio: BluetoothRadio
    ) throws(LinkError) -> [BluetoothHost.KnownPeer] {
        do throws(BondFile.Failure) {
            return try file.load()
        } catch {
            let reason =
                switch error {
                case .unusable(let error): "the file of its keys cannot be read: \(error)"
                case .damaged(let reason): "the file of its keys is damaged, \(reason); remove \(file.path)"
                }
            throw .unreachable(.bluetooth(radio), reason: reason)
        }
    }

    private func dial() -> EventLoopFuture<Int32> {
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        let flow = LinkFlow(readSize: ByteSource.readSize)
        openPair(flow).flatMap {
            LinkDialer.channel(to: .controller(this.value.radio.controller), flow: flow, on: this.value.eventLoop) {
                channel in
                let source = ByteSource { this.value.happenedAtController($1, $0) }
                try channel.pipeline.syncOperations.addHandler(source)
            }
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

    // MARK: The controller

    private var now: Instant { .start + alarm.now }

    private func happenedAtController(_ event: ByteSource.Event, _ source: ByteSource) {
        switch event {
        case .active:
            guard !isOver else {
                source.channel?.close(promise: nil)
                return
            }
            controller = source
            perform(central.start(at: now, random: &random))
        case .received: receive(source.take(.max))
        case .inputEnded, .closed:
            guard !isOver else { return }
            perform(central.close(at: now, random: &random))
        }
    }

    private func receive(_ bytes: [UInt8]) {
        packets.append(bytes.span)
        do throws(FrameError) {
            while !isOver, let packet = try packets.next() {
                perform(central.receive(packet, at: now, random: &random))
            }
        } catch {
            end(BluetoothCentral.Failure.controller(.malformed(error)))
        }
    }

    private func perform(_ outputs: [BluetoothCentral.Output]) {
        for output in outputs where !isOver {
            switch output {
            case .send(let packet): controller?.channel?.writeAndFlush(ByteBuffer(bytes: packet), promise: nil)
            case .ready:
                isReady = true
                opened.succeed(appEnd)
                appEnd = -1
            case .frame(let frame): tell(frame)
            case .keep(let peers): keep(peers)
            case .ended(let failure): end(failure)
            // Nobody is here to type another one.
            case .pinWanted: perform(central.enter(nil, at: now, random: &random))
            // As on any stream, the app's own limits say what becomes of a frame that is not answered.
            case .notWritten, .hasRoom, .found, .note: break
            }
        }
        pump()
        setAlarm()
    }

    private func keep(_ peers: [BluetoothHost.KnownPeer]) {
        do throws(FileSystem.Failure) {
            try bonds?.store(peers)
        } catch {
            end(LinkError.unreachable(.bluetooth(radio), reason: "its keys cannot be kept: \(error)"))
        }
    }

    private func setAlarm() {
        let deadline = isOver ? nil : central.deadline
        alarm.set(deadline.map { $0 - .start }) { [weak self] in
            guard let self else { return }
            self.perform(self.central.expire(at: self.now, random: &self.random))
        }
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

    /// Hands the app's frames over, as far as there is room for them.
    private func pump() {
        while isReady, !isLeaving, let frame = next ?? nextFrame() {
            do throws(BluetoothCentral.Refusal) {
                next = frame
                let outputs = try central.send(frame, withResponse: true, at: now, random: &random)
                next = nil
                perform(outputs)
            } catch .full {
                return
            } catch {
                // Longer than any value, or too late.
                next = nil
            }
        }
        if hasAppLeft, isReady, central.unwritten == 0, next == nil { hangUp() }
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
        perform(central.hangUp(at: now, random: &random))
        // The controller is not there yet.
        if central.phase == .idle { end(BluetoothCentral.Failure.hungUp) }
    }

    private func end(_ error: any Error) {
        guard !isOver else { return }
        (isLeaving, isOver) = (true, true)
        alarm.set(nil) {}
        opened.fail(error as? LinkError ?? .unreachable(.bluetooth(radio), reason: "\(error)"))
        if appEnd >= 0 { close(appEnd) }
        appEnd = -1
        app?.channel?.close(promise: nil)
        let closed = controller?.channel?.close() ?? eventLoop.makeSucceededVoidFuture()
        closed.recover { _ in }.cascade(to: ended)
        (app, controller) = (nil, nil)
    }
}
