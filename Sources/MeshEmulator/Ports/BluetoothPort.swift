import MeshBluetoothHost
import MeshFiles
import MeshFirmware
import MeshTime
import MeshTransports
import NIOCore

/// The Bluetooth of a board: a peripheral above a controller, or above a kernel that keeps one.
///
/// Everything that is decided is ``RadioPeripheral``'s; here are the clock and the file of bonds, and below is the
/// bearer. The clock is the real one, also where the world's time runs faster: the controller and the phone know no
/// other.
final class BluetoothPort<Bearer: RadioBearer>: AppPort {
    typealias Peripheral = RadioPeripheral<Bearer.Host>

    /// Inputs of a central that the node has not read yet; more are lost, as in the board's queue.
    private static var inputLimit: Int { 64 }

    private let address: LinkAddress
    private let owner: any PortOwner
    private let label: String
    private let bonds: BondFile?
    private let alarm: LoopAlarm
    private let opened: EventLoopPromise<Void>
    private var peripheral: Peripheral
    private var random = SystemRandomNumberGenerator()
    private var bearer: Bearer?
    private var inputs: [NodeInput.App] = []
    /// Outputs that are still to be done.
    private var waiting: [Peripheral.Output] = []
    private var isPerforming = false
    private var isReady = false
    private var isStopped = false

    private init(
        _ address: LinkAddress, _ peripheral: Peripheral, label: String, bonds: BondFile?, owner: any PortOwner
    ) {
        self.address = address
        self.peripheral = peripheral
        self.label = label
        self.bonds = bonds
        self.owner = owner
        alarm = LoopAlarm(owner.eventLoop)
        opened = owner.eventLoop.makePromise()
    }

    // MARK: Opening

    /// Opens the way to the controller and sets it up; fails with a `LinkError` or an `EmulatorError`.
    static func open(
        _ address: LinkAddress, label: String, bonds: BondFile?, owner: NIOLoopBound<any PortOwner>,
        peripheral: @escaping @Sendable ([BluetoothHost.KnownPeer]) -> Peripheral,
        bearer: @escaping @Sendable (any EventLoop, @escaping (Bearer.Event) -> Void) -> Bearer
    ) -> EventLoopFuture<NIOLoopBound<any AppPort>> {
        owner.eventLoop.submit {
            let peripheral = peripheral(try bonds?.knownPeers() ?? [])
            let port = BluetoothPort(address, peripheral, label: label, bonds: bonds, owner: owner.value)
            port.show(peripheral.radio)
            return NIOLoopBound(port, eventLoop: owner.eventLoop)
        }.flatMap { (port: NIOLoopBound<BluetoothPort>) in
            port.value.connect(bearer).flatMap { port.value.opened.futureResult }
                .map { NIOLoopBound<any AppPort>(port.value, eventLoop: owner.eventLoop) }
                .flatMapError { error in port.value.stop().flatMapThrowing { throw error } }
        }
    }

    private func connect(
        _ make: (any EventLoop, @escaping (Bearer.Event) -> Void) -> Bearer
    ) -> EventLoopFuture<Void> {
        let bearer = make(owner.eventLoop) { [weak self] in self?.happened($0) }
        self.bearer = bearer
        return bearer.begin()
    }

    /// Shows what a person in front of the board reads.
    private func show(_ radio: RadioIdentity) {
        if radio.showsPIN { owner.show("\(label): its display shows PIN \(radio.pin)") }
    }

    private var now: Instant { .start + alarm.now }

    private func happened(_ event: Bearer.Event) {
        guard !isStopped else { return }
        switch event {
        case .ready: perform(peripheral.start(at: now, random: &random))
        case .advertising: open()
        case .notAdvertising(let reason):
            guard isReady else { return fail(reason) }
            owner.note("\(label): not found over Bluetooth: \(reason)")
        case .happened(let inputs): take(inputs)
        case .shown(let line): owner.show("\(label): \(line)")
        case .ended(let reason): fail(reason)
        }
    }

    /// Takes what has come, and lets the node go on.
    private func take(_ inputs: [Bearer.Host.Input]) {
        advancing {
            for input in inputs where !isStopped { perform(peripheral.take(input, at: now, random: &random)) }
        }
    }

    /// Does what may bring inputs or make room, and lets the node go on that waits for either.
    private func advancing(_ step: () -> Void) {
        let wasBusy = !peripheral.hasRoom
        step()
        guard !isStopped else { return }
        if wasBusy && peripheral.hasRoom || !inputs.isEmpty { owner.advance() }
    }

    // MARK: Outputs

    private func perform(_ outputs: [Peripheral.Output]) {
        waiting += outputs
        // What comes of an output while it is done, as a packet that the kernel takes at once, follows those before it.
        guard !isPerforming else { return }
        isPerforming = true
        while !isStopped, !waiting.isEmpty { perform(waiting.removeFirst()) }
        isPerforming = false
        setAlarm()
    }

    private func perform(_ output: Peripheral.Output) {
        switch output {
        case .send(let order): bearer?.perform(order, name: peripheral.deviceName)
        case .input(let input): take(input)
        case .keep(let peers): keep(peers)
        case .ready: if !Bearer.confirmsAdvertising { open() }
        case .note(let text): owner.note("\(label): \(text)")
        case .failed(let failure): fail("\(failure)")
        }
    }

    private func open() {
        guard !isReady else { return }
        isReady = true
        opened.succeed()
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
            self.advancing { self.perform(self.peripheral.expire(at: self.now, random: &self.random)) }
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
        perform(peripheral.forgetFaults(at: now, random: &random))
    }

    var bluetooth: BluetoothLinkState? {
        BluetoothLinkState(ownsController: Bearer.Host.ownsController, entries: peripheral.faults.entries)
    }

    func arm(_ fault: BluetoothFault, number: Int) {
        do throws(BluetoothFaultLedger.Refusal) {
            try peripheral.arm(fault, number: number)
        } catch {
            owner.note("\(label): the fault \(fault) is not armed: \(error)")
        }
    }

    func disarm(_ number: Int) {
        perform(peripheral.disarm(number, at: now, random: &random) ?? [])
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
        return bearer?.stop() ?? owner.eventLoop.makeSucceededVoidFuture()
    }
}

extension BondFile {
    /// The peers in the file, none where there is no file yet; fails with an error of the emulator.
    fileprivate func knownPeers() throws(EmulatorError) -> [BluetoothHost.KnownPeer] {
        do throws(BondFile.Failure) {
            return try load()
        } catch {
            switch error {
            case .unusable(let error): throw .stateUnusable(path: error.path, reason: error.reason)
            case .damaged(let reason): throw .stateDamaged(path: path, field: "", reason: reason)
            }
        }
    }
}
