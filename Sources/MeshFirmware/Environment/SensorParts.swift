import MeshPacket

/// The sensor parts that a node found at boot, by the firmware's table of parts.
///
/// Each part gets the next channel from 2 on in the order of the table, those with several outputs several channels; at
/// most 16 channels. Parts that share an address on the bus (BME680, BME280 and BMP280; SHT4x and INA226) are not
/// fitted together on a real board. Source: InfrastructureNodes, "Telemetry types"; firmware, `SENSOR_TABLE` of
/// `EnvironmentSensorManager`.
public struct SensorParts: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// AHT10 and AHT20: temperature, humidity.
    public static let ahtx0 = SensorParts(rawValue: 1 << 0)
    /// Temperature, humidity, pressure, altitude, resistance of the gas sensor.
    public static let bme680 = SensorParts(rawValue: 1 << 1)
    /// BME680 with Bosch's library: air quality and its accuracy in place of the resistance.
    public static let bme680BSEC = SensorParts(rawValue: 1 << 2)
    /// Temperature, humidity, pressure, altitude.
    public static let bme280 = SensorParts(rawValue: 1 << 3)
    /// Temperature, pressure, altitude.
    public static let bmp280 = SensorParts(rawValue: 1 << 4)
    /// Temperature, humidity.
    public static let shtc3 = SensorParts(rawValue: 1 << 5)
    /// Temperature, humidity.
    public static let sht4x = SensorParts(rawValue: 1 << 6)
    /// Temperature, pressure.
    public static let lps22hb = SensorParts(rawValue: 1 << 7)
    /// Voltage, current and power of three inputs, each on a channel of its own.
    public static let ina3221 = SensorParts(rawValue: 1 << 8)
    /// Voltage, current and power of the first input, as the next two.
    public static let ina219 = SensorParts(rawValue: 1 << 9)
    public static let ina260 = SensorParts(rawValue: 1 << 10)
    public static let ina226 = SensorParts(rawValue: 1 << 11)
    /// Temperature of the object in front of it; on the next channel that of the air.
    public static let mlx90614 = SensorParts(rawValue: 1 << 12)
    /// Distance.
    public static let vl53l0x = SensorParts(rawValue: 1 << 13)
    /// Temperature, pressure, altitude.
    public static let bmp085 = SensorParts(rawValue: 1 << 14)
    /// Temperature and moisture of the soil.
    public static let rak12035 = SensorParts(rawValue: 1 << 15)
    /// The two sensors of Seeed's tracker T1000-E: light and temperature, on channel 1.
    ///
    /// Its build looks for no other part, and gives its position whether the GPS runs or not. Source: firmware,
    /// `T1000SensorManager`.
    public static let t1000e = SensorParts(rawValue: 1 << 16)

    /// `MAX_ACTIVE_SENSORS`: outputs, and so channels, that are read.
    public static let maximumOutputs = 16

    typealias Field = (type: LPPType, quantity: Quantity)

    /// The fields that each part writes, channel by channel, in the order in which parts are looked for.
    private static let table: [[[Field]]] = {
        let climate: [Field] = [(.temperature, .temperature), (.relativeHumidity, .humidity)]
        let height: [Field] = [(.barometricPressure, .pressure), (.altitude, .altitude)]
        let barometer: [Field] = [(.temperature, .temperature)] + height
        let air: [Field] = [(.genericSensor, .airQuality), (.analogInput, .airQualityAccuracy)]
        let meter1: [Field] = [(.voltage, .voltage1), (.current, .current1), (.power, .power1)]
        let meter2: [Field] = [(.voltage, .voltage2), (.current, .current2), (.power, .power2)]
        let meter3: [Field] = [(.voltage, .voltage3), (.current, .current3), (.power, .power3)]
        return [
            [climate],
            [climate + height + [(.genericSensor, .gasResistance)]],
            [climate + height + air],
            [climate + height],
            [barometer],
            [climate],
            [climate],
            [[(.temperature, .temperature), (.barometricPressure, .pressure)]],
            [meter1, meter2, meter3],
            [meter1],
            [meter1],
            [meter1],
            [[(.temperature, .objectTemperature)], [(.temperature, .temperature)]],
            [[(.distance, .distance)]],
            [barometer],
            [[(.temperature, .soilTemperature), (.percentage, .soilMoisture)]],
        ]
    }()

    /// The fields of parts that write on the board's own channel.
    var ownOutput: [Field] {
        contains(.t1000e) ? [(.luminosity, .light), (.temperature, .temperature)] : []
    }

    /// The outputs of the parts that are there; the first writes on channel 2.
    var outputs: ArraySlice<[Field]> {
        var outputs: [[Field]] = []
        for (index, part) in Self.table.enumerated() where rawValue >> index & 1 == 1 { outputs += part }
        return outputs.prefix(Self.maximumOutputs)
    }
}
