package import MeshBluetoothAir
import MeshBluetoothHost
import MeshCompanion
package import MeshCore
import MeshFirmware
package import MeshSimulator
import MeshTime
package import MeshWorlds

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
    private var bluetooth: LoopbackBluetooth?
    private var people: MeshPeople?
    /// The Bluetooth of each radio that somebody has asked for.
    private var airs: [RadioAir?]
    /// Radios whose nodes were told that their link has no room.
    private var isHeld: [Bool]
    /// Who waits until a Bluetooth link takes a further frame, by radio.
    private var waiting: [[CheckedContinuation<Void, Never>]]

    /// The world's time begins to run now.
    ///
    /// With `bluetooth`, the radios of chip families that have Bluetooth are reached over modelled links, as they have to be
    /// described (`AppLink.bluetooth`). With `people`, others in the world have something to say.
    package init(
        _ world: World, clock: any Clock<Duration>, bluetooth: LoopbackBluetooth? = nil,
        people: sending MeshPeople? = nil
    ) {
        self.world = world
        self.people = people
        self.clock = clock
        elapsed = clock.stopwatch()
        links = Array(repeating: nil, count: world.nodes.count)
        self.bluetooth = bluetooth
        airs = Array(repeating: nil, count: world.nodes.count)
        isHeld = Array(repeating: false, count: world.nodes.count)
        waiting = Array(repeating: [], count: world.nodes.count)
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
        airs = airs.map { _ in nil }
        for index in waiting.indices { goOn(index) }
    }

    // MARK: Time

    /// What the clock shows, as far as there is time.
    private var now: TimeSpan { TimeSpan(min(elapsed(), .seconds(1 << 42))) }

    /// Brings the world to the present.
    private func advance() {
        let now = now
        while case .run(let moment) = pacer.turn(from: world.now, next: nextEvent, at: now) {
            world.run(until: moment)
            deliver()
            for index in airs.indices where airs[index] != nil {
                airs[index]?.advance(to: moment)
                attend(index)
            }
            if let stop = people?.nextStop, stop <= world.now { settle() }
        }
    }

    /// Lets the people of the world act.
    private func settle() {
        people?.takeNews(at: world.now)
        people?.act(in: &world)
        deliver()
        people?.takeNews(at: world.now)
        people?.plan(in: &world)
    }

    /// When something happens in the world, among its people, or on its Bluetooth links.
    private var nextEvent: Instant {
        let next = min(world.peekNextEventTime(), people?.nextStop ?? .never)
        return airs.reduce(next) { min($0, $1?.deadline ?? .never) }
    }

    /// Has the world go on when its next event is due. An alarm that rings earlier looks again then.
    private func setAlarm() {
        let now = now
        guard let wake = pacer.wake(for: nextEvent, at: now) else { return }
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
        guard pacer.isRunning else { throw .connectionFailed("the world has ended") }
        advance()
        // Over the air a board that is down is looked for until it is found.
        guard airs[node.index] != nil || world.isUp(node) else { throw .connectionFailed("the radio is restarting") }
        links[node.index]?.end("another client has taken the radio")
        links[node.index] = link
        // Who waited to write over the old link learns that it is none.
        goOn(node.index)
        if let bluetooth, let radio = RadioIdentity(node, in: world) {
            try await pair(link, node, radio, bluetooth)
        } else {
            world.inject(.appConnected, into: node)
            deliver()
            setAlarm()
        }
    }

    /// Connects over the air; returns when the link is secure and subscribed.
    private func pair(
        _ link: LoopbackTransport.Link, _ node: NodeID, _ radio: RadioIdentity, _ bluetooth: LoopbackBluetooth
    ) async throws(MeshTransportError) {
        let index = node.index
        if airs[index] == nil { airs[index] = RadioAir(radio, bluetooth.of(world.label(of: node)), at: world.now) }
        airs[index]?.connect(at: world.now)
        attend(index)
        setAlarm()
        for await _ in link.opening {}
        if Task.isCancelled { close(link, to: node) }
        if let reason = link.reason { throw .connectionFailed(reason) }
    }

    func close(_ link: LoopbackTransport.Link, to node: NodeID) {
        guard links[node.index] === link else { return }
        advance()
        links[node.index] = nil
        link.end("closed")
        goOn(node.index)
        if airs[node.index] != nil {
            airs[node.index]?.disconnect(at: world.now)
            attend(node.index)
        } else {
            world.inject(.appDisconnected, into: node)
            deliver()
        }
        setAlarm()
    }

    func send(
        _ frame: [UInt8], over link: LoopbackTransport.Link, to node: NodeID
    ) async throws(MeshTransportError) {
        advance()
        guard links[node.index] === link else { throw .notConnected }
        guard airs[node.index] == nil else { return try await write(frame, over: link, to: node) }
        let bytes = StreamFraming.encode(toRadio: frame)
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
            guard airs[index] == nil else {
                tellAir(output, index)
                continue
            }
            if links[index] == nil { people?.take(output) }
            switch output.kind {
            case .appBytes(let bytes):
                if links[index]?.receive(bytes) == false { lose(index, "too many frames wait for the reader") }
            case .appClosed: lose(index, "the radio has closed the connection")
            case .rebooted: lose(index, "the radio restarts")
            case .poweredOff: break
            // A radio without power says nothing; one that has it back knows of no link from before.
            case .booted: lose(index, "the radio has started anew")
            case .flash: break
            }
        }
    }

    private func lose(_ index: Int, _ reason: String) {
        links[index]?.end(reason)
        links[index] = nil
        goOn(index)
    }

    // MARK: Bluetooth

    /// What the Bluetooth links have taken so far: that of one radio, since somebody connected to it first.
    package func airUse(of label: String) -> AirUse? {
        world.node(labelled: label).flatMap { airs[$0.index]?.use }
    }

    /// What the Bluetooth link of a radio allows now; `nil` without one.
    package func airLimit(of label: String) -> RequestResponseLimit? {
        world.node(labelled: label).flatMap { airs[$0.index]?.limit }
    }

    /// From the next connection on the users of all apps type these six digits; `nil` for those that their radio shows.
    package func type(pin: UInt32?) {
        bluetooth?.pin = pin
        for index in airs.indices { airs[index]?.pin = pin }
    }

    private func write(
        _ frame: [UInt8], over link: LoopbackTransport.Link, to node: NodeID
    ) async throws(MeshTransportError) {
        while true {
            defer { setAlarm() }
            do throws(BluetoothCentral.Refusal) {
                try airs[node.index]?.write(frame, at: world.now)
                return attend(node.index)
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

    /// Those who wait for room try again.
    private func goOn(_ index: Int) {
        let waiting = waiting[index]
        self.waiting[index] = []
        for continuation in waiting { continuation.resume() }
    }

    /// Tells a radio's Bluetooth what its node says.
    private func tellAir(_ output: WorldOutput, _ index: Int) {
        switch output.kind {
        case .appBytes(let bytes):
            airs[index]?.notify(bytes, at: world.now)
            // Before its next pass: a busy link leaves further frames with the node.
            if airs[index]?.hasRoom == false {
                isHeld[index] = true
                _ = world.holdLink(of: output.node, true)
            }
        case .appClosed: airs[index]?.hangUp(at: world.now)
        case .rebooted: airs[index]?.restart(at: world.now)
        case .poweredOff: airs[index]?.losePower(at: world.now)
        case .booted:
            if let radio = RadioIdentity(output.node, in: world) { airs[index]?.boot(as: radio, at: world.now) }
        case .flash: return
        }
        attend(index)
    }

    /// Tells node and app what has come of the link between them.
    private func attend(_ index: Int) {
        let node = NodeID(index: index)
        for outcome in airs[index]?.takeOutcomes() ?? [] {
            switch outcome {
            case .node(let input):
                world.inject(input.input, into: node)
                deliver()
            case .app(let output): tellApp(output, index)
            }
        }
        // A node that waits for room goes on in a pass of its own.
        guard isHeld[index], airs[index]?.hasRoom == true else { return }
        isHeld[index] = false
        guard world.holdLink(of: node, false) else { return }
        world.inject(.woke, into: node)
        deliver()
    }

    private func tellApp(_ output: BluetoothCentral.Output, _ index: Int) {
        switch output {
        case .ready: links[index]?.open()
        case .frame(let frame):
            guard links[index]?.inbox.deliver(frame) == false else { return }
            lose(index, "too many frames wait for the reader")
            airs[index]?.disconnect(at: world.now)
        case .hasRoom: goOn(index)
        case .ended(let failure): lose(index, "\(failure)")
        default: break
        }
    }
}
