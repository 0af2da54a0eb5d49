import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Sides and controllers that vanish, stay silent or lie; the next attempt works.
@Suite struct HostLossTests {
    /// The steps of an app and a radio, one after the other.
    enum Step: Int, CaseIterable, Sendable {
        case advertise, scan, connect, exchangeMTU, discover, subscribe, write, notify, disconnect

        /// Asks for the step; `lost`: who is gone by now.
        func ask(_ air: inout TestAir) throws {
            switch self {
            case .advertise: try air.ask(0, .advertise(HostTimelineTests.advertisement))
            case .scan: try air.ask(1, .scan(.init(service: .nordicUART)))
            case .connect: try air.ask(1, .connect(air.sides[0].address))
            case .exchangeMTU: try air.ask(1, .exchangeMTU(try air.link(1)))
            case .discover: try air.ask(1, .discover(try air.link(1), service: .nordicUART))
            case .subscribe:
                try air.ask(1, .subscribe(try air.link(1), value: HostTimelineTests.tx, .notifications))
            case .write:
                let value = [UInt8](repeating: 7, count: 100)
                try air.ask(
                    1, .write(try air.link(1), handle: HostTimelineTests.rx, value: value, withResponse: true))
            case .notify: try air.ask(0, .notify(try air.link(0), handle: HostTimelineTests.tx, value: [1, 2, 3]))
            case .disconnect: try air.ask(1, .disconnect(try air.link(1)))
            }
        }
    }

    private static func play(_ steps: some Sequence<Step>, _ air: inout TestAir) throws {
        for step in steps { try step.ask(&air) }
    }

    /// Both begin anew, and all of it passes.
    private static func playAgain(_ air: inout TestAir) throws {
        for side in 0...1 { air.sides[side].isGone = false }
        air.reset()
        air.start()
        for side in 0...1 { _ = air.told(side) }
        try play(Step.allCases, &air)
        let ends = (0...1).map { side in air.told(side).last }
        #expect(ends[0].map { if case .disconnected(_, reason: 0x13) = $0 { true } else { false } } == true)
        #expect(ends[1].map { if case .disconnected(_, reason: 0x16) = $0 { true } else { false } } == true)
    }

    @Test(arguments: Step.allCases, [0, 1])
    func `a side that vanishes at any step ends in a stated error, and the next attempt works`(
        step: Step, side: Int
    ) throws {
        var air = TestAir(peripheral: HostTimelineTests.radio(), central: HostTimelineTests.app())
        air.start()
        try Self.play(Step.allCases.prefix(step.rawValue), &air)
        for side in 0...1 { _ = air.told(side) }
        let wasConnected = air.isConnected

        air.vanish(side)

        let (gone, left) = (air.told(side), air.told(1 - side))
        #expect(gone.last == .failed(.closed))
        #expect(gone.contains { if case .disconnected = $0 { true } else { false } } == wasConnected)
        #expect(left.contains { if case .disconnected(_, reason: 0x08) = $0 { true } else { false } } == wasConnected)
        #expect(air.sides.allSatisfy { $0.host.openLinks.isEmpty })
        #expect(throws: BluetoothHost.Refusal.notReady) { try air.ask(side, .stopScanning) }
        // The one that is left waits for nothing, but for a connection that cannot come.
        air.pass(.seconds(40))
        #expect(air.sides[1 - side].host.deadline == nil)
        try Self.playAgain(&air)
    }

    /// The radio's program hangs: its controller keeps the link, and nothing is answered.
    @Test(arguments: [Step.exchangeMTU, .discover, .subscribe, .write])
    func `a peer that does not answer is left after 30 s`(step: Step) throws {
        var air = TestAir(peripheral: HostTimelineTests.radio(), central: HostTimelineTests.app())
        air.start()
        try Self.play(Step.allCases.prefix(step.rawValue), &air)
        let link = try air.link(1)
        _ = air.told(1)
        air.isDeaf = true
        try step.ask(&air)

        air.pass(.milliseconds(29_999))
        #expect(air.told(1).isEmpty)
        air.pass(.milliseconds(1))

        #expect(air.told(1) == [.faulty(link, .silent), .disconnected(link, reason: 0x16)])
        air.isDeaf = false
        try Self.playAgain(&air)
    }

    // MARK: Controllers

    @Test(arguments: 0..<8)
    func `a controller that stops answering while it is set up has failed`(answered: Int) {
        var host = BluetoothHost(BluetoothHost.Settings())
        var random = Seed(41).stream("none")
        var effects = host.start(at: .seconds(1))
        var answers = 0
        while answers < answered, case .send(let packet)? = effects.last,
            let command = try? HCI.Command(decoding: packet.span.extracting(droppingFirst: 1))
        {
            var complete = HCI.CommandComplete()
            complete.opcode = command.opcode
            complete.returned = [0, 27, 0, 4, 0, 0, 0, 0, 0]
            let event = [4] + HCI.Event.commandComplete(complete).encoded
            effects = host.receive(event.span, at: .seconds(1), random: &random)
            answers += 1
        }
        guard case .send(let packet)? = effects.last, let deadline = host.deadline else {
            #expect(host.isReady && answered >= 7)
            return
        }

        #expect(deadline == .seconds(3))
        #expect(host.expire(at: .milliseconds(2_999)).isEmpty)
        let opcode = UInt16(packet[1]) | UInt16(packet[2]) << 8
        #expect(host.expire(at: deadline) == [.tell(.failed(.silent(opcode: opcode)))])
        #expect(host.deadline == nil)
        #expect(host.receive([4, 0x10, 1, 0].span, at: .seconds(4), random: &random).isEmpty)
    }

    @Test func `a controller without buffers is of no use, and one that refuses says so`() {
        var air = TestAir(peripheral: HostTimelineTests.radio(), central: HostTimelineTests.app(), dataSize: 26)
        air.start()
        #expect(air.told(0) == [.failed(.useless)])

        var host = BluetoothHost(BluetoothHost.Settings())
        var random = Seed(42).stream("none")
        _ = host.start(at: .start)
        let event: [UInt8] = [4, 0x0E, 4, 1, 0x03, 0x0C, 0x01]
        let effects = host.receive(event.span, at: .start, random: &random)
        #expect(effects == [.tell(.failed(.refused(opcode: 0x0C03, status: 1)))])
    }

    @Test(
        arguments: [
            ([4, 0x10, 1, 0x42], BluetoothHost.Failure.hardware(0x42)),
            (
                [9, 1, 2],
                .malformed(FrameError(field: "packet_type", offset: 0, reason: .unknownCode(9)))
            ),
            (
                [4, 0x05, 2, 0, 0x40],
                .malformed(FrameError(field: "handle", offset: 3, reason: .truncated(needed: 2, left: 1)))
            ),
        ] as [([UInt8], BluetoothHost.Failure)])
    func `a controller that breaks ends everything`(packet: [UInt8], failure: BluetoothHost.Failure) throws {
        var air = try HostTimelineTests.connected()
        let link = try air.link(0)

        air.say(0, packet)

        #expect(air.told(0) == [.disconnected(link, reason: 0x03), .failed(failure)])
    }

    @Test func `a controller that says what cannot be does no harm`() throws {
        var air = try HostTimelineTests.connected()
        // Answers to nothing, buffers that it never had, the end of a connection that is none, data on another.
        for hex in [
            "040e0401031c00", "040f04000103" + "1c", "0413050140" + "00ff00", "0413050199" + "00ff00",
            "040504009900" + "13",
            "0299200100" + "00", "0240", "043e00", "043e0d0599000000000000000000" + "0000",
            "03400001ff",
        ] {
            air.say(0, try #require([UInt8](hex: hex)))
        }
        #expect(air.told(0).isEmpty && air.sides[0].host.isReady)
        try HostLossTests.Step.exchangeMTU.ask(&air)
        #expect(air.told(1).count == 1)
    }

    @Test(
        arguments: [
            // A continuation without a beginning; a beginning within a packet; more than the header says; a wrong
            // length.
            [[2, 0x40, 0x10, 1, 0, 7]], [[2, 0x40, 0x20, 4, 0, 9, 0, 4, 0], [2, 0x40, 0x20, 4, 0, 9, 0, 4, 0]],
            [[2, 0x40, 0x20, 6, 0, 1, 0, 4, 0, 1, 2]], [[2, 0x40, 0x20, 9, 0, 1, 0, 4, 0]],
        ] as [[[UInt8]]])
    func `a peer whose fragments make no packet is left`(packets: [[UInt8]]) throws {
        var air = try HostTimelineTests.connected()
        let link = try air.link(0)

        for packet in packets { air.say(0, packet) }

        #expect(air.told(0) == [.faulty(link, .malformed), .disconnected(link, reason: 0x16)])
    }

    @Test func `a handle that is given out again ends the connection before it`() throws {
        var air = try HostTimelineTests.connected()
        let link = try air.link(0)
        var complete = HCI.ConnectionComplete()
        (complete.handle, complete.role) = (TestAir.handle, 1)

        air.event(0, .connected(complete))
        air.pass(.zero)

        let told = air.told(0)
        #expect(told.first == .disconnected(link, reason: 0x1F))
        #expect(try air.link(0) != link)
        #expect(throws: BluetoothHost.Refusal.noSuchLink) { try air.ask(0, .disconnect(link)) }
    }

    @Test func `a queue that our own notifications have filled is not the peer's fault`() throws {
        var settings = HostTimelineTests.radio()
        settings.queueLimit = 8
        var air = try HostTimelineTests.connected(radio: settings)
        let (radio, app) = (try air.link(0), try air.link(1))
        try air.ask(1, .discover(app, service: nil))
        try air.ask(1, .subscribe(app, value: HostTimelineTests.tx, .notifications))
        for side in 0...1 { _ = air.told(side) }
        air.holdsBuffers = true
        #expect(throws: BluetoothHost.Refusal.overflow(limit: 8)) {
            for _ in 0..<100 { try air.ask(0, .notify(radio, handle: HostTimelineTests.tx, value: [1])) }
        }

        try air.ask(1, .read(app, handle: 3))

        #expect(air.told(0).isEmpty)
        air.holdsBuffers = false
        air.pass(.zero)
        #expect(air.told(0) == [.hasRoom(radio)])
        #expect(air.told(1).last == .value(app, handle: 3, value: Array("alice".utf8)))
    }

    /// 70 are more than the commands that may wait for a controller.
    @Test func `a peripheral that asks for other intervals again and again is refused, and ends nothing`() throws {
        var air = try HostTimelineTests.connected()
        var host = air.sides[1].host
        var (results, updates): ([UInt16], Int) = ([], 0)
        func hear(_ packet: [UInt8]) {
            for case .send(let sent) in host.receive(packet.span, at: air.now, random: &air.random) {
                if sent[0] == 1 { updates += 1 }
                guard sent[0] == 2,
                    case .parameterResponse(let response)? = try? L2CAP.Signal(
                        decoding: sent.span.extracting(droppingFirst: 9)
                    ).content
                else { continue }
                results.append(response.result)
            }
        }
        let request = HCI.ConnectionParameters(shortestInterval: 12, longestInterval: 24, latency: 0, timeout: 400)
        let asking: [UInt8] =
            [2, 0x40, 0x20, 16, 0, 12, 0, 5, 0] + L2CAP.Signal(identifier: 1, .parameterRequest(request)).encoded
        let sent = HCI.Event.completedPackets(.init([.init(handle: TestAir.handle, count: 1)]))
        for _ in 0..<70 {
            hear(asking)
            hear([4] + sent.encoded)
        }

        #expect(host.isReady && updates == 1)
        #expect(results == [0] + [UInt16](repeating: 1, count: 69))
        var status = HCI.CommandStatus()
        status.opcode = HCI.CommandCode.connectionUpdate
        hear([4] + HCI.Event.commandStatus(status).encoded)
        hear(asking)
        #expect(updates == 2 && results.last == 0)
    }

    @Test func `a peer that floods is left, and holds no more than the queue`() throws {
        var settings = HostTimelineTests.radio()
        settings.queueLimit = 8
        var air = try HostTimelineTests.connected(radio: settings)
        let link = try air.link(0)
        air.holdsBuffers = true
        // Nothing but requests, one after the other.
        for _ in 0..<40 { air.say(0, [2, 0x40, 0x20, 7, 0, 3, 0, 4, 0, 0x0A, 3, 0]) }

        #expect(air.told(0) == [.faulty(link, .flooding), .disconnected(link, reason: 0x16)])
    }
}
