public import FoundationEssentials
import Logging

// Listening to the radio, and the end of it.
extension ServiceContainer {
    /// Has every service listen to the radio, once. Messages are requested from its queue only with `enableAutoFetch`.
    public func startEventMonitoring(deviceID: UUID, enableAutoFetch: Bool = true) async {
        guard monitoredDeviceID == nil else { return }
        monitoredDeviceID = deviceID
        countBadge(of: deviceID)
        await advertisementService.startEventMonitoring(deviceID: deviceID)
        await messageService.startEventListening(deviceID: deviceID)
        await messageService.startAckExpiryChecking()
        await remoteNodeService.startEventMonitoring(deviceID: deviceID)
        await binaryProtocolService.startEventMonitoring(deviceID: deviceID)
        await settingsService.startEventMonitoring(deviceID: deviceID)
        do { try await imageService.startEventMonitoring(deviceID: deviceID) } catch {
            dependencies.log.error("pictures are not received", metadata: ["error": "\(error)"])
        }
        await messagePollingService.startEventMonitoring(deviceID: deviceID)
        if enableAutoFetch { await messagePollingService.startAutoFetch(deviceID: deviceID) }
    }

    /// Ends the listening of all services, in the opposite order.
    public func stopEventMonitoring() async {
        guard monitoredDeviceID != nil else { return }
        monitoredDeviceID = nil
        await messagePollingService.stopEventMonitoring()
        await imageService.stop()
        await settingsService.stopEventMonitoring()
        await binaryProtocolService.stopEventMonitoring()
        await remoteNodeService.stopEventMonitoring()
        await remoteNodeService.stopAllKeepAlives()
        await messageService.stopAckExpiryChecking()
        await messageService.stopEventListening()
        await advertisementService.stop()
        await advertisementService.dropFoundingHandlers()
    }

    /// Ends every task and every wait of the services, for good.
    public func tearDown() async {
        await syncCoordinator.onDisconnected()
        await stopEventMonitoring()
        await messagePollingService.stop()
        await imageService.stop()
        await roomServerService.stop()
        await remoteNodeService.stop()
        await binaryProtocolService.stop()
        await advertisementService.stop()
        await settingsService.stop()
        await messageService.stop()
        await syncCoordinator.stop()
        events.finish()
    }
}
