package import MeshFiles
package import MeshTime
package import MeshTransports

/// An error that ends an emulator, or keeps it from starting.
package enum EmulatorError: Error, Hashable, Sendable {
    /// An endpoint cannot be opened.
    case link(LinkError)
    /// The emulator did not start, for another reason of the system's.
    case notStarted(reason: String)
    /// A number of a board is out of its bounds.
    case badBoard(String)
    /// The world has no node of this label; it has these.
    case unknownNode(String, known: [String])
    /// Two endpoints lead to one node, which has one interface only.
    case secondEndpoint(label: String)
    /// A companion radio with these interfaces has none, or none any more, for an endpoint.
    case noInterface(label: String, endpoint: String, has: [String])
    /// A companion radio is to have several interfaces, and its firmware cannot.
    case severalInterfaces(label: String, firmware: String)
    /// A companion radio with several endpoints is to be recorded, and a recording has one app.
    case severalRecorded(label: String)
    /// The node of an endpoint with a Bluetooth controller has no Bluetooth.
    case noBluetooth(label: String)
    /// The node of an endpoint with a Bluetooth controller would have a modelled link, which replaces the controller.
    case linkedController(label: String)
    /// The node of a modem's endpoint is no companion radio, in place of which a modem could be.
    case noModem(label: String)
    /// The fault plan of a client's link cannot be had there; the problem names the member.
    case badLinkFaults(label: String, FileProblem)
    /// The state directory cannot be read or written.
    case stateUnusable(path: String, reason: String)
    /// Another emulator works on the state directory.
    case stateInUse(path: String)
    /// A file of a node's state does not hold what it should; nothing was changed.
    case stateDamaged(path: String, field: String, reason: String)
    /// The emulator stopped in the middle of a run because a change could not be made durable.
    case stateNotWritten(path: String, reason: String)
    /// The emulator stopped in the middle of a run because its recording could not go on.
    case notRecorded(reason: String)
    /// A request for time came after the end of the run.
    case ended
    /// This many requests for time wait already, and no more are queued.
    case tooManySteps(Int)
    /// The node of an endpoint is reached over a controller, the time of which cannot be held.
    case heldController(label: String)
    /// The program of an external node broke its protocol or was silent; the run has ended at this moment of the world.
    case badPeer(label: String, at: Instant, reason: String)
    /// The real radio in the place of a node has gone.
    case antennaLost(label: String)
    /// A real radio's air follows the clock: it allows no other time and no other speed.
    case heldAntenna(label: String)
    /// The label of a node cannot be the name of a directory.
    case badDirectory(label: String)
}

extension EmulatorError {
    /// Creates the error of a failed opening.
    init(opening error: any Error) {
        switch error {
        case let error as EmulatorError: self = error
        case let error as LinkError: self = .link(error)
        default: self = .notStarted(reason: "\(error)")
        }
    }
}

extension EmulatorError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .link(let error): "\(error)"
        case .notStarted(let reason): "cannot start: \(reason)"
        case .badBoard(let reason): reason
        case .unknownNode(let label, let known):
            "there is no node \"\(label)\" in this world, it has \(known.prefix(20).joined(separator: ", "))"
                + (known.count > 20 ? " and \(known.count - 20) more" : "")
        case .secondEndpoint(let label):
            "node \"\(label)\" has one interface and can have one endpoint only; a companion radio with firmware 1.18 has "
                + "one for each"
        case .noInterface(let label, let endpoint, let links):
            "node \"\(label)\" has no interface for \(endpoint) that is free, it has \(links.joined(separator: ", "))"
        case .severalInterfaces(let label, let firmware):
            "node \"\(label)\" has one interface: firmware \(firmware) has no more at once, 1.18 has"
        case .severalRecorded(let label):
            "node \"\(label)\" has several endpoints: a recording has one app, and cannot be of them"
        case .noBluetooth(let label):
            "node \"\(label)\" has no Bluetooth: only companion radios with an ESP32 or an nRF52 have"
        case .linkedController(let label):
            "node \"\(label)\": a modelled link needs a TCP port or a terminal; over a Bluetooth controller the link is real"
        case .noModem(let label):
            "node \"\(label)\" cannot be a modem: only a companion radio can be replaced by one"
        case .badLinkFaults(let label, let problem): "link faults of node \"\(label)\": \(problem)"
        case .stateUnusable(let path, let reason): "state directory: \(path): \(reason)"
        case .stateInUse(let path): "state directory: \(path) is in use by another emulator"
        case .stateDamaged(let path, let field, let reason):
            "damaged state: \(path)\(field.isEmpty ? "" : ", field \"\(field)\""): \(reason). The file was kept; "
                + "--reset-state moves the old files aside and starts from factory settings"
        case .stateNotWritten(let path, let reason): "state could not be written, stopped: \(path): \(reason)"
        case .ended: "the run has ended"
        case .tooManySteps(let most): "\(most) wait for time to pass already"
        case .heldController(let label):
            "node \"\(label)\": time cannot be stepped or run in lockstep with a Bluetooth controller, which has a clock of "
                + "its own"
        case .badDirectory(let label):
            "node \"\(label)\" has a name that no directory can have, so its state cannot be kept"
        case .badPeer(let label, let moment, let reason):
            "the program of node \"\(label)\" failed at \(moment.milliseconds) ms of the world: \(reason)"
        case .antennaLost(let label): "the radio in the place of node \"\(label)\" has closed the connection"
        case .heldAntenna(let label):
            "node \"\(label)\": a real radio is in its place, whose air goes by the clock: time cannot be stepped, run in "
                + "lockstep or at another speed than 1"
        case .notRecorded(let reason): "the recording could not go on, stopped: \(reason)"
        }
    }
}
