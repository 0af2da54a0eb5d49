import MeshCompanion
public import MeshFirmware
import MeshRadio
public import MeshTime

/// One companion radio at factory settings, alone on its air, whose time passes only in steps from outside.
///
/// It runs one pass at a time and stops at the requested event, so that frames can be read one by one. A bench can
/// cut its power, put frames on the air and fail its storage. Apps write and read the framing of a serial line on
/// every link, also where the link itself has none.
///
/// It shares its ``Pacer`` with worlds and is none itself. In a world the air decides on receptions, a restart
/// needs time, and keys follow from the node's label. Here the bench decides all that.
public struct HeldRadio: Sendable {
    /// The description of a radio for the bench.
    public struct Build: Sendable {
        /// The board that it is built for.
        public var board: BoardProfile
        /// The firmware's quirks that it has.
        public var quirks: QuirkSet
        /// The link by which the app reaches it.
        public var link: AppLink
        /// Further interfaces, as in `NodeDescription`; there where the firmware can have several at once.
        package var furtherLinks: [AppLink] = []
        /// The seed of its keys and of all its other random numbers.
        public var seed: Seed
        /// A fault that it has.
        package var hooks: (any CompanionHooks)?
        /// The files that it starts from.
        package var flash = Flash()

        public init(
            board: BoardProfile = .heltecV3, quirks: QuirkSet = .all, link: AppLink = .serial, seed: Seed = Seed(1)
        ) {
            self.board = board
            self.quirks = quirks
            self.link = link
            self.seed = seed
        }

        fileprivate var interface: AppInterface { ([link] + furtherLinks).interface(of: board) }
    }

    /// An app at a further interface, which reads and writes the framing of a serial line as the first one does.
    private struct FurtherApp {
        var isConnected = false
        var writes: [[UInt8]] = []
        var unframing = SerialReceiver()
    }

    /// The reason for which a run ends before its time is over.
    public enum Stop: String, Hashable, Codable, Sendable, CaseIterable {
        /// Nothing does.
        case never
        /// The radio has written something to its app.
        case written
        /// The radio has begun to send.
        case sent
        /// The radio has restarted by itself since the app last wrote.
        case restarted
        /// The radio is not sending.
        case quiet
    }

    /// A packet that the radio sent.
    public struct Transmission: Hashable, Sendable {
        /// The time at which the first symbol left the antenna.
        public let begin: Instant
        /// The time that it was on the air.
        public let airtime: TimeSpan
        /// The packet as it was sent.
        public let frame: [UInt8]
    }

    /// The largest number of transmissions that are remembered.
    public static let airLogLimit = 64

    /// The description of the radio on the bench.
    public let build: Build
    /// The time that has passed since it was switched on.
    public private(set) var now = Instant.start
    /// True when the radio assumes that an app is connected; a radio that restarts has lost it.
    public private(set) var isConnected = false
    /// Apps that the radio has hung up on for a newer one.
    public private(set) var clientsReplaced = 0
    /// While set, another sender is on the air, and the radio has to wait.
    public var isChannelBusy = false
    /// The writes of the radio that are not yet fetched, those without a client included.
    public private(set) var writes: [[UInt8]] = []
    /// The frames that the radio began to send and that are not yet fetched.
    public private(set) var transmissions: [[UInt8]] = []

    /// The radio's reports on its latest pass: what became of a frame that it has just received.
    package private(set) var reports: [NodeEvent] = []

    /// The latest transmissions, fetched or not, oldest first; early ones are forgotten.
    public private(set) var airLog: [Transmission] = []

    private var radio: CompanionRadio
    private var pacer = Pacer(.stepped)
    private var effects: [NodeEffect] = []
    private var transmissionEnd: Instant?
    private var airtime: Airtime
    /// Extracts the frames from the bytes of an app, for a link that carries them without markers.
    private var unframing = SerialReceiver()
    /// The apps at the further interfaces, in their order.
    private var furtherApps: [FurtherApp]
    /// The number of times that the radio has restarted by itself.
    package private(set) var restarts = 0
    private var expectedRestarts = 0

    /// Switches a new radio on; no app is connected yet.
    public init(_ build: Build = Build()) {
        self.build = build
        var (board, quirks) = (build.board, build.quirks)
        build.hooks?.prepare(&board, &quirks)
        radio = CompanionRadio(
            board: board, quirks: quirks, flash: build.flash, identityStream: build.seed.stream("comply", "identity"),
            randomStream: build.seed.stream("comply", "radio"), interface: build.interface, at: .start)
        furtherApps = build.furtherLinks.map { _ in FurtherApp() }
        if let hooks = build.hooks { radio.attach(hooks) }
        airtime = radio.board.airtime(radio.radioParameters)
        pacer.start()
    }

    // MARK: Time

    /// Lets time pass until `stop` or until `span` is over; what already is ends it at once.
    public mutating func run(for span: TimeSpan, until stop: Stop) { run(for: span, until: stop, at: 0) }

    /// The same; `written` is about the app at the interface of this number.
    package mutating func run(for span: TimeSpan, until stop: Stop, at interface: Int) {
        pacer.allow(until: now + span)
        while !has(stop, at: interface), case .run(let moment) = pacer.turn(from: now, next: nextEventTime) {
            pass(at: moment)
        }
    }

    private func has(_ stop: Stop, at interface: Int) -> Bool {
        switch stop {
        case .never: false
        case .written: hasWrite(at: interface)
        case .sent: !transmissions.isEmpty
        case .restarted: hasRestarted
        case .quiet: transmissionEnd == nil
        }
    }

    private var nextEventTime: Instant { min(radio.nextWake, transmissionEnd ?? .never) }

    /// One pass of the radio, if something is due.
    private mutating func pass(at moment: Instant) {
        now = moment
        if let end = transmissionEnd, end <= now {
            transmissionEnd = nil
            post(.transmitDone)
        } else if radio.nextWake <= now {
            post(.woke)
        }
    }

    private mutating func post(_ input: NodeInput) {
        effects.removeAll(keepingCapacity: true)
        reports.removeAll(keepingCapacity: true)
        radio.handle(input, at: now, radio: RadioStatus(isReceiving: isChannelBusy), into: &effects)
        // Restarting replaces the radio and with it what else it wanted.
        for effect in effects { perform(effect) }
    }

    private mutating func perform(_ effect: NodeEffect) {
        switch effect {
        case .transmit(let frame):
            transmissions.append(frame.bytes)
            let length = TimeSpan.microseconds(airtime.microseconds(bytes: frame.count))
            if airLog.count >= Self.airLogLimit { airLog.removeFirst(Self.airLogLimit / 2) }
            airLog.append(Transmission(begin: now, airtime: length, frame: frame.bytes))
            transmissionEnd = now + length
        case .tune(let parameters): airtime = radio.board.airtime(parameters)
        case .appBytes(let bytes):
            writes.append(build.link.isFramed ? StreamFraming.encode(toApp: bytes) ?? [] : bytes)
        case .appClosed: isConnected = false
        case .appReplaced: clientsReplaced += 1
        case .atInterface(let number, let effect): perform(effect, at: Int(number))
        case .reboot:
            restarts += 1
            restart(keepingRTC: true)
        case .trace(let event): reports.append(event)
        case .setTxPower, .bridge, .flash, .powerOff: break
        }
    }

    private mutating func restart(keepingRTC: Bool) {
        isConnected = false
        for place in furtherApps.indices { furtherApps[place].isConnected = false }
        transmissionEnd = nil
        radio = radio.rebooted(at: now, keepingRTC: keepingRTC, interface: build.interface)
        airtime = radio.board.airtime(radio.radioParameters)
    }

    // MARK: App

    /// An app connects, perhaps while another one is there.
    public mutating func connect() {
        isConnected = true
        unframing.reset()
        post(.appConnected)
    }

    /// Disconnects the app; frames that the radio had queued stay as its firmware leaves them.
    public mutating func disconnect() {
        isConnected = false
        post(.appDisconnected)
    }

    /// Receives bytes of the app; they are lost when it is not connected.
    public mutating func receive(_ bytes: [UInt8]) {
        guard isConnected else { return }
        expectedRestarts = restarts
        guard build.link.isFramed else { return post(.appBytes(bytes)) }
        _ = unframing.append(bytes)
        while let frame = unframing.nextFrame() { post(.appBytes(frame)) }
    }

    /// The oldest of the writes.
    public mutating func takeWrite() -> [UInt8]? { writes.isEmpty ? nil : writes.removeFirst() }

    /// Forgets the writes that were not fetched.
    public mutating func dropWrites() { writes = [] }

    // MARK: Apps at further interfaces

    // Numbers begin with 1. Where a radio has no such interface, nobody hears what its app says.

    private func furtherApp(_ interface: Int) -> FurtherApp? {
        furtherApps.indices.contains(interface - 1) ? furtherApps[interface - 1] : nil
    }

    /// An app connects at a further interface.
    package mutating func connect(at interface: Int) {
        guard furtherApp(interface) != nil else { return }
        furtherApps[interface - 1].isConnected = true
        furtherApps[interface - 1].unframing.reset()
        post(.atInterface(UInt8(interface), .appConnected))
    }

    /// Disconnects the app at a further interface.
    package mutating func disconnect(at interface: Int) {
        guard furtherApp(interface) != nil else { return }
        furtherApps[interface - 1].isConnected = false
        post(.atInterface(UInt8(interface), .appDisconnected))
    }

    /// Receives bytes of the app at a further interface; they are lost when it is not connected.
    package mutating func receive(_ bytes: [UInt8], at interface: Int) {
        guard furtherApp(interface)?.isConnected == true else { return }
        guard build.furtherLinks[interface - 1].isFramed else {
            return post(.atInterface(UInt8(interface), .appBytes(bytes)))
        }
        _ = furtherApps[interface - 1].unframing.append(bytes)
        while let frame = furtherApps[interface - 1].unframing.nextFrame() {
            post(.atInterface(UInt8(interface), .appBytes(frame)))
        }
    }

    /// Tells whether the app at an interface, the first one included, has something to read.
    package func hasWrite(at interface: Int) -> Bool {
        interface == 0 ? !writes.isEmpty : furtherApp(interface)?.writes.isEmpty == false
    }

    /// The oldest of the writes for the app at a further interface that are not yet fetched.
    package mutating func takeWrite(at interface: Int) -> [UInt8]? {
        guard furtherApp(interface)?.writes.isEmpty == false else { return nil }
        return furtherApps[interface - 1].writes.removeFirst()
    }

    private mutating func perform(_ effect: NodeEffect, at interface: Int) {
        guard furtherApp(interface) != nil else { return }
        switch effect {
        case .appBytes(let bytes):
            let isFramed = build.furtherLinks[interface - 1].isFramed
            furtherApps[interface - 1].writes.append(isFramed ? StreamFraming.encode(toApp: bytes) ?? [] : bytes)
        case .appClosed: furtherApps[interface - 1].isConnected = false
        default: break
        }
    }

    // MARK: Bluetooth

    /// The radio, for the settings that a board reads when it starts.
    package var companion: CompanionRadio { radio }

    /// Stores whether the link has no room for a further frame; waiting frames stay in the radio until it has.
    package mutating func holdLink(_ isHeld: Bool) {
        if radio.holdLink(isHeld) { post(.woke) }
    }

    // MARK: Power

    /// True when the radio has restarted by itself since the app last wrote or a restart was last expected.
    public var hasRestarted: Bool { restarts > expectedRestarts }

    /// Accepts a restart as expected; `hasRestarted` is false afterwards.
    public mutating func noteRestart() { expectedRestarts = restarts }

    /// Switches the power off and on. The clock is lost, and all that was not yet stored.
    public mutating func cyclePower() { restart(keepingRTC: false) }

    // MARK: Air and storage

    /// Has the radio receive a frame with a good checksum, as soon as its own transmission has ended.
    public mutating func hear(_ frame: RadioFrame, _ signal: Signal) {
        // Half duplex: what arrives during a transmission is lost, and no bench means that.
        run(for: .seconds(60), until: .quiet)
        post(.heard(frame, signal))
    }

    /// The oldest of the transmissions.
    public mutating func takeTransmission() -> [UInt8]? { transmissions.isEmpty ? nil : transmissions.removeFirst() }

    /// Makes the flash fail at writing, at formatting, or at neither, from now on.
    public mutating func failStorage(writing: Bool, formatting: Bool) {
        radio.setFlashFaults(write: writing, format: formatting)
    }
}

extension AppLink {
    /// Tells whether the bench puts the frames of a link that has no markers into the framing of a serial line.
    fileprivate var isFramed: Bool { self == .paced }
}
