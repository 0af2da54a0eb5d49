import MeshBluetoothHost
import MeshCompanion
import MeshFirmware
import MeshTime
import MeshWire

/// A companion radio as a Bluetooth peripheral, above its controller or a kernel: whom it lets in, and frames in and
/// out.
///
/// A value without socket and clock. It governs when it advertises, what a central has to prove before it counts as an
/// app, and what becomes of frames that nobody subscribed to or that are longer than a notification. It does not know
/// the companion protocol: a value that was written is handed on, and a frame of the node is told, byte for byte.
/// Queues and pace are those of ``FrameInterface``. Source: CompanionStatements, CMP-019 to CMP-032.
struct RadioPeripheral<Host: PeripheralHost> {
    /// An effect, in the order of the list.
    enum Output: Hashable, Sendable {
        /// Something for what is below: a packet for the controller, or an order for the kernel that keeps one.
        case send(Host.Order)
        /// An input of the node: an app has come, a frame, the app has gone.
        case input(NodeInput.App)
        /// The bonds have changed, and are to be kept before anything later leaves.
        case keep([BluetoothHost.KnownPeer])
        /// The radio can be found and connected to.
        case ready
        /// A line for people.
        case note(String)
        /// The controller is of no use any more.
        case failed(BluetoothHost.Failure)
    }

    /// Consequence of an event, once all that came with it has left: packets leave in the order in which they were cut.
    private enum FollowUp {
        case begin
        case advertise
        case notify
        case updateParameters(BluetoothHost.Link)
        /// The link is lost without a word, and the radio is not found for this time.
        case fallSilent(TimeSpan)
    }

    let radio: RadioIdentity
    /// The build of the radio now: faults change it where a connection begins.
    private(set) var shape: RadioShape
    /// The traits of the chip family with these changes.
    private var traits: BluetoothTraits
    private var attributes: RadioAttributes
    private var host: Host
    private var link: BluetoothHost.Link?
    /// True when the central has proved the PIN, or the bond that came from it.
    private(set) var isSecure = false
    private var mtu = RadioPeripheral.shortestMTU
    /// Frames for somebody who subscribes, or parts that the host had no room for.
    private var waiting: [NotifiedPart] = []
    /// The times at which faults let parts leave.
    private var pace = NotificationPace()
    /// The board restarts, and is not found.
    private var isDown = false
    /// The time at which it advertises again.
    private var advertisesAt: Instant?
    /// The faults of advertising and silence under way.
    private var absence = RadioAbsence()
    /// Frames that nobody was there to take.
    private(set) var lost = 0

    private static var shortestMTU: Int { 23 }
    /// The wait before it tries again to advertise.
    private static var patience: TimeSpan { .seconds(1) }
    private static var advertisingCommands: [UInt16] {
        [
            HCI.CommandCode.setAdvertisingParameters, HCI.CommandCode.setAdvertisingData,
            HCI.CommandCode.setScanResponseData, HCI.CommandCode.setAdvertisingEnable,
        ]
    }
    /// Notifications that an nRF52 hands to its radio at once: `hvn_qsize` at the bandwidth of its build.
    private static var notificationLimit: Int { 3 }

    /// True when a further frame finds room. An ESP32 does not ask, and sends at its own pace.
    var hasRoom: Bool {
        guard isSecure, traits.listingLimit != nil, !waiting.isEmpty else { return true }
        return pace.takesMore(than: waiting.count, faults) && waiting.count < traits.queueSize
    }

    private init(_ radio: RadioIdentity, _ shape: RadioShape, _ attributes: RadioAttributes, _ host: Host) {
        self.radio = radio
        self.shape = shape
        self.attributes = attributes
        self.host = host
        traits = shape.applied(to: radio.traits)
    }

    /// A radio that starts anew, with what this one knows of peers and has of faults.
    private func renewed(as radio: RadioIdentity) -> RadioPeripheral {
        let shape = RadioShape(faults)
        let attributes = RadioAttributes(radio, shape)
        return RadioPeripheral(radio, shape, attributes, host.renewed(shape.settings(of: radio, attributes)))
    }

    /// The faults that it has, and what they have done.
    var faults: BluetoothFaultLedger { host.faults }

    /// Arms a fault; operations are counted from now on.
    mutating func arm(_ fault: BluetoothFault, number: Int) throws(BluetoothFaultLedger.Refusal) {
        try host.faults.arm(fault, number: number, ownsController: Host.ownsController)
    }

    /// Takes a fault back; `nil` when there is none of this number.
    mutating func disarm(
        _ number: Int, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Output]? {
        guard let fault = host.faults.disarm(number) else { return nil }
        return fault.kind.isOfAdvertising ? advertiseAnew(now, &random) : []
    }

    /// Forgets all faults.
    mutating func forgetFaults(at now: Instant, random: inout some RandomNumberGenerator) -> [Output] {
        guard !faults.isEmpty else { return [] }
        host.faults.forgetAll()
        return advertiseAnew(now, &random)
    }

    /// The whole name of the device.
    var deviceName: [UInt8] { shape.deviceName(of: radio) }

    /// The peers that it knows.
    var known: [BluetoothHost.KnownPeer] { host.known }

    /// The time at which `expire` is due.
    var deadline: Instant? { [host.deadline, advertisesAt, absence.mendsAt, pace.heldUntil].compactMap { $0 }.min() }

    // MARK: Inputs

    /// Sets the controller up: `ready` follows, or `failed`.
    mutating func start(at now: Instant, random: inout some RandomNumberGenerator) -> [Output] {
        perform(host.start(at: now), now, &random)
    }

    /// Something of the controller, or of the kernel that keeps it.
    mutating func take(
        _ input: Host.Input, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Output] {
        let outputs = perform(host.take(input, at: now, random: &random), now, &random)
        // More can leave now that something has come.
        return isSecure && !waiting.isEmpty ? outputs + notify([], now, &random) : outputs
    }

    mutating func expire(at now: Instant, random: inout some RandomNumberGenerator) -> [Output] {
        var outputs: [Output] = []
        if let deadline = host.deadline, deadline <= now { outputs += perform(host.expire(at: now), now, &random) }
        if let moment = pace.heldUntil, moment <= now { outputs += notify([], now, &random) }
        if let moment = absence.mendsAt, moment <= now { outputs += advertiseAnew(now, &random) }
        guard let moment = advertisesAt, moment <= now else { return outputs }
        if absence.endSilence() { outputs.append(.input(.disconnected)) }
        return outputs + advertise(now, &random)
    }

    /// A frame of the node.
    mutating func send(
        _ frame: [UInt8], at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Output] {
        // As many wait here as in the queue of the board; a frame is lost as a whole.
        guard isSecure || shape.has(.executesUnproven), waiting.count < traits.queueSize else {
            lost += 1
            return []
        }
        let isOfBench = frame.first == BluetoothFaultLedger.benchCode
        return notify(parts(of: frame, at: now), countingThem: !isOfBench, now, &random)
    }

    /// Cuts a frame into notifications.
    private mutating func parts(of frame: [UInt8], at now: Instant) -> [[UInt8]] {
        var frame = frame
        if shape.has(.serialHeader), let bytes = StreamFraming.encode(toApp: frame) {
            host.faults.note(.serialHeader, at: now)
            frame = bytes
        }
        let ignoresMTU = shape.has(.ignoresMTU)
        let room = (ignoresMTU ? Self.shortestMTU : mtu) - 3
        guard traits.splitsFrames || ignoresMTU else { return [frame] }
        if ignoresMTU, frame.count > room, room < mtu - 3 { host.faults.note(.ignoresMTU, at: now) }
        return stride(from: 0, to: frame.count, by: room).map { [UInt8](frame[$0...].prefix(room)) }
    }

    /// The board restarts, or its emulator ends: it hangs up, and is not found until it has booted.
    mutating func restart(at now: Instant, random: inout some RandomNumberGenerator) -> [Output] {
        isDown = true
        advertisesAt = nil
        let left: [Output] = absence.endSilence() ? [.input(.disconnected)] : []
        return left + hangUp(at: now, random: &random) + (ask(.stopAdvertising, now, &random) ?? [])
    }

    /// The board has no power any more: its controller forgets everything and hangs up on nobody, so that a central
    /// misses it. A kernel keeps its controller and the connection with it: there the radio hangs up, as for a restart.
    mutating func losePower(at now: Instant, random: inout some RandomNumberGenerator) -> [Output] {
        guard Host.ownsController else { return restart(at: now, random: &random) }
        self = renewed(as: radio)
        isDown = true
        return start(at: now, random: &random)
    }

    /// The board has booted, with the name and the PIN that its settings have now.
    mutating func boot(
        as radio: RadioIdentity, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Output] {
        isDown = false
        // A central that is still being hung up on hides the radio until it is gone.
        guard radio != self.radio else { return link == nil && host.isReady ? advertise(now, &random) : [] }
        let wasSecure = isSecure
        self = renewed(as: radio)
        // The controller is reset, and will not say that its connection has ended.
        return (wasSecure ? [.input(.disconnected)] : []) + start(at: now, random: &random)
    }

    /// Ends the connection, if there is one.
    mutating func hangUp(at now: Instant, random: inout some RandomNumberGenerator) -> [Output] {
        waiting = []
        guard let link else { return [] }
        return ask(.disconnect(link), now, &random) ?? []
    }

    // MARK: Frames out

    private mutating func notify(
        _ parts: [[UInt8]], countingThem: Bool = true, _ now: Instant, _ random: inout some RandomNumberGenerator
    ) -> [Output] {
        for part in parts {
            waiting.append(NotifiedPart(part, due: countingThem ? host.faults.meet(.notification) : [], at: now))
        }
        var outputs: [Output] = []
        pace.heldUntil = nil
        while let part = waiting.first, let link {
            if traits.listingLimit != nil, host.waiting(on: link) >= Self.notificationLimit { return outputs }
            guard pace.lets(waiting, &host.faults, at: now) else { return outputs }
            guard part.due.isEmpty else {
                outputs += carryOut(part.due, on: link, now, &random)
                continue
            }
            let effects: [HostEffect<Host>]
            do throws(BluetoothHost.Refusal) {
                effects = try host.ask(request(part, on: link), at: now, random: &random)
            } catch .overflow {
                return outputs
            } catch .notSubscribed where traits.waitsForSubscription {
                return outputs
            } catch {
                // Who reads the value finds it all the same.
                let request = BluetoothHost.Request.setValue(handle: attributes.transmit, value: part.value)
                effects = (try? host.ask(request, at: now, random: &random)) ?? []
                lost += 1
            }
            // Before the effects: what follows from them may look at what waits.
            waiting.removeFirst()
            pace.left(at: now, host.faults)
            if let due = part.indication { host.faults.note(due, frames: 1, bytes: part.value.count, at: now) }
            outputs += perform(effects, now, &random)
        }
        return outputs
    }

    private func request(_ part: NotifiedPart, on link: BluetoothHost.Link) -> BluetoothHost.Request {
        part.indication == nil
            ? .notify(link, handle: attributes.transmit, value: part.value)
            : .indicateUnasked(link, handle: attributes.transmit, value: part.value)
    }

    /// Carries out what is due before the first part leaves; a link that ends by it takes all that wait along.
    private mutating func carryOut(
        _ due: [BluetoothFaultLedger.Due], on link: BluetoothHost.Link, _ now: Instant,
        _ random: inout some RandomNumberGenerator
    ) -> [Output] {
        waiting[0].due = []
        var outputs: [Output] = []
        for due in due {
            if due.kind.endsLink { waiting = [] }
            outputs += perform(host.carryOut(due, on: link, at: now, random: &random), now, &random)
        }
        return outputs
    }

    // MARK: Events

    private mutating func perform(
        _ effects: [HostEffect<Host>], _ now: Instant, _ random: inout some RandomNumberGenerator
    ) -> [Output] {
        var outputs: [Output] = []
        var agenda: [FollowUp] = []
        for effect in effects {
            switch effect {
            case .send(let order): outputs.append(.send(order))
            case .tell(let event): outputs += happened(event, now, &agenda)
            }
        }
        for followUp in agenda { outputs += perform(followUp, now, &random) }
        return outputs
    }

    private mutating func perform(
        _ followUp: FollowUp, _ now: Instant, _ random: inout some RandomNumberGenerator
    ) -> [Output] {
        switch followUp {
        case .begin:
            absence.shownAddress = radio.address
            return (isDown || absence.isSilent ? [] : advertise(now, &random)) + [.ready]
        case .advertise: return advertise(now, &random)
        case .notify: return notify([], now, &random)
        case .fallSilent(let span):
            absence.fallSilent(tellingNode: isSecure)
            (link, isSecure, waiting, pace) = (nil, false, [], NotificationPace())
            advertisesAt = isDown ? nil : now + span
            return perform(host.start(at: now), now, &random)
        case .updateParameters(let link):
            // What an nRF52 asks for at this moment, so that phones of all makes have the same.
            let wanted = BluetoothHost.ConnectionParameters(
                shortestInterval: 12, longestInterval: 24, latency: 4, timeout: 200)
            return ask(.updateParameters(link, wanted), now, &random) ?? []
        }
    }

    private mutating func happened(
        _ event: BluetoothHost.Event, _ now: Instant, _ agenda: inout [FollowUp]
    ) -> [Output] {
        switch event {
        case .ready: later(.begin, &agenda)
        case .connected(let link, let connection): connected(link, connection, at: now)
        case .secured(let link, let level): link == self.link ? secured(link, level, at: now, &agenda) : []
        case .securityFailed(_, let failure): failed(failure, at: now)
        case .known, .forgotten: [.keep(host.known)]
        case .linkLost(let link, let span): link == self.link ? later(.fallSilent(span), &agenda) : []
        case .mtu(let link, let size):
            agreed(link, size)
        case .written(let link, let handle, let value):
            link == self.link && handle == attributes.receive ? written(value, at: now) : []
        case .subscribed(let link, _), .hasRoom(let link):
            link == self.link && isSecure ? later(.notify, &agenda) : []
        case .faulty(_, let fault): [.note("hung up on a central that broke the rules: \(fault)")]
        case .notAdvertised: notAdvertised(now)
        case .notDone(let opcode, let status): notDone(opcode, status, now)
        case .disconnected(let link, _): link == self.link ? disconnected(now, &agenda) : []
        case .failed(let failure): [.failed(failure)]
        default: []
        }
    }

    /// Before the link is secure nobody is heard.
    private mutating func written(_ value: [UInt8], at now: Instant) -> [Output] {
        if !isSecure, shape.has(.executesUnproven) {
            host.faults.note(.executesUnproven, at: now)
            return [.input(.connected), .input(.bytes(value))]
        }
        guard isSecure else { return [] }
        guard shape.has(.cutsLongValues), value.count > CompanionLimits.frame else { return [.input(.bytes(value))] }
        host.faults.note(.cutsLongValues, at: now)
        return [.input(.bytes([UInt8](value.prefix(CompanionLimits.frame))))]
    }

    private mutating func failed(_ failure: SecurityManager.Failure, at now: Instant) -> [Output] {
        if shape.has(.staysAfterFailure) { host.faults.note(.staysAfterFailure, at: now) }
        return [.note("not paired: \(failure)")]
    }

    private mutating func notAdvertised(_ now: Instant) -> [Output] {
        if link == nil, !isDown { advertisesAt = now + Self.patience }
        return []
    }

    private mutating func notDone(_ opcode: UInt16, _ status: UInt8, _ now: Instant) -> [Output] {
        guard Self.advertisingCommands.contains(opcode), link == nil, !isDown else { return [] }
        advertisesAt = now + Self.patience
        return [.note("the controller does not advertise: error 0x\([status].hex)")]
    }

    private func later(_ followUp: FollowUp, _ agenda: inout [FollowUp]) -> [Output] {
        agenda.append(followUp)
        return []
    }

    private mutating func agreed(_ link: BluetoothHost.Link, _ size: Int) -> [Output] {
        if link == self.link { mtu = size }
        return []
    }

    private mutating func connected(
        _ link: BluetoothHost.Link, _ connection: BluetoothHost.Connection, at now: Instant
    ) -> [Output] {
        self.link = link
        isSecure = false
        mtu = Self.shortestMTU
        forget(at: now)
        advertisesAt = nil
        absence.mendsAt = nil
        for due in faults.active(.connection) where due.kind.isSeenInAttributes { host.faults.note(due, at: now) }
        reshape()
        return [.note("\(connection.peer) connected over Bluetooth")]
    }

    /// Takes the shape that faults give the radio now.
    private mutating func reshape() {
        let shape = RadioShape(faults)
        guard shape != self.shape else { return }
        self.shape = shape
        traits = shape.applied(to: radio.traits)
        attributes = RadioAttributes(radio, shape)
        host.reshape(shape.settings(of: radio, attributes))
    }

    /// Nothing waits for the next central.
    private mutating func forget(at now: Instant) {
        pace = NotificationPace()
        guard shape.has(.keepsFrames) else {
            waiting = []
            return
        }
        if !waiting.isEmpty { host.faults.note(.keepsFrames, at: now) }
    }

    private mutating func secured(
        _ link: BluetoothHost.Link, _ level: SecurityLevel, at now: Instant, _ agenda: inout [FollowUp]
    ) -> [Output] {
        guard level >= (shape.has(.noPasskey) ? .encrypted : .authenticated), !isSecure else { return [] }
        if level < .authenticated { host.faults.note(.noPasskey, at: now) }
        isSecure = true
        if traits.splitsFrames { agenda.append(.updateParameters(link)) }
        return [.input(.connected), .note("its link is \(level)")]
    }

    private mutating func disconnected(_ now: Instant, _ agenda: inout [FollowUp]) -> [Output] {
        let wasSecure = isSecure
        link = nil
        isSecure = false
        forget(at: now)
        if !isDown { advertisesAt = now + traits.advertisingDelay }
        for design in [BluetoothFault.Design.advertisesLate, .advertisesAtOnce]
        where shape.has(design) && traits.advertisingDelay != radio.traits.advertisingDelay {
            host.faults.note(design, at: now)
        }
        var outputs: [Output] = [.note("Bluetooth connection ended")]
        if wasSecure { outputs.insert(.input(.disconnected), at: 0) }
        if !isDown, traits.advertisingDelay == .zero { agenda.append(.advertise) }
        return outputs
    }

    private mutating func advertise(
        _ now: Instant, _ random: inout some RandomNumberGenerator
    ) -> [Output] {
        advertisesAt = nil
        if link == nil { reshape() }
        guard let span = absence.begin(&host.faults, at: now) else { return advertiseNow(now, &random) }
        advertisesAt = now + span
        return [.note("not found over Bluetooth for \(span), as if another phone had the link")]
    }

    /// Advertises again as faults have it now, where nobody is connected; no beginning of advertising is counted.
    private mutating func advertiseAnew(
        _ now: Instant, _ random: inout some RandomNumberGenerator
    ) -> [Output] {
        absence.mend()
        guard link == nil, !isDown, !absence.isSilent, host.isReady else { return [] }
        advertisesAt = nil
        reshape()
        return (ask(.stopAdvertising, now, &random) ?? []) + advertiseNow(now, &random)
    }

    private mutating func advertiseNow(
        _ now: Instant, _ random: inout some RandomNumberGenerator
    ) -> [Output] {
        let due = faults.active(.advertising).filter { !absence.isMended($0) }
        absence.mendsAt = due.compactMap(\.kind.limit).min().map { now + $0 }
        let address = absence.address(of: radio, due, random: &random)
        var outputs: [Output] = []
        if let shown = absence.shownAddress, shown != address {
            outputs += ask(.setRandomAddress(address), now, &random) ?? []
            absence.shownAddress = address
        }
        let advertisement = RadioAdvertisement.advertisement(radio, shape, faults: due.map(\.kind))
        guard let begun = ask(.advertise(advertisement), now, &random) else { return outputs }
        for due in due where due.kind.isSeenInAdvertising(of: deviceName) { host.faults.note(due, at: now) }
        if shape.has(.bareName) { host.faults.note(.bareName, at: now) }
        return outputs + begun
    }

    /// Returns the effects of a request; `nil` where the host refuses it.
    private mutating func ask(
        _ request: BluetoothHost.Request, _ now: Instant, _ random: inout some RandomNumberGenerator
    ) -> [Output]? {
        guard let effects = try? host.ask(request, at: now, random: &random) else { return nil }
        return perform(effects, now, &random)
    }
}

extension RadioPeripheral where Host == BluetoothHost {
    /// On a controller of its own, with these peers known.
    init(_ radio: RadioIdentity, known: [BluetoothHost.KnownPeer] = []) {
        self.init(radio, known: known, faults: BluetoothFaultLedger())
    }

    /// The same with the faults that it had before.
    init(_ radio: RadioIdentity, known: [BluetoothHost.KnownPeer], faults: BluetoothFaultLedger) {
        let shape = RadioShape(faults)
        let attributes = RadioAttributes(radio, shape)
        var host = BluetoothHost(shape.settings(of: radio, attributes), known: known)
        host.faults = faults
        self.init(radio, shape, attributes, host)
    }
}

extension RadioPeripheral where Host == AttributeHost {
    /// On sockets of a kernel, which pairs with PINs of its own.
    init(onSockets radio: RadioIdentity, faults: BluetoothFaultLedger = BluetoothFaultLedger()) {
        let shape = RadioShape(faults)
        let attributes = RadioAttributes(radio, shape)
        var host = AttributeHost(attributes.table, mtu: shape.applied(to: radio.traits).mtu)
        host.faults = faults
        self.init(radio, shape, attributes, host)
    }
}

extension RadioPeripheral.Output: CustomStringConvertible, CustomReflectable {
    /// The kind of output; of a packet its type and length alone, for it may hold a key.
    var description: String {
        switch self {
        case .send(let order): Host.text(of: order)
        case .input(let input): "input \(input)"
        case .keep(let peers): "keep \(peers.count) bonds"
        case .ready: "ready"
        case .note(let text): "note \(text)"
        case .failed(let failure): "failed \(failure)"
        }
    }

    /// Without what a packet holds, for `dump` and test reports.
    var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension NodeInput {
    /// An action of a node's client.
    package enum App: Hashable, Sendable {
        case connected
        case bytes([UInt8])
        case disconnected

        /// For the node.
        var input: NodeInput {
            switch self {
            case .connected: .appConnected
            case .bytes(let value): .appBytes(value)
            case .disconnected: .appDisconnected
            }
        }
    }
}
