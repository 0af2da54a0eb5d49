public import Foundation
public import MeshCompanion
import MeshCore
import MeshWire

extension DeviceDTO {
    /// The row of a radio, of what it said of itself and of its make; local fields have their defaults.
    public init(selfInfo: Resp.SelfInfo, deviceInfo: Resp.DeviceInfo?, id: UUID? = nil, lastConnected: Date) {
        let key = Data(selfInfo.publicKey.array)
        let modes = selfInfo.telemetryModes
        self.init(
            id: id ?? StableIdentifier.device(publicKey: key), publicKey: key, nodeName: selfInfo.name.readable,
            firmwareVersion: deviceInfo?.firmwareVersionCode ?? 0,
            firmwareVersionString: deviceInfo?.version.text.readable ?? "",
            manufacturerName: deviceInfo?.model.text.readable ?? "",
            buildDate: deviceInfo?.buildDate.text.readable ?? "",
            maxContacts: Int(deviceInfo?.halvedMaxContacts ?? 0) * 2, maxChannels: Int(deviceInfo?.maxChannels ?? 0),
            frequencyKHz: selfInfo.frequency, bandwidthHz: selfInfo.bandwidth,
            spreadingFactor: selfInfo.spreadingFactor,
            codingRate: selfInfo.codingRate, txPower: selfInfo.txPower, maxTxPower: selfInfo.maxTxPower,
            latitude: Double(selfInfo.latitude) / 1_000_000, longitude: Double(selfInfo.longitude) / 1_000_000,
            blePin: deviceInfo?.blePin ?? 0, manualAddContacts: selfInfo.manualAdd & 1 != 0,
            multiAcks: selfInfo.multiAcks, telemetryModeBase: modes & 3, telemetryModeLoc: modes >> 2 & 3,
            telemetryModeEnv: modes >> 4 & 3, advertLocationPolicy: selfInfo.advertLocationPolicy,
            clientRepeat: deviceInfo?.clientRepeat.map { $0 != 0 }, pathHashMode: deviceInfo?.pathHashMode ?? 0,
            lastConnected: lastConnected)
    }
}
