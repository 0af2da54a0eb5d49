import FoundationEssentials
import MeshFiles
import MeshHTTP
import PocketMeshUI

// The first steps, and the choice of a radio.
extension AppAPI {
    nonisolated static let deviceRoutes: [WebRoute<AppAPI>] = [
        WebRoute("GET", "/onboarding") { api, _ in
            await api.onboarding.checkPermissions()
            return try await api.tellOnboarding()
        },
        WebRoute("POST", "/onboarding/advance") { api, call in
            _ = try call.fields()
            await api.onboarding.advance()
            return try await api.tellOnboarding()
        },
        WebRoute("POST", "/onboarding/back") { api, call in
            _ = try call.fields()
            await api.onboarding.goBack()
            return try await api.tellOnboarding()
        },
        WebRoute("POST", "/onboarding/reset") { api, call in
            _ = try call.fields()
            await api.onboarding.reset()
            return try await api.tellOnboarding()
        },
        WebRoute("GET", "/devices") { api, _ in
            await api.picker.load()
            return try await api.tellDevices()
        },
        WebRoute("POST", "/devices/scan") { api, call in
            if try call.fields("isOn").bool("isOn") ?? true {
                await api.picker.startScan()
            } else {
                await api.picker.stopScan()
            }
            return try await api.tellDevices()
        },
        WebRoute("POST", "/devices/connect") { api, call in
            await api.picker.connect(to: try call.fields("address").needString("address"))
            return try await api.tellDevices()
        },
        WebRoute("POST", "/devices/reconnect") { api, call in
            _ = try call.fields()
            return try await api.attempt {
                guard let id = api.state.deviceID else {
                    throw WebRefusal(.conflict, "no radio was connected before")
                }
                try await api.state.connect(to: id)
            }
        },
        WebRoute("POST", "/devices/pin") { api, call in
            if let pin = try call.fields("pin").string("pin") {
                await api.picker.enterPIN(pin)
            } else {
                await api.picker.cancelPIN()
            }
            return try await api.tellDevices()
        },
        WebRoute("POST", "/devices/disconnect") { api, call in
            _ = try call.fields()
            await api.picker.disconnect()
            return try await api.tellDevices()
        },
        WebRoute("POST", "/devices/rename") { api, call in
            let fields = try call.fields("deviceID", "name")
            guard let id = UUID(uuidString: try fields.needString("deviceID")) else {
                throw fields.problem("deviceID", "is no identifier")
            }
            await api.picker.rename(id, to: try fields.needString("name"))
            return try await api.tellDevices()
        },
        WebRoute("POST", "/devices/forget") { api, call in
            let fields = try call.fields("deviceID", "deletesData")
            guard let id = UUID(uuidString: try fields.needString("deviceID")) else {
                throw fields.problem("deviceID", "is no identifier")
            }
            await api.picker.forget(id, deletingData: try fields.bool("deletesData") ?? false)
            return try await api.tellDevices()
        },
    ]

    private struct OnboardingRecord: Encodable {
        let page: OnboardingPage
        let permissions: [PermissionRow]
        let isDone: Bool
    }

    private func tellOnboarding() throws -> WebAnswer {
        try told(
            onboarding,
            OnboardingRecord(
                page: onboarding.page, permissions: onboarding.permissions, isDone: state.hasCompletedOnboarding))
    }

    private struct DevicesRecord: Encodable {
        let saved: [DeviceRow]
        let found: [DeviceRow]
        let isScanning: Bool
        let scanFailure: ErrorPresentation?
        let canScan: Bool
        let isConnecting: Bool
        let pinRequest: DeviceRow?
        /// The reason why the last connection failed, until another one is tried or works.
        let failure: ErrorPresentation?
    }

    private func tellDevices() throws -> WebAnswer {
        try told(
            picker,
            DevicesRecord(
                saved: picker.saved, found: picker.found, isScanning: picker.isScanning,
                scanFailure: picker.scanFailure, canScan: picker.canScan, isConnecting: picker.isConnecting,
                pinRequest: picker.pinRequest,
                failure: state.showingConnectionFailedAlert ? state.connectionFailedMessage : nil))
    }
}
