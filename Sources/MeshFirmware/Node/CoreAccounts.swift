public import MeshTime

/// What a checker may know of a node's routing core between two passes.
public struct CoreAccounts: Hashable, Sendable {
    /// Packets that the pool has given out.
    public let packetsInUse: Int
    /// Packets in the queues, on the air, and on the way back from an import.
    public let packetsHeld: Int
    /// Silence per time of sending: 1 is a duty cycle of one half.
    public let airtimeFactor: Float
    /// Whether the node sends floods of others on.
    public let relaysFloods: Bool
}

extension RoutingCore {
    var packetsHeld: Int {
        sendQueue.count + inboundQueue.count + (inFlight == nil ? 0 : 1) + loopback.count
    }
}

extension Repeater {
    public var accounts: CoreAccounts { serverAccounts(relaysFloods: true) }
    /// Whether the node reports what it does with packets; off it is faster.
    public var reportsEvents: Bool {
        get { core.reportsEvents }
        set { core.reportsEvents = newValue }
    }
    /// The node's random numbers as they stand.
    public var randomStream: RandomStream { core.random }
    /// Unix seconds by the node's clock, as of the last pass.
    public var unixTime: UInt32 { core.unixTime }
    /// Sets the calendar clock, as a time signal would.
    public mutating func setClock(_ unixSeconds: UInt32) { core.setUnixTime(unixSeconds) }
    /// Makes flash writes or formatting fail from now on, or work again.
    public mutating func setFlashFaults(write: Bool = false, format: Bool = false) {
        server.flash.failsToWrite = write
        server.flash.failsToFormat = format
    }
}

extension RoomServer {
    public var accounts: CoreAccounts { serverAccounts(relaysFloods: !server.preferences.isForwardingDisabled) }
    /// Whether the node reports what it does with packets; off it is faster.
    public var reportsEvents: Bool {
        get { core.reportsEvents }
        set { core.reportsEvents = newValue }
    }
    /// The node's random numbers as they stand.
    public var randomStream: RandomStream { core.random }
    /// Unix seconds by the node's clock, as of the last pass.
    public var unixTime: UInt32 { core.unixTime }
    /// Sets the calendar clock, as a time signal would.
    public mutating func setClock(_ unixSeconds: UInt32) { core.setUnixTime(unixSeconds) }
    /// Makes flash writes or formatting fail from now on, or work again.
    public mutating func setFlashFaults(write: Bool = false, format: Bool = false) {
        server.flash.failsToWrite = write
        server.flash.failsToFormat = format
    }
}

extension Sensor {
    public var accounts: CoreAccounts { serverAccounts(relaysFloods: !server.preferences.isForwardingDisabled) }
    /// Whether the node reports what it does with packets; off it is faster.
    public var reportsEvents: Bool {
        get { core.reportsEvents }
        set { core.reportsEvents = newValue }
    }
    /// The node's random numbers as they stand.
    public var randomStream: RandomStream { core.random }
    /// Unix seconds by the node's clock, as of the last pass.
    public var unixTime: UInt32 { core.unixTime }
    /// Sets the calendar clock, as a time signal would.
    public mutating func setClock(_ unixSeconds: UInt32) { core.setUnixTime(unixSeconds) }
    /// Makes flash writes or formatting fail from now on, or work again.
    public mutating func setFlashFaults(write: Bool = false, format: Bool = false) {
        server.flash.failsToWrite = write
        server.flash.failsToFormat = format
    }
}

extension ServerNode {
    func serverAccounts(relaysFloods: Bool) -> CoreAccounts {
        CoreAccounts(
            packetsInUse: core.pool.inUse, packetsHeld: core.packetsHeld, airtimeFactor: airtimeFactor,
            relaysFloods: relaysFloods)
    }
}

extension CompanionRadio {
    public var accounts: CoreAccounts {
        CoreAccounts(
            packetsInUse: core.pool.inUse, packetsHeld: core.packetsHeld, airtimeFactor: airtimeFactor,
            relaysFloods: preferences.repeats)
    }

    /// Whether the node reports what it does with packets; off it is faster.
    public var reportsEvents: Bool {
        get { core.reportsEvents }
        set { core.reportsEvents = newValue }
    }

    /// The node's random numbers as they stand.
    public var randomStream: RandomStream { core.random }
}
