import MeshBluetoothAir
import MeshBluetoothHost
import MeshEmulator
import MeshSimulator
import MeshTime

/// The emulated radio as a Bluetooth peripheral in this process, and a controller of the suite's within its reach.
///
/// Board, peripheral and controllers are values on one virtual time, which passes while the suite waits for its
/// controller. The board is the target's, so that a statement can put frames on its air meanwhile.
final class EmulatedController: ControllerLink {
    /// Of the controllers on the air.
    private static let (ours, radios) = (0, 1)
    /// So short that the pace of the radio is not hidden by that of the link: 7.5 ms.
    private static let interval: UInt16 = 6

    private var air: VirtualAir
    private var peripheral: RadioPeripheral
    private var random: RandomStream
    private var inbox: [[UInt8]] = []
    /// The restarts of the board that the peripheral knows of.
    private var restarts = 0
    private let flaw: BluetoothFlaw?
    private let board: EmulatorTarget

    init(_ board: EmulatorTarget, flaw: BluetoothFlaw?, seed: Seed) throws(TargetError) {
        guard let identity = RadioIdentity(board.radio.companion, flaw: flaw) else {
            throw .unsupported("speak Bluetooth: its board has none")
        }
        self.board = board
        self.flaw = flaw
        var settings = AirSettings()
        settings.interval = Self.interval
        let addresses = [1, 2].map { BluetoothAddress(number: $0, isRandom: false) }
        air = VirtualAir(
            addresses.map { ControllerDescription(address: $0, dataCount: 1) }, settings: settings, seed: seed)
        random = seed.stream("comply", "bluetooth")
        peripheral = RadioPeripheral(identity)
        perform(peripheral.start(at: now, random: &random))
    }

    // MARK: ControllerLink

    var now: Instant { board.radio.now }

    func send(_ packet: [UInt8]) {
        air.receive(packet, from: Self.ours, at: now)
    }

    func receive(until moment: Instant) -> [UInt8]? {
        while inbox.isEmpty {
            attend()
            guard inbox.isEmpty, now < moment else { break }
            let next = [air.deadline, peripheral.deadline].compactMap { $0 }.min() ?? .never
            board.radio.run(for: min(moment, max(next, now)) - now, until: .written)
        }
        return inbox.isEmpty ? nil : inbox.removeFirst()
    }

    // MARK: One moment

    /// Does all that is due now.
    func attend() {
        takeWrites()
        if board.radio.restarts != restarts {
            restarts = board.radio.restarts
            perform(peripheral.restart(at: now, random: &random))
            boot()
        }
        if let deadline = peripheral.deadline, deadline <= now {
            perform(peripheral.expire(at: now, random: &random))
        }
        while let delivery = air.next(at: now) {
            if delivery.controller == Self.ours {
                inbox.append(delivery.packet)
            } else {
                perform(peripheral.receive(delivery.packet, at: now, random: &random))
            }
            if peripheral.hasRoom { board.radio.holdLink(false) }
            takeWrites()
        }
    }

    /// The board's settings hold from now on.
    private func boot() {
        guard let identity = RadioIdentity(board.radio.companion, flaw: flaw) else { return }
        perform(peripheral.boot(as: identity, at: now, random: &random))
    }

    private func takeWrites() {
        while let value = board.radio.takeWrite() {
            perform(peripheral.send(value, at: now, random: &random))
            if !peripheral.hasRoom { board.radio.holdLink(true) }
        }
    }

    private func perform(_ outputs: [RadioPeripheral.Output]) {
        for output in outputs {
            switch output {
            case .send(let packet): air.receive(packet, from: Self.radios, at: now)
            case .input(.connected): board.radio.connect()
            case .input(.disconnected):
                board.radio.disconnect()
                if flaw == .newNameAtOnce { boot() }
            case .input(.bytes(let value)): board.radio.receive(value)
            // Bonds last as long as the statement.
            case .keep, .ready, .note, .failed, .order: break
            }
        }
    }
}
