import MeshBluetoothHost
import MeshBoards
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime

/// A controller of the suite's within reach of the emulated radio in this process.
///
/// Board, peripheral and controllers are values on one virtual time, which passes while the suite waits for its
/// controller. The board is the target's, so that a statement can put frames on its air meanwhile.
final class EmulatedController: ControllerLink {
    /// The interval of 7.5 ms, short enough not to hide the pace of the radio.
    private static let interval: UInt16 = 6

    private var reach: RadioInRange
    private var inbox: [[UInt8]] = []
    /// The restarts of the board that the peripheral knows of.
    private var restarts = 0
    /// The end of a frame was lost, as it was longer than a notification.
    private(set) var hasCut = false
    /// The radio advertises a new name before its next start.
    private let renamesAtOnce: Bool
    private let board: EmulatorTarget

    /// - Throws: `unsupported` where the board has no Bluetooth, or can never have one of the faults.
    init(
        _ board: EmulatorTarget, faults: [BluetoothFault], renamesAtOnce: Bool, seed: Seed
    ) throws(TargetError) {
        guard let identity = RadioIdentity(board.radio.companion) else {
            throw .unsupported("speak Bluetooth: its board has none")
        }
        self.board = board
        self.renamesAtOnce = renamesAtOnce
        var ledger = BluetoothFaultLedger()
        for (place, fault) in faults.enumerated() {
            do throws(BluetoothFaultLedger.Refusal) {
                try ledger.arm(fault, number: place + 1)
            } catch {
                throw .unsupported("have the fault \(fault.kind.name): \(error)")
            }
        }
        var settings = AirSettings()
        settings.interval = Self.interval
        let addresses = [1, 2].map { BluetoothAddress(number: $0, isRandom: false) }
        reach = RadioInRange(
            identity, controllers: addresses.map { ControllerDescription(address: $0, dataCount: 1) },
            settings: settings, seed: seed, random: seed.stream("comply", "bluetooth"), faults: ledger,
            at: board.radio.now)
    }

    // MARK: ControllerLink

    var now: Instant { board.radio.now }

    func send(_ packet: [UInt8]) {
        reach.receive(packet, at: now)
    }

    func receive(until moment: Instant) -> [UInt8]? {
        pass(until: moment, orTo: .written) { !inbox.isEmpty }
        return inbox.isEmpty ? nil : inbox.removeFirst()
    }

    // MARK: Time

    /// Lets time pass until the board has begun to send.
    func awaitTransmission(within span: TimeSpan) {
        pass(until: now + span, orTo: .sent) { !board.radio.transmissions.isEmpty }
    }

    private func pass(until end: Instant, orTo stop: HeldRadio.Stop, _ isOver: () -> Bool) {
        while !isOver() {
            attend()
            guard now < end, !isOver() else { return }
            board.radio.run(for: min(end, max(reach.deadline ?? .never, now)) - now, until: stop)
        }
    }

    /// Does all that is due now.
    func attend() {
        takeWrites()
        if board.radio.restarts != restarts {
            restarts = board.radio.restarts
            reach.restart(at: now)
            boot()
        }
        while let outcome = reach.next(at: now) {
            switch outcome {
            case .packet(let packet): inbox.append(packet)
            case .node(let input): take(input)
            }
            if reach.hasRoom { board.radio.holdLink(false) }
            takeWrites()
        }
    }

    /// The board has lost its power, and has it back.
    func losePower() {
        reach.losePower(at: now)
        boot()
    }

    /// The board's settings hold from now on.
    private func boot() {
        guard let identity = RadioIdentity(board.radio.companion) else { return }
        reach.boot(as: identity, at: now)
    }

    private func takeWrites() {
        while let value = board.radio.takeWrite() {
            if let traits = board.radio.companion.board.bluetooth, !traits.splitsFrames,
                value.count > Int(traits.mtu) - 3
            {
                hasCut = true
            }
            reach.notify(value, at: now)
            if !reach.hasRoom { board.radio.holdLink(true) }
        }
    }

    private func take(_ input: NodeInput.App) {
        switch input {
        case .connected: board.radio.connect()
        case .disconnected:
            board.radio.disconnect()
            if renamesAtOnce { boot() }
        case .bytes(let value): board.radio.receive(value)
        }
    }
}
