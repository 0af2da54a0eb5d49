public import Foundation

/// A companion radio, as it said of itself, and where the synchronisation with it stands.
public struct DeviceDTO: Sendable, Hashable, Identifiable {
    /// See `StableIdentifier.device`; other policies may choose another.
    public var id: UUID
    /// The Ed25519 key, 32 bytes.
    public var publicKey: Data
    public var nodeName: String
    /// The firmware's version code, not the protocol's.
    public var firmwareVersion: UInt8
    public var firmwareVersionString: String
    public var manufacturerName: String
    public var buildDate: String
    public var maxContacts: Int
    public var maxChannels: Int
    public var frequencyKHz: UInt32
    public var bandwidthHz: UInt32
    public var spreadingFactor: UInt8
    public var codingRate: UInt8
    /// In dBm; negative values are allowed.
    public var txPower: Int8
    public var maxTxPower: UInt8
    /// In degrees; north and east are positive.
    public var latitude: Double
    public var longitude: Double
    /// The pairing code; 0 for none.
    public var blePin: UInt32
    public var manualAddContacts: Bool
    /// How many acknowledgements a node sends for one message, less one.
    public var multiAcks: UInt8
    public var telemetryModeBase: UInt8
    public var telemetryModeLoc: UInt8
    public var telemetryModeEnv: UInt8
    public var advertLocationPolicy: UInt8
    /// `nil`: the firmware does not say.
    public var clientRepeat: Bool?
    public var pathHashMode: UInt8
    @WholeSeconds public var lastConnected: Date
    /// The watermark of incremental contact synchronisation, on the radio's clock; 0 for none.
    ///
    /// Saving a known radio leaves this and the three below alone; each has an operation of its own.
    public var lastContactSync: UInt32
    @WholeSeconds public var lastFullContactSync: Date?
    public var isActive: Bool
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
    public var bandwidthKHz: Double { Double(bandwidthHz) / 1000 }
    public var frequencyMHz: Double { Double(frequencyKHz) / 1000 }
    public var hasMultiAcks: Bool { multiAcks > 0 }
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
