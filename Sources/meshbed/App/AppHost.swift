import MeshBluetoothHost
import MeshBus
import MeshCore
import MeshDesktop
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

    /// Pairs with this PIN when the radio is connected next; an address without one keeps the PIN that is known.
    func note(_ address: RadioAddress) {
        guard case .link(.bluetooth(let radio)) = address, radio.pin != nil else { return }
        known.withLock { $0["\(address)"] = address }
    }

    /// Returns the address of a radio, with the PIN where one was given.
    func address(of endpoint: RadioEndpoint) throws(LinkError) -> RadioAddress {
        let text = "\(endpoint)"
        if let address = known.withLock({ $0[text] }) { return address }
        return try RadioAddress(text)
    }

    func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport {
        try await address(of: endpoint).transport(clock: clock, on: executor)
    }
}

/// The services of this machine for the app: Bluetooth, where the desktop's daemon runs, and what users permit.
struct AppHost: HostServices {
    /// The name of the desktop's source of positions.
    private static let positions = "org.freedesktop.GeoClue2"
    /// The length of a scan; the picker ends it as well.
    private static let scanTime = TimeSpan.seconds(40)

    let transports: AppTransports
    /// The sink that shows notifications on the desktop, or that is only asked whether there is a desktop.
    var desktop: any NotificationSink = DesktopNotificationSink()
    /// True when notifications are sent to the desktop.
    var notifies = false
    /// The bus of bluetoothd and of the source of positions.
    var bus = Bus.Place.system

    // MARK: Permissions

    func state(of permission: PermissionKind) async -> PermissionState {
        switch permission {
        case .bluetooth: await asked { PermissionState(BluetoothCentral.DesktopFault.found(on: $0)) }
        case .notifications: await desktop.isAvailable() ? notifies ? .granted : .off : .unavailable
        // The app takes no position from the machine; users enter theirs.
        case .location: await asked { SystemService.isOffered(Self.positions, on: $0) ? .off : .unavailable }
        }
    }

    /// Asks a service of the system on a thread of its own, because that blocks.
    private func asked(_ question: @escaping @Sendable (Bus.Place) -> PermissionState) async -> PermissionState {
        await withCheckedContinuation { continuation in
            SystemThread.start { [bus] in continuation.resume(returning: question(bus)) }
        }
    }

    // MARK: Radios

    func endpoint(at text: String) throws -> RadioEndpoint {
        do throws(LinkError) {
            let address = try RadioAddress(text)
            // The text has no PIN, so it can be stored and shown.
            transports.note(address)
            guard let endpoint = RadioEndpoint("\(address)") else { throw .badAddress(text, reason: "is too short") }
            return endpoint
        } catch {
            throw StackError(.connection, .addressInvalid("\(error)"))
        }
    }

    func scan() -> AsyncThrowingStream<FoundDevice, any Error> {
        let (found, heard) = AsyncThrowingStream.makeStream(
            of: FoundDevice.self, bufferingPolicy: .bufferingNewest(256))
        let hold = BluetoothHolds.Hold()
        heard.onTermination = { _ in hold.hangUp() }
        // A thread of its own: it waits for the daemon.
        SystemThread.start { [bus] in
            do throws(LinkError) {
                try BluetoothScan.run(via: .desktop(nil), for: Self.scanTime, on: bus, hold: hold) { neighbor in
                    if let device = FoundDevice(neighbor) { heard.yield(device) }
                }
                heard.finish()
            } catch {
                heard.finish(throwing: StackError(.connection, .scanFailed(error.reason)))
            }
        }
        return found
    }

    func pair(with endpoint: RadioEndpoint, pin: String) async throws {
        // Connecting pairs, with the number that the address has.
        let text = "\(endpoint)"
        transports.note(try RadioAddress(text + (text.contains("?") ? "&" : "?") + "pin=\(pin)"))
    }
}

extension PermissionState {
    /// The permission to use Bluetooth, by what prevents a scan.
    fileprivate init(_ fault: BluetoothCentral.DesktopFault?) {
        self =
            switch fault {
            case nil: .granted
            case .notAllowed: .denied
            case .poweredOff: .off
            default: .unavailable
            }
    }
}

extension FoundDevice {
    /// A radio in range; `nil` where its address has no text.
    fileprivate init?(_ neighbor: BluetoothNeighbor) {
        let address = "\(BluetoothRadio.Peer.address(neighbor.address))"
        guard let endpoint = RadioEndpoint("\(LinkAddress.bluetooth(BluetoothRadio(.address(neighbor.address))))")
        else {
            return nil
        }
        self.init(
            endpoint: endpoint, name: neighbor.name ?? address, rssi: neighbor.signal, isPaired: neighbor.isPaired)
    }
}
