import FoundationEssentials
import MeshCore
import MeshEmulator
import MeshFiles
import MeshTime
import MeshTransports
import PocketMeshServices
import PocketMeshUI
import Synchronization

/// Links to radios by their address; those that were paired here have their PIN.
final class AppTransports: TransportMaking {
    private let clock: any Clock<Duration>
    private let executor: StackExecutor
    /// Addresses with a PIN, by their text, which has none.
    private let known: Mutex<[String: RadioAddress]>

    init(clock: any Clock<Duration>, executor: StackExecutor, target: RadioAddress?) {
        self.clock = clock
        self.executor = executor
        known = Mutex(target.map { ["\($0)": $0] } ?? [:])
    }

    /// Pairs with this PIN when the radio is connected next.
    func note(_ address: RadioAddress) { known.withLock { $0["\(address)"] = address } }

    func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport {
        let text = "\(endpoint)"
        let address = try known.withLock { $0[text] } ?? RadioAddress(text)
        return try await address.transport(clock: clock, on: executor)
    }
}

/// The services of this machine for the app: Bluetooth, where the desktop's daemon runs.
struct AppHost: HostServices {
    let transports: AppTransports

    func state(of permission: PermissionKind) async -> PermissionState {
        guard permission == .bluetooth else { return .unavailable }
        let bus = ProcessInfo.processInfo.environment["DBUS_SYSTEM_BUS_ADDRESS"]
        return bus != nil || FileManager.default.fileExists(atPath: "/run/dbus/system_bus_socket")
            ? .granted : .unavailable
    }

    func scan() async throws -> AsyncStream<FoundDevice> {
        let (found, heard) = AsyncStream.makeStream(of: FoundDevice.self, bufferingPolicy: .bufferingNewest(256))
        let (failures, failed) = AsyncStream.makeStream(of: LinkError?.self)
        // A thread of its own: it waits for the daemon.
        SystemThread.start {
            do throws(LinkError) {
                try BluetoothScan.run(via: .desktop(nil), for: .seconds(40)) { neighbor in
                    // The first one says that something is heard at all.
                    failed.yield(nil)
                    let address = "ble:\(BluetoothRadio.Peer.address(neighbor.address))"
                    guard let endpoint = RadioEndpoint(address) else { return }
                    heard.yield(
                        FoundDevice(
                            endpoint: endpoint,
                            name: neighbor.name ?? "\(BluetoothRadio.Peer.address(neighbor.address))",
                            rssi: neighbor.signal, isPaired: neighbor.isPaired))
                }
                failed.yield(nil)
            } catch {
                failed.yield(error)
            }
            failed.finish()
            heard.finish()
        }
        if let failure = await failures.first(where: { _ in true }), let failure { throw failure }
        return found
    }

    func pair(with endpoint: RadioEndpoint, pin: String) async throws {
        // Connecting pairs, with the number that the address has.
        let text = "\(endpoint)"
        transports.note(try RadioAddress(text + (text.contains("?") ? "&" : "?") + "pin=\(pin)"))
    }
}
