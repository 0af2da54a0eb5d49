package import MeshCompanion
package import MeshWire

/// The settings of a radio that a client can read and write back.
package struct RadioRecord: Sendable {
    /// `nil` where the radio does not report it, as in the next four: older radios, and those of others.
    package var selfInfo: Resp.SelfInfo?
    package var device: Resp.DeviceInfo?
    package var tuning: Resp.TuningParams?
    package var autoAdd: Resp.AutoaddConfig?
    package var scope: Resp.DefaultFloodScope?
    package var channels: [Resp.ChannelInfo] = []
    package var contacts: [ContactRecord] = []
    /// False for a radio that does not list its contacts.
    package var tellsContacts = true
    /// Only where it may be replaced.
    package var privateKey: FixedBytes<64>?

    package init(selfInfo: Resp.SelfInfo?, device: Resp.DeviceInfo?) {
        self.selfInfo = selfInfo
        self.device = device
    }

    /// The commands that write its settings, one of a kind; none for settings that it does not report.
    package var settings: [any CommandFrame] {
        var settings: [any CommandFrame] = []
        if let selfInfo {
            settings += [
                SetAdvertName(name: selfInfo.name.isEmpty ? ByteText(bytes: [0]) : selfInfo.name),
                SetAdvertLatlon(latitude: selfInfo.latitude, longitude: selfInfo.longitude),
                SetRadioParams(
                    frequency: selfInfo.frequency, bandwidth: selfInfo.bandwidth,
                    spreadingFactor: selfInfo.spreadingFactor, codingRate: selfInfo.codingRate,
                    clientRepeat: device?.clientRepeat),
                SetRadioTxPower(power: selfInfo.txPower),
            ]
        }
        if let device { settings.append(SetDevicePin(pin: device.blePin)) }
        if let selfInfo {
            settings.append(
                SetOtherParams(
                    manualAdd: selfInfo.manualAdd, telemetryModes: selfInfo.telemetryModes,
                    advertLocationPolicy: selfInfo.advertLocationPolicy, multiAcks: selfInfo.multiAcks))
        }
        // A scope until the next boot cannot be asked for; without a key the stored one counts again.
        settings.append(SetFloodScopeKey(key: nil))
        if let tuning {
            settings.append(
                SetTuningParams(receiveDelay: tuning.receiveDelay, airtimeFactor: tuning.airtimeFactor))
        }
        if let autoAdd { settings.append(SetAutoaddConfig(config: autoAdd.config, maxHops: autoAdd.maxHops)) }
        if let mode = device?.pathHashMode { settings.append(SetPathHashMode(mode: mode)) }
        if let scope { settings.append(SetDefaultFloodScope(scope: scope.scope)) }
        return settings
    }

    /// The same radio with the settings that statements expect: automatic adding, no scope, hashes of one byte, the
    /// usual tuning. What it does not tell is left as it is.
    package func usual(manualAdd: UInt8 = 0, telemetryModes: UInt8 = 0) -> RadioRecord {
        var record = self
        record.selfInfo?.manualAdd = manualAdd
        record.selfInfo?.telemetryModes = telemetryModes
        record.selfInfo?.advertLocationPolicy = 0
        record.selfInfo?.multiAcks = 0
        if tuning != nil { record.tuning = Resp.TuningParams(receiveDelay: 0, airtimeFactor: 1000) }
        if autoAdd != nil { record.autoAdd = Resp.AutoaddConfig(config: 0, maxHops: 0) }
        if device?.pathHashMode != nil { record.device?.pathHashMode = 0 }
        if scope != nil { record.scope = Resp.DefaultFloodScope(scope: nil) }
        return record
    }
}

extension AddUpdateContact {
    /// Writes a contact as it was, the time of its last change included.
    init(restoring contact: ContactRecord) {
        self.init(
            publicKey: contact.publicKey, type: contact.type, flags: contact.flags,
            outPathLength: contact.outPathLength, outPath: contact.outPath, name: contact.name,
            lastAdvert: contact.lastAdvert,
            position: Position(latitude: contact.latitude, longitude: contact.longitude),
            lastModified: contact.lastModified)
    }
}
