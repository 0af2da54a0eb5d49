import MeshCompanion
import MeshPacket
import MeshWire

// What the board measures (CompanionStatements, CMP-210 and CMP-230).
extension CompanionRadio {
    mutating func reportOwnTelemetry() {
        send(
            Push.TelemetryResponse(
                publicKeyPrefix: FixedBytes(core.publicKey.prefix(6)), lpp: telemetry(.all, processor: .second)))
    }

    func telemetry(_ mask: TelemetryMask, processor: ProcessorPlace) -> [UInt8] {
        environment.telemetry(
            mask: mask, processor: core.switches.reportsTemperature ? processor : .absent, at: core.now,
            isRounding: !core.quirks.contains(.floatConversions))
    }

    /// Returns the permissions by the mode of each kind: 2 for all, 1 for contacts with the flag, otherwise none.
    func telemetryPermissions(of contact: Contact) -> TelemetryMask {
        let flags = TelemetryMask(rawValue: contact.flags >> 1)
        func granted(_ mode: UInt8, _ kind: TelemetryMask) -> TelemetryMask {
            switch mode {
            case 1: flags.intersection(kind)
            case 2: kind
            default: []
            }
        }
        return granted(preferences.telemetryBase, .base).union(granted(preferences.telemetryLocation, .location))
            .union(granted(preferences.telemetryEnvironment, .environment))
    }
}
