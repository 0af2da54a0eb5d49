public import FoundationEssentials
import MeshWire
public import Observation
import PocketMeshServices

/// A radio to choose.
public struct DeviceRow: Codable, Sendable, Hashable, Identifiable {
    /// The address of the radio, as text.
    public var id: String
    /// The row of a known radio.
    public var deviceID: UUID?
    /// The name under which the radio advertises itself.
    public var name: String
    /// The RSSI of the radio; `nil` for one that was not heard now.
    public var rssi: Int?
    /// True when the radio is connected.
    public var isConnected: Bool
    /// True when the radio was connected before.
    public var isKnown: Bool
    /// The sentence that a screen reader speaks.
    public var accessibilityLabel: String
}

/// The choice of a radio: those that are known, those that are heard, and an address.
@MainActor @Observable
public final class DevicePickerViewModel: ViewModel {
    /// The length of a scan.
    public static let scanTime = Duration.seconds(40)
    /// The greatest number of characters of a name that the user gives a radio; the rest is cut off.
    public static let nameLimit = 64
    /// The greatest number of radios that are listed.
    public static let limit = 200

    /// Radios that were connected before, the last one first.
    public private(set) var saved: [DeviceRow] = []
    /// Radios that are heard, the strongest first.
    public private(set) var found: [DeviceRow] = []
    /// True while the host scans.
    public private(set) var isScanning = false
    /// True when the host can scan.
    public private(set) var canScan = false
    /// True while a radio is being connected.
    public private(set) var isConnecting = false
    /// The reason why the last scan ended early; `nil` once the next one begins.
    public private(set) var scanFailure: ErrorPresentation?
    /// The radio whose number is asked for.
    public private(set) var pinRequest: DeviceRow?
    /// The last error, for the page; `nil` when there is none.
    public var error: ErrorPresentation?

    @ObservationIgnored private var appState: AppState?
    @ObservationIgnored private var heard: [FoundDevice] = []
    @ObservationIgnored private var scan: Task<Void, Never>?
    @ObservationIgnored private var scanCount = 0

    public init() {}

    public func configure(appState: AppState) {
        self.appState = appState
        canScan = appState.host != nil
    }

    /// Reads the known radios.
    public func load() async {
        guard let appState else { return }
        await read {
            let connected = appState.connectedDevice?.id
            var rows: [DeviceRow] = []
            for device in try await appState.connectionManager.fetchSavedDevices() {
                let endpoint = try await appState.store.fetchEndpoints(deviceID: device.id).first
                let given = try await appState.store.setting(forKey: AppState.SettingKey.deviceName(device.id))
                let name = given ?? device.nodeName
                rows.append(
                    DeviceRow(
                        id: endpoint.map { "\(RadioEndpoint($0))" } ?? device.id.uuidString, deviceID: device.id,
                        name: name, rssi: nil, isConnected: device.id == connected, isKnown: true,
                        accessibilityLabel: Texts.string(.deviceKnown, name)))
            }
            saved = rows
        }
    }

    // MARK: Scanning

    /// Listens for radios, until it is stopped or the time is up.
    public func startScan() async {
        guard let appState, let host = appState.host, !isScanning else { return }
        (heard, found, isScanning, error, scanFailure) = ([], [], true, nil, nil)
        scanCount += 1
        let (clock, number) = (appState.dependencies.clock, scanCount)
        let reading = Task(name: "scan for radios") { [weak self] in
            do {
                for try await device in host.scan() {
                    guard let self, !Task.isCancelled, scanCount == number else { return }
                    hear(device)
                }
                self?.endScan(number, nil)
            } catch {
                self?.endScan(number, error)
            }
        }
        scan = Task(name: "end of a scan") { [weak self] in
            try? await clock.sleep(for: Self.scanTime)
            reading.cancel()
            self?.endScan(number, nil)
        }
    }

    /// Ends this scan, unless the user has stopped it or begun another one.
    private func endScan(_ number: Int, _ failure: (any Error)?) {
        guard isScanning, scanCount == number else { return }
        stopScan()
        if let failure, !(failure is CancellationError) { scanFailure = ErrorPresentation(failure) }
    }

    /// Ends listening.
    public func stopScan() {
        scan?.cancel()
        (scan, isScanning) = (nil, false)
    }

    private func hear(_ device: FoundDevice) {
        guard isScanning else { return }
        if let index = heard.firstIndex(where: { $0.endpoint == device.endpoint }) {
            heard[index] = device
        } else if heard.count < Self.limit {
            heard.append(device)
        }
        heard.sort { ($0.rssi ?? -999, "\($1.endpoint)") > ($1.rssi ?? -999, "\($0.endpoint)") }
        found = heard.map { device in
            DeviceRow(
                id: "\(device.endpoint)", deviceID: nil, name: device.name, rssi: device.rssi, isConnected: false,
                isKnown: device.isPaired,
                accessibilityLabel: device.rssi.map { Texts.string(.deviceFound, device.name, "\($0)") }
                    ?? Texts.string(.deviceKnown, device.name))
        }
    }

    // MARK: Connecting

    /// Connects to an address, a known radio or one that was heard.
    ///
    /// For one that is not paired its number is asked first.
    public func connect(to address: String) async {
        guard let appState, !isConnecting else { return }
        if let device = heard.first(where: { "\($0.endpoint)" == address }), !device.isPaired,
            device.endpoint.kind == .ble
        {
            return pinRequest = found.first { $0.id == address }
        }
        await connect(address, appState)
    }

    /// Pairs with the number that the radio shows, and connects. Six digits; radios without a screen have 123456.
    public func enterPIN(_ pin: String) async {
        guard let appState, let request = pinRequest, let endpoint = RadioEndpoint(request.id) else { return }
        guard pin.count == 6, pin.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return error = ErrorPresentation(StackError(.connection, .outOfRange(field: "PIN")))
        }
        let isPaired = await attempt { try await appState.host?.pair(with: endpoint, pin: pin) }
        guard isPaired else { return }
        pinRequest = nil
        await connect(request.id, appState)
    }

    /// Asks for no number any more.
    public func cancelPIN() { pinRequest = nil }

    private func connect(_ address: String, _ appState: AppState) async {
        stopScan()
        isConnecting = true
        defer { isConnecting = false }
        let isConnected = await attempt {
            // A radio without an address is known by its row alone.
            if let id = UUID(uuidString: address) {
                try await appState.connect(to: id)
            } else {
                try await appState.connect(to: address)
            }
        }
        if isConnected, !appState.hasCompletedOnboarding {
            await attempt { try await appState.completeOnboarding() }
        }
        await load()
    }

    /// Ends the connection.
    public func disconnect() async {
        await appState?.disconnect()
        await load()
    }

    /// Gives a known radio a name in this list; an empty one gives it back the radio's own.
    public func rename(_ deviceID: UUID, to name: String) async {
        guard let appState else { return }
        let name = String(name.trimmed(where: \.isWhitespace).prefix(Self.nameLimit))
        await attempt {
            try await appState.store.setSetting(
                name.isEmpty ? nil : name, forKey: AppState.SettingKey.deviceName(deviceID))
        }
        await load()
    }

    /// Forgets how a radio is reached; its messages stay unless they are to go too.
    public func forget(_ deviceID: UUID, deletingData: Bool = false) async {
        guard let appState else { return }
        await attempt {
            try await appState.forgetDevice(deviceID, deletingData: deletingData)
        }
        await load()
    }
}
