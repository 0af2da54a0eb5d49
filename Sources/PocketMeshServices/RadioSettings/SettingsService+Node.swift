import MeshCompanion
import MeshCore
import MeshWire

// What the radio tells others of its node.
extension SettingsService {
    // MARK: Name

    /// Cut to 31 bytes, not inside a character.
    public func setNodeName(_ name: String) async throws {
        try check(name)
        try await plain { try await $0.setName(name) }
    }

    /// Names the node, and makes sure of it; throws when the radio has another name afterwards.
    @discardableResult
    public func setNodeNameVerified(_ name: String) async throws -> DeviceDTO {
        try check(name)
        let expected = SetAdvertName(name).name
        return try await verified([.exactly("name", expected.readable) { $0.name.readable }]) {
            try await $0.setName(name)
        }
    }

    private func check(_ name: String) throws {
        // Radios want a byte at least, and end a name at its first NUL.
        guard !name.isEmpty, !name.utf8.contains(0) else { throw StackError(.settings, .outOfRange(field: "name")) }
    }

    // MARK: Other parameters

    /// Changes some of the values that the radio accepts together only; the others stay.
    public func setOtherParams(_ change: OtherParamsChange) async throws {
        try await plain { _ = try await $0.changeOtherParams(change.apply) }
    }

    /// Changes these values, and makes sure of them; throws when the radio has others afterwards.
    @discardableResult
    public func setOtherParamsVerified(_ change: OtherParamsChange) async throws -> DeviceDTO {
        try await verified(change.expectations) { _ = try await $0.changeOtherParams(change.apply) }
    }

    // MARK: Bluetooth

    /// The pairing code from the next start on: 100000 to 999999, or 0 for the built-in or a random one.
    public func setDevicePin(_ pin: UInt32) async throws {
        try check(pin: pin)
        try await plain { try await $0.setDevicePin(pin) }
    }

    /// Sets the Bluetooth PIN, and makes sure of it: 0 or six digits.
    @discardableResult
    public func setDevicePinVerified(_ pin: UInt32) async throws -> DeviceDTO {
        try check(pin: pin)
        return try await verified([], amend: { $0.blePin = pin }) { session in
            try await session.setDevicePin(pin)
            let actual = try await session.queryDevice().blePin
            // No code in an error: texts of errors are logged.
            guard actual == pin else {
                throw StackError(.settings, .verificationFailed(expected: "the new PIN", actual: "another one"))
            }
        }
    }

    private func check(pin: UInt32) throws {
        guard pin == 0 || (100_000...999_999).contains(pin) else {
            throw StackError(.settings, .outOfRange(field: "pin"))
        }
    }

    // MARK: Paths

    /// Sets the bytes of a hop in the paths of floods that start here, less one: 0 to 2.
    @discardableResult
    public func setPathHashModeVerified(_ mode: UInt8) async throws -> DeviceDTO {
        guard mode <= 2 else { throw StackError(.settings, .outOfRange(field: "pathHashMode")) }
        try await require(.pathHashMode)
        return try await verified([], amend: { $0.pathHashMode = mode }) { session in
            try await session.setPathHashMode(mode)
            let actual = try await session.queryDevice().pathHashMode
            guard actual == mode else {
                throw StackError(
                    .settings,
                    .verificationFailed(
                        expected: "pathHashMode \(mode)", actual: "pathHashMode \(actual.map(String.init) ?? "none")"))
            }
        }
    }
}

/// The changes to values that the radio accepts together; `nil` leaves one as it is.
public struct OtherParamsChange: Hashable, Sendable {
    /// True when contacts are added by hand only.
    public var manualAdd: Bool?
    /// The nodes that may request telemetry: nobody 0, contacts with permission 1, everybody 2.
    public var telemetryBase: UInt8?
    /// The nodes that may request the position: 0 deny, 1 by contact flags, 2 allow all.
    public var telemetryLocation: UInt8?
    /// The nodes that may request the measurements of sensors: 0 deny, 1 by contact flags, 2 allow all.
    public var telemetryEnvironment: UInt8?
    /// True when adverts carry the position.
    public var sharesLocation: Bool?
    /// The number of further copies of acknowledgements on direct routes.
    public var multiAcks: UInt8?

    public init(
        manualAdd: Bool? = nil, telemetryBase: UInt8? = nil, telemetryLocation: UInt8? = nil,
        telemetryEnvironment: UInt8? = nil, sharesLocation: Bool? = nil, multiAcks: UInt8? = nil
    ) {
        self.manualAdd = manualAdd
        self.telemetryBase = telemetryBase
        self.telemetryLocation = telemetryLocation
        self.telemetryEnvironment = telemetryEnvironment
        self.sharesLocation = sharesLocation
        self.multiAcks = multiAcks
    }

    @Sendable func apply(_ params: inout OtherParams) {
        // The other bits of the byte belong to firmware that we do not know.
        if let manualAdd { params.manualAdd = params.manualAdd & ~1 | (manualAdd ? 1 : 0) }
        if let telemetryBase { params.telemetryModes.base = telemetryBase }
        if let telemetryLocation { params.telemetryModes.location = telemetryLocation }
        if let telemetryEnvironment { params.telemetryModes.environment = telemetryEnvironment }
        if let sharesLocation { params.advertLocationPolicy = sharesLocation ? 1 : 0 }
        if let multiAcks { params.multiAcks = multiAcks }
    }

    var expectations: [SettingExpectation] {
        var all: [SettingExpectation] = []
        if let manualAdd { all.append(.exactly("manualAdd", manualAdd) { $0.manualAdd & 1 != 0 }) }
        if let telemetryBase { all.append(.mode("telemetryBase", telemetryBase, \.base)) }
        if let telemetryLocation { all.append(.mode("telemetryLocation", telemetryLocation, \.location)) }
        if let telemetryEnvironment { all.append(.mode("telemetryEnvironment", telemetryEnvironment, \.environment)) }
        if let sharesLocation {
            all.append(.exactly("sharesLocation", sharesLocation) { $0.advertLocationPolicy != 0 })
        }
        if let multiAcks { all.append(.exactly("multiAcks", multiAcks, \.multiAcks)) }
        return all
    }
}

extension SettingExpectation {
    /// Expects one of the three telemetry modes; it has two bits, so the radio never reports a larger number.
    fileprivate static func mode(
        _ name: String, _ value: UInt8, _ read: @escaping @Sendable (TelemetryModes) -> UInt8
    ) -> SettingExpectation {
        .exactly(name, value) { read(TelemetryModes(rawValue: $0.telemetryModes)) }
    }
}
