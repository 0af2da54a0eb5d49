// Responses: what the radio says about itself.
public import MeshPacket
public import MeshWire

extension Resp {
    /// The node's own settings; answers APP_START.
    ///
    /// Until 1.4 the four bytes from `multi_acks` on were an altitude.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_SELF_INFO` in companion_radio,
    /// 1.17.1.
    public struct SelfInfo: ResponseFrame {
        public static let code = ResponseCode.selfInfo

        /// Always 1, a companion.
        public var advertType: NodeType = .chat
        /// Transmit power as set, in dBm.
        public var txPower: Int8 = 0
        /// The highest transmit power of the board, in dBm.
        public var maxTxPower: UInt8 = 0
        /// The node's own key.
        public var publicKey: FixedBytes<32> = FixedBytes()
        /// Latitude in millionths of a degree, north positive.
        public var latitude: Int32 = 0
        /// Longitude in millionths of a degree, east positive.
        public var longitude: Int32 = 0
        /// Not 0: the node sends its own acknowledgements on direct routes twice; a repeating one sends this many
        /// copies ahead.
        public var multiAcks: UInt8 = 0
        /// The choice of a position in adverts: 0 for none, other values for one.
        public var advertLocationPolicy: UInt8 = 0
        /// Two bits each from bit 0: base, location, environment.
        public var telemetryModes: UInt8 = 0
        /// Bit 0: new contacts wait for the app. The other bits have no meaning.
        public var manualAdd: UInt8 = 0
        /// Frequency in kHz.
        public var frequency: UInt32 = 0
        /// Bandwidth in Hz.
        public var bandwidth: UInt32 = 0
        /// Spreading factor.
        public var spreadingFactor: UInt8 = 0
        /// Coding rate, as the denominator of 4/x.
        public var codingRate: UInt8 = 0
        /// The node's name, at most 31 bytes of UTF-8.
        public var name: ByteText = ByteText()

        @inlinable public init() {}

        @inlinable
        public init(
            advertType: NodeType = .chat, txPower: Int8, maxTxPower: UInt8, publicKey: FixedBytes<32>, latitude: Int32,
            longitude: Int32, multiAcks: UInt8, advertLocationPolicy: UInt8, telemetryModes: UInt8, manualAdd: UInt8,
            frequency: UInt32, bandwidth: UInt32, spreadingFactor: UInt8, codingRate: UInt8, name: ByteText
        ) {
            self.advertType = advertType
            self.txPower = txPower
            self.maxTxPower = maxTxPower
            self.publicKey = publicKey
            self.latitude = latitude
            self.longitude = longitude
            self.multiAcks = multiAcks
            self.advertLocationPolicy = advertLocationPolicy
            self.telemetryModes = telemetryModes
            self.manualAdd = manualAdd
            self.frequency = frequency
            self.bandwidth = bandwidth
            self.spreadingFactor = spreadingFactor
            self.codingRate = codingRate
            self.name = name
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.raw("adv_type", &advertType)
            w.i8("tx_power", &txPower, unit: .decibelMilliwatts)
            w.u8("max_tx_power", &maxTxPower, unit: .decibelMilliwatts)
            w.fixed("public_key", &publicKey)
            w.i32("lat", &latitude, unit: .microdegrees)
            w.i32("lon", &longitude, unit: .microdegrees)
            w.u8("multi_acks", &multiAcks)
            w.u8("adv_loc_policy", &advertLocationPolicy)
            w.u8("telemetry_modes", &telemetryModes, unit: .hex)
            w.u8("manual_add_contacts", &manualAdd)
            w.u32("freq", &frequency, unit: .kilohertz)
            w.u32("bw", &bandwidth, unit: .hertz)
            w.u8("sf", &spreadingFactor)
            w.u8("cr", &codingRate)
            w.rest("name", &name, atMost: 31)
        }
    }

    /// The make of the radio: protocol level, capacities, board and build; answers DEVICE_QUERY.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_DEVICE_INFO` in companion_radio,
    /// 1.17.1.
    public struct DeviceInfo: ResponseFrame {
        public static let code = ResponseCode.deviceInfo

        /// The protocol level, `FIRMWARE_VER_CODE`.
        public var firmwareVersionCode: UInt8 = 13
        /// Half the contact limit.
        public var halvedMaxContacts: UInt8 = 0
        /// The number of channel slots.
        public var maxChannels: UInt8 = 0
        /// The stored PIN, not the one in use; 0 when none is stored.
        public var blePin: UInt32 = 0
        /// The date of the firmware's build, as its compiler wrote it.
        public var buildDate: FixedBytes<12> = FixedBytes()
        /// Maker and board.
        public var model: FixedBytes<40> = FixedBytes()
        /// The release of the firmware.
        public var version: FixedBytes<20> = FixedBytes()
        /// 1 when the companion repeats packets of others; nil from radios below level 9.
        public var clientRepeat: UInt8?
        /// Hash size less one.
        public var pathHashMode: UInt8?

        @inlinable public init() {}

        @inlinable
        public init(
            firmwareVersionCode: UInt8 = 13, halvedMaxContacts: UInt8, maxChannels: UInt8, blePin: UInt32,
            buildDate: FixedBytes<12>, model: FixedBytes<40>, version: FixedBytes<20>, clientRepeat: UInt8? = nil,
            pathHashMode: UInt8? = nil
        ) {
            self.firmwareVersionCode = firmwareVersionCode
            self.halvedMaxContacts = halvedMaxContacts
            self.maxChannels = maxChannels
            self.blePin = blePin
            self.buildDate = buildDate
            self.model = model
            self.version = version
            self.clientRepeat = clientRepeat
            self.pathHashMode = pathHashMode
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("fw_ver_code", &firmwareVersionCode)
            w.u8("max_contacts", &halvedMaxContacts)
            w.u8("max_channels", &maxChannels)
            w.u32("ble_pin", &blePin)
            w.text("build_date", &buildDate)
            w.text("model", &model)
            w.text("version", &version)
            w.tail("repeat", &clientRepeat, since: 9)
            w.tail("path_hash_mode", &pathHashMode, since: 10)
        }
    }

    /// The radio's clock.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_CURR_TIME` in companion_radio,
    /// 1.17.1.
    public struct CurrTime: ResponseFrame {
        public static let code = ResponseCode.currTime

        /// The radio's time, in seconds since 1970.
        public var epoch: UInt32 = 0

        @inlinable public init() {}

        @inlinable
        public init(epoch: UInt32) {
            self.epoch = epoch
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u32("epoch", &epoch, unit: .unixTime)
        }
    }

    /// Battery voltage, and the fill of the file system that holds the contacts.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_BATT_AND_STORAGE` in
    /// companion_radio, 1.17.1.
    public struct BattAndStorage: ResponseFrame {
        public static let code = ResponseCode.battAndStorage

        /// 0 on boards that cannot measure it.
        public var battery: UInt16 = 0
        /// The used and total size of the file system; nil from radios below level 6.
        public var storage: StorageUse?

        @inlinable public init() {}

        @inlinable
        public init(battery: UInt16, storage: StorageUse? = nil) {
            self.battery = battery
            self.storage = storage
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("battery", &battery, unit: .millivolts)
            w.tail("storage", &storage, size: 8, since: 6)
        }
    }

    /// The variables of the board's sensors; no further pair is begun once 140 characters are written.
    ///
    /// Sent by the radio in answer to a command. Since 1.6. Source: `RESP_CODE_CUSTOM_VARS` in companion_radio,
    /// 1.17.1.
    public struct CustomVars: ResponseFrame {
        public static let code = ResponseCode.customVars

        /// `name:value`, separated by commas.
        public var vars: ByteText = ByteText()

        @inlinable public init() {}

        @inlinable
        public init(vars: ByteText) {
            self.vars = vars
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("vars", &vars)
        }
    }

    /// Receive delay and duty cycle.
    ///
    /// Sent by the radio in answer to a command. Since 1.7.3. Source: `RESP_CODE_TUNING_PARAMS` in companion_radio,
    /// 1.17.1.
    public struct TuningParams: ResponseFrame {
        public static let code = ResponseCode.tuningParams

        /// Base of the receive delay, in thousandths.
        public var receiveDelay: UInt32 = 0
        /// Factor of the airtime for which the node is silent after it has sent, in thousandths.
        public var airtimeFactor: UInt32 = 0

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

    /// The node types that become contacts by themselves, and the distance from which they do.
    ///
    /// Sent by the radio in answer to a command. Since 1.12. Source: `RESP_CODE_AUTOADD_CONFIG` in companion_radio,
    /// 1.17.1.
    public struct AutoaddConfig: ResponseFrame {
        public static let code = ResponseCode.autoaddConfig

        /// The bits of `SetAutoaddConfig`.
        public var config: UInt8 = 0
        /// From how many hops away at most; nil from radios below level 10.
        public var maxHops: UInt8?

        @inlinable public init() {}

        @inlinable
        public init(config: UInt8, maxHops: UInt8? = nil) {
            self.config = config
            self.maxHops = maxHops
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("config", &config, unit: .hex)
            w.tail("max_hops", &maxHops, unit: .hops, since: 10)
        }
    }

    /// The frequency ranges on which a companion may repeat.
    ///
    /// Sent by the radio in answer to a command. Since 1.13. Source: `RESP_ALLOWED_REPEAT_FREQ` in companion_radio,
    /// 1.17.1.
    public struct AllowedRepeatFreq: ResponseFrame {
        public static let code = ResponseCode.allowedRepeatFreq

        /// The ranges, in the order of the radio's table.
        public var ranges: [FrequencyRange] = []

        @inlinable public init() {}

        @inlinable
        public init(ranges: [FrequencyRange]) {
            self.ranges = ranges
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.list("ranges", &ranges, size: 8)
        }
    }

    /// The stored flood scope, or nothing when there is none.
    ///
    /// Behind the NUL of the name may stand the end of an older, longer one.
    ///
    /// Sent by the radio in answer to a command. Since 1.15. Source: `RESP_CODE_DEFAULT_FLOOD_SCOPE` in
    /// companion_radio, 1.17.1.
    public struct DefaultFloodScope: ResponseFrame {
        public static let code = ResponseCode.defaultFloodScope

        /// The stored scope, or nil when there is none.
        public var scope: FloodScope?

        @inlinable public init() {}

        @inlinable
        public init(scope: FloodScope?) {
            self.scope = scope
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.tail("scope", &scope, size: 47)
        }
    }

    /// One channel slot, used or not.
    ///
    /// Sent by the radio in answer to a command. Since 1.3. Source: `RESP_CODE_CHANNEL_INFO` in companion_radio,
    /// 1.17.1.
    public struct ChannelInfo: ResponseFrame {
        public static let code = ResponseCode.channelInfo

        /// Slot of the channel, counted from 0.
        public var channelIndex: UInt8 = 0
        /// Behind the NUL: leftovers of earlier frames.
        public var name: FixedBytes<32> = FixedBytes()
        /// The key of the channel, 16 bytes; all zero in a slot that is free.
        public var secret: FixedBytes<16> = FixedBytes()

        @inlinable public init() {}

        @inlinable
        public init(channelIndex: UInt8, name: FixedBytes<32>, secret: FixedBytes<16>) {
            self.channelIndex = channelIndex
            self.name = name
            self.secret = secret
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("channel_idx", &channelIndex)
            w.text("name", &name)
            w.fixed("secret", &secret)
        }
    }
}
