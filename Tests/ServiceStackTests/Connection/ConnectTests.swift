import Foundation
import MeshCompanion
import MeshCore
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// A connection comes up.
@Suite struct ConnectTests {
    private typealias Bench = ConnectionBench

    @Test(.proves("SVC-048"), arguments: everyOrder)
    func `disconnected, connecting, connected, ready once the sync has ended, and left at once`(
        order: VirtualTime.Order
    ) throws {
        let states = try withManager(order: order) { bench in
            bench.graphs.change { $0.sync = { _ in try await bench.clock.sleep(for: .seconds(3)) } }
            try await bench.manager.connect(endpoint: Bench.first)
            try await bench.clock.sleep(for: .seconds(5))
            await bench.one.lose()
            await bench.reach(.connecting)
            await bench.reach(.ready)
            await bench.manager.disconnect()
            return bench.states.all
        }

        #expect(
            states.map(\.state) == [
                .connecting, .connected, .ready, .connecting, .connected, .ready, .disconnected,
            ])
        #expect(states.map(\.at).prefix(4) == [.zero, .zero, .seconds(3), .seconds(8)])
        #expect(states[4].at == .milliseconds(8500))
    }

    @Test(.proves("SVC-050")) func `a link has ten seconds to open, a command and a write have five`() throws {
        var profile = StackProfile.exact
        profile.connection.connectAttempts = 1
        let ends = try withManager(profile: profile) { bench in
            await bench.one.stage { radio in
                radio.opening = { [clock = radio.clock] _ in try await clock.sleep(for: .seconds(60)) }
            }
            let opening = await outcome(bench) { try await bench.manager.connect(endpoint: Bench.first) }
            try await bench.clock.sleep(for: .seconds(100) - (bench.elapsed - .zero))
            await bench.one.stage { radio in
                radio.opening = nil
                radio.script = { _ in [] }
            }
            let command = await outcome(bench) { try await bench.manager.connect(endpoint: Bench.first) }
            await bench.two.stage { $0.isStuck = true }
            let write = await outcome(bench) { try await bench.manager.connect(endpoint: Bench.second) }
            return [opening, command, write].map { ($0.at, $0.error as? StackError) }
        }

        // Closing a link that does not even let go is given two seconds.
        #expect(ends[0] == (.seconds(12), StackError(.connection, .connectionFailed("no answer within 10.0 seconds"))))
        let silence = StackError(
            .connection, .initializationFailed("the radio did not answer CMD_APP_START within 5.0 seconds"),
            underlying: .session(.timeout(.appStart, after: .seconds(5))))
        #expect(ends[1] == (.seconds(105), silence))
        #expect(ends[2] == (.seconds(110), silence))
    }

    /// Radios of others refuse DEVICE_QUERY, switch it off, or answer in a layout of their own.
    @Test(arguments: [Frames.refusal(.unsupportedCmd), [0x0F], [0x0D, 3, 0x32]])
    func `a radio that does not say what it is can be connected to`(answer: [UInt8]) throws {
        let level = try withManager { bench in
            await bench.one.stage { $0.script = { frame in frame.first == 0x16 ? [answer] : nil } }
            try await bench.manager.connect(endpoint: Bench.first)
            return await bench.manager.connectedDevice?.firmwareVersion
        }

        #expect(level == 0)
    }

    @Test(.proves("SVC-056")) func `a failing connect is tried four times, and throws the last error`() throws {
        let (attempts, at, error, states) = try withManager { bench in
            await bench.one.stage { radio in
                radio.opening = { throw MeshTransportError.connectionFailed("refused \($0)") }
            }
            let end = await outcome(bench) { try await bench.manager.connect(endpoint: Bench.first) }
            let attempts = await bench.one.attempts
            try await bench.clock.sleep(for: .seconds(3600))
            #expect(await bench.one.attempts == attempts)
            return (attempts, end.at, end.error as? StackError, bench.states.all.map(\.state))
        }

        #expect(attempts == [.zero, .milliseconds(300), .milliseconds(900), .milliseconds(2100)])
        #expect(at == .milliseconds(2100))
        #expect(error?.reason == .connectionFailed("refused 4"))
        #expect(states == [.connecting, .disconnected])
    }

    @Test func `a radio that cannot be stored is an error of the store, which restarting the radio does not help`()
        throws
    {
        let (error, state) = try withManager { bench in
            try bench.store.breakDown("INSERT ON device")
            let end = await outcome(bench) { try await bench.manager.connect(endpoint: Bench.first) }
            return (end.error as? StackError, await bench.manager.connectionState)
        }

        #expect(error?.reason(in: .connection) == .saveFailed("a broken disk"))
        #expect(error?.recovery.contains("the disk") == true)
        #expect(state == .disconnected)
    }

    @Test(.proves("SVC-056"), arguments: 1...8)
    func `jitter lengthens the pauses by a tenth at most, by the seed`(seed: UInt64) throws {
        var profile = StackProfile.exact
        profile.connection.jitter = StackProfile().connection.jitter
        let attempts = try withManager(seed: seed, profile: profile) { bench in
            await bench.one.stage { $0.opening = { _ in throw MeshTransportError.notConnected } }
            try? await bench.manager.connect(endpoint: Bench.first)
            return await bench.one.attempts
        }

        let pauses = zip(attempts.dropFirst(), attempts).map { $0 - $1 }
        #expect(pauses.count == 3)
        for (pause, least) in zip(pauses, [300, 600, 1200]) {
            #expect(pause > .milliseconds(least) && pause <= .microseconds(least * 1100))
        }
    }

    @Test(.proves("SVC-066")) func `a clock that is off by more than the tolerance is set, once per connect`() throws {
        for (offset, isSet) in [(60, false), (-60, false), (61, true), (-61, true), (-1_000_000, true)] {
            let codes = try withManager { bench in
                await bench.one.stage { $0.clockOffset = Int64(offset) }
                try await bench.manager.connect(endpoint: Bench.first)
                await bench.one.stage { $0.clockOffset = 1000 }
                try await bench.clock.sleep(for: .seconds(100))
                return await bench.one.codes(ofConnection: 1)
            }

            #expect(codes == [.appStart, .deviceQuery, .getDeviceTime] + (isSet ? [.setDeviceTime] : []))
        }
    }

    @Test(.proves("SVC-066"))
    func `a refused or unanswered clock is not fatal, and the tolerance is the profile's`() throws {
        var strict = StackProfile.exact
        strict.connection.clockTolerance = StackProfile.upstreamFinal.connection.clockTolerance
        let codes = try withManager(profile: strict) { bench in
            await bench.one.stage { radio in
                radio.clockOffset = 6
                radio.refusesTime = true
            }
            try await bench.manager.connect(endpoint: Bench.first)
            let codes = await bench.one.codes(ofConnection: 1)
            await bench.manager.disconnect()
            await bench.one.stage { radio in
                radio.script = { $0.first == CommandCode.getDeviceTime.rawValue ? [] : nil }
            }
            try await bench.manager.connect(endpoint: Bench.first)
            #expect(bench.elapsed == .seconds(5))
            return codes
        }

        #expect(codes.last == .setDeviceTime)
    }

    @Test(.proves("SVC-067")) func `the handler for a new connection has run before the sync starts`() throws {
        let calls = try withManager { bench in
            let calls = bench.graphs.calls
            await bench.manager.setReady {
                calls.add("handler")
                try? await bench.clock.sleep(for: .seconds(1))
                calls.add("handler ended")
            }
            try await bench.manager.connect(endpoint: Bench.first)
            try await bench.clock.sleep(for: .seconds(1))
            return calls.all
        }

        #expect(calls == ["make", "handler", "handler ended", "sync", "synced", "ready"])
    }

    @Test(.proves("SVC-070", "SVC-R-050"))
    func `a reconnect saves the radio, and keeps watermark, regions and names`() throws {
        let (device, endpoint) = try withManager { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            let id = try #require(await bench.manager.connectedDevice?.id)
            try await bench.store.updateContactWatermark(deviceID: id, to: 4711)
            try await bench.store.updateKnownRegions(deviceID: id, to: ["#alps"])
            await bench.one.lose()
            await bench.reach(.ready)
            let device = try await bench.store.fetchDevice(id: id)
            return (device, try await bench.store.fetchEndpoint(kind: "tcp", address: "one:5000"))
        }

        #expect(device?.id == StableIdentifier.device(publicKey: Data(Frames.key(1).array)))
        #expect(device?.nodeName == "alice")
        #expect(device?.firmwareVersion == 13)
        #expect(device?.maxContacts == 350)
        #expect(device?.frequencyKHz == 869_618)
        #expect(device?.lastContactSync == 4711)
        #expect(device?.knownRegions == ["#alps"])
        #expect(device?.isActive == true)
        #expect(endpoint?.deviceID == device?.id)
    }

    @Test func `a profile may tell radios apart by their addresses`() throws {
        var profile = StackProfile.exact
        profile.connection.identity = .transportAddress
        let id = try withManager(profile: profile) { bench in
            try await bench.manager.connect(endpoint: Bench.first)
            return await bench.manager.connectedDevice?.id
        }

        #expect(id == StableIdentifier.device(endpoint: ConnectionBench.first))
        #expect(id != StableIdentifier.device(publicKey: Data(Frames.key(1).array)))
    }

    @Test(.proves("SVC-R-092")) func `a link that is open is not opened a second time by the session`() throws {
        let (attempts, connections) = try withManager { bench in
            try await bench.one.connect()
            try await bench.manager.connect(endpoint: Bench.first)
            return (await bench.one.attempts.count, await bench.one.connections)
        }

        // The test's own, and the manager's, which found the link open.
        #expect(attempts == 2)
        #expect(connections == 1)
    }

    @Test(.proves("SVC-R-084"), arguments: everyOrder)
    func `a link that opens in the very moment in which its time is up is answered once`(order: VirtualTime.Order)
        throws
    {
        let (connections, isOpen, error) = try withManager(order: order) { bench in
            await bench.one.stage { radio in
                radio.opening = { [clock = radio.clock] number in
                    if number == 1 { try await clock.sleep(for: .seconds(10)) }
                }
            }
            let end = await outcome(bench) { try await bench.manager.connect(endpoint: Bench.first) }
            try await bench.clock.sleep(for: .seconds(60))
            return (await bench.one.connections, await bench.one.isConnected, end.error == nil)
        }

        #expect(isOpen && error)
        #expect((1...2).contains(connections))
    }

    @Test func `a radio that cannot be stored, or whose services cannot be made, is not connected`() throws {
        let (error, isOpen, alive) = try withManager { bench in
            bench.graphs.change { $0.tearDown = nil }
            await bench.one.stage { radio in
                radio.script = { $0.first == CommandCode.deviceQuery.rawValue ? [] : nil }
            }
            let end = await outcome(bench) { try await bench.manager.connect(endpoint: Bench.first) }
            return (end.error as? StackError, await bench.one.isConnected, bench.graphs.alive)
        }

        #expect(error?.code == "initialization-failed")
        #expect(!isOpen && alive == 0)
    }
}
