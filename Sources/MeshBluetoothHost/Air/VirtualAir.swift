package import MeshTime
import MeshWire

/// Bluetooth controllers within reach of each other, as one value with time as an input.
///
/// Each handles the HCI packets of a host and returns packets. It governs advertising, connections and their
/// events, fragments and the buffers for them. It also governs the start of encryption, and the loss of a
/// controller. It encrypts nothing: two hosts whose keys differ lose their connection, and there is no sniffer.
///
/// ```
/// host --receive--> controller A  ~~~ connection events ~~~  controller B --next--> host
/// ```
///
/// The caller asks `next` until there is nothing for the present moment. It delivers each packet to its host, and
/// the host's packets to `receive`. It looks again at `deadline`.
package struct VirtualAir: Sendable {
    /// A packet for a host.
    package struct Delivery: Sendable {
        /// The place of the controller that sends it.
        package let controller: Int
        /// The time of the delivery.
        package let at: Instant
        /// From its packet type on.
        package let packet: [UInt8]
    }

    package let settings: AirSettings
    /// The totals of connections so far.
    package internal(set) var use = AirUse()
    var controllers: [VirtualController]
    var connections: [AirConnection] = []
    /// The deliveries to hosts that are still to come, by their time.
    private var outbox: [Delivery] = []
    private var taken = 0
    /// The delays of advertising, and lost packets.
    var delays: RandomStream
    var losses: RandomStream

    /// The payload that every controller can send.
    static let shortestPayload = 27
    /// Connections of one controller.
    static let connectionLimit = 8

    package init(_ controllers: [ControllerDescription], settings: AirSettings = AirSettings(), seed: Seed) {
        self.settings = settings
        self.controllers = controllers.map(VirtualController.init)
        delays = seed.stream("air", "delays")
        losses = seed.stream("air", "losses")
    }

    /// Converts an interval of packets, in units of 1.25 ms.
    static func interval(_ units: UInt16) -> TimeSpan { .microseconds(Int64(units) * 1250) }

    /// The time at which `next` wants to be called; `nil` while nothing waits for time.
    package var deadline: Instant? {
        [outbox.indices.contains(taken) ? outbox[taken].at : nil, nextWork?.at].compactMap { $0 }.min()
    }

    /// Returns the next delivery to a host that is due by now; packets that the hosts sent before belong to times
    /// before.
    package mutating func next(at now: Instant) -> Delivery? {
        while true {
            let work = nextWork
            if outbox.indices.contains(taken), outbox[taken].at <= min(now, work?.at ?? .never) {
                defer { forget() }
                return outbox[taken]
            }
            guard let work, work.at <= now else { return nil }
            perform(work)
        }
    }

    private mutating func forget() {
        taken += 1
        guard taken == outbox.count else { return }
        outbox.removeAll(keepingCapacity: true)
        taken = 0
    }

    /// Returns the limit of a controller's present connection; `nil` where it has none.
    package func limit(of controller: Int) -> RequestResponseLimit? {
        for connection in connections {
            guard let side = connection.side(of: controller) else { continue }
            return RequestResponseLimit(
                interval: connection.interval, layer: settings.layer, longestPayload: connection.sides[side].longest,
                packetsPerEvent: settings.packetsPerEvent)
        }
        return nil
    }

    // MARK: What time does

    /// The next step of the air.
    private enum Work {
        case advertise(Int)
        case connection(Int)
    }

    private var nextWork: (at: Instant, what: Work)? {
        var first: (at: Instant, what: Work)?
        for index in controllers.indices {
            guard let at = controllers[index].advertising?.next, at < first?.at ?? .never else { continue }
            first = (at, .advertise(index))
        }
        for index in connections.indices {
            guard let at = connections[index].deadline(settings.rest), at < first?.at ?? .never else { continue }
            first = (at, .connection(index))
        }
        return first
    }

    private mutating func perform(_ work: (at: Instant, what: Work)) {
        switch work.what {
        case .advertise(let controller): advertise(controller, at: work.at)
        case .connection(let index): attend(index, at: work.at)
        }
    }

    // MARK: What hosts are told

    mutating func tell(_ controller: Int, _ event: HCI.Event, at now: Instant) {
        tell(controller, packet: [HCI.PacketType.event.rawValue] + event.encoded, at: now)
    }

    mutating func tell(_ controller: Int, packet: [UInt8], at now: Instant) {
        guard !controllers[controller].isOff else { return }
        var place = outbox.count
        while place > taken, outbox[place - 1].at > now { place -= 1 }
        outbox.insert(Delivery(controller: controller, at: now, packet: packet), at: place)
    }

    mutating func complete(
        _ controller: Int, _ opcode: UInt16, _ returned: [UInt8] = [], status: UInt8 = 0, at now: Instant
    ) {
        var complete = HCI.CommandComplete()
        (complete.opcode, complete.returned) = (opcode, [status] + returned)
        tell(controller, .commandComplete(complete), at: now)
    }

    /// Answers that a command is being carried out, or its error.
    mutating func answer(_ controller: Int, _ opcode: UInt16, status: UInt8 = 0, at now: Instant) {
        var answer = HCI.CommandStatus()
        (answer.status, answer.opcode) = (status, opcode)
        tell(controller, .commandStatus(answer), at: now)
    }

    // MARK: Faults

    /// A controller is switched off: it forgets everything, and its peers miss it when their time is over.
    package mutating func vanish(_ controller: Int, at now: Instant) {
        clear(controller, at: now)
        controllers[controller].isOff = true
    }

    /// It is switched on again, and knows nothing from before.
    package mutating func comeBack(_ controller: Int) {
        controllers[controller].isOff = false
    }

    /// Resets a controller as after power on. Its pending packets are never sent.
    mutating func clear(_ controller: Int, at now: Instant) {
        controllers[controller] = VirtualController(controllers[controller].description)
        outbox = outbox.suffix(from: taken).filter { $0.controller != controller }
        taken = 0
        for index in connections.indices.reversed() {
            guard let side = connections[index].side(of: controller) else { continue }
            // Up to here the two have met, whether there was something to send or not.
            connections[index].noteIdle(until: now)
            connections[index].sides[side].isGone = true
            if connections[index].sides.allSatisfy(\.isGone) { connections.remove(at: index) }
        }
        listenersChanged(at: now)
    }
}

extension AirConnection {
    /// Counts the events in which no side had anything to send as received; they are not played.
    mutating func noteIdle(until now: Instant) {
        guard !sides.contains(where: { $0.isGone || $0.hasWork }), now >= anchor else { return }
        heard = max(heard, event(after: now) - interval)
    }
}
