import MeshBluetoothHost
import MeshFiles
import MeshFirmware
import MeshLinks
import MeshTime
import MeshWire
import NIOCore

/// The Bluetooth of a board: a peripheral on a controller, which is reached over TCP or is an adapter of this machine.
///
/// Everything that is decided is ``RadioPeripheral``'s; here are the socket, the clock and the file of bonds. The clock is the
/// real one, also where the world's time runs faster: the controller and the phone know no other.
final class BluetoothPort: AppPort {
    /// Bytes of one read.
    private static let readSize = 4096
    /// Bytes that wait for a controller that does not read, from which on the channel counts as not writable. It bounds nothing.
    private static let pendingLimit = 64 * 1024
    /// What a central has done and the node has not taken; more is lost, as in the board's queue.
    private static let inputLimit = 64

    private let address: LinkAddress
    private let owner: any PortOwner
    private let label: String
    private let bonds: BondFile?
    private let alarm: LoopAlarm
    private let opened: EventLoopPromise<Void>
    private var peripheral: RadioPeripheral
    private var reader = HCI.PacketReader(limit: 4096)
    private var random = SystemRandomNumberGenerator()
    private var source: ByteSource?
    private var inputs: [NodeInput.App] = []
    private var isReady = false
    private var isStopped = false

    private init(
        _ address: LinkAddress, _ radio: RadioIdentity, label: String, bonds: BondFile?,
        known: [BluetoothHost.KnownPeer], owner: any PortOwner
    ) {
        self.address = address
        self.label = label
        self.bonds = bonds
        self.owner = owner
        alarm = LoopAlarm(owner.eventLoop)
        opened = owner.eventLoop.makePromise()
        peripheral = RadioPeripheral(radio, known: known)
    }

    // MARK: Opening

    /// Connects to the controller and sets it up; fails with a `LinkError` or an `EmulatorError`.
    static func open(
        _ address: LinkAddress, radio: RadioIdentity, label: String, bonds: BondFile?,
        owner: NIOLoopBound<any PortOwner>
    ) -> EventLoopFuture<NIOLoopBound<BluetoothPort>> {
        owner.eventLoop.submit {
            let known = try Self.load(bonds)
            let port = BluetoothPort(
                address, radio, label: label, bonds: bonds, known: known, owner: owner.value)
            port.show(radio)
            return NIOLoopBound(port, eventLoop: owner.eventLoop)
        }.flatMap { (port: NIOLoopBound<BluetoothPort>) in
            let flow = LinkFlow(readSize: readSize, pendingLimit: pendingLimit)
            return LinkDialer.channel(to: address, flow: flow, on: owner.eventLoop) { channel in
                let source = ByteSource { port.value.happened($1, at: $0) }
                try channel.pipeline.syncOperations.addHandler(source)
            }.flatMap { _ in port.value.opened.futureResult }.map { port }.flatMapError { error in
                port.value.stop().flatMapThrowing { throw error }
            }
        }
    }

    /// What somebody who stands before the board reads.
    private func show(_ radio: RadioIdentity) {
        if radio.showsPIN { owner.note("\(label): its display shows PIN \(radio.pin)") }
    }

    private static func load(_ bonds: BondFile?) throws(EmulatorError) -> [BluetoothHost.KnownPeer] {
        guard let bonds else { return [] }
        do throws(BondFile.Failure) {
            return try bonds.load()
        } catch {
            switch error {
            case .unusable(let error): throw .stateUnusable(path: error.path, reason: error.reason)
            case .damaged(let reason): throw .stateDamaged(path: bonds.path, field: "", reason: reason)
            }
        }
    }

    private var now: Instant { .start + alarm.now }

    private func happened(_ event: ByteSource.Event, at source: ByteSource) {
        switch event {
        case .active:
            self.source = source
            perform(peripheral.start(at: now, random: &random))
        case .received: receive(source.take(.max))
        case .inputEnded, .closed:
            guard !isStopped else { return }
            perform(peripheral.close(at: now, random: &random))
        }
    }

    private func receive(_ bytes: [UInt8]) {
        let wasBusy = !peripheral.hasRoom
        reader.append(bytes.span)
        do throws(FrameError) {
            while !isStopped, let packet = try reader.next() {
                perform(peripheral.receive(packet, at: now, random: &random))
            }
        } catch {
            fail("\(BluetoothHost.Failure.malformed(error))")
        }
        // A node that waits for room goes on.
        if wasBusy && peripheral.hasRoom { owner.advance() }
        tellOwner()
    }

    private func tellOwner() {
        if !inputs.isEmpty { owner.advance() }
    }

    // MARK: Outputs

    private func perform(_ outputs: [RadioPeripheral.Output]) {
        for output in outputs where !isStopped {
            switch output {
            case .send(let packet): write(packet)
            case .input(let input): take(input)
            case .keep(let peers): keep(peers)
            case .ready:
                isReady = true
                opened.succeed()
            case .note(let text): owner.note("\(label): \(text)")
            case .failed(let failure): fail("\(failure)")
            }
        }
        setAlarm()
    }

    private func write(_ packet: [UInt8]) {
        source?.channel?.writeAndFlush(ByteBuffer(bytes: packet), promise: nil)
    }

    private func take(_ input: NodeInput.App) {
        if case .bytes = input, inputs.count >= Self.inputLimit { return }
        inputs.append(input)
    }

    private func keep(_ peers: [BluetoothHost.KnownPeer]) {
        do throws(FileSystem.Failure) {
            try bonds?.store(peers)
        } catch {
            end(.stateNotWritten(path: error.path, reason: error.reason))
        }
    }

    private func setAlarm() {
        let deadline = isStopped ? nil : peripheral.deadline
        alarm.set(deadline.map { $0 - .start }) { [weak self] in
            guard let self else { return }
            self.perform(self.peripheral.expire(at: self.now, random: &self.random))
            self.tellOwner()
        }
    }

    // MARK: Failing

    private func fail(_ reason: String) {
        end(.link(.unreachable(address, reason: reason)))
    }

    private func end(_ error: EmulatorError) {
        guard !isStopped else { return }
        opened.fail(error)
        _ = stop()
        if isReady { owner.portFailed(error) }
    }

    // MARK: AppPort

    var hasClient: Bool { peripheral.isSecure }

    var hasRoom: Bool? { peripheral.hasRoom }

    func nextInput(window: Int) -> NodeInput? {
        inputs.isEmpty ? nil : inputs.removeFirst().input
    }

    func send(_ bytes: [UInt8]) -> Bool {
        let lost = peripheral.lost
        perform(peripheral.send(bytes, at: now, random: &random))
        return peripheral.lost == lost
    }

    func shutOut() -> Int {
        perform(peripheral.hangUp(at: now, random: &random))
        return 0
    }

    func reset() {
        inputs = []
        _ = shutOut()
    }

    func restarts() {
        perform(peripheral.restart(at: now, random: &random))
    }

    func booted(as radio: RadioIdentity) {
        guard !isStopped else { return }
        show(radio)
        perform(peripheral.boot(as: radio, at: now, random: &random))
    }

    func stop() -> EventLoopFuture<Void> {
        guard !isStopped else { return owner.eventLoop.makeSucceededVoidFuture() }
        // So that a phone need not wait until it misses us, and none finds who is gone.
        if isReady { perform(peripheral.restart(at: now, random: &random)) }
        isStopped = true
        // Nobody waits for it but who opens the port, where it is the first end that counts.
        opened.fail(ChannelError.alreadyClosed)
        alarm.set(nil) {}
        let channel = source?.channel
        source = nil
        return channel?.close().recover { _ in } ?? owner.eventLoop.makeSucceededVoidFuture()
    }
}
