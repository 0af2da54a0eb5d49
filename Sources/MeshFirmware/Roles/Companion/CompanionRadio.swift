package import MeshCompanion
import MeshCrypto
import MeshPacket
public import MeshTime
import MeshWire

/// The companion radio: a chat node that an app owns and controls through one interface.
///
/// Its inputs are bytes of the app, received frames and time. Its outputs are frames for the app, transmissions and
/// the time of the next pass. Data that survives a reboot is in `flash`. Source: CompanionStatements; firmware
/// 1.17.1, `companion_radio`.
public struct CompanionRadio: NodeCore {
    /// The time of the next pass; the time of boot at first.
    public package(set) var nextWake: Instant
    public var core: RoutingCore
    /// The file system; changes are reported as effects too.
    public var flash: Flash
    /// The settings, as they are in memory.
    public package(set) var preferences: CompanionPreferences
    /// The contacts, hidden slots included.
    public package(set) var contacts: ContactSlots
    /// The channel slots.
    public package(set) var channels: ChannelTable
    /// The messages that wait for the app.
    public package(set) var offlineQueue: OfflineQueue
    /// The simulated environment of the node; free to change at any time.
    public var environment: Environment

    package var interface: AppInterface
    let adverts: AdvertStore
    /// Draws keys; apart from the node's other random numbers.
    var identityStream: RandomStream

    // MARK: What a reboot forgets
    /// The PIN that the display has shown since the boot, where the board draws one.
    package private(set) var drawnPIN: UInt32?
    /// The one buffer that commands are executed in, with what earlier frames left there (CMP-036).
    package var receiveBuffer: [UInt8]
    /// Length of the frame that is being executed.
    package var frameLength = 0
    /// The command that is being executed.
    package var command: CommandCode?
    /// The one buffer that longer frames are assembled in (CMP-153).
    var transmitBuffer: [UInt8]
    /// `app_target_ver`.
    package var appVersion: UInt8 = 0
    /// The message that the app fetched last, until it asks for the next; only a radio that keeps it for that long.
    var messageInDelivery: [UInt8]?
    package var listing: ListingProgress?
    package var signing: SigningSession?
    package var expectedAcks = ExpectedAcks()
    package var advertPaths = AdvertPaths()
    package var connections = Connections()
    package var pending = PendingRequests()
    package var floodScope = FloodScopeRule()
    package var display: CompanionScreen
    /// The time at which the changed contacts are due to be written.
    package var contactsDue: Millis?
    /// The delay of the acknowledgement of a text, in milliseconds (`TXT_ACK_DELAY`).
    package var ackDelay: UInt32 = 200
    /// The moment at which a factory reset restarts the board; until then it does nothing at all.
    package var restartsAt: Instant?
    /// The parameters that `set radio` of the command line has stored for the next boot.
    var radioAtReboot: RadioText?
    /// The next look at the battery, by a build that switches itself off when it is low.
    var batteryLook = Instant.never
    /// True when the board is about to restart; only `rebooted` ends that.
    public internal(set) var isHalted = false
    /// The hooks of a faulty radio: one value, or none. An array, so that a sound radio carries no more than an empty
    /// one.
    package var hooks: [any CompanionHooks] = []

    /// Boots from flash; an empty one makes a factory-fresh node.
    ///
    /// - Parameters:
    ///   - identityStream: the stream for a new identity.
    ///   - randomStream: the node's other random numbers.
    ///   - unixSeconds: the clock's time before the contacts are loaded; the board's start value when `nil`.
    ///   - environment: the values for its sensors; the board's own when `nil`.
    public init(
        board: BoardProfile, quirks: QuirkSet = .all, flash: Flash = Flash(), identityStream: RandomStream,
        randomStream: RandomStream, clock unixSeconds: UInt32? = nil, environment: Environment? = nil,
        interface: AppInterface, at now: Instant
    ) {
        var identityStream = identityStream
        nextWake = now
        display = CompanionScreen(at: now)
        let stored = flash[CompanionStorage.identityPath].flatMap { CompanionStorage.identity(in: $0) }
        let identity = stored ?? Self.drawIdentity(from: &identityStream)
        core = RoutingCore(
            identity: identity, board: board, quirks: quirks, random: randomStream,
            clock: RealTimeClock(unixSeconds: unixSeconds ?? board.clockAtPowerOn, at: now), at: now,
            millisAtBoot: UInt32(clamping: board.gpsSearch.milliseconds))
        self.flash = flash
        self.identityStream = identityStream
        self.interface = interface
        let switches = board.firmware.switches
        self.interface.limit(frames: switches.frameLimit)
        receiveBuffer = [UInt8](repeating: 0, count: switches.frameLimit + 1)
        transmitBuffer = receiveBuffer
        preferences = CompanionPreferences(board: board)
        contacts = ContactSlots(
            capacity: board.maxContacts, transients: switches.transientContacts,
            showsHiddenSlots: quirks.contains(.hiddenContactSlots))
        channels = ChannelTable(
            count: board.maxChannels, usesZeroKeys: quirks.contains(.zeroKeyChannels),
            skipsUnnamed: switches.skipsUnnamedChannels)
        offlineQueue = OfflineQueue(capacity: board.offlineQueueSize)
        self.environment = environment ?? Environment(board: board)
        adverts = AdvertStore(board: board)
        if stored == nil { write(CompanionStorage.fileContent(of: identity), to: CompanionStorage.identityPath) }
        loadSettings()
        drawnPIN = drawPIN()
        planBatteryLook(notBefore: now)
    }

    /// In the range of the firmware's draw, where the highest number of six digits never comes.
    private mutating func drawPIN() -> UInt32? {
        guard core.board.hasDisplay, preferences.blePin == 0, core.board.blePin == BoardProfile.commonPIN else {
            return nil
        }
        return identityStream.draw(100_000, 999_999)
    }

    // MARK: Passes

    /// Mutating although nothing changes: the compiler copies a large value to ask it for a property.
    private mutating func nextPass() -> Instant {
        if isHalted { return .never }
        if let restartsAt { return restartsAt }
        var wake = min(core.radioWake(), environment.gpsClockDue, batteryLook)
        if let contactsDue { wake = min(wake, core.instant(after: contactsDue)) }
        if hasFrames() {
            wake = min(wake, core.now + core.loopPeriod)
        }
        return min(wake, interface.nextTurn(isListing: listing != nil, at: core.now))
    }

    /// Returns whether the next pass has a frame to write, bytes of the app to read, or a contact to list.
    private mutating func hasFrames() -> Bool {
        interface.hasWork(at: core.now) || (listing != nil && !interface.isBusy(at: core.now))
    }

    /// The same for who lets passes follow each other at one moment; not while the board is halted or about to restart.
    package mutating func wantsPassForApp() -> Bool { !isHalted && restartsAt == nil && hasFrames() }

    /// One pass of the main loop (CompanionStatements, CMP-008 and CMP-092).
    public mutating func handle(
        _ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]
    ) {
        let first = effects.count
        core.beginPass(at: now, radio: radio, effects: &effects)
        if isHalted {
            // Nobody is there to act.
        } else if let restartsAt {
            if core.now >= restartsAt { restart() }
        } else {
            if let unixTime = environment.takeGPSClock(at: core.now) { core.setUnixTime(unixTime) }
            if isHooked {
                let hooks = hooks[0]
                hooks.pass(input, of: &self, link: { $0.takeFromLink($1) }, mesh: { $0.loopPass($1) })
            } else {
                takeFromLink(input)
                loopPass(input)
            }
            servePass()
            writeContactsIfDue()
            if core.now >= batteryLook { lookAtBattery() }
        }
        nextWake = nextPass()
        core.endPass(effects: &effects)
        if isHooked {
            let hooks = hooks[0]
            hooks.endPass(of: &self, &effects, from: first)
        }
    }

    /// Stores whether the link to the app has no room for a further frame, as Bluetooth while its queue is full.
    ///
    /// Returns true when it has room again: the board finds that in its next pass, which is then due at once.
    package mutating func holdLink(_ isHeld: Bool, at number: Int = 0) -> Bool {
        interface.change(number) { $0.hold(isHeld) } ?? false
    }

    private mutating func takeFromLink(_ input: NodeInput) {
        if case .atInterface(let number, let input) = input {
            take(input, at: Int(number))
        } else {
            take(input, at: 0)
        }
    }

    private mutating func take(_ input: NodeInput, at number: Int) {
        switch input {
        case .appConnected:
            let hasReplaced = interface.change(number) { $0.clientArrived() } ?? false
            if hasReplaced { core.effects.append(NodeEffect.appReplaced.at(number)) }
            takeBackMessage()
        case .appDisconnected:
            _ = interface.change(number) { $0.clientLeft() }
            takeBackMessage()
        case .appBytes(let bytes): _ = interface.change(number) { $0.receive(bytes) }
        default: break
        }
    }

    /// One command, or else one step of a contact listing.
    private mutating func servePass() {
        if let frame = interface.poll(at: core.now, into: &core.effects) {
            if isHooked {
                let hooks = hooks[0]
                hooks.execute(frame, on: &self) { $0.execute($1) }
            } else {
                execute(frame)
            }
        } else if listing != nil, !interface.isBusy(at: core.now) {
            listNextContact()
        }
    }

    // MARK: Restarting

    mutating func restart() { leave(.reboot) }

    /// Ends the work of the board, which restarts or is switched off.
    mutating func leave(_ effect: NodeEffect) {
        isHalted = true
        restartsAt = nil
        core.effects += (0..<interface.count).map { NodeEffect.appClosed.at($0) } + [effect]
    }

    /// The same board after its next boot, from the flash as it is now.
    ///
    /// ESP32 boards keep their clock over a restart by software and lose it with the power.
    public func rebooted(at now: Instant, keepingRTC: Bool, interface: AppInterface) -> CompanionRadio {
        var next = CompanionRadio(
            board: core.board, quirks: core.quirks, flash: flash, identityStream: identityStream,
            randomStream: core.random, clock: keepingRTC ? core.clock.time(at: now) : nil, environment: environment,
            interface: interface, at: now)
        if let hooks = hooks.first { next.attach(hooks) }
        return next
    }

    /// Draws seeds until the key's first byte is not reserved.
    private static func drawIdentity(from stream: inout RandomStream) -> LocalIdentity {
        LocalIdentity.generate {
            var seed = Seed32()
            seed.withUnsafeMutableBytes { stream.fill($0) }
            return seed
        }
    }
}
