import MeshBluetoothHost
import MeshFirmware
import MeshTime

/// The Bluetooth of a radio in this process with its app: the radio in range, and the central of the app.
///
/// It is a value on time that is handed in, like the world beside it. The app's end is the business of
/// `BluetoothCentral`.
///
/// ```
/// app -- write --> central ~~~ RadioInRange -- node --> world
///     <-- told --                           <-- frame --
/// ```
struct RadioAir {
    /// A result for the node or for the app, in the order of the list.
    enum Outcome {
        /// An input of the node.
        case node(NodeInput.App)
        /// An output of the app's central.
        case app(BluetoothCentral.Output)
    }

    /// The address of the app's controller, which belongs to no device.
    private static let appAddress = BluetoothAddress(number: 0x0000_5EED_0001, isRandom: false)

    /// The six digits that the app's user types; `nil` for those that the radio shows.
    var pin: UInt32?
    private var radio: RadioInRange
    private var central: BluetoothCentral?
    /// The app dials once more when it has hung up.
    private var dialsAgain = false
    private var random: RandomStream
    private var outcomes: [Outcome] = []

    /// The radio's controller is set up, and it advertises from now on.
    init(_ radio: RadioIdentity, _ link: LoopbackBluetooth, at now: Instant) {
        pin = link.pin
        // The address by which the radio is found is its random one.
        let addresses = [BluetoothAddress(number: radio.address.number, isRandom: false), Self.appAddress]
        self.radio = RadioInRange(
            radio,
            controllers: addresses.map { ControllerDescription(address: $0, longestPayload: link.longestPayload) },
            settings: link.air, seed: link.seed, random: link.seed.stream("air", "pairing"), at: now)
        random = link.seed.stream("air", "app")
    }

    /// The use of the air by connections so far.
    var use: AirUse { radio.use }
    /// The limits of connection and radio now; `nil` without a connection.
    var limit: RequestResponseLimit? { radio.limit }
    /// True when the link of the node has room for a further frame.
    var hasRoom: Bool { radio.hasRoom }

    /// The faults of the radio, and what they have done.
    var faults: BluetoothFaultLedger { radio.faults }

    /// Arms a fault of the radio; operations are counted from now on.
    mutating func arm(_ fault: BluetoothFault, number: Int) throws(BluetoothFaultLedger.Refusal) {
        try radio.arm(fault, number: number)
    }

    /// Forgets all faults of the radio.
    mutating func forgetFaults(at now: Instant) { radio.forgetFaults(at: now) }

    /// Takes a fault of the radio back; false when there is none of this number.
    mutating func disarm(_ number: Int, at now: Instant) -> Bool { radio.disarm(number, at: now) }

    /// The time of the next call of `advance`.
    var deadline: Instant? { [radio.deadline, central?.deadline].compactMap { $0 }.min() }

    /// True when `takeOutcomes` has something to return.
    var hasOutcomes: Bool { !outcomes.isEmpty }

    /// Removes and returns the results of all calls since the last time.
    mutating func takeOutcomes() -> [Outcome] {
        defer { outcomes = [] }
        return outcomes
    }

    // MARK: Time

    /// Handles everything that is due by now, each at its time.
    mutating func advance(to now: Instant) {
        while let at = deadline, at <= now {
            attend(at)
            if let deadline = central?.deadline, deadline <= at {
                perform(central?.expire(at: at, random: &random) ?? [], at)
            }
        }
    }

    /// Handles the results of the radio and its air.
    private mutating func attend(_ now: Instant) {
        while let outcome = radio.next(at: now) {
            switch outcome {
            case .node(let input): outcomes.append(.node(input))
            case .packet(let packet): perform(central?.receive(packet, at: now, random: &random) ?? [], now)
            }
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
            .address(radio.identity.address.number), passkey: pin ?? radio.identity.pin,
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

    private mutating func perform(_ outputs: [BluetoothCentral.Output], _ now: Instant) {
        for output in outputs {
            switch output {
            case .send(let packet): radio.receive(packet, at: now)
            case .ended where dialsAgain: connect(at: now)
            case .ready, .frame, .hasRoom, .notWritten, .ended: outcomes.append(.app(output))
            // It has its bonds itself, and knows the PIN.
            case .keep, .pinWanted, .found, .note: break
            }
        }
    }

    // MARK: The radio

    /// A frame of the node.
    mutating func notify(_ frame: [UInt8], at now: Instant) {
        radio.notify(frame, at: now)
        attend(now)
    }

    /// The node ends the connection.
    mutating func hangUp(at now: Instant) {
        radio.hangUp(at: now)
        attend(now)
    }

    /// The board restarts.
    mutating func restart(at now: Instant) {
        radio.restart(at: now)
        attend(now)
    }

    /// The board has no power any more, unless it restarts: it ends no connection, and the app misses it.
    mutating func losePower(at now: Instant) { radio.losePower(at: now) }

    /// The board has started.
    mutating func boot(as identity: RadioIdentity, at now: Instant) {
        radio.boot(as: identity, at: now)
        attend(now)
    }
}
