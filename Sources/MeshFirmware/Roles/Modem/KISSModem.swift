package import MeshCompanion
package import MeshCrypto
import MeshPacket
import MeshRadio
package import MeshTime
import MeshWire

/// A bare modem: no mesh, no app; it sends the packets of its host and delivers all that it receives.
///
/// It keeps an identity for hosts that want one. It listens before it sends, is deaf while it does, and holds one
/// packet. Source: firmware 1.17.1, `kiss_modem`.
package struct KISSModem: NodeCore {
    package private(set) var nextWake: Instant
    package var flash: Flash
    /// The measurements of its battery and its sensors.
    package var environment: Environment
    /// The identity of the modem; hosts need not care.
    package let identity: LocalIdentity
    /// The board that it was built for.
    package let board: BoardProfile
    package internal(set) var statistics = ModemStatistics()
    /// The parameters that the host has set last.
    ///
    /// At first there are none, and the modem then answers zeros whatever its radio works with.
    var radioSettings = ModemRadio()
    var txPower: UInt8 = 0
    var reportsSignal = true
    var output = ModemOutput()
    var transmitter = ModemTransmitter()
    var random: RandomStream
    /// The airtime arithmetic for the parameters of the radio.
    var airtime: Airtime
    private var receiver = KISSReceiver()
    /// The newest packet that the radio has received and the modem has not yet fetched.
    private var received: (packet: RadioFrame, signal: Signal)?

    // MARK: Of the pass that runs
    var now: Instant
    var radioStatus = RadioStatus()
    var effects: [NodeEffect] = []
    var restarts = false

    /// Boots from flash; an empty one makes a new identity.
    package init(
        board: BoardProfile, flash: Flash = Flash(), identityStream: RandomStream, randomStream: RandomStream,
        at boot: Instant
    ) {
        self.board = board
        self.flash = flash
        random = randomStream
        environment = Environment(board: board)
        airtime = board.airtime(board.radio)
        nextWake = boot
        now = boot
        if let stored = ServerFiles.identity(in: flash) {
            identity = stored
        } else {
            var stream = identityStream
            identity = LocalIdentity.generate {
                var seed = Seed32()
                seed.withUnsafeMutableBytes { stream.fill($0) }
                return seed
            }
            let file = ServerFiles.identityBytes(identity)
            if self.flash.write(file, to: ServerFiles.identity) {
                effects.append(.flash(.wrote(path: ServerFiles.identity, bytes: file)))
            }
        }
    }

    package var publicKey: PublicKey { identity.publicKey }

    /// The link to the host has no room for a further byte, or has room again; true when the modem wants a pass for
    /// that.
    package mutating func holdLink(_ isHeld: Bool) -> Bool {
        defer { output.isHeld = isHeld }
        return output.isHeld && !isHeld
    }

    /// Bytes of the host that it accepts at once: the answers to them are no more than its driver's buffer holds.
    package var appWindow: Int { 512 }

    // MARK: Passes

    package mutating func handle(
        _ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]
    ) {
        self.now = now
        radioStatus = radio
        output.flush()
        take(input)
        transmit()
        output.settle()
        readRadio()
        let written = output.takeWritten()
        if !written.isEmpty { self.effects.append(.appBytes(written)) }
        if restarts { self.effects.append(.reboot) }
        effects += self.effects
        self.effects.removeAll(keepingCapacity: true)
        nextWake = transmitter.nextWake(at: now, airtime: packetAirtime)
        // The firmware asks its driver for room in every pass.
        if output.isBackedUp || transmitter.outcome != nil { nextWake = min(nextWake, now + .milliseconds(10)) }
    }

    private mutating func take(_ input: NodeInput) {
        switch input {
        case .appBytes(let bytes): obey(bytes)
        case .heard(let packet, let signal): received = (packet, signal)
        case .heardPacket(let shared, let signal): received = (RadioFrame(shared.packet), signal)
        case .receiveError: statistics.errors &+= 1
        case .transmitDone: if transmitter.transmitted() { statistics.sent &+= 1 }
        // A serial line does not say who is there.
        case .appConnected, .appDisconnected, .bridge, .atInterface, .woke: break
        }
    }

    /// Of the packet that waits or is being sent, in milliseconds.
    private var packetAirtime: UInt32 { airtime.milliseconds(bytes: transmitter.packet?.count ?? 0) }

    private mutating func transmit() {
        let packet = transmitter.advance(
            at: now, isReceiving: ReceptionDriver(board).sees(radioStatus),
            longestAirtime: airtime.milliseconds(bytes: PacketLimits.frame), airtime: packetAirtime,
            random: &random)
        if let packet { effects.append(.transmit(packet)) }
        guard let outcome = transmitter.outcome else { return }
        // What the host is owed does not get lost: it waits for a place.
        if output.queue(.setHardware, [ModemNotice.txDone.rawValue, outcome ? 1 : 0], noticingLoss: false) {
            transmitter.finish()
            transmit()
        }
    }

    /// Delivers the packet in the radio, once the host has read everything else.
    private mutating func readRadio() {
        guard let (packet, signal) = received, !transmitter.isSending, !output.isBackedUp,
            transmitter.outcome == nil
        else { return }
        received = nil
        statistics.received &+= 1
        guard output.queue(.data, packet.bytes), reportsSignal else { return }
        answer(
            .rxMeta, [UInt8(bitPattern: signal.snrQuarters), UInt8(bitPattern: signal.rssiByte)])
    }

    // MARK: Frames of the host

    private mutating func obey(_ bytes: [UInt8]) {
        // No more than the window, which the receiver always has room for.
        _ = receiver.append(bytes)
        while !restarts, let frame = receiver.nextFrame() { obey(frame: frame) }
    }

    private mutating func obey(frame: [UInt8]) {
        // Another port, the end of KISS mode, what TNCs know beside: nobody answers.
        guard let type = frame.first.flatMap(ModemFrameType.init) else { return }
        let data = [UInt8](frame.dropFirst())
        switch type {
        case .data: send(data)
        case .txDelay: if let value = data.first { transmitter.settings.txDelay = value }
        case .persistence: if let value = data.first { transmitter.settings.persistence = value }
        case .slotTime: if let value = data.first { transmitter.settings.slotTime = value }
        case .txTail: break
        case .fullDuplex: if let value = data.first { transmitter.settings.fullDuplex = value }
        case .setHardware:
            guard let code = data.first else { return }
            guard let command = ModemCommand(rawValue: code) else { return refuse(.unknownCommand) }
            perform(command, [UInt8](data.dropFirst()))
        }
    }

    /// An empty or too long packet is dropped without a word, unless another one is there.
    private mutating func send(_ packet: [UInt8]) {
        if transmitter.packet != nil {
            refuse(.txBusy)
        } else if 1...KISSFraming.longestPacket ~= packet.count {
            _ = transmitter.take(RadioFrame(packet))
        }
    }

    // MARK: Answers

    mutating func answer(_ notice: ModemNotice, _ data: [UInt8] = []) {
        _ = output.queue(.setHardware, [notice.rawValue] + data)
    }

    mutating func answer(_ command: ModemCommand, _ data: [UInt8] = []) {
        _ = output.queue(.setHardware, [command.response] + data)
    }

    mutating func refuse(_ reason: ModemRefusal) { answer(.error, [reason.rawValue]) }
}
