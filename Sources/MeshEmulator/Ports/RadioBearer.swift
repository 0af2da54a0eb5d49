import MeshBluetoothHost
import NIOCore

/// The way from a radio's host to the controller below it, or to a kernel that keeps one; lives on an event loop.
///
/// Its owner makes it with a function that is called with each of its events.
protocol RadioBearer: AnyObject, SendableMetatype {
    /// The host that this way is for.
    associatedtype Host: PeripheralHost
    typealias Event = RadioBearerEvent<Host.Input>

    /// Tells whether the event `advertising` follows an order to advertise; else the host's word is enough.
    static var confirmsAdvertising: Bool { get }

    /// Opens the way: `ready` follows, or `ended`, unless the answer is an error.
    func begin() -> EventLoopFuture<Void>
    /// Does what the host orders; `name` is what the radio is called.
    func perform(_ order: Host.Order, name: [UInt8])
    /// Closes the way for good.
    func stop() -> EventLoopFuture<Void>
}

/// Something that a way to a controller reports.
enum RadioBearerEvent<Input> {
    /// Orders are taken.
    case ready
    /// The radio is found now.
    case advertising
    /// The radio is not found, for this reason.
    case notAdvertising(String)
    /// Something for the host; inputs that came together.
    case happened([Input])
    /// A line for the radio's display.
    case shown(String)
    /// The way is of no use any more.
    case ended(String)
}
