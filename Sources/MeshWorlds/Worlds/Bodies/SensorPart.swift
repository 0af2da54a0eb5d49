package import MeshFirmware

/// A part of ``SensorParts`` by its name, with what it measures and how far.
package struct SensorPart: Sendable {
    /// The name on the part, as `"BME280"`.
    package let name: String
    /// The set of this part alone.
    package let parts: SensorParts
    /// The values that it measures, in the order of its telemetry.
    package let readings: [Reading]

    /// A value that a part measures.
    package struct Reading: Sendable {
        /// The word for it, as `"temperature"`; a meter of one input has no number behind it.
        package let word: String
        /// The quantity that it is a reading of.
        package let quantity: Quantity
        /// The range that the part measures, in the quantity's unit.
        package let range: ClosedRange<Double>
    }

    private init(_ name: String, _ parts: SensorParts, _ readings: [(String, Quantity, ClosedRange<Double>?)]) {
        self.name = name
        self.parts = parts
        self.readings = readings.map { Reading(word: $0.0, quantity: $0.1, range: $0.2 ?? $0.1.row.range) }
    }

    /// All parts, in the order of the firmware's table.
    ///
    /// Ranges are those of the parts' data sheets, within what is reported; those of meters follow from the shunt of
    /// 0.1 Ω that builds expect. Source: firmware, `EnvironmentSensorManager`.
    package static let all: [SensorPart] = {
        let climate: [(String, Quantity, ClosedRange<Double>?)] = [
            ("temperature", .temperature, nil), ("humidity", .humidity, nil),
        ]
        let height: [(String, Quantity, ClosedRange<Double>?)] = [
            ("pressure", .pressure, nil), ("altitude", .altitude, nil),
        ]
        let barometer = [("temperature", Quantity.temperature, nil as ClosedRange<Double>?)] + height
        return [
            SensorPart("AHTX0", .ahtx0, climate),
            SensorPart("BME680", .bme680, climate + height + [("gas_resistance", .gasResistance, nil)]),
            SensorPart(
                "BME680-BSEC", .bme680BSEC,
                climate + height
                    + [
                        ("air_quality", .airQuality, nil), ("air_quality_accuracy", .airQualityAccuracy, nil),
                    ]),
            SensorPart("BME280", .bme280, climate + height),
            SensorPart("BMP280", .bmp280, barometer),
            SensorPart("SHTC3", .shtc3, climate),
            SensorPart("SHT4X", .sht4x, climate),
            SensorPart("LPS22HB", .lps22hb, [("temperature", .temperature, nil), ("pressure", .pressure, nil)]),
            SensorPart("INA3221", .ina3221, inputs),
            SensorPart("INA219", .ina219, meter(voltage: 26, current: 3.2)),
            SensorPart("INA260", .ina260, meter(voltage: 36, current: 15)),
            SensorPart("INA226", .ina226, meter(voltage: 36, current: 0.8)),
            SensorPart(
                "MLX90614", .mlx90614,
                [("object_temperature", .objectTemperature, nil), ("temperature", .temperature, nil)]),
            SensorPart("VL53L0X", .vl53l0x, [("distance", .distance, nil)]),
            SensorPart("BMP085", .bmp085, barometer),
            SensorPart(
                "RAK12035", .rak12035,
                [("temperature", .soilTemperature, nil), ("moisture", .soilMoisture, nil)]),
            SensorPart("T1000-E", .t1000e, [("light", .light, nil), ("temperature", .temperature, nil)]),
        ]
    }()

    /// A meter of one input, whose current has either sign.
    private static func meter(voltage: Double, current: Double) -> [(String, Quantity, ClosedRange<Double>?)] {
        let power = voltage * current
        return [
            ("voltage", .voltage1, 0...voltage), ("current", .current1, -current...current),
            ("power", .power1, -power...power),
        ]
    }

    /// The three inputs of an INA3221: 26 V, and 163.8 mV over the shunt.
    private static let inputs: [(String, Quantity, ClosedRange<Double>?)] = {
        let quantities: [(Quantity, Quantity, Quantity)] = [
            (.voltage1, .current1, .power1), (.voltage2, .current2, .power2), (.voltage3, .current3, .power3),
        ]
        return quantities.enumerated().flatMap { index, input in
            [
                ("voltage\(index + 1)", input.0, 0...26), ("current\(index + 1)", input.1, -1.638...1.638),
                ("power\(index + 1)", input.2, -42.588...42.588),
            ] as [(String, Quantity, ClosedRange<Double>?)]
        }
    }()
}
