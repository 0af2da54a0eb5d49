import MeshBluetoothAir
import MeshBluetoothHost
import MeshFirmware
import MeshTime

/// The Bluetooth of a radio in this process: its peripheral, the central of its app, and the air between them.
///
/// A value on time that is handed in, like the world beside it. It governs whose packet comes first; what the two ends do is
/// ``RadioPeripheral``'s and `BluetoothCentral`'s, and what a packet costs is `VirtualAir`'s.
///
/// ```
/// app -- send --> central ~~~ air ~~~ peripheral -- node --> world
///     <-- told --                                <-- frame --
/// ```
struct RadioAir {
    /// What it leads to, in this order.
    enum Outcome {
        /// What the node learns.
        case node(NodeInput.App)
        /// What the app learns.
        case app(BluetoothCentral.Output)
    }

    /// The places of the controllers.
    private static let (radioSide, appSide) = (0, 1)
    /// Of the app's controller, which is nobody's.
    private static let appAddress = BluetoothAddress(number: 0x0000_5EED_0001, isRandom: false)

    private let link: LoopbackBluetooth
    private var air: VirtualAir
    private var peripheral: RadioPeripheral
    private var central: BluetoothCentral?
    /// The app dials once more when it has hung up.
    private var dialsAgain = false
    /// The board has not started since it was restarted, or lost its power.
    private var isDown = false
    private var isDark = false
    private var random: RandomStream
    private var outcomes: [Outcome] = []

    /// The radio's controller is set up, and it advertises from now on.
    init(_ radio: RadioIdentity, _ link: LoopbackBluetooth, at now: Instant) {
        self.link = link
        // The address by which the radio is found is its random one.
        let addresses = [BluetoothAddress(number: radio.address.number, isRandom: false), Self.appAddress]
        air = VirtualAir(
            addresses.map { ControllerDescription(address: $0, longestPayload: link.longestPayload) },
            settings: link.air, seed: link.seed)
        peripheral = RadioPeripheral(radio)
        random = link.seed.stream("air", "pairing")
        perform(peripheral.start(at: now, random: &random), now)
    }

    /// What connections have taken so far.
    var use: AirUse { air.use }
    /// What connection and radio allow now; `nil` without a connection.
    var limit: RequestResponseLimit? {
        var limit = air.limit(of: Self.radioSide)
        limit?.rest = peripheral.radio.traits.gap
        return limit
    }
    /// Whether the link of the node has room for a further frame.
    var hasRoom: Bool { peripheral.hasRoom }

    /// When `advance` wants to be called.
    var deadline: Instant? {
        [air.deadline, isDark ? nil : peripheral.deadline, central?.deadline].compactMap { $0 }.min()
    }

    /// What has come of all calls since the last time.
    mutating func takeOutcomes() -> [Outcome] {
        defer { outcomes = [] }
        return outcomes
    }

    // MARK: Time

    /// Everything that is due by now, each at its time.
    mutating func advance(to now: Instant) {
        while let at = deadline, at <= now {
            while let delivery = air.next(at: at) { hand(delivery, at) }
            if !isDark, let deadline = peripheral.deadline, deadline <= at {
                perform(peripheral.expire(at: at, random: &random), at)
            }
            if let deadline = central?.deadline, deadline <= at {
                perform(central?.expire(at: at, random: &random) ?? [], at)
            }
        }
    }

    private mutating func hand(_ delivery: VirtualAir.Delivery, _ now: Instant) {
        if delivery.controller == Self.radioSide {
            perform(peripheral.receive(delivery.packet, at: now, random: &random), now)
        } else {
            perform(central?.receive(delivery.packet, at: now, random: &random) ?? [], now)
        }
    }

    // MARK: The app

    /// The app dials the radio; what the app had before is ended first.
    mutating func connect(at now: Instant) {
        guard central?.phase ?? .idle == .idle else {
            // Set first: a scan ends at once.
            dialsAgain = true
            perform(central?.hangUp(at: now, random: &random) ?? [], now)
            return
        }
        dialsAgain = false
        var central = BluetoothCentral(
            .address(peripheral.radio.address.number), passkey: link.pin ?? peripheral.radio.pin,
            known: central?.known ?? [])
        let outputs = central.start(at: now, random: &random)
        self.central = central
        perform(outputs, now)
    }

    /// The app hangs up.
    mutating func disconnect(at now: Instant) {
        dialsAgain = false
        perform(central?.hangUp(at: now, random: &random) ?? [], now)
    }

    /// A frame of the app.
    mutating func write(_ frame: [UInt8], at now: Instant) throws(BluetoothCentral.Refusal) {
        guard var central else { throw .notReady }
        let outputs = try central.send(frame, withResponse: true, at: now, random: &random)
        self.central = central
        perform(outputs, now)
    }

    // MARK: The radio

    /// A frame of the node.
    mutating func notify(_ frame: [UInt8], at now: Instant) {
        perform(peripheral.send(frame, at: now, random: &random), now)
    }

    /// The node ends the connection.
    mutating func hangUp(at now: Instant) { perform(peripheral.hangUp(at: now, random: &random), now) }

    /// The board restarts.
    mutating func restart(at now: Instant) {
        isDown = true
        perform(peripheral.restart(at: now, random: &random), now)
    }

    /// The board has no power any more, unless it restarts: nobody hangs up, and the app misses it.
    mutating func losePower(at now: Instant) {
        guard !isDown else { return }
        (isDown, isDark) = (true, true)
        air.vanish(Self.radioSide, at: now)
    }

    /// The board has started.
    mutating func boot(as radio: RadioIdentity, at now: Instant) {
        defer { (isDown, isDark) = (false, false) }
        guard isDark else { return perform(peripheral.boot(as: radio, at: now, random: &random), now) }
        air.comeBack(Self.radioSide)
        peripheral = RadioPeripheral(radio, known: peripheral.known)
        perform(peripheral.start(at: now, random: &random), now)
    }

    // MARK: Outputs

    private mutating func perform(_ outputs: [RadioPeripheral.Output], _ now: Instant) {
        for output in outputs {
            switch output {
            case .send(let packet): air.receive(packet, from: Self.radioSide, at: now)
            case .input(let input): outcomes.append(.node(input))
            // The peripheral has its bonds, and nothing outlasts this process.
            case .keep, .ready, .note: break
            // A controller of this air takes what its host may say.
            case .failed, .order: break
            }
        }
    }

    private mutating func perform(_ outputs: [BluetoothCentral.Output], _ now: Instant) {
        for output in outputs {
            switch output {
            case .send(let packet): air.receive(packet, from: Self.appSide, at: now)
            case .ended where dialsAgain: connect(at: now)
            case .ready, .frame, .hasRoom, .notWritten, .ended: outcomes.append(.app(output))
            // It has its bonds itself, and knows the PIN.
            case .keep, .pinWanted, .found, .note: break
            }
        }
    }
}
