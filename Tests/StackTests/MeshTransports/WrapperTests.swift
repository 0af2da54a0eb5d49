import MeshCapture
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTime
import MeshTransports
import MeshVirtualTime
import MeshWire
import Testing

@Suite struct WrapperTests {
    /// Ten frames of a radio through a faulty link: which came, and when.
    private func receive(_ faults: LinkFaults, seed: UInt64 = 1) throws -> [(frame: [UInt8], at: Duration)] {
        try VirtualTime.run { clock in
            let radio = MockTransport()
            let link = FaultyTransport(radio, toApp: faults, seed: Seed(seed), clock: clock)
            try await link.connect()
            let reading = Task {
                var seen: [(frame: [UInt8], at: Duration)] = []
                for await frame in await link.receivedData { seen.append((frame, clock.now.sinceStart)) }
                return seen
            }
            for number: UInt8 in 0..<10 {
                await radio.simulateReceive([number, number])
                try await clock.sleep(for: .seconds(1))
            }
            try await clock.sleep(for: .seconds(100))
            await link.disconnect()
            return await reading.value
        }
    }

    private func faults(_ change: (inout LinkFaults) -> Void) -> LinkFaults {
        var faults = LinkFaults()
        change(&faults)
        return faults
    }

    @Test func `a link without faults passes everything at once`() throws {
        let seen = try receive(.none)

        #expect(seen.map(\.frame) == (0..<10).map { [$0, $0] })
        #expect(seen.map(\.at) == (0..<10).map { .seconds($0) })
    }

    @Test func `frames are dropped, doubled and cut in two`() throws {
        #expect(try receive(faults { $0.drop = 10_000 }).isEmpty)
        #expect(try receive(faults { $0.duplicate = 10_000 }).map(\.frame) == (0..<20).map { [$0 / 2, $0 / 2] })
        #expect(try receive(faults { $0.fragment = 10_000 }).map(\.frame) == (0..<20).map { [$0 / 2] })
        let some = try receive(faults { $0.drop = 4000 }).map(\.frame)
        #expect((1..<10).contains(some.count))
        #expect(try receive(faults { $0.drop = 4000 }).map(\.frame) == some, "the same seed, the same losses")
        #expect(
            try (2..<8).map { try receive(faults { $0.drop = 4000 }, seed: $0).map(\.frame) }.contains { $0 != some })
    }

    @Test func `each kind of fault counts the frames that it met, and no other kind`() throws {
        let kinds: [(LinkFaults.Part, Int, (inout LinkFaults) -> Void)] = [
            (.drop, 10, { $0.drop = 10_000 }), (.duplicate, 10, { $0.duplicate = 10_000 }),
            (.fragment, 10, { $0.fragment = 10_000 }), (.garble, 10, { $0.garble = 10_000 }),
            (.stall, 1, { $0.stall = .init(after: 3, lasts: .seconds(1)) }), (.cutAfter, 1, { $0.cutAfter = 4 }),
            (.drop, 2, { ($0.drop, $0.frames) = (10_000, 2) }), (.cutAfter, 0, { $0.cutAfter = 11 }),
        ]
        for (part, frames, change) in kinds {
            let wanted = faults(change)
            let counter = LinkFaultCounter()
            try VirtualTime.run { clock in
                let radio = MockTransport()
                let link = FaultyTransport(radio, seed: Seed(1), clock: clock)
                await link.setFaults(toApp: wanted, counter: counter)
                try await link.connect()
                for number: UInt8 in 0..<10 {
                    await radio.simulateReceive([number, number])
                    try await clock.sleep(for: .seconds(2))
                }
                await link.disconnect()
            }
            #expect(wanted.parts == [part])
            #expect(counter.count(of: part).frames == frames && counter.count(of: part).bytes == 2 * frames, "\(part)")
            let others = LinkFaults.Part.allCases.filter { $0 != part && counter.count(of: $0).hasFired }
            #expect(others.isEmpty, "\(part)")
        }
    }

    @Test func `frames held back keep their order`() throws {
        let late = try receive(faults { $0.delay = .seconds(5) })

        #expect(late.map(\.frame) == (0..<10).map { [$0, $0] })
        #expect(late.contains { $0.at > .seconds(Int($0.frame[0])) })
        #expect(zip(late, late.dropFirst()).allSatisfy { $0.at <= $1.at })
    }

    @Test func `a stalled link goes on, and a cut one ends`() throws {
        let stalled = try receive(faults { $0.stall = .init(after: 3, lasts: .seconds(20)) })
        #expect(stalled.map(\.at) == ([0, 1, 2] + Array(repeating: 23, count: 7)).map { .seconds($0) })
        #expect(try receive(faults { $0.cutAfter = 4 }).map(\.frame) == (0..<4).map { [$0, $0] })
    }

    @Test func `a frame to the radio is held back without holding its sender`() throws {
        try VirtualTime.run { clock in
            let radio = MockTransport()
            var faults = LinkFaults()
            faults.stall = .init(after: 1, lasts: .seconds(9))
            let link = FaultyTransport(radio, toRadio: faults, seed: Seed(1), clock: clock)
            try await link.connect()
            for number: UInt8 in 0..<4 { try await link.send([number]) }
            #expect(clock.now.sinceStart == .zero)
            #expect(await radio.sentFrames == [[0]])
            try await clock.sleep(for: .seconds(10))
            #expect(await radio.sentFrames == [[0], [1], [2], [3]])
        }
    }

    @Test func `a session over a bad link fails by the clock or succeeds, the same way each time`() throws {
        func run() throws -> [String] {
            try VirtualTime.run { clock in
                let world = LoopbackWorld(World(.solo, seed: Seed(7)), clock: clock)
                var faults = LinkFaults()
                (faults.drop, faults.duplicate, faults.fragment) = (2000, 2000, 1000)
                faults.delay = .seconds(2)
                let link = FaultyTransport(
                    try await world.transport(to: "alice"), toRadio: faults, toApp: faults, seed: Seed(3), clock: clock)
                let session = MeshCoreSession(transport: link, clock: clock)
                var ends: [String] = []
                for _ in 0..<20 where (try? await session.start()) == nil { ends.append("no start") }
                for index: UInt8 in 0..<60 {
                    do {
                        let channel = try await session.getChannel(index % 4)
                        #expect(channel.channelIndex == index % 4)
                        ends.append("channel \(channel.channelIndex) at \(clock.now.sinceStart)")
                    } catch {
                        ends.append("\(error)")
                    }
                }
                await session.stop()
                await world.end()
                return ends
            }
        }

        let first = try run()

        #expect(try run() == first)
        #expect(first.contains { $0.hasPrefix("channel") } && first.contains { $0.contains("did not answer") })
    }

    @Test func `a recorder reports what passes, with its time and in order, and changes nothing`() throws {
        let notes = Notes<RecordingEntry>()
        try VirtualTime.run { clock in
            let world = LoopbackWorld(World(.solo, seed: Seed(7)), clock: clock)
            let link = RecordingTransport(try await world.transport(to: "alice"), clock: clock, record: notes.add)
            let session = MeshCoreSession(transport: link, clock: clock)
            try await session.start()
            try await clock.sleep(for: .seconds(3))
            _ = try await session.getTime()
            await session.stop()
            await world.end()
        }

        let events = notes.all.map(\.event)
        #expect(events.count == 6)
        #expect(events.first == .connected && events.last == .disconnected(reason: ""))
        #expect(events[1] == .frame(.toRadio, PacketBuilder.appStart()))
        #expect(events[3] == .frame(.toRadio, PacketBuilder.getTime()))
        if case .frame(.toApp, let frame) = events[2] { #expect(frame.first == 5) } else { Issue.record("\(events)") }
        if case .frame(.toApp, let frame) = events[4] { #expect(frame.first == 9) } else { Issue.record("\(events)") }
        #expect((TimeSpan.seconds(3)..<(.milliseconds(3010))).contains(notes.all[3].time))
        #expect(notes.all.allSatisfy { $0.link == .loopback })
        #expect(notes.all[3].note == "CMD_GET_DEVICE_TIME")
    }
}
