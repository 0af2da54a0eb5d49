/// One of the two devices of a low-energy connection.
package enum LinkSide: Hashable, Sendable {
    /// The device that connected: the phone of an app.
    case central
    /// The device that was connected to: a companion radio.
    case peripheral

    /// The other one.
    @inlinable package var other: LinkSide { self == .central ? .peripheral : .central }
}
