import MeshBluetoothHost
import MeshTime
import MeshWire
import Testing

/// A radio's host and an app's on an air, with time as an input.
struct AirBench {
    /// An event of a host, with its time.
    struct Told: Hashable, Sendable {
        var at: Instant
        var event: BluetoothHost.Event
    }

    static let (radio, app) = (0, 1)
    static let (rx, tx): (UInt16, UInt16) = (0x12, 0x14)

    var air: VirtualAir
    var hosts: [BluetoothHost]
    var told: [[Told]] = [[], []]
    var now = Instant.start
    var random = Seed(3).stream("pairing")
    /// Hosts that read nothing.
    var deaf: Set<Int> = []

    static let addresses = [0xAA, 0xBB].map { BluetoothAddress(number: $0, isRandom: false) }

    /// `protected`: only who has typed 123456 reads and writes.
    init(
        _ settings: AirSettings = AirSettings(), longestPayload: UInt16 = 251, protected: Bool = false,
        secureConnections: Bool = true, seed: UInt64 = 1
    ) {
        var radio = BluetoothHost.Settings()
        let access: ATT.Access = protected ? .authenticated : .open
        radio.attributes.addService(.nordicUART, at: 0x10)
        radio.attributes.addCharacteristic(.nordicRX, [.write, .writeWithoutResponse], write: access)
        radio.attributes.addCharacteristic(.nordicTX, [.notify], configuration: access)
        if protected { radio.security = .displaying(passkey: 123_456, secureConnections: secureConnections) }
        hosts = [BluetoothHost(radio), BluetoothHost(BluetoothHost.Settings())]
        let controllers = Self.addresses.map {
            ControllerDescription(address: $0, longestPayload: longestPayload)
        }
        air = VirtualAir(controllers, settings: settings, seed: Seed(seed))
        for side in hosts.indices { take(hosts[side].start(at: now), side) }
        pass(.zero)
    }

    /// Connected, with the attributes discovered and the value subscribed to.
    static func subscribed(_ settings: AirSettings = AirSettings(), longestPayload: UInt16 = 251) throws -> AirBench {
        var bench = AirBench(settings, longestPayload: longestPayload)
        try bench.connect()
        try bench.ask(app, .exchangeMTU(try bench.link(app)))
        bench.pass(.seconds(1))
        try bench.ask(app, .discover(try bench.link(app), service: .nordicUART))
        bench.pass(.seconds(2))
        try bench.ask(app, .subscribe(try bench.link(app), value: tx, .notifications))
        bench.pass(.seconds(1))
        for side in 0...1 { _ = bench.events(side) }
        return bench
    }

    mutating func connect() throws {
        try ask(Self.radio, .advertise(.init(data: AdvertisedData.flags())))
        try ask(Self.app, .connect(Self.addresses[Self.radio]))
        pass(.seconds(2))
        try #require(hosts.allSatisfy { $0.openLinks.count == 1 })
    }

    mutating func ask(_ side: Int, _ request: BluetoothHost.Request) throws(BluetoothHost.Refusal) {
        take(try hosts[side].ask(request, at: now, random: &random), side)
    }

    /// The link of a side.
    func link(_ side: Int) throws -> BluetoothHost.Link { try #require(hosts[side].openLinks.first) }

    /// Returns the events of a side since the last time.
    mutating func events(_ side: Int) -> [BluetoothHost.Event] {
        defer { told[side] = [] }
        return told[side].map(\.event)
    }

    mutating func pass(_ span: TimeSpan) {
        let end = now + span
        repeat { settle() } while advance(until: end)
        now = end
    }

    /// Passes until a side has sent an event that fits, 10 s at most; returns its time.
    mutating func wait(_ side: Int, for fits: (BluetoothHost.Event) -> Bool) throws -> Instant {
        let end = now + .seconds(10)
        while true {
            settle()
            if let place = told[side].firstIndex(where: { fits($0.event) }) {
                defer { told[side].removeFirst(place + 1) }
                return told[side][place].at
            }
            let isGoingOn = advance(until: end)
            try #require(isGoingOn, "side \(side) tells nothing of the kind")
        }
    }

    /// Does what is due.
    private mutating func settle() {
        while let delivery = air.next(at: now) {
            guard !deaf.contains(delivery.controller) else { continue }
            take(
                hosts[delivery.controller].receive(delivery.packet.span, at: now, random: &random),
                delivery.controller)
        }
        for side in hosts.indices where hosts[side].deadline.map({ $0 <= now }) ?? false {
            take(hosts[side].expire(at: now), side)
        }
    }

    /// To the next moment at which something is due; `false`: nothing is by then.
    private mutating func advance(until end: Instant) -> Bool {
        let next = ([air.deadline] + hosts.map(\.deadline)).compactMap { $0 }.min() ?? .never
        guard next <= end else { return false }
        now = max(now, next)
        return true
    }

    /// A controller is gone with its host.
    mutating func vanish(_ side: Int) {
        air.vanish(side, at: now)
        take(hosts[side].close(at: now), side)
    }

    mutating func comeBack(_ side: Int) {
        air.comeBack(side)
        take(hosts[side].start(at: now), side)
        pass(.zero)
    }

    private mutating func take(_ effects: [BluetoothHost.Effect], _ side: Int) {
        for effect in effects {
            switch effect {
            case .send(let packet): air.receive(packet, from: side, at: now)
            case .tell(let event): told[side].append(Told(at: now, event: event))
            }
        }
    }
}
