public import FoundationEssentials
import MeshCompanion
import MeshCore

// The battery watch.
extension SettingsService {
    /// Reads the battery from now on, every `SettingsPolicy.batteryInterval`, and follows readings of other callers.
    public func startEventMonitoring(deviceID: UUID) async {
        stopEventMonitoring()
        let readings = await session.events(filter: .battery)
        let reader = Task(name: "reader of the battery") {
            for await event in readings {
                guard case .battery(let reading) = event, !Task.isCancelled else { continue }
                await self.note(millivolts: Int(reading.battery), of: deviceID)
            }
        }
        watch = [reader]
        guard let interval = policy.batteryInterval else { return }
        let asker = Task(name: "battery watch") { [session, clock = dependencies.clock] in
            while (try? await clock.sleep(for: interval)) != nil {
                // The reader gets the answer. Without one there is the next time.
                _ = try? await session.getBattery()
            }
        }
        watch.append(asker)
    }

    /// Ends the background tasks; they can be started again.
    public func stopEventMonitoring() {
        for task in watch { task.cancel() }
        watch = []
    }

    private func note(millivolts: Int, of deviceID: UUID) async {
        // Boards that cannot measure say 0.
        guard millivolts > 0 else { return }
        events.emit(.batteryRead(deviceID: deviceID, millivolts: millivolts))
        guard let lowBattery else { return }
        let name = (try? await store.fetchDevice(id: deviceID))??.nodeName ?? ""
        await lowBattery.postLowBatteryNotification(deviceID: deviceID, deviceName: name, millivolts: millivolts)
    }
}

extension EventFilter {
    fileprivate static let battery = EventFilter { if case .battery = $0 { true } else { false } }
}
