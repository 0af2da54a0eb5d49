public import FoundationEssentials

/// A companion radio, as it said of itself, and where the synchronisation with it stands.
public struct DeviceDTO: Sendable, Hashable, Identifiable {
    /// See `StableIdentifier.device`; other policies may choose another.
    public var id: UUID
    /// The Ed25519 key, 32 bytes.
    public var publicKey: Data
    /// The name of the node.
    public var nodeName: String
    /// The firmware's version code, not the protocol's.
    public var firmwareVersion: UInt8
    /// The release, as the radio says it.
    public var firmwareVersionString: String
    /// Maker and board, as the radio says them.
    public var manufacturerName: String
    /// The build date of the firmware, as the radio reports it.
    public var buildDate: String
    /// Contacts that the radio holds at most.
    public var maxContacts: Int
    /// Channel slots of the radio.
    public var maxChannels: Int
    /// Frequency, in kHz.
    public var frequencyKHz: UInt32
    /// Bandwidth, in Hz.
    public var bandwidthHz: UInt32
    /// Spreading factor.
    public var spreadingFactor: UInt8
    /// Coding rate, as the denominator of 4/x.
    public var codingRate: UInt8
    /// The transmit power in dBm; negative values are allowed.
    public var txPower: Int8
    /// The highest transmit power of the board, in dBm.
    public var maxTxPower: UInt8
    /// The latitude in degrees; north and east are positive.
    public var latitude: Double
    /// The longitude in degrees, east positive.
    public var longitude: Double
    /// The pairing code; 0 for none.
    public var blePin: UInt32
    /// True when new contacts wait for the app.
    public var manualAddContacts: Bool
    /// The number of acknowledgements that a node sends for one message, less one.
    public var multiAcks: UInt8
    /// The nodes that may request battery and the like: 0 deny, 1 by contact flags, 2 allow all.
    public var telemetryModeBase: UInt8
    /// The nodes that may request the position: 0 deny, 1 by contact flags, 2 allow all.
    public var telemetryModeLoc: UInt8
    /// The nodes that may request the measurements of sensors: 0 deny, 1 by contact flags, 2 allow all.
    public var telemetryModeEnv: UInt8
    /// The policy for positions in adverts: 0 none, other values include one.
    public var advertLocationPolicy: UInt8
    /// `nil`: the firmware does not say.
    public var clientRepeat: Bool?
    /// Bytes of the path hashes of its floods, less one.
    public var pathHashMode: UInt8
    /// The date of its last connection.
    @WholeSeconds public var lastConnected: Date
    /// The watermark of incremental contact synchronisation, on the radio's clock; 0 for none.
    ///
    /// Saving a known radio leaves this and the three below alone; each has an operation of its own.
    public var lastContactSync: UInt32
    /// The date of the last complete listing of contacts; `nil` before the first.
    @WholeSeconds public var lastFullContactSync: Date?
    /// True for the radio that the user works with.
    public var isActive: Bool
    /// The regions with known names, for scopes of floods.
    public var knownRegions: [String]

    public init(
        id: UUID, publicKey: Data, nodeName: String, firmwareVersion: UInt8 = 0, firmwareVersionString: String = "",
        manufacturerName: String = "", buildDate: String = "", maxContacts: Int = 0, maxChannels: Int = 0,
        frequencyKHz: UInt32 = 0, bandwidthHz: UInt32 = 0, spreadingFactor: UInt8 = 0, codingRate: UInt8 = 0,
        txPower: Int8 = 0, maxTxPower: UInt8 = 0, latitude: Double = 0, longitude: Double = 0, blePin: UInt32 = 0,
        manualAddContacts: Bool = false, multiAcks: UInt8 = 0, telemetryModeBase: UInt8 = 0,
        telemetryModeLoc: UInt8 = 0, telemetryModeEnv: UInt8 = 0, advertLocationPolicy: UInt8 = 0,
        clientRepeat: Bool? = nil, pathHashMode: UInt8 = 0, lastConnected: Date, lastContactSync: UInt32 = 0,
        lastFullContactSync: Date? = nil, isActive: Bool = false, knownRegions: [String] = []
    ) {
        self.id = id
        self.publicKey = publicKey
        self.nodeName = nodeName
        self.firmwareVersion = firmwareVersion
        self.firmwareVersionString = firmwareVersionString
        self.manufacturerName = manufacturerName
        self.buildDate = buildDate
        self.maxContacts = maxContacts
        self.maxChannels = maxChannels
        self.frequencyKHz = frequencyKHz
        self.bandwidthHz = bandwidthHz
        self.spreadingFactor = spreadingFactor
        self.codingRate = codingRate
        self.txPower = txPower
        self.maxTxPower = maxTxPower
        self.latitude = latitude
        self.longitude = longitude
        self.blePin = blePin
        self.manualAddContacts = manualAddContacts
        self.multiAcks = multiAcks
        self.telemetryModeBase = telemetryModeBase
        self.telemetryModeLoc = telemetryModeLoc
        self.telemetryModeEnv = telemetryModeEnv
        self.advertLocationPolicy = advertLocationPolicy
        self.clientRepeat = clientRepeat
        self.pathHashMode = pathHashMode
        self.lastConnected = lastConnected
        self.lastContactSync = lastContactSync
        self.lastFullContactSync = lastFullContactSync
        self.isActive = isActive
        self.knownRegions = knownRegions
    }

    /// The first 6 bytes of the key.
    public var publicKeyPrefix: Data { publicKey.prefix(6) }
    /// Bandwidth, in kHz.
    public var bandwidthKHz: Double { Double(bandwidthHz) / 1000 }
    /// Frequency, in MHz.
    public var frequencyMHz: Double { Double(frequencyKHz) / 1000 }
}

extension DeviceDTO: StoredRow {
    static let table = "device"
    static let columns = walkedColumns()

    init() {
        self.init(id: .none, publicKey: Data(), nodeName: "", lastConnected: Date(timeIntervalSince1970: 0))
    }

    mutating func walk<W: ColumnWalker>(_ w: inout W) {
        w.column("id", &id)
        w.column("publicKey", &publicKey)
        w.column("nodeName", &nodeName)
        w.column("firmwareVersion", &firmwareVersion)
        w.column("firmwareVersionString", &firmwareVersionString)
        w.column("manufacturerName", &manufacturerName)
        w.column("buildDate", &buildDate)
        w.column("maxContacts", &maxContacts)
        w.column("maxChannels", &maxChannels)
        w.column("frequencyKHz", &frequencyKHz)
        w.column("bandwidthHz", &bandwidthHz)
        w.column("spreadingFactor", &spreadingFactor)
        w.column("codingRate", &codingRate)
        w.column("txPower", &txPower)
        w.column("maxTxPower", &maxTxPower)
        w.column("latitude", &latitude)
        w.column("longitude", &longitude)
        w.column("blePin", &blePin)
        w.column("manualAddContacts", &manualAddContacts)
        w.column("multiAcks", &multiAcks)
        w.column("telemetryModeBase", &telemetryModeBase)
        w.column("telemetryModeLoc", &telemetryModeLoc)
        w.column("telemetryModeEnv", &telemetryModeEnv)
        w.column("advertLocationPolicy", &advertLocationPolicy)
        w.column("clientRepeat", &clientRepeat)
        w.column("pathHashMode", &pathHashMode)
        w.column("lastConnected", &lastConnected)
        w.column("lastContactSync", &lastContactSync)
        w.column("lastFullContactSync", &lastFullContactSync)
        w.column("isActive", &isActive)
        w.column("knownRegions", &knownRegions)
    }
}
