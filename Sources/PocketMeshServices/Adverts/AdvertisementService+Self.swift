import MeshCompanion
import MeshCore
import MeshWire

// What the radio tells others of itself.
extension AdvertisementService {
    /// Sends our advert, to the whole mesh or to the nodes in reach.
    public func sendSelfAdvertisement(flood: Bool) async throws {
        try await inTerms(of: .adverts) { try await session.sendAdvertisement(flood: flood) }
    }

    /// Gives the radio another name, cut to 31 bytes; the next advert carries it.
    public func setAdvertName(_ name: String) async throws {
        try await inTerms(of: .adverts) {
            try await session.setName(name)
            try await changeRow { $0.nodeName = ByteText(name).cut(to: CompanionLimits.name - 1).string }
        }
    }

    /// Gives the radio another position, in degrees; the next advert carries it if the radio's policy allows it.
    public func setAdvertLocation(latitude: Double, longitude: Double) async throws {
        try GeoPoint(latitude: latitude, longitude: longitude).check(.adverts)
        try await inTerms(of: .adverts) {
            try await session.setCoordinates(latitude: latitude, longitude: longitude)
            try await changeRow { ($0.latitude, $0.longitude) = (latitude, longitude) }
        }
    }

    private func changeRow(_ change: (inout DeviceDTO) -> Void) async throws {
        guard let monitored, var device = try await store.fetchDevice(id: monitored) else { return }
        change(&device)
        try await store.saveDevice(device)
    }
}
