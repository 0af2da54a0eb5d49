import MeshBluetoothHost
import MeshTime

/// The host of a radio's Bluetooth: on a controller of its own, or on sockets of a kernel that keeps the controller.
///
/// Requests and events are the same. It is no enumeration, since one cannot change its value in place.
struct RadioHost {
    /// An effect that either of them asks for.
    enum Effect {
        case send([UInt8])
        case order(AttributeHost.Order)
        case tell(BluetoothHost.Event)

        init(_ effect: BluetoothHost.Effect) {
            self =
                switch effect {
                case .send(let packet): .send(packet)
                case .tell(let event): .tell(event)
                }
        }

        init(_ effect: AttributeHost.Effect) {
            self =
                switch effect {
                case .order(let order): .order(order)
                case .tell(let event): .tell(event)
                }
        }
    }

    /// One of the two is there.
    private var controller: BluetoothHost?
    private var sockets: AttributeHost?
    /// Other attributes, for sockets that begin anew.
    private var renewed: ATT.AttributeTable?

    init(_ controller: BluetoothHost) { self.controller = controller }

    init(_ sockets: AttributeHost) { self.sockets = sockets }

    /// True when the controller is its own.
    var hasController: Bool { controller != nil }

    /// The peers that it knows; those of sockets are the kernel's.
    var known: [BluetoothHost.KnownPeer] { controller?.known ?? [] }

    /// The time of the next call of `expire`.
    var deadline: Instant? { controller?.deadline }

    var isReady: Bool { controller?.isReady ?? sockets?.isReady ?? false }

    func waiting(on link: BluetoothHost.Link) -> Int {
        controller?.waiting(on: link) ?? sockets?.waiting(on: link) ?? 0
    }

    /// The host with other settings, before it starts; sockets keep theirs.
    func with(_ settings: BluetoothHost.Settings) -> RadioHost {
        guard sockets != nil else { return RadioHost(BluetoothHost(settings, known: known)) }
        var host = self
        host.renewed = settings.attributes
        return host
    }

    mutating func start(at now: Instant) -> [Effect] {
        if let effects = controller?.start(at: now) { return effects.map(Effect.init) }
        defer { renewed = nil }
        return sockets?.start(renewed).map(Effect.init) ?? []
    }

    mutating func receive(
        _ packet: Span<UInt8>, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Effect] {
        controller?.receive(packet, at: now, random: &random).map(Effect.init) ?? []
    }

    mutating func take(_ input: AttributeHost.Input, at now: Instant) -> [Effect] {
        sockets?.take(input, at: now).map(Effect.init) ?? []
    }

    mutating func expire(at now: Instant) -> [Effect] { controller?.expire(at: now).map(Effect.init) ?? [] }

    mutating func close(at now: Instant) -> [Effect] { controller?.close(at: now).map(Effect.init) ?? [] }

    mutating func ask(
        _ request: BluetoothHost.Request, at now: Instant, random: inout some RandomNumberGenerator
    ) throws(BluetoothHost.Refusal) -> [Effect] {
        if let effects = try controller?.ask(request, at: now, random: &random) { return effects.map(Effect.init) }
        return try sockets?.ask(request).map(Effect.init) ?? []
    }
}
