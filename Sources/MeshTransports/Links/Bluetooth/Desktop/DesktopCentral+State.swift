import MeshBluetoothHost
import MeshBus
import MeshTime

extension DesktopCentral {
    typealias State = LinkProgress<Attempt, Setup, Session>

    /// A connection that is being made.
    struct Attempt: LinkStage {
        let device: String
        let until: Instant
        /// True when the device was heard, and is not only known.
        let isHeard: Bool
        /// True when bluetoothd has keys of an earlier pairing.
        let isKnown: Bool
        /// True when bluetoothd has reported it as connected.
        var wasConnected = false

        var deadline: Instant? { until }
    }

    /// A connection on its way to frames.
    struct Setup: LinkStage {
        let device: String
        let isKnown: Bool
        /// The end of the phases up to the subscription.
        var until: Instant
        /// Limits that end where the radio has to be paired with.
        let pairedUntil: Instant
        /// A radio that refuses for security is asked again until then.
        let refusedUntil: Instant
        /// True when bluetoothd has reported it as connected, which may be late or, where a link has no latency, never.
        var wasConnected = false
        /// The number of times that a known radio may still have no services.
        var emptyAnswers = 3
        /// The moment at which the radio is asked again.
        var again: Instant?
        var isPairing = false
        /// The PIN was asked for, and given.
        var hasTyped = false
        /// Frames of a radio that is quicker than its answer to the subscription.
        var early: [[UInt8]] = []

        static let earlyLimit = 16

        var deadline: Instant? { min(until, again ?? until) }
    }

    /// A link that passes frames.
    struct Session: LinkStage {
        let device: String
        let receive: String
        let transmit: String
        /// True when a write of a frame is answered, which most radios offer.
        let isAnswered: Bool
        /// The longest frame.
        let longest: Int
        var wasConnected: Bool
        var waiting: [[UInt8]] = []
        /// A frame is written, and not answered.
        var isWriting = false
        /// The radio must have answered it by then; none where it has not.
        var writtenUntil: Instant?
        var wantsRoom = false

        var deadline: Instant? { writtenUntil }
    }

    /// The services that bluetoothd performs for us until they are revoked.
    struct Held: Hashable, Sendable {
        var isScanning = false
        var hasAgent = false
        /// The device that was connected by us.
        var device: String?
        /// The characteristic whose values we want.
        var notifying: String?
    }

    /// The only transition from one phase to another: answers to requests of the old one count no more.
    mutating func transition(to new: State) {
        epoch += 1
        state = new
    }

    /// Ends the link or the attempt for this reason; the first reason counts.
    mutating func fail(_ failure: Failure, at now: Instant) {
        switch state {
        case .idle, .disconnecting: break
        default:
            transition(to: .disconnecting(failure, until: now + Self.farewell + limits.disconnecting))
            release()
            released(at: now)
        }
    }

    /// Releases the services of bluetoothd.
    private mutating func release() {
        stopScanning()
        if let device = held.device {
            // Ends a pairing and the notifications as well.
            ask(.release, DesktopNames.call(device, DesktopNames.device, "Disconnect"))
        } else if let path = held.notifying {
            ask(.release, DesktopNames.call(path, DesktopNames.characteristic, "StopNotify"))
        }
        if held.hasAgent {
            let path = BusValue.objectPath(Self.agentPath)
            ask(.release, DesktopNames.call(DesktopNames.root, DesktopNames.agents, "UnregisterAgent", path))
        }
        held = Held()
    }

    mutating func stopScanning() {
        guard held.isScanning else { return }
        held.isScanning = false
        ask(.release, DesktopNames.call(adapter, DesktopNames.adapter, "StopDiscovery"))
    }

    /// Handles an answer to a release; the last one ends the link.
    mutating func released(at now: Instant) {
        guard case .disconnecting(let failure, _) = state, !asked.values.contains(where: { $0.step == .release })
        else { return }
        end(failure)
    }

    /// Ends the link without releases; the first reason counts.
    mutating func drop(_ failure: Failure) {
        switch state {
        case .idle: break
        case .disconnecting(let first, _): end(first)
        default: end(failure)
        }
    }

    /// Ends the state of the link, which has gone.
    mutating func end(_ failure: Failure) {
        transition(to: .idle)
        (asked, held) = ([:], Held())
        outputs.append(.ended(failure))
    }
}

extension DesktopCentral.State {
    /// The path of the device that is connected to.
    var device: String? {
        switch self {
        case .connecting(let attempt): attempt.device
        case .connected(let session): session.device
        default: setup?.device
        }
    }
}
