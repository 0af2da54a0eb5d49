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
    }

    let radio: RadioIdentity
    private let attributes: RadioAttributes
    private var host: Host
    private var link: BluetoothHost.Link?
    /// True when the central has proved the PIN, or the bond that came from it.
    private(set) var isSecure = false
    private var mtu = RadioPeripheral.shortestMTU
    /// Frames for somebody who subscribes, or parts that the host had no room for.
    private var waiting: [[UInt8]] = []
    /// The board restarts, and is not found.
    private var isDown = false
    /// The time at which it advertises again.
    private var advertisesAt: Instant?
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
    var hasRoom: Bool { !isSecure || radio.traits.listingLimit == nil || waiting.isEmpty }

    private init(_ radio: RadioIdentity, _ attributes: RadioAttributes, _ host: Host) {
        self.radio = radio
        self.attributes = attributes
        self.host = host
    }

    /// The peers that it knows.
    var known: [BluetoothHost.KnownPeer] { host.known }

    /// The time at which `expire` is due.
    var deadline: Instant? { [host.deadline, advertisesAt].compactMap { $0 }.min() }

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
        if let moment = advertisesAt, moment <= now { outputs += advertise(now, &random) }
        return outputs
    }

    /// A frame of the node.
    mutating func send(
        _ frame: [UInt8], at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Output] {
        // As many wait here as in the queue of the board; a frame is lost as a whole.
        guard isSecure || radio.flaw == .executesUnproven, waiting.count < radio.traits.queueSize else {
            lost += 1
            return []
        }
        let frame = radio.flaw == .serialHeader ? StreamFraming.encode(toApp: frame) ?? frame : frame
        let room = (radio.flaw == .ignoresMTU ? Self.shortestMTU : mtu) - 3
        guard radio.traits.splitsFrames || radio.flaw == .ignoresMTU else { return notify([frame], now, &random) }
        let parts = stride(from: 0, to: frame.count, by: room).map { [UInt8](frame[$0...].prefix(room)) }
        return notify(parts, now, &random)
    }

    /// The board restarts, or its emulator ends: it hangs up, and is not found until it has booted.
    mutating func restart(at now: Instant, random: inout some RandomNumberGenerator) -> [Output] {
        isDown = true
        advertisesAt = nil
        return hangUp(at: now, random: &random) + (ask(.stopAdvertising, now, &random) ?? [])
    }

    /// The board has no power any more: its controller forgets everything and hangs up on nobody, so that a central
    /// misses it. A kernel keeps its controller and the connection with it: there the radio hangs up, as for a restart.
    mutating func losePower(at now: Instant, random: inout some RandomNumberGenerator) -> [Output] {
        guard Host.ownsController else { return restart(at: now, random: &random) }
        self = RadioPeripheral(radio, attributes, host.renewed(radio.settings(attributes)))
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
        let attributes = RadioAttributes(radio)
        self = RadioPeripheral(radio, attributes, host.renewed(radio.settings(attributes)))
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
        _ parts: [[UInt8]], _ now: Instant, _ random: inout some RandomNumberGenerator
    ) -> [Output] {
        waiting += parts
        var outputs: [Output] = []
        while let part = waiting.first, let link {
            if radio.traits.listingLimit != nil, host.waiting(on: link) >= Self.notificationLimit { return outputs }
            let effects: [HostEffect<Host>]
            do throws(BluetoothHost.Refusal) {
                let request = BluetoothHost.Request.notify(link, handle: attributes.transmit, value: part)
                effects = try host.ask(request, at: now, random: &random)
            } catch .overflow {
                return outputs
            } catch .notSubscribed where radio.traits.waitsForSubscription {
                return outputs
            } catch {
                // Who reads the value finds it all the same.
                let request = BluetoothHost.Request.setValue(handle: attributes.transmit, value: part)
                effects = (try? host.ask(request, at: now, random: &random)) ?? []
                lost += 1
            }
            // Before the effects: what follows from them may look at what waits.
            waiting.removeFirst()
            outputs += perform(effects, now, &random)
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
        case .begin: return (isDown ? [] : advertise(now, &random)) + [.ready]
        case .advertise: return advertise(now, &random)
        case .notify: return notify([], now, &random)
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
        case .connected(let link, let connection): connected(link, connection)
        case .secured(let link, let level): link == self.link ? secured(link, level, &agenda) : []
        case .securityFailed(_, let failure): [.note("not paired: \(failure)")]
        case .known: [.keep(host.known)]
        case .mtu(let link, let size):
            agreed(link, size)
        case .written(let link, let handle, let value):
            link == self.link && handle == attributes.receive ? written(value) : []
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
    private func written(_ value: [UInt8]) -> [Output] {
        switch radio.flaw {
        case .executesUnproven where !isSecure: [.input(.connected), .input(.bytes(value))]
        case .cutsLongValues where isSecure: [.input(.bytes([UInt8](value.prefix(CompanionLimits.frame))))]
        default: isSecure ? [.input(.bytes(value))] : []
        }
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
        _ link: BluetoothHost.Link, _ connection: BluetoothHost.Connection
    ) -> [Output] {
        self.link = link
        isSecure = false
        mtu = Self.shortestMTU
        forget()
        advertisesAt = nil
        return [.note("\(connection.peer) connected over Bluetooth")]
    }

    /// Nothing waits for the next central.
    private mutating func forget() {
        if radio.flaw != .keepsFrames { waiting = [] }
    }

    private mutating func secured(
        _ link: BluetoothHost.Link, _ level: SecurityLevel, _ agenda: inout [FollowUp]
    ) -> [Output] {
        guard level >= (radio.flaw == .noPasskey ? .encrypted : .authenticated), !isSecure else { return [] }
        isSecure = true
        if radio.traits.splitsFrames { agenda.append(.updateParameters(link)) }
        return [.input(.connected), .note("its link is \(level)")]
    }

    private mutating func disconnected(_ now: Instant, _ agenda: inout [FollowUp]) -> [Output] {
        let wasSecure = isSecure
        link = nil
        isSecure = false
        forget()
        if !isDown { advertisesAt = now + radio.traits.advertisingDelay }
        var outputs: [Output] = [.note("Bluetooth connection ended")]
        if wasSecure { outputs.insert(.input(.disconnected), at: 0) }
        if !isDown, radio.traits.advertisingDelay == .zero { agenda.append(.advertise) }
        return outputs
    }

    private mutating func advertise(
        _ now: Instant, _ random: inout some RandomNumberGenerator
    ) -> [Output] {
        advertisesAt = nil
        return ask(.advertise(RadioAdvertisement.advertisement(radio)), now, &random) ?? []
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
        let attributes = RadioAttributes(radio)
        self.init(radio, attributes, BluetoothHost(radio.settings(attributes), known: known))
    }
}

extension RadioPeripheral where Host == AttributeHost {
    /// On sockets of a kernel, which pairs with PINs of its own.
    init(onSockets radio: RadioIdentity) {
        let attributes = RadioAttributes(radio)
        self.init(radio, attributes, AttributeHost(attributes.table, mtu: radio.traits.mtu))
    }
}

extension RadioIdentity {
    /// Returns the settings of the board's Bluetooth stack.
    fileprivate func settings(_ attributes: RadioAttributes) -> BluetoothHost.Settings {
        var settings = BluetoothHost.Settings()
        settings.randomAddress = address
        settings.attributes = attributes.table
        settings.serverMTU = traits.mtu
        settings.security = .displaying(passkey: pin, secureConnections: traits.hasSecureConnections)
        settings.security.disconnectsOnFailure = flaw != .staysAfterFailure
        if flaw == .noPasskey {
            settings.security.ioCapability = .noInputNoOutput
            settings.security.requiresMITM = false
        }
        return settings
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
