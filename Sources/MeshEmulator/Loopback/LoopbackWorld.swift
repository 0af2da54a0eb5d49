package import MeshCore
import MeshFirmware
package import MeshSimulator
import MeshTime

/// A world in this process whose radios are reached by transports: time is that of a clock, no socket is involved.
///
/// On virtual time such a world and a stack that talks to it are one program that takes the same steps every time. On
/// the real clock it is an emulator without a port.
package actor LoopbackWorld {
    private var world: World
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private var links: [LoopbackTransport.Link?]
    private var pacer = Pacer(.clock(speed: 1))
    private var alarm: (at: TimeSpan, task: Task<Void, Never>)?

    /// The world's time begins to run now.
    package init(_ world: World, clock: any Clock<Duration>) {
        self.world = world
        self.clock = clock
        elapsed = clock.stopwatch()
        links = Array(repeating: nil, count: world.nodes.count)
        pacer.start(from: world.now)
    }

    /// A transport to the companion radio of this label; throws `deviceNotFound` when there is none.
    ///
    /// A radio has one client: a second transport to it takes it over, as with a board on Wi-Fi.
    package func transport(to label: String) throws(MeshTransportError) -> LoopbackTransport {
        guard let node = world.node(labelled: label), world.companion(node) != nil else {
            throw .deviceNotFound("\"\(label)\": the world has no companion radio of that name")
        }
        return LoopbackTransport(world: self, node: node)
    }

    /// Lets a test look at the world and change it, at the present moment.
    package func withWorld<R: Sendable>(_ body: @Sendable (inout World) throws -> R) rethrows -> R {
        advance()
        let result = try body(&world)
        deliver()
        setAlarm()
        return result
    }

    /// Stops the world's time and closes all links.
    package func end() {
        pacer.stop()
        alarm?.task.cancel()
        alarm = nil
        for link in links { link?.end("the world has ended") }
        links = links.map { _ in nil }
    }

    // MARK: Time

    /// What the clock shows, as far as there is time.
    private var now: TimeSpan { TimeSpan(min(elapsed(), .seconds(1 << 42))) }

    /// Brings the world to the present.
    private func advance() {
        let now = now
        while case .run(let moment) = pacer.turn(from: world.now, next: world.peekNextEventTime(), at: now) {
            world.run(until: moment)
            deliver()
        }
    }

    /// Has the world go on when its next event is due. An alarm that rings earlier looks again then.
    private func setAlarm() {
        let now = now
        guard let wake = pacer.wake(for: world.peekNextEventTime(), at: now) else { return }
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

    // MARK: Links

    func open(_ link: LoopbackTransport.Link, to node: NodeID) throws(MeshTransportError) {
        guard pacer.isRunning else { throw .connectionFailed("the world has ended") }
        advance()
        guard world.isUp(node) else { throw .connectionFailed("the radio is restarting") }
        links[node.index]?.end("another client has taken the radio")
        links[node.index] = link
        world.inject(.appConnected, into: node)
        deliver()
        setAlarm()
    }

    func close(_ link: LoopbackTransport.Link, to node: NodeID) {
        guard links[node.index] === link else { return }
        advance()
        links[node.index] = nil
        world.inject(.appDisconnected, into: node)
        deliver()
        setAlarm()
    }

    func send(_ bytes: [UInt8], over link: LoopbackTransport.Link, to node: NodeID) throws(MeshTransportError) {
        advance()
        guard links[node.index] === link else { throw .notConnected }
        guard world.appWindow(of: node) >= bytes.count else {
            setAlarm()
            throw .sendFailed("the radio's receive buffer is full")
        }
        world.inject(.appBytes(bytes), into: node)
        deliver()
        // What has become due meanwhile is done now: an alarm would cost more than it.
        if pacer.isDue(world.peekNextEventTime(), from: world.now, at: now) { advance() }
        setAlarm()
    }

    /// Hands out what the world says.
    private func deliver() {
        for output in world.takeOutputs() {
            let index = output.node.index
            switch output.kind {
            case .appBytes(let bytes):
                if links[index]?.receive(bytes) == false { lose(index, "too many frames wait for the reader") }
            case .appClosed: lose(index, "the radio has closed the connection")
            case .rebooted: lose(index, "the radio restarts")
            // A radio without power says nothing; one that has it back knows of no link from before.
            case .booted: lose(index, "the radio has started anew")
            case .flash: break
            }
        }
    }

    private func lose(_ index: Int, _ reason: String) {
        links[index]?.end(reason)
        links[index] = nil
    }
}
