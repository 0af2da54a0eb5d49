public import FoundationEssentials
public import MeshCompanion
import MeshCore
import MeshWire

extension DeviceDTO {
    /// Makes the row of a radio from its information and its make; local fields have their defaults.
    public init(selfInfo: Resp.SelfInfo, deviceInfo: Resp.DeviceInfo?, id: UUID? = nil, lastConnected: Date) {
        let key = Data(selfInfo.publicKey.array)
        self.init(
            id: id ?? StableIdentifier.device(publicKey: key), publicKey: key, nodeName: "",
            firmwareVersion: deviceInfo?.firmwareVersionCode ?? 0,
            firmwareVersionString: deviceInfo?.version.text.readable ?? "",
            manufacturerName: deviceInfo?.model.text.readable ?? "",
            buildDate: deviceInfo?.buildDate.text.readable ?? "",
            maxContacts: Int(deviceInfo?.halvedMaxContacts ?? 0) * 2, maxChannels: Int(deviceInfo?.maxChannels ?? 0),
            blePin: deviceInfo?.blePin ?? 0, clientRepeat: deviceInfo?.clientRepeat.map { $0 != 0 },
            pathHashMode: deviceInfo?.pathHashMode ?? 0, lastConnected: lastConnected)
        take(selfInfo)
    }

    /// Copies the radio's information about itself; its make and the local fields stay.
    package mutating func take(_ info: Resp.SelfInfo) {
        publicKey = Data(info.publicKey.array)
        nodeName = info.name.readable
        (frequencyKHz, bandwidthHz) = (info.frequency, info.bandwidth)
        (spreadingFactor, codingRate) = (info.spreadingFactor, info.codingRate)
        (txPower, maxTxPower) = (info.txPower, info.maxTxPower)
        (latitude, longitude) = (Double(info.latitude) / 1_000_000, Double(info.longitude) / 1_000_000)
        manualAddContacts = info.manualAdd & 1 != 0
        multiAcks = info.multiAcks
        advertLocationPolicy = info.advertLocationPolicy
        let modes = TelemetryModes(rawValue: info.telemetryModes)
        telemetryModeBase = modes.base
        telemetryModeLoc = modes.location
        telemetryModeEnv = modes.environment
    }
}
