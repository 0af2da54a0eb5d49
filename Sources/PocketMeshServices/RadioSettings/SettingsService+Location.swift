import FoundationEssentials
import MeshCompanion
import MeshCore
public import MeshWire

// Where the radio says that it is.
//
// A place that somebody entered stays until somebody enters another: neither the host's own source nor the radio's
// receiver replaces it, unless they are asked to.
extension SettingsService {
    /// Sets the position for adverts; the radio no longer follows a source of places.
    public func setLocation(_ place: GeoPoint) async throws {
        try place.check(.settings)
        try await plain { try await $0.setCoordinates(latitude: place.latitude, longitude: place.longitude) }
        try await setFollowsLocationSource(false)
    }

    /// Sets a position by hand; a receiver of the radio that would overwrite it is switched off.
    @discardableResult
    public func setLocationVerified(_ place: GeoPoint) async throws -> DeviceDTO {
        try place.check(.settings)
        try await setFollowsLocationSource(false)
        return try await write(place, silencingReceiver: true)
    }

    /// Returns whether positions of the host's source are written to this radio; `false` by default.
    public func followsLocationSource() async throws -> Bool {
        try await inTerms(of: .settings) {
            try await store.setting(forKey: try await locationKey()) == "1"
        }
    }

    /// Sets whether the radio's position follows a location source.
    public func setFollowsLocationSource(_ follows: Bool) async throws {
        try await inTerms(of: .settings) {
            try await store.setSetting(follows ? "1" : nil, forKey: try await locationKey())
        }
    }

    /// Writes where the source is, if the radio is to follow it; whether anything was written.
    @discardableResult
    public func takeLocation(from source: any LocationSource) async throws -> Bool {
        guard try await followsLocationSource(), let place = await source.currentLocation(), place.isValid else {
            return false
        }
        // Somebody may have entered a place while the source was thinking.
        guard try await followsLocationSource() else { return false }
        try await write(place, silencingReceiver: false)
        return true
    }

    @discardableResult
    private func write(_ place: GeoPoint, silencingReceiver: Bool) async throws -> DeviceDTO {
        let expected: [SettingExpectation] = [
            .about("latitude", place.latitude, within: 0.000_002) { Double($0.latitude) / 1e6 },
            .about("longitude", place.longitude, within: 0.000_002) { Double($0.longitude) / 1e6 },
        ]
        return try await verified(expected) { session in
            if silencingReceiver { try await Self.silenceReceiver(session) }
            try await session.setCoordinates(latitude: place.latitude, longitude: place.longitude)
        }
    }

    private static func silenceReceiver(_ session: MeshCoreSession) async throws {
        do {
            let variables = try await session.getCustomVars()
            guard variables.contains(where: { $0.name == "gps" && $0.value != "0" }) else { return }
            try await session.setCustomVar("gps", "0")
        } catch SessionError.refused(_, .unsupportedCmd) {
            // Firmware without variables has no receiver either.
        }
    }

    private func locationKey() async throws -> String { "location.follows.\(try await row().id.uuidString)" }
}
