import MeshBluetoothHost
import MeshBus
import MeshFiles
import MeshTime
import NIOCore

/// A connection to a radio below its stream: a controller with our own host on it, or bluetoothd.
///
/// It lives on an event loop and decides nothing; its events are reported there.
protocol BluetoothWay: AnyObject {
    /// The receiver of events; dropped when the way is closed.
    var report: ((BluetoothWayEvent) -> Void)? { get set }
    /// The moment at which `expire` has to be called, on the clock that `open` was given.
    var deadline: Instant? { get }
    /// True when there is no link, and none is being made.
    var isIdle: Bool { get }
    /// The number of accepted frames that the radio has not answered.
    var unwritten: Int { get }

    /// Dials; fails where there is nothing to dial with.
    func open(clock: @escaping () -> Instant) -> EventLoopFuture<Void>
    func send(_ frame: [UInt8]) throws(BluetoothCentral.Refusal)
    func expire()
    func hangUp()
    /// Closes the way and frees its resources.
    func close() -> EventLoopFuture<Void>
}

/// An event of a way.
enum BluetoothWayEvent {
    /// Frames pass.
    case ready
    case frame([UInt8])
    /// A radio is in range, reported by ways that look for no radio in particular.
    case found(BluetoothNeighbor)
    /// Everything of one call has been reported; there may be room, and another deadline.
    case settled
    case ended(any Error)
}

/// All that a way is made of, checked before anything is opened.
struct BluetoothWayPlan: Sendable {
    let controller: BluetoothController
    let peer: BluetoothCentral.Peer
    let passkey: UInt32
    let limits: BluetoothCentral.Limits
    /// The address that errors name.
    let address: LinkAddress
    let bus: Bus.Place
    private let bonds: BondFile?
    private let known: [BluetoothHost.KnownPeer]
    private let names: [UInt64: String]

    /// Reads the file of bonds, where this machine's own host keeps them.
    init(
        _ controller: BluetoothController, _ peer: BluetoothCentral.Peer, passkey: UInt32, for address: LinkAddress,
        limits: BluetoothCentral.Limits = .init(), bus: Bus.Place = .system
    ) throws(LinkError) {
        self.controller = controller
        self.peer = peer
        self.passkey = passkey
        self.address = address
        self.limits = limits
        self.bus = bus
        // bluetoothd keeps its own.
        if case .desktop = controller {
            bonds = nil
        } else {
            bonds = BondFile.ofCentral(controller, in: UserFolders.environment)
        }
        known = try bonds.map { (file) throws(LinkError) in try file.load(for: address) } ?? []
        names = (try? bonds?.names()) ?? [:]
    }

    func make(on eventLoop: any EventLoop) -> any BluetoothWay {
        if case .desktop(let number) = controller {
            let central = DesktopCentral(peer, adapter: number, passkey: passkey, limits: limits)
            return DesktopWay(central, address, bus: bus, on: eventLoop)
        }
        let central = BluetoothCentral(peer, passkey: passkey, known: known, limits: limits)
        return ControllerWay(central, controller, bonds, names, address, on: eventLoop)
    }
}

extension LinkError {
    /// Makes the error with which a way to this address has ended.
    init(_ error: any Error, at address: LinkAddress) {
        switch error {
        case let error as LinkError: self = error
        case let failure as BluetoothCentral.Failure where failure.isFinal:
            self = .impossible(address, reason: "\(failure)")
        default: self = .unreachable(address, reason: "\(error)")
        }
    }
}

extension BondFile {
    /// Returns the peers in the file; throws the reason why no link to this address is made.
    func load(for address: LinkAddress) throws(LinkError) -> [BluetoothHost.KnownPeer] {
        do throws(Failure) {
            return try load()
        } catch {
            let reason =
                switch error {
                case .unusable(let error): "the file of its keys cannot be read: \(error)"
                case .damaged(let reason): "the file of its keys is damaged, \(reason); remove \(path)"
                }
            throw .unreachable(address, reason: reason)
        }
    }
}
