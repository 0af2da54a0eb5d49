import MeshBluetoothHost
import MeshFiles
import MeshFirmware
import MeshLinks
import MeshTime
import MeshWire
import NIOCore

/// The Bluetooth of a board: a peripheral on a controller, which is reached over TCP or is an adapter of this machine, its own or
/// one of bluetoothd's.
///
/// Everything that is decided is ``RadioPeripheral``'s; here are the socket, the clock and the file of bonds. The clock is the
/// real one, also where the world's time runs faster: the controller and the phone know no other.
final class BluetoothPort: AppPort {
    /// Bytes of one read.
    private static let readSize = 4096
    /// Bytes that wait for a controller that does not read, from which on the channel counts as not writable. It bounds nothing.
    private static let pendingLimit = 64 * 1024
    /// Inputs of a central that the node has not read yet; more are lost, as in the board's queue.
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
    /// In the place of a controller of its own.
    private var desktop: DesktopRadio?
    private var inputs: [NodeInput.App] = []
    /// Outputs that are still to be done.
    private var waiting: [RadioPeripheral.Output] = []
    private var isPerforming = false
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
        if case .controller(.desktop) = address {
            peripheral = .onSockets(radio)
        } else {
            peripheral = RadioPeripheral(radio, known: known)
        }
    }

    // MARK: Opening

    /// Connects to the controller and sets it up; fails with a `LinkError` or an `EmulatorError`.
    static func open(
        _ address: LinkAddress, radio: RadioIdentity, label: String, bonds: BondFile?,
        owner: NIOLoopBound<any PortOwner>, machine: DesktopRadio.Machine = .init()
    ) -> EventLoopFuture<NIOLoopBound<BluetoothPort>> {
        owner.eventLoop.submit {
            let known = try Self.load(bonds)
            let port = BluetoothPort(
                address, radio, label: label, bonds: bonds, known: known, owner: owner.value)
            port.show(radio)
            return NIOLoopBound(port, eventLoop: owner.eventLoop)
        }.flatMap { (port: NIOLoopBound<BluetoothPort>) in
            port.value.connect(port, machine).flatMap { port.value.opened.futureResult }.map { port }
                .flatMapError { error in port.value.stop().flatMapThrowing { throw error } }
        }
    }

    /// Shows what a person in front of the board reads.
    private func show(_ radio: RadioIdentity) {
        if radio.showsPIN { owner.show("\(label): its display shows PIN \(radio.pin)") }
    }

    private func connect(
        _ port: NIOLoopBound<BluetoothPort>, _ machine: DesktopRadio.Machine
    ) -> EventLoopFuture<Void> {
        if case .controller(.desktop(let number)) = address {
            let desktop = DesktopRadio(number ?? 0, address, on: machine, eventLoop: owner.eventLoop) { [weak self] in
                self?.happened($0)
            }
            self.desktop = desktop
            desktop.begin()
            return owner.eventLoop.makeSucceededVoidFuture()
        }
        let flow = LinkFlow(readSize: Self.readSize, pendingLimit: Self.pendingLimit)
        return LinkDialer.channel(to: address, flow: flow, on: owner.eventLoop) { channel in
            let source = ByteSource { port.value.happened($1, at: $0) }
            try channel.pipeline.syncOperations.addHandler(source)
        }.map { _ in }
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

    private func happened(_ event: DesktopRadio.Event) {
        guard !isStopped else { return }
        switch event {
        case .ready: perform(peripheral.start(at: now, random: &random))
        case .advertising: open()
        case .notAdvertising(let reason):
            guard isReady else { return fail(reason) }
            owner.note("\(label): not found over Bluetooth: \(reason)")
            take { $0.perform($0.peripheral.take(.notAdvertised, at: $0.now, random: &$0.random)) }
        case .happened(let input): take { $0.perform($0.peripheral.take(input, at: $0.now, random: &$0.random)) }
        case .shown(let line): owner.show("\(label): \(line)")
        case .ended(let reason): fail(reason)
        }
    }

    private func receive(_ bytes: [UInt8]) {
        reader.append(bytes.span)
        take { port in
            do throws(FrameError) {
                while !port.isStopped, let packet = try port.reader.next() {
                    port.perform(port.peripheral.receive(packet, at: port.now, random: &port.random))
                }
            } catch {
                port.fail("\(BluetoothHost.Failure.malformed(error))")
            }
        }
    }

    /// Takes what has come, and lets the node go on.
    private func take(_ step: (BluetoothPort) -> Void) {
        let wasBusy = !peripheral.hasRoom
        step(self)
        // A node that waits for room goes on.
        if wasBusy && peripheral.hasRoom { owner.advance() }
        tellOwner()
    }

    private func tellOwner() {
        if !inputs.isEmpty { owner.advance() }
    }

    // MARK: Outputs

    private func perform(_ outputs: [RadioPeripheral.Output]) {
        waiting += outputs
        // What comes of an output while it is done, as a packet that the kernel takes at once, follows those before it.
        guard !isPerforming else { return }
        isPerforming = true
        while !isStopped, !waiting.isEmpty { perform(waiting.removeFirst()) }
        isPerforming = false
        setAlarm()
    }

    private func perform(_ output: RadioPeripheral.Output) {
        switch output {
        case .send(let packet): write(packet)
        case .input(let input): take(input)
        case .keep(let peers): keep(peers)
        case .order(let order): desktop?.perform(order, name: peripheral.radio.deviceName)
        // bluetoothd has still to say that it advertises.
        case .ready: if desktop == nil { open() }
        case .note(let text): owner.note("\(label): \(text)")
        case .failed(let failure): fail("\(failure)")
        }
    }

    private func open() {
        guard !isReady else { return }
        isReady = true
        opened.succeed()
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

    /// A controller of its own falls silent, and the central misses it after its supervision time-out.
    func losesPower() -> Bool {
        guard !isStopped else { return false }
        inputs = []
        perform(peripheral.losePower(at: now, random: &random))
        // Whoever had proved the PIN is nobody the next boot knows.
        inputs = []
        return false
    }

    func booted(as radio: RadioIdentity?) -> Bool {
        guard !isStopped, let radio else { return false }
        show(radio)
        perform(peripheral.boot(as: radio, at: now, random: &random))
        return false
    }

    func stop() -> EventLoopFuture<Void> {
        guard !isStopped else { return owner.eventLoop.makeSucceededVoidFuture() }
        // So that a phone need not wait until it misses us, and none finds who is gone.
        if isReady {
            // Now, also where an output is what ends it.
            isPerforming = false
            perform(peripheral.restart(at: now, random: &random))
        }
        isStopped = true
        // Nobody waits for it but who opens the port, where it is the first end that counts.
        opened.fail(ChannelError.alreadyClosed)
        alarm.set(nil) {}
        let channel = source?.channel
        source = nil
        if let desktop { return desktop.stop() }
        return channel?.close().recover { _ in } ?? owner.eventLoop.makeSucceededVoidFuture()
    }
}
