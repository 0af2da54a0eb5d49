import MeshCompanion
import MeshWire
import StackTestSupport
import Synchronization

/// A scripted radio that accepts all settings, and keeps those that the test does not want changed.
final class SettableRadio: Sendable {
    private struct State {
        var info: Resp.SelfInfo
        var make: Resp.DeviceInfo
    }

    private let state: Mutex<State>
    /// Changes the radio's information after a setting.
    private let spoil: @Sendable (inout Resp.SelfInfo) -> Void

    init(
        _ info: Resp.SelfInfo = Frames.selfInfo, make: Resp.DeviceInfo = Frames.deviceInfo,
        spoil: @escaping @Sendable (inout Resp.SelfInfo) -> Void = { _ in }
    ) {
        state = Mutex(State(info: info, make: make))
        self.spoil = spoil
    }

    func answer(_ frame: [UInt8]) -> [[UInt8]] {
        state.withLock { state in
            switch frame.first.flatMap(CommandCode.init(rawValue:)) {
            case .appStart: return [state.info.encoded()]
            case .deviceQuery: return [state.make.encoded()]
            case .getCustomVars: return [Resp.CustomVars(vars: "").encoded()]
            case .getContacts:
                return [
                    Resp.ContactsStart(count: 0).encoded(), Resp.EndOfContacts(mostRecentLastModified: 0).encoded(),
                ]
            case .getDeviceTime: return [Resp.CurrTime(epoch: 1_749_900_000).encoded()]
            case .setDeviceTime: return [Frames.ok]
            default:
                guard Self.take(frame, &state.info, &state.make) else { return [] }
                spoil(&state.info)
                return [Frames.ok]
            }
        }
    }

    private static func take(_ frame: [UInt8], _ info: inout Resp.SelfInfo, _ make: inout Resp.DeviceInfo) -> Bool {
        if let name = try? SetAdvertName(decoding: frame) {
            info.name = name.name
        } else if let place = try? SetAdvertLatlon(decoding: frame) {
            (info.latitude, info.longitude) = (place.latitude, place.longitude)
        } else if let power = try? SetRadioTxPower(decoding: frame) {
            info.txPower = power.power
        } else if let radio = try? SetRadioParams(decoding: frame) {
            (info.frequency, info.bandwidth) = (radio.frequency, radio.bandwidth)
            (info.spreadingFactor, info.codingRate) = (radio.spreadingFactor, radio.codingRate)
            if make.clientRepeat != nil { make.clientRepeat = radio.clientRepeat ?? 0 }
        } else if let others = try? SetOtherParams(decoding: frame) {
            info.manualAdd = others.manualAdd
            info.telemetryModes = others.telemetryModes ?? info.telemetryModes
            info.advertLocationPolicy = others.advertLocationPolicy ?? info.advertLocationPolicy
            info.multiAcks = others.multiAcks ?? info.multiAcks
        } else if let pin = try? SetDevicePin(decoding: frame) {
            make.blePin = pin.pin
        } else if let mode = try? SetPathHashMode(decoding: frame) {
            make.pathHashMode = mode.mode
        } else {
            return false
        }
        return true
    }
}
