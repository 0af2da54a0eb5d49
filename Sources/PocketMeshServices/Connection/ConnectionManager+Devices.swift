public import FoundationEssentials

// The radios that are known.
extension ConnectionManager {
    /// All radios that were ever connected, the last one first.
    public func fetchSavedDevices() async throws(StackError) -> [DeviceDTO] {
        do { return try await store.fetchDevices() } catch { throw error.during(.connection) }
    }

    /// Connects to a known radio where it was reached last.
    public func connect(to deviceID: UUID) async throws {
        guard let endpoint = try await endpoints(of: deviceID).first else {
            throw StackError(.connection, .addressUnknown("any address"))
        }
        try await connect(endpoint: endpoint)
    }

    /// Ends the connection and connects to another known radio; when that fails there is no connection.
    public func switchDevice(to deviceID: UUID) async throws {
        try await connect(to: deviceID)
    }

    /// Copies the changes of a setting on the connected radio; other radios' rows are ignored.
    ///
    /// Observers of the services' events call it for `settingsChanged`. Without it the row of the connection stays as
    /// it was read.
    public func settingsChanged(to device: DeviceDTO) {
        guard connectedDevice?.id == device.id else { return }
        connectedDevice = device
        memory.lastDeviceName = device.nodeName
    }

    /// Forgets a radio's addresses and its pairing. The stored data of its mesh stay, unless they are to be deleted.
    ///
    /// Without an id it is the radio that is connected. Throws `bondKept` when only the pairing could not be removed.
    public func forgetDevice(_ deviceID: UUID? = nil, deletingData: Bool = false) async throws {
        guard let deviceID = deviceID ?? connectedDevice?.id ?? lastConnectedDeviceID else {
            throw StackError(.connection, .notConnected)
        }
        let endpoints = try await endpoints(of: deviceID)
        let target = plan.target ?? plan.intent
        if connectedDevice?.id == deviceID || target.map(endpoints.contains) == true { await disconnect() }
        if lastConnectedDeviceID == deviceID {
            memory.lastDeviceID = nil
            memory.lastDeviceName = nil
            await keepMemory()
        }
        let bonded = try await deleteEndpoints(endpoints)
        do {
            if deletingData { try await store.deleteDevice(id: deviceID) }
        } catch {
            throw error.during(.connection)
        }
        try await links.removeBonds(bonded)
    }

    /// Forgets the addresses; those of them that are paired.
    private func deleteEndpoints(_ endpoints: [RadioEndpoint]) async throws(StackError) -> [RadioEndpoint] {
        var bonded: [RadioEndpoint] = []
        do {
            for endpoint in endpoints {
                let (kind, address) = (endpoint.kind.rawValue, endpoint.address)
                let isBonded = try await store.fetchEndpoint(kind: kind, address: address)?.bonded
                if isBonded == true { bonded.append(endpoint) }
                try await store.deleteEndpoint(kind: kind, address: address)
                links.forget(endpoint)
            }
        } catch {
            throw error.during(.connection)
        }
        return bonded
    }

    /// Returns the addresses at which a radio is reached, the last used one first.
    private func endpoints(of deviceID: UUID) async throws(StackError) -> [RadioEndpoint] {
        do {
            return try await store.fetchEndpoints(deviceID: deviceID).map { RadioEndpoint($0) }
        } catch {
            throw error.during(.connection)
        }
    }
}
