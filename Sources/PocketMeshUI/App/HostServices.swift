public import PocketMeshServices

/// A permission that the host has to grant.
public enum PermissionKind: String, Codable, Sendable, Hashable, CaseIterable {
    case bluetooth, notifications, location
}

/// The answer of the host to a request for a permission.
public enum PermissionState: String, Codable, Sendable, Hashable {
    case granted
    /// The host says no.
    case denied
    /// The user has not switched it on.
    case off
    /// The host has nothing of the kind.
    case unavailable
}

/// The requests of an app to its host: the radios nearby, and the permissions.
///
/// An app without Bluetooth leaves it out; pages then offer an address instead of a scan.
public protocol HostServices: Sendable {
    /// Asks the machine whether it has the service behind a permission, and whether this user may use it.
    func state(of permission: PermissionKind) async -> PermissionState
    /// Reads the address of a radio as users type it. Throws a sentence that says what is missing.
    func endpoint(at text: String) throws -> RadioEndpoint
    /// Scans for radios until the reader ends; each reception is an element. An error says why the scan has ended
    /// early.
    func scan() -> AsyncThrowingStream<FoundDevice, any Error>
    /// Pairs with a radio by the number that it shows. Throws the host's errors.
    func pair(with endpoint: RadioEndpoint, pin: String) async throws
}

extension HostServices {
    /// Reads an address that is whole.
    public func endpoint(at text: String) throws -> RadioEndpoint {
        guard let endpoint = RadioEndpoint(text) else { throw StackError(.connection, .addressUnknown(text)) }
        return endpoint
    }
}

/// A radio that was heard.
public struct FoundDevice: Sendable, Hashable {
    /// The address of the radio.
    public var endpoint: RadioEndpoint
    /// The name under which the radio advertises itself.
    public var name: String
    /// The RSSI of the radio, in dBm; `nil` where the host does not say.
    public var rssi: Int?
    /// True when the radio is paired already.
    public var isPaired: Bool

    public init(endpoint: RadioEndpoint, name: String, rssi: Int? = nil, isPaired: Bool = false) {
        self.endpoint = endpoint
        self.name = name
        self.rssi = rssi
        self.isPaired = isPaired
    }
}
