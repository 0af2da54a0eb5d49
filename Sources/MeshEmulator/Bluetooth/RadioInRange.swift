package import MeshBluetoothHost
package import MeshFirmware
package import MeshTime

/// A radio in this process as Bluetooth reaches it: its peripheral, and the air to one other controller.
///
/// It is a value on time that is handed in. It governs the order of packets, and the return of a board after a restart.
/// The peripheral itself is ``RadioPeripheral``, and the cost of packets is the business of `VirtualAir`. The owner of
/// this value is the host of the other controller.
///
/// ```
/// host -- receive --> controller ~~~ air ~~~ peripheral -- node --> board
///      <-- packet --                                    <-- notify --
/// ```
package struct RadioInRange {
    /// A result for the node or for the other host, in the order of the list.
    package enum Outcome {
        /// An input of the node.
        case node(NodeInput.App)
        /// A packet of the other controller for its host.
        case packet([UInt8])
    }

    /// The places of the controllers.
    private static let (ours, other) = (0, 1)

    private var air: VirtualAir
    private var peripheral: RadioPeripheral<BluetoothHost>
    private var random: RandomStream
    /// The board has not started since it was restarted, or lost its power.
    private var isDown = false
    private var isDark = false
    private var inputs: [NodeInput.App] = []

    /// The radio's controller is set up, and it advertises from now on; its controller comes first.
    ///
    /// `faults`: those that it has from the start.
    package init(
        _ radio: RadioIdentity, controllers: [ControllerDescription], settings: AirSettings, seed: Seed,
        random: RandomStream, faults: BluetoothFaultLedger = BluetoothFaultLedger(), at now: Instant
    ) {
        air = VirtualAir(controllers, settings: settings, seed: seed)
        peripheral = RadioPeripheral(radio, known: [], faults: faults)
        self.random = random
        perform(peripheral.start(at: now, random: &self.random), now)
    }

    /// The facts that the radio has read from its node since it started.
    var identity: RadioIdentity { peripheral.radio }
    /// The use of the air by connections so far.
    var use: AirUse { air.use }
    /// The limits of connection and radio now; `nil` without a connection.
    var limit: RequestResponseLimit? {
        var limit = air.limit(of: Self.ours)
        limit?.rest = peripheral.radio.traits.gap
        return limit
    }
    /// True when the link of the node has room for a further frame.
    package var hasRoom: Bool { peripheral.hasRoom }

    /// The faults of the radio, and what they have done.
    package var faults: BluetoothFaultLedger { peripheral.faults }

    /// Arms a fault; operations are counted from now on.
    package mutating func arm(_ fault: BluetoothFault, number: Int) throws(BluetoothFaultLedger.Refusal) {
        try peripheral.arm(fault, number: number)
    }

    /// Forgets all faults.
    mutating func forgetFaults(at now: Instant) {
        perform(peripheral.forgetFaults(at: now, random: &random), now)
    }

    /// Takes a fault back; false when there is none of this number.
    mutating func disarm(_ number: Int, at now: Instant) -> Bool {
        guard let outputs = peripheral.disarm(number, at: now, random: &random) else { return false }
        perform(outputs, now)
        return true
    }

    /// The time of the next call of `next`.
    package var deadline: Instant? {
        [air.deadline, isDark ? nil : peripheral.deadline].compactMap { $0 }.min()
    }

    /// The next result of all calls, and of what is due by now; `nil` when there is no more.
    package mutating func next(at now: Instant) -> Outcome? {
        while true {
            if !inputs.isEmpty { return .node(inputs.removeFirst()) }
            if let delivery = air.next(at: now) {
                guard delivery.controller == Self.ours else { return .packet(delivery.packet) }
                perform(peripheral.take(.received(delivery.packet), at: now, random: &random), now)
            } else if !isDark, let deadline = peripheral.deadline, deadline <= now {
                perform(peripheral.expire(at: now, random: &random), now)
            } else {
                return nil
            }
        }
    }

    /// Receives a packet from the host of the other controller.
    package mutating func receive(_ packet: [UInt8], at now: Instant) {
        air.receive(packet, from: Self.other, at: now)
    }

    // MARK: The board

    /// A frame of the node.
    package mutating func notify(_ frame: [UInt8], at now: Instant) {
        perform(peripheral.send(frame, at: now, random: &random), now)
    }

    /// The node ends the connection.
    mutating func hangUp(at now: Instant) { perform(peripheral.hangUp(at: now, random: &random), now) }

    /// The board restarts.
    package mutating func restart(at now: Instant) {
        isDown = true
        perform(peripheral.restart(at: now, random: &random), now)
    }

    /// The board has no power any more, unless it restarts: it ends no connection, and the other side misses it.
    package mutating func losePower(at now: Instant) {
        guard !isDown else { return }
        (isDown, isDark) = (true, true)
        air.vanish(Self.ours, at: now)
    }

    /// The board has started.
    package mutating func boot(as radio: RadioIdentity, at now: Instant) {
        defer { (isDown, isDark) = (false, false) }
        guard isDark else { return perform(peripheral.boot(as: radio, at: now, random: &random), now) }
        air.comeBack(Self.ours)
        peripheral = RadioPeripheral(radio, known: peripheral.known, faults: peripheral.faults)
        perform(peripheral.start(at: now, random: &random), now)
    }

    private mutating func perform(_ outputs: [RadioPeripheral<BluetoothHost>.Output], _ now: Instant) {
        for output in outputs {
            switch output {
            case .send(let packet): air.receive(packet, from: Self.ours, at: now)
            case .input(let input): inputs.append(input)
            // The peripheral has its bonds, and nothing outlasts this process.
            case .keep, .ready, .note: break
            // A controller of this air takes what its host may say.
            case .failed: break
            }
        }
    }
}
