import MeshCompanion
import MeshPacket
import MeshWire

/// Bits of what a requester may see.
enum TelemetryPermission {
    static let base: UInt8 = 1
    static let location: UInt8 = 2
    static let environment: UInt8 = 4
}

// What the board measures (companion document §§6.39, 8, 9.9).
extension CompanionRadio {
    mutating func reportOwnTelemetry() {
        send(
            Push.TelemetryResponse(
                publicKeyPrefix: FixedBytes(core.publicKey.prefix(6)),
                lpp: telemetry(permissions: 0xFF, temperatureLast: false)))
    }

    /// Records in the firmware's order: voltage first; the temperature before the sensors for the own app, behind them
    /// for others.
    func telemetry(permissions: UInt8, temperatureLast: Bool) -> [UInt8] {
        var writer = LPPWriter(limit: PacketLimits.payload - 4)
        let isTruncated = core.quirks.contains(.floatConversions)
        if isTruncated {
            writer.appendVoltage(Float(environment.batteryMillivolts) / 1000, channel: 1)
        } else {
            let centivolts = (Int(environment.batteryMillivolts) + 5) / 10
            writer.append(LPPRecord(channel: 1, type: .voltage, numbers: [centivolts]))
        }
        if !temperatureLast { appendTemperature(to: &writer) }
        if permissions & TelemetryPermission.location != 0, gps.isActive {
            writer.appendGPS(
                latitude: Float(preferences.latitude), longitude: Float(preferences.longitude),
                altitude: Float(gps.altitude), channel: 1)
        }
        if temperatureLast { appendTemperature(to: &writer) }
        return writer.bytes
    }

    private func appendTemperature(to writer: inout LPPWriter) {
        guard let tenths = environment.mcuTemperatureTenths else { return }
        writer.append(LPPRecord(channel: 1, type: .temperature, numbers: [Int(tenths)]))
    }

    /// By mode of each kind: 2 everybody, 1 contacts with the flag, otherwise nobody.
    func telemetryPermissions(of contact: Contact) -> UInt8 {
        let flags = contact.flags >> 1
        func granted(_ mode: UInt8, _ bit: UInt8) -> UInt8 {
            switch mode {
            case 1: flags & bit
            case 2: bit
            default: 0
            }
        }
        return granted(preferences.telemetryBase, TelemetryPermission.base)
            | granted(preferences.telemetryLocation, TelemetryPermission.location)
            | granted(preferences.telemetryEnvironment, TelemetryPermission.environment)
    }
}
