import MeshBluetoothHost
import MeshFirmware
import NIOCore

/// Owner of the node behind a port; lives on the same event loop.
protocol PortOwner: AnyObject {
    var eventLoop: any EventLoop { get }
    /// The time for which a client that has ended its own side is served, so that it gets its answers.
    ///
    /// `nil` where it has gone when all that it sent has been read, whatever the clock shows.
    var halfClosedGrace: TimeAmount? { get }
    /// A client has done something: there may be input, or somebody to talk to.
    func advance()
    /// A line for people.
    func note(_ text: String)
    /// A line that a radio shows on its display: it may be a PIN, and stands nowhere else.
    func show(_ text: String)
    /// A port has ended by itself and is of no use any more.
    func portFailed(_ error: EmulatorError)
}

extension PortOwner {
    func show(_ text: String) {}
    func portFailed(_ error: EmulatorError) { note("\(error)") }
}

/// The way from a node to its client; lives on the emulator's event loop.
///
/// Input is pulled: the owner asks when the node can take some, and what it does not ask for stays with the client.
protocol AppPort: AnyObject {
    /// Tells whether somebody is there to read.
    var hasClient: Bool { get }
    /// Tells whether the link has room for a further frame of the node; `nil` for a link that is never busy.
    var hasRoom: Bool? { get }
    /// Tells whether the system has bytes of the client that this process has not read yet, although it would; false
    /// also where nobody can tell.
    var hasUnread: Bool { get }
    /// Tells whether bytes for the client find room; those that find none are lost.
    var isWritable: Bool { get }
    /// Tells whether a client has come that no input was read of yet: it is the next input.
    var hasNewClient: Bool { get }
    /// Tells whether input comes in whole packets, which the port counts until the node has room for each.
    var isPacketwise: Bool { get }
    /// Tells whether bytes wait in this process because the client does not read.
    var isBehind: Bool { get }
    /// The next thing that the client has done; of its bytes at most `window`.
    func nextInput(window: Int) -> NodeInput?
    /// One write of the node; false when it is lost: a client that does not keep up loses it, as with the board's
    /// full queue.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool
    /// The node shuts its client out; says how many bytes that it had sent are lost with that.
    @discardableResult
    func shutOut() -> Int
    /// Forgets the client and everything that was said to it or by it.
    func reset()
    /// The node restarts: its client is shut out, and finds nobody before `booted`.
    func restarts()
    /// The board has no power any more: it says so to nobody, and nobody is there for another client before `booted`.
    /// Returns whether the client learns of it all the same.
    @discardableResult
    func losesPower() -> Bool
    /// The node has started anew, and what its Bluetooth shows may be other than before; `nil` for one that has none.
    /// Returns whether a client was told something by it.
    @discardableResult
    func booted(as radio: RadioIdentity?) -> Bool
    /// Faults of the port's Bluetooth; `nil` for a port of another kind.
    var bluetooth: BluetoothLinkState? { get }
    /// The Bluetooth has a fault from now on, which was checked before.
    func arm(_ fault: BluetoothFault, number: Int)
    /// A fault of the Bluetooth is taken back.
    func disarm(_ number: Int)
    /// Ends the port for good.
    func stop() -> EventLoopFuture<Void>
}

extension AppPort {
    var hasRoom: Bool? { nil }
    var hasUnread: Bool { false }
    var isBehind: Bool { false }
    var isWritable: Bool { true }
    var isPacketwise: Bool { false }
    var hasNewClient: Bool { false }
    var bluetooth: BluetoothLinkState? { nil }
    func arm(_ fault: BluetoothFault, number: Int) {}
    func disarm(_ number: Int) {}
    func restarts() { shutOut() }
    func losesPower() -> Bool {
        restarts()
        return true
    }

    func booted(as radio: RadioIdentity?) -> Bool { false }
}
