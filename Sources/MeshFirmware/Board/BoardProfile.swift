public import MeshCompanion
public import MeshRadio
public import MeshTime

/// The build parameters of a board: what differs from one published build to the next.
public struct BoardProfile: Hashable, Codable, Sendable {
    /// The name users pick it by.
    public var name: String
    /// Manufacturer and model as in DEVICE_INFO, at most 39 bytes; clients recognise boards by it.
    public var model: String
    /// The version of the firmware that it runs.
    public var firmware = FirmwareVersion.standard
    /// `MAX_CONTACTS`.
    public var maxContacts = 350
    /// `MAX_GROUP_CHANNELS`.
    public var maxChannels = 40
    /// `OFFLINE_QUEUE_SIZE`: messages kept for the app.
    public var offlineQueueSize = 256
    /// Packets in queues and in flight.
    public var packetPoolSize = 16
    /// Outgoing frames a TCP interface holds.
    public var sendQueueSize = 4
    /// `MAX_LORA_TX_POWER` in dBm, and the power of a factory-fresh node.
    public var maxTxPower: Int8 = 22
    /// Transmit power of a factory-fresh node, in dBm.
    public var txPower: Int8 = 22
    /// LoRa parameters of a factory-fresh node.
    public var radio = LoRaParameters()
    /// Symbols in the preamble of every frame; by firmware and spreading factor when `nil`.
    public var preambleSymbols: UInt16?
    /// The radio chip, which decides how airtime is rounded and which settings exist.
    public var chip = RadioChip.sx126x
    /// `BLE_PIN_CODE`.
    public var blePin = BoardProfile.commonPIN
    /// A display that works. It shows the PIN. A companion radio without a stored PIN draws one at each boot where
    /// that of its build is ``commonPIN``.
    public var hasDisplay = false
    /// Frequencies in kHz on which a client may repeat, as (low, high) pairs.
    public var allowedRepeatFrequencies: [ClosedRange<UInt32>] = [
        433_000...433_000, 869_495...869_495, 918_000...918_000,
    ]
    /// Answers to EXPORT_PRIVATE_KEY (`ENABLE_PRIVATE_KEY_EXPORT`).
    public var allowsPrivateKeyExport = true
    /// True when IMPORT_PRIVATE_KEY sets the key (`ENABLE_PRIVATE_KEY_IMPORT`).
    public var allowsPrivateKeyImport = true
    /// A line on the console of a server for each packet that it receives or sends (`MESH_PACKET_LOGGING`).
    public var logsPackets = false
    /// A GPS receiver that is found at boot.
    public var hasGPS = false
    /// The time that a build spends looking for a GPS receiver before its main loop begins: `delay` of
    /// `initBasicGPS`.
    ///
    /// Zero for builds that do not look. Companion radios have set their clock by the contacts before.
    public var gpsSearch = TimeSpan.zero
    /// Knowledge of GPS in the build; all published builds with sensors know everything.
    public var gpsBuild = GPSBuild.complete
    /// A receiver that can be switched off (`PIN_GPS_EN`); any other stays on whatever the setting.
    public var switchesGPS = true
    /// The processor's family, where builds differ by it.
    public var platform = BoardPlatform.esp32
    /// Boosted gain of the receiver of a fresh repeater or room server, on SX1262 and SX1268
    /// (`SX126X_RX_BOOSTED_GAIN`).
    public var boostsReceiveGain = true
    /// An amplifier before the radio that can be switched when receiving (Heltec V4) and when sending (Station G3).
    public var hasSwitchedReceiveAmplifier = false
    /// An amplifier that can be switched when sending.
    public var hasSwitchedTransmitAmplifier = false
    /// Factor of the battery reading, on boards where it can be set (`ADC_MULTIPLIER`).
    public var adcMultiplier: Float?
    /// General-purpose outputs (`setGpio`); without them `io` of sensors does nothing and reads 0.
    public var hasOutputs = false
    /// Knowledge of the reason of a start and of the source of power (`NRF52_POWER_MANAGEMENT`).
    public var hasPowerManagement = false
    /// Voltage below which the board does not start on its battery, in millivolts (`PWRMGT_VOLTAGE_BOOTLOCK`); `nil`
    /// for boards that start at any.
    public var bootLockMillivolts: UInt16?
    /// Voltage below which a companion radio switches itself off, in millivolts (`AUTO_SHUTDOWN_MILLIVOLTS`); `nil`
    /// for builds that do not. Only some have it: on a Heltec V3 those for Bluetooth, with 3400.
    public var autoShutdownMillivolts: UInt16?
    /// Code of the board itself that switches it off; since 1.17 that of its processor's family does.
    public var hasPowerOff = true
    /// Version of the boot loader; nRF52 only, where it may be unknown.
    public var bootloaderVersion: String?
    /// The bridge that connects two repeaters beside the radio (`WITH_RS232_BRIDGE`, `WITH_ESPNOW_BRIDGE`).
    public var bridge = BridgeKind.none
    /// Updates of an ESP32 build through a Wi-Fi network of its own (`ADMIN_PASSWORD` set, `DISABLE_WIFI_OTA` not).
    public var updatesOverWifi = true
    /// Size of the file system that holds the contacts, in KiB; what does not fit is not stored.
    public var storageKiB: UInt32 = 1536
    /// KiB in use on an empty file system.
    public var storageOverheadKiB: UInt32 = 0
    /// Battery voltage unless another is set, in millivolts.
    public var batteryMillivolts: UInt16 = 4200
    /// Processor temperature in tenths of a degree, where the board can measure it: all ESP32 and nRF52 boards do.
    public var mcuTemperatureTenths: Int16? = 380
    /// Deleting a contact deletes its stored advert (ESP32, RP2040; not nRF52, STM32).
    public var deletesStoredAdverts = true
    /// The longest advert packet that storage accepts.
    public var maxStoredAdvert = 255
    /// Time of the clock after power-on without a battery-backed clock: 2024-05-15.
    public var clockAtPowerOn: UInt32 = 1_715_770_351
    /// A clock that keeps running over a restart by software (ESP32; not nRF52, which starts anew).
    public var keepsClockOverRestart = true
    /// The time from a restart to the end of `setup`: boot loader, file system, radio. Its waits are added.
    public var bootDelay = TimeSpan.milliseconds(1500)
    /// The duration of one pass of the main loop when there is more to do.
    public var loopPeriod = TimeSpan.microseconds(100)

    public init(name: String, model: String) {
        self.name = name
        self.model = model
    }

    /// The time that `setup` of an infrastructure node waits before the main loop begins; its uptime includes it.
    public var serverSetup: TimeSpan { .seconds(1) + gpsSearch }

    /// The release as DEVICE_INFO and the command line give it.
    public var firmwareVersion: String { firmware.text }

    /// True when a companion radio may have several interfaces at once (FWV-203).
    package var hasSeveralInterfaces: Bool { firmware.switches.hasSeveralInterfaces }

    /// Frequencies in kHz on which an app may have it repeat, by its build and its firmware (FWV-016).
    public var repeatFrequencies: [ClosedRange<UInt32>] {
        let middle = firmware.switches.middleRepeatFrequency
        // A build may replace the list since the release that changed it.
        guard middle != FirmwareSwitches().middleRepeatFrequency else { return allowedRepeatFrequencies }
        return [433_000...433_000, middle...middle, 918_000...918_000]
    }

    /// Returns the airtime arithmetic for this board's chip and preamble.
    public func airtime(_ parameters: LoRaParameters) -> Airtime {
        Airtime(
            parameters, chip: chip,
            preambleSymbols: preambleSymbols ?? firmware.switches.preambleSymbols(parameters.spreadingFactor))
    }

    /// The PIN that published builds have, unless their board shows a drawn one.
    public static let commonPIN: UInt32 = 123_456

    /// Heltec V3: ESP32 with SX1262, the most common companion build.
    public static let heltecV3 = BoardProfile(name: "heltec-v3", model: "Heltec V3")

    /// RAK 4631: nRF52 with SX1262; keeps adverts of deleted contacts, none longer than 166 bytes.
    public static let rak4631: BoardProfile = {
        var board = BoardProfile(name: "rak4631", model: "RAK 4631")
        board.platform = .nrf52
        board.mcuTemperatureTenths = 270
        board.hasPowerManagement = true
        board.bootLockMillivolts = 3300
        board.hasPowerOff = false
        board.deletesStoredAdverts = false
        board.keepsClockOverRestart = false
        board.maxStoredAdvert = 166
        board.storageKiB = 100
        return board
    }()

    /// A small build: few contacts, few channels, the queue of the source's default.
    public static let small: BoardProfile = {
        var board = BoardProfile(name: "small", model: "Generic")
        board.maxContacts = 100
        board.maxChannels = 8
        board.offlineQueueSize = 16
        return board
    }()

    /// A board for benchmarks, unlike any real one.
    ///
    /// A million messages can wait for the app, and a processor a hundred times as fast looks at its link every
    /// microsecond.
    public static let bench: BoardProfile = {
        var board = BoardProfile(name: "bench", model: "Heltec V3")
        board.offlineQueueSize = 1_000_000
        board.loopPeriod = .microseconds(1)
        return board
    }()

    /// The boards that can be picked by name.
    public static let all: [BoardProfile] = [heltecV3, rak4631, small, bench]
}

/// Knowledge of GPS receivers in a build.
public enum GPSBuild: String, Hashable, Codable, Sendable, CaseIterable {
    /// No command (`ENV_INCLUDE_GPS` unset).
    case absent
    /// The commands, but nothing that they could be about.
    case withoutProvider
    /// The commands, and what looks for a receiver.
    case complete
}

/// The families of processors, as far as the command line of infrastructure nodes distinguishes them.
public enum BoardPlatform: String, Hashable, Codable, Sendable, CaseIterable {
    case esp32
    case nrf52
    /// RP2040, STM32 and whatever else the firmware is built for.
    case other
}

/// The connections of two repeaters beside the radio. Source: InfrastructureNodes, "Bridge".
public enum BridgeKind: String, Hashable, Codable, Sendable, CaseIterable {
    case none
    case rs232
    case espNow = "espnow"

    /// The bits that state it in a repeater's answer about its features.
    var features: UInt8 {
        switch self {
        case .none: 0
        case .rs232: 1
        case .espNow: 3
        }
    }
}
