import MeshCompanion
import MeshFirmware
import MeshWire

// What statements expect of the board that a radio was built as.
extension BoardProfile {
    /// Its battery voltage in telemetry: hundredths of a volt, cut as a 32-bit float is, high byte first.
    var volts: [UInt8] {
        let hundredths = UInt16(wholePart: Float(batteryMillivolts) / 1000 * 100)
        return [UInt8(hundredths >> 8), UInt8(hundredths & 0xFF)]
    }

    /// True where the radio reports the temperature of its processor.
    func knowsTemperature(in radio: Probe) -> Bool { radio.switches.reportsTemperature && mcuTemperatureTenths != nil }
}
