package import MeshBluetoothHost
import MeshCompanion
package import MeshCore
import MeshFirmware
package import MeshSimulator
import MeshTime
package import MeshWorlds

/// A world in this process whose radios are reached by transports: time is that of a clock, no socket is involved.
///
/// On virtual time such a world and a stack that talks to it are one program that takes the same steps every time. On
/// the real clock it is an emulator without a port. It decides nothing about the world: that is `WorldDriver`'s.
package actor LoopbackWorld {
    private var driver: WorldDriver
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private var links: [LoopbackTransport.Link?]
    private var alarm: (at: TimeSpan, task: Task<Void, Never>)?
    private var bluetooth: LoopbackBluetooth?
    private var effects: [DriverEffect] = []
    /// Writers that wait until a Bluetooth link takes a further frame, by radio.
    private var waiting: [[CheckedContinuation<Void, Never>]]

    /// The world's time begins to run now.
    ///
    /// With `bluetooth`, the radios of chip families that have Bluetooth are reached over modelled links, as they have to be
    /// described (`AppLink.bluetooth`). With `people`, others in the world have something to say.
    package init(
        _ world: World, clock: any Clock<Duration>, bluetooth: LoopbackBluetooth? = nil,
        people: sending MeshPeople? = nil
    ) {
        var settings = WorldDriver.Settings()
        settings.leavesTrace = true
        driver = WorldDriver(world, settings, people: people)
        self.clock = clock
        elapsed = clock.stopwatch()
        links = Array(repeating: nil, count: world.nodes.count)
        self.bluetooth = bluetooth
        waiting = Array(repeating: [], count: world.nodes.count)
        driver.start(at: .zero, into: &effects)
    }

    /// A transport to the companion radio of this label; throws `deviceNotFound` when there is none.
    ///
    /// A radio has one client: a second transport to it takes it over, as with a board on Wi-Fi.
    package func transport(to label: String) throws(MeshTransportError) -> LoopbackTransport {
        guard let node = driver.world.node(labelled: label), driver.world.companion(node) != nil else {
            throw .deviceNotFound("\"\(label)\": the world has no companion radio of that name")
        }
        return LoopbackTransport(world: self, node: node)
    }

    /// Lets a test look at the world and change it, at the present moment.
    package func withWorld<R: Sendable>(_ body: @Sendable (inout World) throws -> R) rethrows -> R {
        advance()
        defer {
            perform()
            setAlarm()
        }
        return try driver.steer(at: now, into: &effects) { driver in try body(&driver.world) }
    }

    /// Stops the world's time and closes all links.
    package func end() {
        driver.stop(into: &effects)
        effects = []
        alarm?.task.cancel()
        alarm = nil
        for index in links.indices { lose(index, "the world has ended") }
    }

    // MARK: Time

    /// The time since the world began, as far as times reach.
    private var now: TimeSpan { TimeSpan(min(elapsed(), .seconds(1 << 42))) }

    /// Brings the world to the present.
    private func advance() {
        let now = now
        repeat {
            driver.handle(.woke, at: now, into: &effects)
            perform()
        } while driver.isInterrupted || driver.isLate
    }

    /// Has the world go on when its next event is due. An alarm that rings earlier looks again then.
    private func setAlarm() {
        let now = now
        guard let wake = driver.nextWake(at: now) else { return }
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

    func open(_ link: LoopbackTransport.Link, to node: NodeID) async throws(MeshTransportError) {
        guard !driver.isStopped else { throw .connectionFailed("the world has ended") }
        advance()
        let isNew = !driver.hasEndpoint(node)
        // Over the air a board that is down is looked for until it is found.
        guard driver.isModelled(node) || driver.world.isUp(node) else {
            throw .connectionFailed("the radio is restarting")
        }
        if isNew { driver.attach(node, over: nil, bluetooth: bluetooth, isStream: false) }
        lose(node.index, "another client has taken the radio")
        links[node.index] = link
        driver.handle(.link(node, .open), at: now, into: &effects)
        guard driver.isModelled(node) else { return handle(.connected, from: node) }
        driver.dial(node, at: now, into: &effects)
        perform()
        setAlarm()
        // Returns when the link is secure and subscribed.
        for await _ in link.opening {}
        if Task.isCancelled { close(link, to: node) }
        if let reason = link.reason { throw .connectionFailed(reason) }
    }

    func close(_ link: LoopbackTransport.Link, to node: NodeID) {
        guard links[node.index] === link else { return }
        advance()
        links[node.index] = nil
        link.end("closed")
        resumeWriters(node.index)
        driver.handle(.link(node, LinkState()), at: now, into: &effects)
        guard driver.isModelled(node) else { return handle(.disconnected, from: node) }
        driver.leave(node, at: now, into: &effects)
        perform()
        setAlarm()
    }

    private func handle(_ input: NodeInput.App, from node: NodeID) {
        driver.handle(.client(node, input), at: now, into: &effects)
        advance()
        setAlarm()
    }

    func send(
        _ frame: [UInt8], over link: LoopbackTransport.Link, to node: NodeID
    ) async throws(MeshTransportError) {
        advance()
        guard links[node.index] === link else { throw .notConnected }
        guard !driver.isModelled(node) else { return try await write(frame, over: link, to: node) }
        let bytes = StreamFraming.encode(toRadio: frame)
        guard driver.window(of: node) >= bytes.count else {
            setAlarm()
            throw .sendFailed("the radio's receive buffer is full")
        }
        driver.handle(.client(node, .bytes(bytes)), at: now, into: &effects)
        advance()
        // What has become due meanwhile is done now: an alarm would cost more than it.
        if driver.isDue(at: now) { advance() }
        setAlarm()
    }

    private func perform() {
        while !effects.isEmpty {
            var batch: [DriverEffect] = []
            swap(&batch, &effects)
            for effect in batch { perform(effect) }
        }
    }

    private func perform(_ effect: DriverEffect) {
        switch effect {
        case .write(let bytes, let node): receive(bytes, node)
        case .linked(let node): links[node.index]?.open()
        case .roomy(let node): resumeWriters(node.index)
        case .shutOut(let node, .linkLost(let reason)): lose(node.index, reason)
        case .shutOut(let node, _): lose(node.index, "the radio has closed the connection")
        case .restarts(let node): lose(node.index, "the radio restarts")
        // A radio without power says nothing; one that has it back knows of no link from before.
        case .booted(let node, _): lose(node.index, "the radio has started anew")
        case .losesPower, .forgets, .persist, .replaceFiles, .recorded, .happened, .turned, .lost, .note, .stepEnded,
            .stepFailed,
            .ended:
            break
        }
    }

    private func receive(_ bytes: [UInt8], _ node: NodeID) {
        guard let link = links[node.index] else { return }
        let isTaken = driver.isModelled(node) ? link.inbox.deliver(bytes) : link.receive(bytes)
        guard !isTaken else { return }
        lose(node.index, "too many frames wait for the reader")
        driver.leave(node, at: now, into: &effects)
    }

    private func lose(_ index: Int, _ reason: String) {
        links[index]?.end(reason)
        links[index] = nil
        resumeWriters(index)
    }

    // MARK: Bluetooth

    /// Costs of the Bluetooth link of a radio so far, since somebody connected to it first.
    package func airUse(of label: String) -> AirUse? { air(of: label)?.use }

    /// Limits of the Bluetooth link of a radio now; `nil` without one.
    package func airLimit(of label: String) -> RequestResponseLimit? { air(of: label)?.limit }

    private func air(of label: String) -> RadioAir? {
        driver.world.node(labelled: label).flatMap { driver.air(of: $0) }
    }

    /// From the next connection on the users of all apps type these six digits; `nil` for those that their radio shows.
    package func type(pin: UInt32?) {
        bluetooth?.pin = pin
        driver.type(pin: pin)
    }

    private func write(
        _ frame: [UInt8], over link: LoopbackTransport.Link, to node: NodeID
    ) async throws(MeshTransportError) {
        while true {
            defer { setAlarm() }
            do throws(BluetoothCentral.Refusal) {
                defer { perform() }
                return try driver.write(frame, from: node, at: now, into: &effects)
            } catch .full {
                setAlarm()
                await withCheckedContinuation { waiting[node.index].append($0) }
                advance()
                guard links[node.index] === link else { throw .notConnected }
            } catch {
                throw .sendFailed("\(error)")
            }
        }
    }

    /// Lets those try again who wait for room.
    private func resumeWriters(_ index: Int) {
        let waiting = waiting[index]
        self.waiting[index] = []
        for continuation in waiting { continuation.resume() }
    }
}
