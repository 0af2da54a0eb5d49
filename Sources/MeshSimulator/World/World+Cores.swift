public import MeshFirmware
import MeshTime

/// The array of the world that holds the core: each role has its own, so that a pass needs no existential.
enum CorePlace: Sendable {
    case companion(Int32)
    case repeater(Int32)
    case room(Int32)
    case sensor(Int32)
    case guest(Int32)

    /// True for a guest, which may break the rules of firmware.
    var isGuest: Bool {
        if case .guest = self { true } else { false }
    }
}

/// The cores of a world, by role.
struct Cores: Sendable {
    var companions: [CompanionRadio] = []
    var repeaters: [RepeaterNode] = []
    var rooms: [RoomServer] = []
    var sensors: [SensorNode] = []
    var guests: [any GuestNode] = []
}

// What is done with a core by its role. A new role is asked for here, and in no other file of the module.
extension World {
    /// Makes the core of an infrastructure node and gives it a place among those of its role.
    mutating func makeServer(_ role: ServerRole, _ boot: BootRecord, _ setup: ServerSetup?) -> CorePlace {
        switch role {
        case .repeater:
            cores.repeaters.append(makeServer(role, boot, setup))
            return .repeater(Int32(cores.repeaters.count - 1))
        case .roomServer:
            cores.rooms.append(makeServer(role, boot, setup))
            return .room(Int32(cores.rooms.count - 1))
        case .sensor:
            cores.sensors.append(makeServer(role, boot, setup))
            return .sensor(Int32(cores.sensors.count - 1))
        }
    }

    /// Boots the core of a node again, from its slot and its boot record.
    mutating func bootAgain(_ place: CorePlace, _ slot: NodeSlot, _ boot: BootRecord) {
        switch (slot.role, place) {
        case (.companion, .companion(let place)):
            cores.companions[Int(place)] = rebooted(cores.companions[Int(place)], slot, boot)
        case (.guest(let make), .guest(let place)): cores.guests[Int(place)] = make(boot)
        case (.server(let role), .repeater(let place)):
            cores.repeaters[Int(place)] = rebooted(cores.repeaters[Int(place)], role, slot, boot)
        case (.server(let role), .room(let place)):
            cores.rooms[Int(place)] = rebooted(cores.rooms[Int(place)], role, slot, boot)
        case (.server(let role), .sensor(let place)):
            cores.sensors[Int(place)] = rebooted(cores.sensors[Int(place)], role, slot, boot)
        case (_, .companion), (_, .guest), (_, .repeater), (_, .room), (_, .sensor):
            preconditionFailure("a core in a place of another role")
        }
    }

    /// Runs one pass of a core; its effects are in `effects`. Returns when it wants the next one, by its own clock.
    mutating func runCore(_ input: NodeInput, of index: Int, at local: Instant, _ status: RadioStatus) -> Instant {
        switch states[index].place {
        case .companion(let place):
            cores.companions[Int(place)].handle(input, at: local, radio: status, into: &effects)
            return cores.companions[Int(place)].nextWake
        case .repeater(let place):
            cores.repeaters[Int(place)].handle(
                input, at: local, radio: status, into: &effects, deferredCounts: &states[index].deferredCounts)
            return cores.repeaters[Int(place)].nextWake
        case .room(let place):
            cores.rooms[Int(place)].handle(input, at: local, radio: status, into: &effects)
            return cores.rooms[Int(place)].nextWake
        case .sensor(let place):
            cores.sensors[Int(place)].handle(input, at: local, radio: status, into: &effects)
            return cores.sensors[Int(place)].nextWake
        case .guest(let place):
            cores.guests[Int(place)].handle(input, at: local, radio: status, into: &effects)
            return cores.guests[Int(place)].nextWake
        }
    }

    /// The firmware that runs on a node, for looking at; `nil` for a guest.
    public func firmware(_ node: NodeID) -> (any FirmwareNode)? {
        switch states[node.index].place {
        case .companion(let place): cores.companions[Int(place)]
        case .repeater(let place): settled(cores.repeaters[Int(place)], states[node.index].deferredCounts)
        case .room(let place): cores.rooms[Int(place)]
        case .sensor(let place): cores.sensors[Int(place)]
        case .guest: nil
        }
    }

    /// Puts a changed core back in its place.
    mutating func replaceCore(_ place: CorePlace, by node: any FirmwareNode) {
        switch (place, node) {
        case (.companion(let place), let node as CompanionRadio): cores.companions[Int(place)] = node
        case (.repeater(let place), let node as RepeaterNode): cores.repeaters[Int(place)] = node
        case (.room(let place), let node as RoomServer): cores.rooms[Int(place)] = node
        case (.sensor(let place), let node as SensorNode): cores.sensors[Int(place)] = node
        default: preconditionFailure("a node became one of another role")
        }
    }

    /// Bytes that the client of a core may send now; not through `firmware` or a method, which make a copy of the node.
    func coreWindow(_ place: CorePlace, at interface: Int) -> Int {
        switch place {
        case .companion(let place): cores.companions[Int(place)].interface.window(at: interface)
        case .repeater(let place): cores.repeaters[Int(place)].appWindow
        case .room(let place): cores.rooms[Int(place)].appWindow
        case .sensor(let place): cores.sensors[Int(place)].appWindow
        case .guest(let place): cores.guests[Int(place)].appWindow
        }
    }

    /// Changes the environment of a core where it is; guests have none.
    mutating func withEnvironmentInPlace(of index: Int, _ change: (inout Environment) -> Void) {
        switch states[index].place {
        case .companion(let place): change(&cores.companions[Int(place)].environment)
        case .repeater(let place): change(&cores.repeaters[Int(place)].environment)
        case .room(let place): change(&cores.rooms[Int(place)].environment)
        case .sensor(let place): change(&cores.sensors[Int(place)].environment)
        case .guest: break
        }
    }

    /// Changes the settings of a core's GPS; guests have none.
    mutating func setGPS(_ settings: GPSSettings, of index: Int) {
        switch states[index].place {
        case .companion(let place): cores.companions[Int(place)].set(settings)
        case .repeater(let place): cores.repeaters[Int(place)].set(settings)
        case .room(let place): cores.rooms[Int(place)].set(settings)
        case .sensor(let place): cores.sensors[Int(place)].set(settings)
        case .guest: break
        }
    }

    /// Returns whether a repeater sleeps between packets, which it has run for so long.
    ///
    /// Source: firmware, `loop` of `simple_repeater`: an ESP32 begins after two minutes, and a bridge keeps it awake.
    mutating func savesPower(of index: Int, for uptime: TimeSpan) -> Bool {
        guard case .repeater(let place) = states[index].place else { return false }
        return cores.repeaters[Int(place)].savesPower(after: uptime)
    }

    /// The random numbers of a core as they stand; `nil` for a guest.
    func randomStream(_ place: CorePlace) -> RandomStream? {
        switch place {
        case .companion(let place): cores.companions[Int(place)].randomStream
        case .repeater(let place): cores.repeaters[Int(place)].randomStream
        case .room(let place): cores.rooms[Int(place)].randomStream
        case .sensor(let place): cores.sensors[Int(place)].randomStream
        case .guest: nil
        }
    }

    /// Returns the figures of a core for invariant checks.
    func accounts(of index: Int) -> CoreAccounts? {
        switch states[index].place {
        case .companion(let place): cores.companions[Int(place)].accounts
        case .repeater(let place): cores.repeaters[Int(place)].accounts
        case .room(let place): cores.rooms[Int(place)].accounts
        case .sensor(let place): cores.sensors[Int(place)].accounts
        case .guest(let place): cores.guests[Int(place)].accounts
        }
    }
}
