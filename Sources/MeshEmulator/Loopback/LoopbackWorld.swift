package import MeshBluetoothHost
package import MeshCore
package import MeshSimulator
import MeshTime
package import MeshWorlds

/// A world in this process whose radios are reached by transports: time is that of a clock, no socket is involved.
///
/// On virtual time such a world and a stack that talks to it are one program that takes the same steps every time. On
/// the real clock it is an emulator without a port. It decides nothing about the world: that is `WorldDriver`'s.
package actor LoopbackWorld {
    private let loop: DriverLoop
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private var links: LoopbackLinks
    private var alarm: (at: TimeSpan, task: Task<Void, Never>)?
    private var bluetooth: LoopbackBluetooth?

    /// The world's time begins to run now.
    ///
    /// With `bluetooth`, the radios of chip families that have Bluetooth are reached over modelled links, as they have
    /// to be described (`AppLink.bluetooth`). With `people`, others in the world have something to say.
    package init(
        _ world: World, clock: any Clock<Duration>, bluetooth: LoopbackBluetooth? = nil,
        people: sending MeshPeople? = nil
    ) {
        var settings = WorldDriver.Settings()
        settings.leavesTrace = true
        loop = DriverLoop(WorldDriver(world, settings, people: people))
        self.clock = clock
        elapsed = clock.stopwatch()
        links = LoopbackLinks(nodes: world.nodes.count)
        self.bluetooth = bluetooth
        loop.call { driver, effects in driver.start(at: .zero, into: &effects) }
    }

    /// A transport to the companion radio of this label; throws `deviceNotFound` when there is none.
    ///
    /// An interface has one client: a second transport to it takes it over, as with a board on Wi-Fi.
    ///
    /// - Parameter interface: the number of the radio's interface (`NodeDescription.furtherLinks`); throws
    ///   `deviceNotFound` where it has none of that number.
    package func transport(to label: String, at interface: Int = 0) throws(MeshTransportError) -> LoopbackTransport {
        guard let node = loop.driver.world.node(labelled: label), loop.driver.world.companion(node) != nil else {
            throw .deviceNotFound("\"\(label)\": the world has no companion radio of that name")
        }
        guard loop.driver.world.appLinks(of: node).indices.contains(interface) else {
            throw .deviceNotFound("\"\(label)\": the radio has no interface of the number \(interface)")
        }
        return LoopbackTransport(world: self, client: ClientID(node, interface: interface))
    }

    /// Lets a test look at the world and change it, at the present moment.
    package func withWorld<R: Sendable>(_ body: @Sendable (inout World) throws -> R) rethrows -> R {
        advance()
        defer {
            perform()
            setAlarm()
        }
        return try loop.call { driver, effects in
            try driver.steer(at: now, into: &effects) { driver in try body(&driver.world) }
        }
    }

    /// Stops the world's time and closes all links.
    package func end() {
        loop.call { driver, effects in driver.stop(into: &effects) }
        loop.dropEffects()
        alarm?.task.cancel()
        alarm = nil
        links.endAll("the world has ended")
    }

    // MARK: Time

    /// The time since the world began, as far as times reach.
    private var now: TimeSpan { TimeSpan(min(elapsed(), .seconds(1 << 42))) }

    /// Brings the world to the present.
    private func advance() {
        let now = now
        repeat {
            loop.turn(at: now, now: { self.now }, perform: perform)
        } while loop.driver.isLate || loop.driver.wantsTurn
    }

    /// Has the world go on when its next event is due. An alarm that rings earlier looks again then.
    private func setAlarm() {
        let now = now
        guard let wake = loop.driver.nextWake(at: now) else { return }
        if let alarm, alarm.at <= wake { return }
        alarm?.task.cancel()
        let wait = Duration.microseconds(max(0, (wake - now).microseconds))
        // A world that nobody holds any more ends.
        let task = Task(name: "the time of a world") { [weak self, clock] in
            guard (try? await clock.sleep(for: wait)) != nil else { return }
            await self?.ring(wake)
        }
        alarm = (wake, task)
    }

    private func ring(_ time: TimeSpan) {
        guard alarm?.at == time else { return }
        alarm = nil
        advance()
        setAlarm()
    }

    private func perform() {
        loop.perform { effects in
            for effect in effects {
                guard let client = links.perform(effect) else { continue }
                loop.call { driver, effects in driver.disconnectApp(client, at: now, into: &effects) }
            }
        }
    }

    // MARK: Links

    func open(_ link: LoopbackTransport.Link, of client: ClientID) async throws(MeshTransportError) {
        guard !loop.driver.isStopped else { throw .connectionFailed("the world has ended") }
        advance()
        guard loop.driver.isReachable(client) else { throw .connectionFailed("the radio is restarting") }
        if !loop.driver.hasEndpoint(client) { attach(client) }
        links.add(link, to: client, isPacketwise: loop.driver.isModelled(client))
        act { driver, now, effects in driver.connectApp(client, at: now, into: &effects) }
        setAlarm()
        // Over the air it ends when the link is secure and subscribed.
        guard loop.driver.isModelled(client) else { return }
        for await _ in link.opening {}
        if Task.isCancelled { close(link, of: client) }
        if let reason = link.reason { throw .connectionFailed(reason) }
    }

    /// Gives a client its place: of several interfaces, only that of Bluetooth can be modelled.
    private func attach(_ client: ClientID) {
        let links = loop.driver.world.appLinks(of: client.node)
        let isModelled = links.count == 1 || links[client.interface] == .bluetooth
        loop.driver.attach(
            client.node, at: client.interface, over: nil, bluetooth: isModelled ? bluetooth : nil, isStream: false)
    }

    func close(_ link: LoopbackTransport.Link, of client: ClientID) {
        guard links.holds(link, of: client) else { return }
        advance()
        links.end(client, "closed")
        act { driver, now, effects in driver.disconnectApp(client, at: now, into: &effects) }
        setAlarm()
    }

    func send(
        _ frame: [UInt8], over link: LoopbackTransport.Link, of client: ClientID
    ) async throws(MeshTransportError) {
        if loop.driver.catchesUp(beforeFrameOf: client, at: now) { advance() }
        guard links.holds(link, of: client) else { throw .notConnected }
        while true {
            defer { setAlarm() }
            do throws(FrameRefusal) {
                try act { driver, now, effects throws(FrameRefusal) in
                    try driver.send(frame, of: client, at: now, into: &effects)
                }
                if loop.driver.goesOn(afterFrameOf: client, at: now) { advance() }
                return
            } catch {
                if case .failed(let reason) = error { throw .sendFailed(reason) }
                setAlarm()
                await withCheckedContinuation { links.add($0, of: client) }
                advance()
                guard links.holds(link, of: client) else { throw .notConnected }
            }
        }
    }

    /// Calls the driver for an app, and performs what follows at this moment.
    private func act<E: Error>(
        _ body: (inout WorldDriver, TimeSpan, inout [DriverEffect]) throws(E) -> Void
    ) throws(E) {
        defer { if loop.driver.wantsTurn { advance() } else { perform() } }
        try loop.call { driver, effects throws(E) in try body(&driver, now, &effects) }
    }

    // MARK: Bluetooth

    /// Costs of the Bluetooth link of a radio so far, since somebody connected to it first.
    package func airUse(of label: String) -> AirUse? { air(of: label)?.use }

    /// Limits of the Bluetooth link of a radio now; `nil` without one.
    package func airLimit(of label: String) -> RequestResponseLimit? { air(of: label)?.limit }

    private func air(of label: String) -> RadioAir? {
        loop.driver.world.node(labelled: label).flatMap { loop.driver.air(of: ClientID($0)) }
    }

    /// From the next connection on the users of all apps type these six digits; `nil` for those that their radio shows.
    package func type(pin: UInt32?) {
        bluetooth?.pin = pin
        loop.driver.type(pin: pin)
    }
}
