package import MeshTime

/// A host that serves attributes to centrals, whatever is below it: a controller of its own, or a kernel that keeps
/// one.
///
/// Requests and events are the same for all hosts. What passes below has types of its own, so that a program hands
/// neither host what only the other one knows.
package protocol PeripheralHost: Sendable {
    /// Something that has come from below.
    associatedtype Input: Sendable
    /// Something that has to be done below.
    associatedtype Order: Hashable, Sendable

    /// Tells whether the controller is the host's own, and loses its power with the board.
    static var ownsController: Bool { get }

    /// A line for people; of a packet its length at most, for it may hold a key.
    static func text(of order: Order) -> String

    /// The peers whose keys the host keeps.
    var known: [BluetoothHost.KnownPeer] { get }

    /// The time at which `expire` is due; `nil` while nothing waits for time.
    var deadline: Instant? { get }

    /// Requests are taken.
    var isReady: Bool { get }

    /// Packets that wait on a connection; 0 where it has ended.
    func waiting(on link: BluetoothHost.Link) -> Int

    /// The faults of the radio, and what they have done.
    var faults: BluetoothFaultLedger { get set }

    /// The host that starts next with these settings, and with what this one knows of peers and has of faults.
    func renewed(_ settings: BluetoothHost.Settings) -> Self

    /// Changes attributes, the longest packet and what pairing asks for, from now on, also on a link just made.
    mutating func reshape(_ settings: BluetoothHost.Settings)

    /// Carries out a fault that is due, on a link.
    mutating func carryOut(
        _ due: BluetoothFaultLedger.Due, on link: BluetoothHost.Link, at now: Instant,
        random: inout some RandomNumberGenerator
    ) -> [HostEffect<Self>]

    /// Begins, or begins anew: `ready` follows, or `failed`. Connections from before are gone.
    mutating func start(at now: Instant) -> [HostEffect<Self>]

    /// Handles what has come from below.
    mutating func take(
        _ input: Input, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [HostEffect<Self>]

    /// Handles what is due when the moment of `deadline` has come.
    mutating func expire(at now: Instant) -> [HostEffect<Self>]

    /// Does what the program wants, or refuses it; then nothing has changed.
    mutating func ask(
        _ request: BluetoothHost.Request, at now: Instant, random: inout some RandomNumberGenerator
    ) throws(BluetoothHost.Refusal) -> [HostEffect<Self>]
}

/// An effect of a host, for the owner to carry out.
package enum HostEffect<Host: PeripheralHost>: Hashable, Sendable {
    /// Something for what is below: a packet for a controller, from its packet type on; to be done in this order.
    case send(Host.Order)
    /// An event for the program.
    case tell(BluetoothHost.Event)
}

extension HostEffect: CustomStringConvertible, CustomReflectable {
    /// The event, or the host's line for an order, without what a packet holds.
    package var description: String {
        switch self {
        case .send(let order): Host.text(of: order)
        case .tell(let event): "tell \(event)"
        }
    }

    /// Without what a packet holds, for `dump` and test reports.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

// MARK: - Hosts

extension BluetoothHost: PeripheralHost {
    package typealias Effect = HostEffect<BluetoothHost>
    /// A packet for the controller, from its packet type on.
    package typealias Order = [UInt8]

    /// Something that has come from the controller.
    package enum Input: Sendable {
        /// A whole packet, from its packet type on.
        case received([UInt8])
        /// The way to the controller is gone, and every connection with it.
        case closed
    }

    package static var ownsController: Bool { true }

    /// The type and the length of the packet.
    package static func text(of packet: [UInt8]) -> String {
        "send a packet of type \(packet.first ?? 0), \(packet.count) bytes"
    }

    package func renewed(_ settings: Settings) -> BluetoothHost {
        var host = BluetoothHost(settings, known: known)
        host.faults = faults
        return host
    }

    package mutating func take(
        _ input: Input, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Effect] {
        switch input {
        case .received(let packet): receive(packet.span, at: now, random: &random)
        case .closed: close(at: now)
        }
    }
}

extension AttributeHost: PeripheralHost {
    package typealias Effect = HostEffect<AttributeHost>

    package static var ownsController: Bool { false }

    package static func text(of order: Order) -> String {
        if case .send(_, let packet) = order { "order to send \(packet.count) bytes" } else { "order \(order)" }
    }

    /// None: keys are the kernel's.
    package var known: [BluetoothHost.KnownPeer] { [] }

    /// The time of the next answer that a fault holds back; the kernel waits for peers by itself.
    package var deadline: Instant? { faults.deadline }

    /// The same host with other attributes; everything else is the kernel's.
    package func renewed(_ settings: BluetoothHost.Settings) -> AttributeHost {
        var host = self
        host.attributes = settings.attributes
        return host
    }

    package mutating func take(
        _ input: Input, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Effect] {
        take(input, at: now)
    }

    package mutating func ask(
        _ request: BluetoothHost.Request, at now: Instant, random: inout some RandomNumberGenerator
    ) throws(BluetoothHost.Refusal) -> [Effect] {
        try ask(request, at: now)
    }
}
