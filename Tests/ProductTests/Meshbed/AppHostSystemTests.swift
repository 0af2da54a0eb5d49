import MeshBluetoothHost
import MeshBus
import MeshEmulator
import MeshTestSupport
import MeshTime
import MeshTransports
import PocketMeshServices
import PocketMeshUI
import Synchronization
import Testing

@testable import meshbed

/// The app's own host: what it asks the machine, and the addresses that it reads.
@Suite struct AppHostSystemTests {
    private static func host(_ bus: String, desktop: any NotificationSink = MemoryNotificationSink()) -> AppHost {
        let executor = StackExecutor()
        let transports = AppTransports(clock: ContinuousClock(), executor: executor, target: nil)
        return AppHost(transports: transports, desktop: desktop, bus: .address(bus))
    }

    private static let nowhere = "unix:path=/nothing/here"
    private static let adapter = "/org/bluez/hci0"

    private static func object(_ path: String, _ interface: String, _ values: KeyValuePairs<String, BusValue>)
        -> BusValue
    {
        .entry(
            key: .objectPath(path),
            value: .array(of: "{sa{sv}}", [.entry(key: .string(interface), value: .variants(values))]))
    }

    /// bluetoothd's objects: an adapter, where there is one, and the radios that it hears.
    private static func objects(isOn: Bool?, _ radios: BusValue...) -> BusValue {
        let adapters = isOn.map { [object(adapter, DesktopNames.adapter, ["Powered": .boolean($0)])] }
        return .array(of: "{oa{sa{sv}}}", (adapters ?? []) + radios)
    }

    private static let radio = object(
        adapter + "/dev_C0_11_22_33_44_55", DesktopNames.device,
        [
            "Address": .string("C0:11:22:33:44:55"), "Adapter": .objectPath(adapter), "Name": .string("MeshCore-alice"),
            "Paired": .boolean(false), "Connected": .boolean(false), "ServicesResolved": .boolean(false),
            "UUIDs": .strings([BluetoothUUID.nordicUART.description]), "RSSI": .int16(-60),
        ])

    // MARK: Permissions

    @Test(arguments: [(nil, PermissionState.unavailable), (false, .off), (true, .granted)])
    func `Bluetooth is there when bluetoothd has an adapter that is on`(isOn: Bool?, state: PermissionState)
        async throws
    {
        let bus = try PrivateBus()
        let host = Self.host(bus.address)
        #expect(await host.state(of: .bluetooth) == .unavailable, "bluetoothd does not run")

        let bluez = try bus.play(DesktopNames.service) { _, _, _ in [Self.objects(isOn: isOn)] }
        defer { bluez.stop() }

        #expect(await host.state(of: .bluetooth) == state)
    }

    @Test func `Bluetooth that this user may not use is denied`() async throws {
        let bus = try PrivateBus()
        let connection = Mutex<Bus?>(nil)
        let opened = try Bus(.address(bus.address)) { event in
            guard case .call(let call) = event else { return }
            connection.withLock { $0 }?.refuse(call, name: "org.freedesktop.DBus.Error.AccessDenied", text: "")
        }
        connection.withLock { $0 = opened }
        try opened.own(DesktopNames.service)

        #expect(await Self.host(bus.address).state(of: .bluetooth) == .denied)
    }

    @Test func `without a bus there is neither Bluetooth nor a position`() async {
        let host = Self.host(Self.nowhere)

        #expect(await host.state(of: .bluetooth) == .unavailable)
        #expect(await host.state(of: .location) == .unavailable)
    }

    @Test func `a position that the machine offers is off`() async throws {
        let bus = try PrivateBus()
        #expect(await Self.host(bus.address).state(of: .location) == .unavailable)

        let source = try bus.play("org.freedesktop.GeoClue2") { _, _, _ in [] }
        defer { source.stop() }

        #expect(await Self.host(bus.address).state(of: .location) == .off)
    }

    @Test func `notifications are those of the desktop, and off until they are asked for`() async {
        let desktop = MemoryNotificationSink()
        var host = Self.host(Self.nowhere, desktop: desktop)
        #expect(await host.state(of: .notifications) == .off)
        host.notifies = true
        #expect(await host.state(of: .notifications) == .granted)
        await desktop.setAvailable(false)
        #expect(await host.state(of: .notifications) == .unavailable)
    }

    // MARK: Scanning

    /// Reads a scan until its end.
    private static func scanned(_ host: AppHost, heard: () -> Void = {}) async -> (
        found: [FoundDevice], end: StackError?
    ) {
        var found: [FoundDevice] = []
        do {
            for try await device in host.scan() {
                found.append(device)
                heard()
            }
            return (found, nil)
        } catch {
            return (found, error as? StackError)
        }
    }

    @Test func `a scan without a bus ends at once, with a sentence`() async throws {
        let (found, end) = await Self.scanned(Self.host(Self.nowhere))

        let shown = ErrorPresentation(try #require(end))
        #expect(found.isEmpty && shown.code == "scan-failed")
        #expect(shown.message.contains("the system has no bus for bluetoothd"))
        #expect(shown.title == "Connection" && !shown.recovery.isEmpty)
    }

    @Test func `a scan lists radios by their addresses, and says that bluetoothd has ended`() async throws {
        let bus = try PrivateBus()
        let bluez = try bus.play(DesktopNames.service) { _, method, _ in
            method == "GetManagedObjects" ? [Self.objects(isOn: true, Self.radio)] : []
        }

        let (found, end) = await Self.scanned(Self.host(bus.address)) { bluez.stop() }

        let device = try #require(found.first)
        #expect(device.endpoint == RadioEndpoint("ble:C0:11:22:33:44:55"))
        #expect(device.name == "MeshCore-alice" && device.rssi == -60 && !device.isPaired)
        // It does not run, or did not answer any more.
        #expect(end?.code == "scan-failed" && end?.description.contains("bluetoothd does not") == true)
    }

    @Test func `a scan ends with its reader, and the next one begins`() async throws {
        let bus = try PrivateBus()
        let bluez = try bus.play(DesktopNames.service) { _, method, _ in
            method == "GetManagedObjects" ? [Self.objects(isOn: true, Self.radio)] : []
        }
        defer { bluez.stop() }
        let host = Self.host(bus.address)
        var found: [String] = []

        // A scan that goes on keeps the adapter for 40 s, and the next one is refused.
        for _ in 1...2 {
            for try await device in host.scan() {
                found.append(device.name)
                break
            }
        }

        #expect(found == ["MeshCore-alice", "MeshCore-alice"])
    }

    // MARK: Addresses

    @Test(arguments: [
        ("192.168.1.20", "tcp://192.168.1.20:5000"), ("tcp://radio", "tcp://radio:5000"),
        ("ble:MeshCore-alice?pin=654321", "ble:MeshCore-alice"), ("loopback:pair/alice", "loopback:pair/alice?seed=1"),
    ])
    func `an address is completed, and its text has no PIN`(text: String, whole: String) throws {
        #expect(try "\(Self.host(Self.nowhere).endpoint(at: text))" == whole)
    }

    @Test func `an address that is none says what is missing`() throws {
        let error = #expect(throws: StackError.self) { try Self.host(Self.nowhere).endpoint(at: "alice") }

        #expect(error?.code == "address-invalid")
        #expect(error?.description.contains("expected tcp://HOST:PORT") == true)
    }

    @Test func `the PIN of a radio stays with its link, also the one that is typed later`() async throws {
        let host = Self.host(Self.nowhere)
        func pin(_ endpoint: RadioEndpoint) throws -> UInt32? {
            guard case .link(.bluetooth(let radio)) = try host.transports.address(of: endpoint) else { return nil }
            return radio.pin
        }
        let endpoint = try host.endpoint(at: "ble:MeshCore-alice?via=hci1&pin=654321")
        #expect(try pin(endpoint) == 654_321)

        try await host.pair(with: endpoint, pin: "123456")

        #expect(try pin(endpoint) == 123_456)
        // Connecting again by the same address forgets none.
        _ = try host.endpoint(at: "\(endpoint)")
        #expect(try pin(endpoint) == 123_456)
    }

    @Test func `a link over Bluetooth has the time of all its phases`() {
        let (limits, policy) = (BluetoothCentral.Limits(), ConnectionPolicy())
        let phases = limits.scanning.microseconds + limits.connecting.microseconds + limits.discovering.microseconds

        #expect(policy.pairingLimit >= .microseconds(phases))
        #expect(limits.refusals < limits.discovering && policy.pairingAttempts == 1)
    }
}
