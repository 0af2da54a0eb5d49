import MeshBluetoothHost
import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime

/// The refusal of a frame from an app in this process.
enum FrameRefusal: Error, Hashable {
    /// The queue of the link is full; `roomy` follows when it has room.
    case full
    /// The frame cannot be sent, for this reason.
    case failed(String)
}

// Apps in this process: they exchange whole frames with their radios, over modelled Bluetooth or directly.
extension WorldDriver {
    /// Tells whether the link between a node and its client is modelled.
    func isModelled(_ node: NodeID) -> Bool { air(of: node) != nil }

    /// The modelled air between a node and its client; `nil` without one.
    func air(of node: NodeID) -> RadioAir? { place(of: node).flatMap { course.links[$0].bluetooth?.air } }

    /// Sets the PIN that all users type from the next connection on; `nil` for the one that their radio shows.
    mutating func type(pin: UInt32?) {
        for place in course.links.indices { course.links[place].bluetooth?.pin = pin }
    }

    /// Tells whether an app may dial a node now. Over the air it may always: it scans until the board is up.
    func isReachable(_ node: NodeID) -> Bool { isModelled(node) || course.world.isUp(node) }

    /// Connects an app to a node that has a place for it; over the air, `linked` follows.
    mutating func connectApp(to node: NodeID, at clock: TimeSpan, into effects: inout [DriverEffect]) {
        join(node, .open, .connected, at: clock, into: &effects) { link, now in link.dial(at: now) }
    }

    /// Ends the connection of a node's app, from the app's side.
    mutating func disconnectApp(of node: NodeID, at clock: TimeSpan, into effects: inout [DriverEffect]) {
        join(node, LinkState(), .disconnected, at: clock, into: &effects) { link, now in link.hangUp(at: now) }
    }

    private mutating func join(
        _ node: NodeID, _ state: LinkState, _ event: NodeInput.App, at clock: TimeSpan,
        into effects: inout [DriverEffect], _ change: (inout ModelledLink, Instant) -> Void
    ) {
        guard let place = place(of: node) else { return }
        self.clock = clock
        update(node, state)
        if var link = course.links[place].bluetooth.take() {
            change(&link, course.world.now)
            course.links[place].bluetooth = link
            attend(place)
        } else {
            receive(event, from: node)
            wantsTurn = true
        }
        drain(into: &effects)
    }

    /// Tells whether the world comes to the present before a node's app sends a frame.
    ///
    /// A frame that no modelled link carries waits for the next turn, which does so by itself: unless something is due
    /// before it that may end the connection.
    mutating func catchesUp(beforeFrameTo node: NodeID, at clock: TimeSpan) -> Bool {
        isModelled(node) || isDue(at: clock)
    }

    /// Tells whether the world goes on at once after a frame of a node's app; an alarm would cost more.
    mutating func goesOn(afterFrameTo node: NodeID, at clock: TimeSpan) -> Bool {
        !isModelled(node) && isDue(at: clock)
    }

    /// Sends a frame of a node's app.
    mutating func send(
        _ frame: [UInt8], to node: NodeID, at clock: TimeSpan, into effects: inout [DriverEffect]
    ) throws(FrameRefusal) {
        guard let place = place(of: node) else { return }
        self.clock = clock
        guard course.links[place].bluetooth != nil else {
            let bytes = StreamFraming.encode(toRadio: frame)
            guard window(of: node) >= bytes.count else { throw .failed("the radio's receive buffer is full") }
            receive(.bytes(bytes), from: node)
            wantsTurn = true
            return drain(into: &effects)
        }
        do throws(BluetoothCentral.Refusal) {
            try course.links[place].bluetooth?.write(frame, at: course.world.now)
        } catch .full {
            throw .full
        } catch {
            throw .failed("\(error)")
        }
        attend(place)
        drain(into: &effects)
    }
}
