// Commands: what the radio keeps over a reboot.
public import MeshWire

/// Names the node.
///
/// Adverts and channel texts use the name at once, Bluetooth from the next boot on. Not validated.
///
/// Sent by the app. Errors: none of its own. Since 1.0. Source: `CMD_SET_ADVERT_NAME` in companion_radio,
/// 1.17.1.
public struct SetAdvertName: CommandFrame {
    public static let code = CommandCode.setAdvertName
    public typealias Reply = Resp.OK

    /// At least one byte; a single NUL makes the name empty.
    public var name: ByteText = ByteText()

    @inlinable public init() {}

    @inlinable
    public init(name: ByteText) {
        self.name = name
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.rest("name", &name, atMost: 31)
    }
}

/// Sets the position for adverts; a GPS overwrites it later.
///
/// Sent by the app. Errors: `illegalArg`. Since 1.0. Source: `CMD_SET_ADVERT_LATLON` in companion_radio,
/// 1.17.1.
public struct SetAdvertLatlon: CommandFrame {
    public static let code = CommandCode.setAdvertLatlon
    public typealias Reply = Resp.OK

    /// Latitude in millionths of a degree, north positive, -90 000 000 to 90 000 000.
    public var latitude: Int32 = 0
    /// Longitude in millionths of a degree, east positive, -180 000 000 to 180 000 000.
    public var longitude: Int32 = 0
    /// Ignored by the radio.
    public var altitude: Int32?

    @inlinable public init() {}

    @inlinable
    public init(latitude: Int32, longitude: Int32, altitude: Int32? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.i32("lat", &latitude, unit: .microdegrees, in: GeoPoint.latitudeMicrodegrees)
        w.i32("lon", &longitude, unit: .microdegrees, in: GeoPoint.longitudeMicrodegrees)
        w.tail("alt", &altitude)
    }
}

/// Sets the LoRa parameters, stores them and reconfigures the radio before it answers.
///
/// `illegalArg` when a value is outside its range, or when `repeat` is set on a frequency where repeating is not
/// allowed. The length is not checked, so a short frame is completed from earlier ones; without the last byte
/// repeating is switched off. A frequency, spreading factor or bandwidth that the chip does not know is stored,
/// reported and not applied.
///
/// Sent by the app. Errors: `illegalArg`. Since 1.0. Source: `CMD_SET_RADIO_PARAMS` in companion_radio, 1.17.1.
public struct SetRadioParams: CommandFrame {
    public static let code = CommandCode.setRadioParams
    public typealias Reply = Resp.OK

    /// Frequency in kHz, 150 000 to 2 500 000.
    public var frequency: UInt32 = 869_618
    /// Bandwidth in Hz, 7000 to 500 000.
    public var bandwidth: UInt32 = 62_500
    /// Spreading factor, 5 to 12.
    public var spreadingFactor: UInt8 = 8
    /// The denominator: 5 is 4/5.
    public var codingRate: UInt8 = 5
    /// Other than 0: forward packets of others.
    public var clientRepeat: UInt8?

    @inlinable public init() {}

    @inlinable
    public init(
        frequency: UInt32, bandwidth: UInt32, spreadingFactor: UInt8, codingRate: UInt8, clientRepeat: UInt8? = nil
    ) {
        self.frequency = frequency
        self.bandwidth = bandwidth
        self.spreadingFactor = spreadingFactor
        self.codingRate = codingRate
        self.clientRepeat = clientRepeat
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("freq", &frequency, unit: .kilohertz, in: 150_000...2_500_000)
        w.u32("bw", &bandwidth, unit: .hertz, in: 7_000...500_000)
        w.u8("sf", &spreadingFactor, in: 5...12)
        w.u8("cr", &codingRate, in: 5...8)
        w.tail("repeat", &clientRepeat, since: 9)
    }
}

/// Sets the transmit power of the chip.
///
/// Sent by the app. Errors: `illegalArg`. Since 1.0. Source: `CMD_SET_RADIO_TX_POWER` in companion_radio,
/// 1.17.1.
public struct SetRadioTxPower: CommandFrame {
    public static let code = CommandCode.setRadioTxPower
    public typealias Reply = Resp.OK

    /// At most the maximum in SELF_INFO.
    public var power: Int8 = 22

    @inlinable public init() {}

    @inlinable
    public init(power: Int8) {
        self.power = power
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.i8("dbm", &power, unit: .decibelMilliwatts, in: -9...30)
    }
}

/// Sets the receive delay and the duty cycle; not validated, clamped at the next boot.
///
/// Sent by the app. Errors: none of its own. Since 1.0. Source: `CMD_SET_TUNING_PARAMS` in companion_radio,
/// 1.17.1.
public struct SetTuningParams: CommandFrame {
    public static let code = CommandCode.setTuningParams
    public typealias Reply = Resp.OK

    /// Base of the delay of received floods by signal quality; 0 off.
    public var receiveDelay: UInt32 = 0
    /// f allows a duty of 1/(1+f).
    public var airtimeFactor: UInt32 = 1000

    @inlinable public init() {}

    @inlinable
    public init(receiveDelay: UInt32, airtimeFactor: UInt32) {
        self.receiveDelay = receiveDelay
        self.airtimeFactor = airtimeFactor
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("rx_delay", &receiveDelay, unit: .thousandths)
        w.u32("airtime_factor", &airtimeFactor, unit: .thousandths)
    }
}

/// Asks for the receive delay and the duty cycle.
///
/// Sent by the app. Errors: none of its own. Since 1.7.3. Source: `CMD_GET_TUNING_PARAMS` in companion_radio,
/// 1.17.1.
public struct GetTuningParams: CommandFrame, BareFrame {
    public static let code = CommandCode.getTuningParams
    public typealias Reply = Resp.TuningParams

    @inlinable public init() {}
}

/// Sets the rules for adding contacts, sharing telemetry, positions in adverts, and sending acks.
///
/// The length is not checked: `26` alone sets the first value to a byte of an earlier frame.
///
/// Sent by the app. Errors: none of its own. Since 1.5. Source: `CMD_SET_OTHER_PARAMS` in companion_radio,
/// 1.17.1.
public struct SetOtherParams: CommandFrame {
    public static let code = CommandCode.setOtherParams
    public typealias Reply = Resp.OK

    /// Bit 0: contacts are not added by themselves.
    public var manualAdd: UInt8 = 0
    /// Two bits each from bit 0: base, location, environment.
    public var telemetryModes: UInt8?
    /// Other than 0: adverts carry the position.
    public var advertLocationPolicy: UInt8?
    /// Other than 0: acks on direct routes go out twice.
    public var multiAcks: UInt8?

    @inlinable public init() {}

    @inlinable
    public init(
        manualAdd: UInt8, telemetryModes: UInt8? = nil, advertLocationPolicy: UInt8? = nil, multiAcks: UInt8? = nil
    ) {
        self.manualAdd = manualAdd
        self.telemetryModes = telemetryModes
        self.advertLocationPolicy = advertLocationPolicy
        self.multiAcks = multiAcks
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("manual_add", &manualAdd)
        w.tail("telemetry_modes", &telemetryModes, unit: .hex, since: 5)
        w.tail("adv_loc_policy", &advertLocationPolicy, since: 7)
        w.tail("multi_acks", &multiAcks, since: 7)
    }
}

/// Sets the Bluetooth PIN from the next boot on: 0 for the built-in one, or 6 digits.
///
/// Sent by the app. Errors: `illegalArg`. Since 1.4. Source: `CMD_SET_DEVICE_PIN` in companion_radio, 1.17.1.
public struct SetDevicePin: CommandFrame {
    public static let code = CommandCode.setDevicePin
    public typealias Reply = Resp.OK

    /// 1 to 99999 are refused too.
    public var pin: UInt32 = 0

    @inlinable public init() {}

    @inlinable
    public init(pin: UInt32) {
        self.pin = pin
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("pin", &pin, in: 0...999_999)
    }
}

/// Asks for the variables of the board's sensors.
///
/// Sent by the app. Errors: none of its own. Since 1.6. Source: `CMD_GET_CUSTOM_VARS` in companion_radio,
/// 1.17.1.
public struct GetCustomVars: CommandFrame, BareFrame {
    public static let code = CommandCode.getCustomVars
    public typealias Reply = Resp.CustomVars

    @inlinable public init() {}
}

/// Sets a variable of the board's sensors; `illegalArg` without a colon or with an unknown name.
///
/// Sent by the app. Errors: `illegalArg`. Since 1.6. Source: `CMD_SET_CUSTOM_VAR` in companion_radio, 1.17.1.
public struct SetCustomVar: CommandFrame {
    public static let code = CommandCode.setCustomVar
    public typealias Reply = Resp.OK

    /// `name:value`.
    public var setting: ByteText = ByteText()

    @inlinable public init() {}

    @inlinable
    public init(setting: ByteText) {
        self.setting = setting
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.rest("setting", &setting)
    }
}

/// Asks on which frequencies a companion may repeat.
///
/// Sent by the app. Errors: none of its own. Since 1.13. Source: `CMD_GET_ALLOWED_REPEAT_FREQ` in
/// companion_radio, 1.17.1.
public struct GetAllowedRepeatFreq: CommandFrame, BareFrame {
    public static let code = CommandCode.getAllowedRepeatFreq
    public typealias Reply = Resp.AllowedRepeatFreq

    @inlinable public init() {}
}

/// Sets the number of bytes for a hop in the paths of floods that start here.
///
/// Sent by the app. Errors: `illegalArg`. Since 1.14. Source: `CMD_SET_PATH_HASH_MODE` in companion_radio,
/// 1.17.1.
public struct SetPathHashMode: CommandFrame {
    public static let code = CommandCode.setPathHashMode
    public typealias Reply = Resp.OK

    /// Other than 0 is no known command.
    public var sub: UInt8 = 0
    /// Hash size less one.
    public var mode: UInt8 = 0

    @inlinable public init() {}

    @inlinable
    public init(sub: UInt8 = 0, mode: UInt8) {
        self.sub = sub
        self.mode = mode
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("sub", &sub, in: 0...0)
        w.u8("mode", &mode, in: 0...2)
    }
}
