package import MeshBluetoothHost
package import MeshCapture
package import MeshFirmware
package import MeshSimulator
package import MeshTime
package import MeshWorlds

/// Input of a driver: what clients and links have done, or that time has passed.
package enum DriverInput: Sendable {
    /// The clock has gone on.
    case woke
    /// A client has connected, sent bytes or left; it waits until the node can read it.
    case client(ClientID, NodeInput.App)
    /// The link to a client stands like this now.
    case link(ClientID, LinkState)
    /// A client received something from the link itself, as the reset of a board that has lost its power.
    case reached(ClientID)
}

/// State of the link between a node and its client, as the holder of the link sees it.
package struct LinkState: Hashable, Sendable {
    /// Tells whether somebody is there to read.
    package var hasClient = false
    /// Tells whether bytes for the client find room; those that find none are lost.
    package var isWritable = true
    /// Tells whether there is room for a further frame of the node; `nil` for a link that is never busy.
    package var hasRoom: Bool?
    /// Tells whether bytes wait in this process because the client does not read.
    package var isBehind = false
    /// Tells whether the system has bytes of the client that this process has not read yet.
    package var hasUnread = false
    /// Faults of the link's Bluetooth; `nil` for a link of another kind.
    package var bluetooth: BluetoothLinkState?

    package init() {}

    /// A client that reads everything at once.
    package static let open: LinkState = {
        var state = LinkState()
        state.hasClient = true
        return state
    }()
}

/// Bluetooth of a link as its holder sees it: what it can have go wrong, and what did.
package struct BluetoothLinkState: Hashable, Sendable {
    /// Tells whether the controller is the radio's own; else a kernel keeps it.
    package let ownsController: Bool
    /// The faults that were armed, with their counts.
    package internal(set) var entries: [BluetoothFaultLedger.Entry]
}

/// Effect of a driver, for its shell to perform in this order.
///
/// An effect that cannot be performed ends the run: the shell stops the driver and drops the effects after it.
package enum DriverEffect: Sendable {
    /// Bytes for a node's client: as its board frames them, or a whole frame on a modelled link without a stream.
    case write([UInt8], to: ClientID)
    /// A modelled link is there: app and radio can exchange frames.
    case linked(ClientID)
    /// A modelled link takes a further frame of the app.
    case roomy(ClientID)
    /// The client's connection ends.
    case shutOut(ClientID, Farewell)
    /// The board restarts: nobody can connect before `booted`.
    case restarts(ClientID)
    /// The board has no power any more, and its link is silent before `booted`.
    case losesPower(ClientID)
    /// The board has started; its Bluetooth may be another than before.
    case booted(ClientID, RadioIdentity?)
    /// The Bluetooth of a client's link has a fault from now on.
    case arm(BluetoothFault, number: Int, of: ClientID)
    /// A fault of it is taken back.
    case disarm(Int, of: ClientID)
    /// The client is gone, with all that was sent either way: the run has gone back.
    case forgets(ClientID)
    /// A change of a node's flash is to be durable before any later effect.
    case persist(FlashChange, of: NodeID)
    /// The files of a node are to be these.
    case replaceFiles(Flash, of: NodeID)
    /// A line of a node's recording, which goes to a file.
    case recorded(RecordingEntry, of: NodeID)
    /// A line of the trace.
    case happened(HappeningLog.Line)
    /// A snapshot was taken, or the run went back to one; the moment is the snapshot's in both.
    case turned(RunTurn, at: Instant)
    /// A line for people about a frame that was lost to others on the air.
    case lost(String)
    /// A line for people about clients and boards.
    case note(String)
    /// A step has come to its end, with whether its condition is met; nothing has happened since.
    case stepEnded(DriverStep.Number, isMet: Bool)
    /// A step will never come to its end.
    case stepFailed(DriverStep.Number)
    /// The run has ended.
    case ended(EmulatorError?)
}

/// Reason for the end of a client's connection, other than its own.
package enum Farewell: Hashable, Sendable {
    /// The radio has closed the connection.
    case closed
    /// A modelled link has ended, in these words.
    case linkLost(String)
    /// The tester's wish.
    case hungUp
}
