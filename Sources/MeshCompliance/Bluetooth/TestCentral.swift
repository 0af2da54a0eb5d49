import MeshBluetoothHost
import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshTime
import MeshTransports
import MeshWire

/// The suite as a Bluetooth central: what it does with a radio, one step after the other.
///
/// Its host neither pairs by itself nor hides an error, so that a statement sees what the radio answers.
final class TestCentral {
    /// The characteristics of the radio's service, as they were discovered.
    struct Service: Hashable {
        /// The value that the app writes, and the one that notifies.
        var receive: ATT.Database.Characteristic
        var transmit: ATT.Database.Characteristic
    }

    /// The outcome of a pairing.
    enum Pairing: Hashable {
        case secured(SecurityLevel)
        /// The radio ended the link, too, or it stayed.
        case failed(isLinked: Bool)
    }

    /// The wanted one of the radios that advertise, and the PIN that it shows.
    struct Radio: Sendable {
        var passkey = BluetoothRadio.defaultPIN
        /// `nil` where there is no other.
        var peer: BluetoothCentral.Peer?
    }

    /// Any step of Bluetooth itself, which no statement is about.
    static let patience = TimeSpan.seconds(10)

    let radio: Radio
    private let link: any ControllerLink
    private var host: BluetoothHost
    private var random: PairingRandom
    private var events: [BluetoothHost.Event] = []
    /// Arrival times of the values that the radio has sent and no caller has read.
    private var arrivals: [Instant] = []
    /// The arrival time of the value that was read last.
    private(set) var lastArrival = Instant.start
    private(set) var connection: BluetoothHost.Link?
    /// Of the radio, once it was found.
    private(set) var address: BluetoothAddress?
    private(set) var service: Service?
    private(set) var mtu = 23
    /// The number of times that the radio's PIN was asked for.
    private(set) var passkeysAsked = 0

    /// Sets the controller up. The MTU is the longest that it asks for, 23 to 517.
    init(
        _ link: any ControllerLink, to radio: Radio = Radio(), random: PairingRandom, mtu: UInt16 = 517
    ) throws(TargetError) {
        self.radio = radio
        self.link = link
        self.random = random
        var settings = BluetoothHost.Settings()
        settings.randomAddress = BluetoothAddress(number: 0xC0_5E_17_00_00_01, isRandom: true)
        settings.clientMTU = mtu
        settings.pairsWhenRefused = false
        host = BluetoothHost(settings)
        try take(host.start(at: link.now))
        guard try wait({ if case .ready = $0 { true } else { nil } }) != nil else {
            throw .unreachable("the Bluetooth controller does not answer")
        }
    }

    var now: Instant { link.now }
    var isLinked: Bool { connection != nil }

    // MARK: Running

    private func take(_ effects: [BluetoothHost.Effect]) throws(TargetError) {
        for effect in effects {
            switch effect {
            case .send(let packet): try link.send(packet)
            case .tell(let event): happened(event)
            }
        }
    }

    private func happened(_ event: BluetoothHost.Event) {
        switch event {
        case .connected(let link, _): connection = link
        case .disconnected(let link, _) where link == connection: connection = nil
        case .mtu(_, let mtu): self.mtu = mtu
        case .passkeyWanted: passkeysAsked += 1
        case .notified: arrivals.append(now)
        default: break
        }
        events.append(event)
    }

    /// The first event that fits, whenever it came; `nil` when none has come in that time. Those before it stay.
    private func wait<Found>(
        within span: TimeSpan = TestCentral.patience, _ fits: (BluetoothHost.Event) -> Found?
    ) throws(TargetError) -> Found? {
        let end = now + span
        while true {
            for (index, event) in events.enumerated() {
                guard let found = fits(event) else { continue }
                events.remove(at: index)
                return found
            }
            if case .failed(let failure)? = events.last {
                throw .linkLost("the Bluetooth controller is of no use: \(failure)")
            }
            guard now < end else { return nil }
            try pass(until: end)
        }
    }

    /// Handles the next packet of the controller, or the work that is due at the host.
    private func pass(until end: Instant) throws(TargetError) {
        let moment = min(end, host.deadline ?? .never)
        if let packet = try link.receive(until: moment) {
            try take(host.receive(packet.span, at: now, random: &random))
        }
        if let deadline = host.deadline, deadline <= now { try take(host.expire(at: now)) }
    }

    private func ask(_ request: BluetoothHost.Request) throws(TargetError) {
        let effects: [BluetoothHost.Effect]
        do throws(BluetoothHost.Refusal) {
            effects = try host.ask(request, at: now, random: &random)
        } catch {
            throw .linkLost("the Bluetooth host takes no request: \(error)")
        }
        try take(effects)
    }

    /// Lets time pass; what comes meanwhile is kept. Ends early when `isOver`.
    func rest(_ span: TimeSpan, until isOver: () -> Bool = { false }) throws(TargetError) {
        let end = now + span
        while now < end, !isOver() { try pass(until: end) }
    }

    private func linked() throws(TargetError) -> BluetoothHost.Link {
        guard let connection else { throw .linkLost("the radio has ended the Bluetooth link") }
        return connection
    }

    // MARK: Finding and connecting

    /// A device that advertises the service and has sent its name; `nil` when none does in that time.
    func find(within span: TimeSpan = TestCentral.patience) throws(TargetError) -> BluetoothHost.Advertiser? {
        events.removeAll { if case .found = $0 { true } else { false } }
        try ask(.scan(.init(service: .nordicUART)))
        let found = try wait(within: span) { event -> BluetoothHost.Advertiser? in
            guard case .found(let advertiser) = event, advertiser.facts.name != nil, isMeant(advertiser) else {
                return nil
            }
            return advertiser
        }
        if let found { address = found.address }
        try ask(.stopScanning)
        _ = try wait { if case .scanning(false) = $0 { true } else { nil } }
        return found
    }

    private func isMeant(_ advertiser: BluetoothHost.Advertiser) -> Bool {
        guard let peer = radio.peer else { return true }
        // Once it was found its name may change.
        return address.map { $0 == advertiser.address } ?? peer.matches(advertiser)
    }

    /// Fails unless the radio advertises like those of this chip family.
    func require(_ platform: BoardPlatform) throws(TargetError) {
        guard let radio = try find() else { throw .unreachable("it does not advertise") }
        guard radio.platform != platform else { return }
        let found = radio.platform.map { "advertises like one with an \($0.title)" } ?? "advertises like none of them"
        throw .otherBoard(
            "is about radios with an \(platform.title), and this one \(found); run it with --target emulator")
    }

    /// Connects to the radio, and returns whether that succeeded.
    func connect(to address: BluetoothAddress) throws(TargetError) -> Bool {
        (service, mtu, passkeysAsked) = (nil, 23, 0)
        (events, arrivals) = ([], [])
        try ask(.connect(address))
        return try wait { event -> Bool? in
            switch event {
            case .connected: true
            case .connectFailed: false
            default: nil
            }
        } ?? false
    }

    func exchangeMTU() throws(TargetError) {
        try ask(.exchangeMTU(try linked()))
        _ = try wait { if case .mtu = $0 { true } else { nil } }
    }

    /// Discovers the Nordic UART service of the radio; `nil` where a part is missing.
    func discover() throws(TargetError) -> Service? {
        try ask(.discover(try linked(), service: .nordicUART))
        let found = try wait { if case .discovered(_, let database) = $0 { database } else { nil } }
        guard let receive = found?.characteristic(.nordicRX), let transmit = found?.characteristic(.nordicTX) else {
            return nil
        }
        service = Service(receive: receive, transmit: transmit)
        return service
    }

    /// All that an app does before its first command.
    func begin() throws(TargetError) {
        // A radio without power does not hang up.
        try rest(Self.patience) { !isLinked }
        guard let address = try find()?.address, try connect(to: address) else {
            throw .unreachable("it cannot be connected to over Bluetooth")
        }
        try exchangeMTU()
        guard try discover() != nil, case .secured = try pair(passkey: radio.passkey), try subscribe() == nil else {
            throw .linkLost("the radio lets no app in over Bluetooth")
        }
    }

    /// Ends the connection.
    func disconnect() throws(TargetError) {
        guard let connection else { return }
        // What waits goes first: a radio that has not been given all keys of a pairing keeps none of them.
        try rest(Self.patience) { host.waiting(on: connection) == 0 }
        guard isLinked else { return }
        try ask(.disconnect(connection))
        _ = try wait { if case .disconnected = $0 { true } else { nil } }
    }

    // MARK: Security

    private enum SecurityStep {
        case passkey
        case secured(SecurityLevel)
        case failed
    }

    /// Pairs with this passkey, or encrypts with the keys of an earlier pairing.
    func pair(passkey: UInt32?) throws(TargetError) -> Pairing {
        let link = try linked()
        try ask(.pair(link))
        while true {
            let step = try wait(within: .seconds(40)) { event -> SecurityStep? in
                switch event {
                case .passkeyWanted: .passkey
                case .secured(_, let level): .secured(level)
                case .securityFailed, .disconnected: .failed
                default: nil
                }
            }
            switch step {
            case .passkey: try ask(.passkey(link, passkey))
            case .secured(let level): return .secured(level)
            case .failed: return try failed()
            case nil: throw .linkLost("the pairing comes to no end")
            }
        }
    }

    /// Reports a failed pairing. A radio may end the link a moment later, so it waits for 1 s.
    private func failed() throws(TargetError) -> Pairing {
        try rest(.seconds(1)) { !isLinked }
        return .failed(isLinked: isLinked)
    }

    // MARK: Values

    /// The error of a write with an answer; `nil` when it was accepted.
    func write(_ value: [UInt8], to handle: UInt16) throws(TargetError) -> ATT.ErrorCode? {
        try ask(.write(try linked(), handle: handle, value: value, withResponse: true))
        return try answer(handle)
    }

    /// The error of a read; `nil` when the value came.
    func read(_ handle: UInt16) throws(TargetError) -> ATT.ErrorCode? {
        try ask(.read(try linked(), handle: handle))
        return try answer(handle)
    }

    /// The error of switching notifications on or off; `nil` when that was accepted.
    func subscribe(to wanted: ATT.ClientConfiguration = .notifications) throws(TargetError) -> ATT.ErrorCode? {
        guard let value = service?.transmit.value else { return .attributeNotFound }
        try ask(.subscribe(try linked(), value: value, wanted))
        return try answer(value)
    }

    private enum Answer {
        case done
        case refused(ATT.ErrorCode)
        case disconnected
    }

    private func answer(_ handle: UInt16) throws(TargetError) -> ATT.ErrorCode? {
        let answer = try wait { event -> Answer? in
            switch event {
            case .accepted, .value: .done
            case .refused(_, _, _, let code): .refused(code)
            case .disconnected: .disconnected
            default: nil
            }
        }
        switch answer {
        case .done: return nil
        case .refused(let code): return code
        case .disconnected: throw .linkLost("the radio ends the Bluetooth link in place of an answer")
        case nil: throw .linkLost("the radio does not answer a request of attributes")
        }
    }

    /// The next value that the radio sends; `nil` when none comes in that time.
    func notification(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        let told = try wait(within: span) { event -> (handle: UInt16, value: [UInt8])? in
            guard case .notified(_, let handle, let value) = event else { return nil }
            return (handle, value)
        }
        guard let told else { return nil }
        lastArrival = arrivals.removeFirst()
        // Its service has no other value that notifies.
        return told.handle == service?.transmit.value ? told.value : nil
    }

    // MARK: Frames

    /// Writes a frame that stands in the framing of a stream.
    func write(framed bytes: [UInt8]) throws(TargetError) {
        guard let service else { throw .linkLost("the radio's service is not known yet") }
        var receiver = SerialReceiver()
        _ = receiver.append(bytes)
        while let frame = receiver.nextFrame() {
            if let refusal = try write(frame, to: service.receive.value) {
                throw .linkLost("the radio refuses a write: \(refusal)")
            }
        }
    }

    /// The next frame, in the framing of a stream.
    func framedNotification(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        try notification(within: span).flatMap { StreamFraming.encode(toApp: $0) }
    }
}

/// The random source of pairing: a seed on virtual time, else the system.
enum PairingRandom: RandomNumberGenerator, Sendable {
    case drawn(RandomStream)
    case system

    mutating func next() -> UInt64 {
        guard case .drawn(var stream) = self else {
            var system = SystemRandomNumberGenerator()
            return system.next()
        }
        defer { self = .drawn(stream) }
        return stream.next()
    }
}

extension BluetoothHost.Advertiser {
    /// The chip family whose builds advertise so: an nRF52 says at which power it sends, an ESP32 which intervals suit
    /// it.
    var platform: BoardPlatform? {
        switch (facts.hasPower, facts.hasIntervals) {
        case (true, false): .nrf52
        case (false, true): .esp32
        default: nil
        }
    }
}

extension BoardPlatform {
    /// As its makers write it.
    fileprivate var title: String {
        switch self {
        case .esp32: "ESP32"
        case .nrf52: "nRF52"
        case .other: "other processor"
        }
    }
}
