public import MeshBoards
import MeshCore
public import MeshFirmware
public import MeshPacket
public import MeshSimulator
import MeshTime
import MeshWire

// What feeds nodes and what they measure: before the scenario begins, while it plays, and what comes of it.

// MARK: Before it begins

extension RunningNode {
    /// The same node with a body; its courses count from the moment at which its world begins, at midnight.
    public func hasBody(_ change: (inout NodeBody) -> Void) -> Self {
        var node = self
        var body = member.settings.body ?? NodeBody()
        change(&body)
        node.member.settings.body = body
        return node
    }

    /// The same node on this battery: a voltage and its course, or a cell.
    public func hasBattery(_ battery: Battery) -> Self { hasBody { $0.battery = battery } }

    /// The same node on a cell that it drains and the sun charges; currents are in milliamperes, the charge in percent.
    public func hasCell(
        milliampereHours: Int, charge: Int = 100, load: Int = 10, transmitting: Int = 120, sun: Int = 0
    ) -> Self {
        var cell = BatteryCell(capacity: milliampereHours, charge: charge, load: load * 1000, panel: sun * 1000)
        cell.transmitLoad = transmitting * 1000
        return hasBattery(.cell(cell))
    }

    /// The same node with sensor parts, which are found when it starts.
    public func hasSensors(_ parts: SensorParts) -> Self { hasBody { $0.parts.formUnion(parts) } }

    /// The same node where a quantity has this course.
    public func measuring(_ quantity: Quantity, _ course: Course) -> Self { hasBody { $0.set(quantity, course) } }

    /// The same node with a GPS that runs, and whose place its adverts have.
    public func hasGPS(_ signal: GPSSignal) -> Self {
        hasBody { body in
            body.gps = signal
            body.gpsSettings = GPSSettings(isOn: true, advertises: .share)
        }
    }
}

extension Person {
    /// The same radio with a build that switches itself off below a voltage.
    public func switchingOff(below volts: Double) -> Person {
        hasBody { $0.autoShutdownMillivolts = UInt16(nearest: volts * 1000) }
    }
}

extension NodeBody {
    fileprivate mutating func set(_ quantity: Quantity, _ course: Course) {
        measured.removeAll { $0.quantity == quantity }
        measured.append(Measured(quantity, course))
    }
}

/// Two repeaters that are joined beside the radio.
public struct BridgedRepeaters: Hashable, Sendable {
    /// One of the two.
    public var one: Member
    /// The other one.
    public var other: Member
    /// A serial line or ESP-NOW.
    public var kind: BridgeKind

    var sentence: String { "\(one.name) and \(other.name) are joined by \(kind.rawValue)" }
}

extension Repeater {
    /// Passes packets to another repeater and takes them from it beside the radio.
    public func isBridged(to other: Repeater, by kind: BridgeKind = .rs232) -> BridgedRepeaters {
        BridgedRepeaters(one: member, other: other.member, kind: kind)
    }
}

// MARK: While it plays

/// A change of what feeds a node, or of what it measures, from now on.
public struct ChangesBody: Action {
    let node: Member
    public let sentence: String
    private let change: @Sendable (inout World, NodeID) -> Void

    init(_ node: some Node, _ words: String, _ change: @escaping @Sendable (inout World, NodeID) -> Void) {
        self.node = node.member
        sentence = words
        self.change = change
    }

    public var cast: [Member] { [node] }
    public var needs: Abilities { .board }

    public func perform(on stage: Stage) async throws {
        try await stage.withWorld { world in change(&world, try world.node(of: node)) }
    }

    /// Changes the body as it stands, which a node without one has from now on.
    fileprivate static func of(
        _ node: some Node, _ words: String, _ change: @escaping @Sendable (inout NodeBody, Instant) -> Void
    ) -> ChangesBody {
        ChangesBody(node, words) { world, id in
            var body = world.bodyNow(of: id) ?? NodeBody()
            change(&body, world.now)
            world.setBody(body, of: id)
        }
    }
}

extension RunningNode {
    /// A cloud, snow or the end of the day: the panel of its cell gives nothing.
    public func losesSun() -> ChangesBody {
        ChangesBody(self, "the sun goes from \(member.name)") { world, id in world.changeCell(of: id) { $0.panel = 0 } }
    }

    /// The panel of its cell gives what it gave when the scenario began.
    public func hasSunAgain() -> ChangesBody {
        let panel = member.settings.body?.battery?.ofCell?.panel ?? 0
        return ChangesBody(self, "the sun is back at \(member.name)") { world, id in
            world.changeCell(of: id) { $0.panel = panel }
        }
    }

    /// A cable feeds the board and charges its cell.
    public func isPluggedIn() -> ChangesBody {
        ChangesBody(self, "\(member.name) is plugged in") { world, id in world.setSupply(true, of: id) }
    }

    /// The cable is gone.
    public func isUnplugged() -> ChangesBody {
        ChangesBody(self, "\(member.name) is unplugged") { world, id in world.setSupply(false, of: id) }
    }

    /// Somebody presses its switch: a board that is off starts, if its battery lets it.
    public func isSwitchedOn() -> ChangesBody {
        ChangesBody(self, "\(member.name) is switched on") { world, id in world.powerOn(id) }
    }

    /// Another battery, or another charge of it.
    public func batteryBecomes(_ battery: Battery) -> ChangesBody {
        ChangesBody.of(self, "\(member.name) has another battery") { body, _ in body.battery = battery }
    }

    /// What is around it changes.
    public func nowMeasures(_ quantity: Quantity, _ course: Course) -> ChangesBody {
        ChangesBody.of(self, "another \(quantity) is around \(member.name)") { body, _ in body.set(quantity, course) }
    }

    /// Its GPS has no fix any more.
    public func losesFix() -> ChangesBody {
        ChangesBody.of(self, "\(member.name) loses its fix") { body, now in body.gps?.outages = [now..<Instant.never] }
    }

    /// The sky is clear again for its GPS.
    public func findsFix() -> ChangesBody {
        ChangesBody.of(self, "\(member.name) sees the sky again") { body, _ in body.gps?.outages = [] }
    }
}

// MARK: What comes of it

/// Expects the board of a node to run, or not to.
public struct BoardRuns: Expectation {
    let node: Member
    let isUp: Bool

    public var sentence: String { "\(node.name) \(isUp ? "runs" : "is off")" }
    public var cast: [Member] { [node] }
    public let needs = Abilities.board

    public func look(at stage: Stage) async throws -> Observation {
        let (isUp, outage) = try await stage.withWorld { world in
            let id = try world.node(of: node)
            return (world.isUp(id), world.outage(of: id))
        }
        let reason = outage.map { ": \($0.rawValue)" } ?? ""
        return Observation(isUp == self.isUp, otherwise: isUp ? "it runs" : "it does not run\(reason)")
    }
}

/// Expects the battery of a node to read within a range, in volts.
public struct BatteryReads: Expectation {
    let node: Member
    let volts: ClosedRange<Double>

    public var sentence: String {
        "the battery of \(node.name) reads \(volts.lowerBound.formatted) to \(volts.upperBound.formatted) V"
    }
    public var cast: [Member] { [node] }
    public let needs = Abilities.board

    public func look(at stage: Stage) async throws -> Observation {
        let reading = try await stage.withWorld { world in
            world.environment(of: try world.node(of: node))?.batteryMillivolts(at: world.now)
        }
        guard let reading else { return .holdsNot("it has none") }
        let value = Double(reading) / 1000
        return Observation(volts.contains(value), otherwise: "it reads \(value.formatted) V")
    }
}

/// Expects a contact of an app to have a place, by its adverts, to a number of metres.
public struct KnowsPlace: Expectation {
    let who: Member
    let whom: Member
    let place: GeoPoint
    let metres: Double

    public var sentence: String {
        "\(who.name) knows where \(whom.name) is: \(place.latitude.formatted), \(place.longitude.formatted)"
    }
    public var cast: [Member] { [who, whom] }
    public var subjects: [Subject] { [.introduction(whom.name)] }

    public func look(at stage: Stage) async throws -> Observation {
        let contact = try await stage.app(of: who).session().getContact(publicKey: stage.key(of: whom))
        guard let found = GeoPoint(microdegrees: contact.latitude, contact.longitude) else {
            return .holdsNot("no place is known")
        }
        return Observation(
            found.metres(to: place) <= metres,
            otherwise: "it is at \(found.latitude.formatted), \(found.longitude.formatted)")
    }
}

extension RunningNode {
    /// Its board does not run.
    public func isOff() -> BoardRuns { BoardRuns(node: member, isUp: false) }
    /// Its board runs.
    public func isOn() -> BoardRuns { BoardRuns(node: member, isUp: true) }
    /// Its gauge reads so many volts.
    public func batteryReads(_ volts: ClosedRange<Double>) -> BatteryReads {
        BatteryReads(node: member, volts: volts)
    }
}

extension Person {
    /// The radio knows the place of a contact, from its adverts.
    public func knowsPlace(
        of whom: some Node, latitude: Double, longitude: Double, within metres: Double = 50
    ) -> KnowsPlace {
        KnowsPlace(
            who: member, whom: whom.member, place: GeoPoint(latitude: latitude, longitude: longitude), metres: metres)
    }

    /// Asks a station for telemetry; the first value of this type is within a range, in the type's unit.
    public func reads(_ type: LPPType, of station: some Station, in range: ClosedRange<Double>) -> Asks {
        Asks(who: member, station: station.member, question: .reading(type, range))
    }
}
