import Dispatch
import MeshBus
import MeshCompanion
import MeshTestSupport
import MeshTime
import Synchronization
import Testing

@testable import MeshTransports

/// A radio through a bluetoothd that is played on a bus of its own: the link and its bus, end to end.
@Suite struct DesktopLinkSystemTests {
    private static func dial(_ bus: PrivateBus, pin: UInt32 = 123_456, adapter: Int? = nil) async throws -> TestClient {
        let address = bus.address
        let radio = BluetoothRadio(.name("MeshCore-alice"), via: .desktop(adapter), pin: pin)
        return TestClient(
            descriptor: try await withCheckedThrowingContinuation { continuation in
                // To dial blocks.
                DispatchQueue(label: "a radio is dialed").async {
                    continuation.resume(with: Result { try BluetoothLink.open(radio, on: .address(address)) })
                }
            })
    }

    private static func reason(_ work: () async throws -> TestClient) async -> String {
        let error = await #expect(throws: LinkError.self) { _ = try await work() }
        return error?.reason ?? ""
    }

    @Test func `frames pass both ways, and the next link needs no PIN`() async throws {
        let bus = try PrivateBus()
        let bluez = try PlayedBluez(on: bus, pin: 123_456)
        for pin in [123_456, 999_999] as [UInt32] {
            let app = try await Self.dial(bus, pin: pin)
            app.send(StreamFraming.encode(toRadio: [1, 2, 3]))

            let answer = try #require(StreamFraming.encode(toApp: [PlayedBluez.echo, 1, 2, 3]))
            #expect(app.receive(answer.count) == answer)
        }
        #expect(bluez.called.count { $0 == "Pair" } == 1)
    }

    @Test func `a wrong PIN is told, and the right one works after it`() async throws {
        let bus = try PrivateBus()
        let bluez = try PlayedBluez(on: bus, pin: 123_456)

        let reason = await Self.reason { try await Self.dial(bus, pin: 654_321) }
        #expect(reason == "it shows another PIN; dial it again with that one")
        #expect(bluez.called.suffix(2) == ["Disconnect", "UnregisterAgent"])
        _ = try await Self.dial(bus)
        #expect(bluez.isPaired)
    }

    @Test func `a bluetoothd that goes away ends the link, and its absence is told`() async throws {
        let bus = try PrivateBus()
        let bluez = try PlayedBluez(on: bus, pin: 123_456)
        let app = try await Self.dial(bus)
        bluez.stop()

        #expect(app.receiveSome(1, within: 5000) == [])
        let reason = await Self.reason { try await Self.dial(bus) }
        #expect(reason == "bluetoothd does not run; 'sudo systemctl start bluetooth' starts it")
    }

    @Test func `whether a user may use bluetoothd is asked of it`() throws {
        let bus = try PrivateBus()
        #expect(DesktopAccess(on: .address(bus.address)) == .notRunning)
        for (error, access) in [
            ("org.freedesktop.DBus.Error.AccessDenied", DesktopAccess.refused), (nil, .allowed),
        ] {
            let connection = Mutex<Bus?>(nil)
            let opened = try Bus(.address(bus.address)) { event in
                guard case .call(let call) = event, let bus = connection.withLock({ $0 }) else { return }
                if let error {
                    bus.refuse(call, name: error, text: "")
                } else {
                    bus.answer(call, [DesktopBench.tree([])])
                }
            }
            connection.withLock { $0 = opened }
            try opened.own(DesktopNames.service)
            #expect(DesktopAccess(on: .address(bus.address)) == access)
            try opened.release(DesktopNames.service)
        }
        #expect(DesktopAccess(on: .address("unix:path=/nothing/here")) == .noBus)
    }

    @Test func `an adapter that bluetoothd does not have is named`() async throws {
        let bus = try PrivateBus()
        let bluez = try PlayedBluez(on: bus, pin: 123_456)

        let reason = await Self.reason { try await Self.dial(bus, adapter: 3) }
        #expect(reason.hasPrefix("bluetoothd has no adapter hci3; "))
        #expect(bluez.called == ["GetManagedObjects"])
    }

    @Test func `a bond is removed once, and the radio is paired with again`() async throws {
        let bus = try PrivateBus()
        let bluez = try PlayedBluez(on: bus, pin: 123_456)
        let radio = BluetoothRadio(.name("MeshCore-alice"))
        #expect(try BluetoothBonds.forget(radio, on: .address(bus.address)) == false)
        _ = try await Self.dial(bus)
        #expect(bluez.isPaired)

        #expect(try BluetoothBonds.forget(radio, on: .address(bus.address)))
        #expect(!bluez.isPaired)
        _ = try await Self.dial(bus)
        #expect(bluez.called.count { $0 == "Pair" } == 2)
    }

    @Test func `a scan tells who is in range, and why it ended before its time`() async throws {
        let bus = try PrivateBus()
        let bluez = try PlayedBluez(on: bus, pin: 123_456)
        let address = bus.address
        let found: (neighbors: [BluetoothNeighbor], error: LinkError?) = await withCheckedContinuation { continuation in
            DispatchQueue(label: "radios are looked for").async {
                let heard = Mutex<[BluetoothNeighbor]>([])
                var ending: LinkError?
                do throws(LinkError) {
                    try BluetoothScan.run(via: .desktop(0), for: .seconds(600), on: .address(address)) { neighbor in
                        heard.withLock { $0.append(neighbor) }
                        DispatchQueue.global().async { bluez.stop() }
                    }
                } catch { ending = error }
                continuation.resume(returning: (heard.withLock { $0 }, ending))
            }
        }

        #expect(
            found.neighbors == [
                BluetoothNeighbor(
                    address: DesktopBench.address, name: "MeshCore-alice", signal: -60, isPaired: false,
                    hasNordicUART: true)
            ])
        #expect(found.error?.description.hasPrefix("Bluetooth adapter hci0: bluetoothd does not run") == true)
    }
}
