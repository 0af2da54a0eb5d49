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
    /// Tells whether the link between a node and a client is modelled.
    func isModelled(_ client: ClientID) -> Bool { air(of: client) != nil }

    /// The modelled air between a node and a client; `nil` without one.
    func air(of client: ClientID) -> RadioAir? { place(of: client).flatMap { course.links[$0].bluetooth?.air } }

    /// Sets the PIN that all users type from the next connection on; `nil` for the one that their radio shows.
    mutating func type(pin: UInt32?) {
        for place in course.links.indices { course.links[place].bluetooth?.pin = pin }
    }

    /// Tells whether an app may dial a node now. Over the air it may always: it scans until the board is up.
    func isReachable(_ client: ClientID) -> Bool { isModelled(client) || course.world.isUp(client.node) }

    /// Connects an app to a node that has a place for it; over the air, `linked` follows.
    mutating func connectApp(_ client: ClientID, at clock: TimeSpan, into effects: inout [DriverEffect]) {
        join(client, .open, .connected, at: clock, into: &effects) { link, now in link.dial(at: now) }
    }

    /// Ends the connection of an app, from the app's side.
    mutating func disconnectApp(_ client: ClientID, at clock: TimeSpan, into effects: inout [DriverEffect]) {
        join(client, LinkState(), .disconnected, at: clock, into: &effects) { link, now in link.hangUp(at: now) }
    }

    private mutating func join(
        _ client: ClientID, _ state: LinkState, _ event: NodeInput.App, at clock: TimeSpan,
        into effects: inout [DriverEffect], _ change: (inout ModelledLink, Instant) -> Void
    ) {
        guard let place = place(of: client) else { return }
        self.clock = clock
        update(client, state)
        if var link = course.links[place].bluetooth.take() {
            change(&link, course.world.now)
            course.links[place].bluetooth = link
            attend(place)
        } else {
            receive(event, from: client)
            wantsTurn = true
        }
        drain(into: &effects)
    }

    /// Tells whether the world comes to the present before an app sends a frame.
    ///
    /// A frame that no modelled link carries waits for the next turn, which does so by itself: unless something is due
    /// before it that may end the connection.
    mutating func catchesUp(beforeFrameOf client: ClientID, at clock: TimeSpan) -> Bool {
        isModelled(client) || isDue(at: clock)
    }

    /// Tells whether the world goes on at once after a frame of an app; an alarm would cost more.
    mutating func goesOn(afterFrameOf client: ClientID, at clock: TimeSpan) -> Bool {
        !isModelled(client) && isDue(at: clock)
    }

    /// Sends a frame of an app.
    mutating func send(
        _ frame: [UInt8], of client: ClientID, at clock: TimeSpan, into effects: inout [DriverEffect]
    ) throws(FrameRefusal) {
        guard let place = place(of: client) else { return }
        self.clock = clock
        guard course.links[place].bluetooth != nil else {
            let bytes = StreamFraming.encode(toRadio: frame)
            guard window(of: client) >= bytes.count else { throw .failed("the radio's receive buffer is full") }
            receive(.bytes(bytes), from: client)
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
