package import MeshTime

extension BluetoothCentral {
    /// Limits for the time of each phase and for the frames that wait.
    package struct Limits: Hashable, Sendable {
        /// The time until the radio is heard.
        package var scanning: TimeSpan = .seconds(10)
        /// The time until the connection is there.
        package var connecting: TimeSpan = .seconds(10)
        /// From the connection to the subscription, with pairing in between.
        package var discovering: TimeSpan = .seconds(40)
        /// The same with a radio whose keys are there, as in a reconnection, without a PIN to type.
        package var rediscovering: TimeSpan = .seconds(15)
        /// The time for which a radio that refuses for security is asked again.
        package var refusals: TimeSpan = .seconds(35)
        /// The time until the radio has answered a frame.
        package var write: TimeSpan = .seconds(5)
        /// The time until the controller has ended the link.
        package var disconnecting: TimeSpan = .seconds(2)
        /// The time until a radio that was not ready is asked again.
        package var pause: TimeSpan = .milliseconds(500)
        /// Frames that may wait to be written.
        package var queue = 16
        /// The longest attribute packet that it asks for, 23 to 517.
        package var mtu: UInt16 = 517

        package init() {}
    }

    typealias State = LinkProgress<Attempt, Setup, Session>

    /// A connection that is being made.
    struct Attempt: LinkStage {
        let peer: BluetoothAddress
        /// The host ends it by itself.
        var deadline: Instant? { nil }
    }

    /// A connection on its way to frames.
    struct Setup: LinkStage {
        let link: BluetoothHost.Link
        let peer: BluetoothAddress
        /// Keys of an earlier pairing were there.
        let isKnown: Bool
        /// The end of the phases up to the subscription.
        var until: Instant
        /// Limits that end where the radio has to be paired with.
        let pairedUntil: Instant
        /// A radio that refuses for security is asked again until then.
        let refusedUntil: Instant
        var mtu = Int(ATT.defaultMTU)
        /// The length of packets is agreed on, and the services are asked for.
        var isDiscovering = false
        /// The number of times that a known radio may still have no services.
        var emptyAnswers = 3
        /// The time at which the radio is asked again.
        var again: Instant?
        /// The value that is written, and the one that notifies.
        var receive = ATT.Database.Characteristic(declaration: 0, properties: 0, value: 0, uuid: .nordicRX)
        var transmit = ATT.Database.Characteristic(declaration: 0, properties: 0, value: 0, uuid: .nordicTX)
        var pairing = PairingProgress.asking
        /// The user was asked for the PIN, and has not typed it.
        var isPINWanted = false
        /// Frames of a radio that knows us, and is quicker than its answer to the subscription.
        var early: [[UInt8]] = []

        static let earlyLimit = 16

        var deadline: Instant? { min(until, again ?? until) }
    }

    /// A link that passes frames.
    struct Session: LinkStage {
        struct Frame: Sendable {
            var value: [UInt8]
            var isAnswered: Bool
        }

        let link: BluetoothHost.Link
        var mtu: Int
        let receive: UInt16
        let properties: ATT.Properties
        let transmit: UInt16
        var waiting: [Frame] = []
        /// A frame is written, and not answered.
        var isWriting = false
        /// The radio must have answered it by then; none where it has not.
        var writtenUntil: Instant?
        /// The host has no room.
        var isFull = false
        var wantsRoom = false

        var deadline: Instant? { writtenUntil }

        /// The radio has answered, or refused.
        mutating func answered() { (isWriting, writtenUntil) = (false, nil) }

        /// Tells whether a frame is answered: as wanted where the radio offers both.
        func answers(_ wanted: Bool) -> Bool {
            wanted ? properties.contains(.write) : !properties.contains(.writeWithoutResponse)
        }
    }

    /// The phase of the link.
    package var phase: Phase { state.phase }

    /// The only way from one phase to another: what the old one owned is released.
    mutating func transition(to new: State) {
        // What was wanted for the old phase is not wanted any more.
        requests = []
        switch (state, new) {
        // To connect stops the scan by itself.
        case (.scanning, .connecting): break
        case (.scanning, _): requests.append(.stopScanning)
        case (.connecting, .disconnecting): requests.append(.cancelConnect)
        case (_, .disconnecting): if let link = state.link { requests.append(.disconnect(link)) }
        default: break
        }
        state = new
    }

    /// Ends the link or the attempt for this reason; the first reason counts.
    mutating func fail(_ failure: Failure, at now: Instant) {
        switch state {
        case .idle, .disconnecting: break
        case .waitingForBluetooth, .scanning: end(failure)
        case .connecting, .discovering, .subscribing, .connected:
            transition(to: .disconnecting(failure, until: now + limits.disconnecting))
        }
    }

    /// There is no link any more.
    mutating func end(_ failure: Failure) {
        transition(to: .idle)
        ending = failure
    }
}

extension BluetoothCentral.State {
    var link: BluetoothHost.Link? {
        if case .connected(let session) = self { session.link } else { setup?.link }
    }
}
