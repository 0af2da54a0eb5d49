import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import PocketMeshServices
import StackTestSupport
import Synchronization
import Testing

/// The effects of a battery that runs low.
@Suite struct BatteryWatchTests {
    /// Battery readings in turn; the last one stays.
    private final class Gauge: Sendable {
        private let readings: Mutex<[UInt16]>

        init(_ readings: [UInt16]) {
            self.readings = Mutex(readings)
        }

        func answer(_ frame: [UInt8]) -> [[UInt8]] {
            guard frame.first == CommandCode.getBattAndStorage.rawValue else { return [] }
            let next = readings.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return [Resp.BattAndStorage(battery: next).encoded()]
        }
    }

    @Test(.proves("SVC-163"))
    func `a low battery is told once for each crossing, and again only 100 mV above the threshold`() throws {
        let gauge = Gauge([3500, 3390, 3300, 0, 3450, 3499, 3390, 3500, 3399, 3400, 3398])
        try withScriptedRadio(answers: { gauge.answer($0) }) { bench, _ in
            let sink = MemoryNotificationSink(capacity: 10)
            let shown = Notes<Int>()
            let read = Notes<Int>()
            let notifications = await NotificationService(sink: sink, settings: bench.store, clock: bench.clock)
            let service = bench.settings(lowBattery: notifications)
            service.events.note(in: read) { if case .batteryRead(_, let millivolts) = $0 { millivolts } else { nil } }
            await service.startEventMonitoring(deviceID: bench.device.id)
            for _ in 0..<11 {
                try await bench.clock.sleep(for: .seconds(300))
                // A further warning takes the place of the one that is shown.
                try await bench.clock.sleep(for: .milliseconds(1))
                shown.add(await sink.shown.count)
                if let request = await sink.shown.first {
                    #expect(request.title == "alice" && request.category == .lowBattery)
                    await sink.remove(ids: [request.id])
                }
            }
            await service.stop()

            #expect(shown.all == [0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0])
            #expect(read.all == [3500, 3390, 3300, 3450, 3499, 3390, 3500, 3399, 3400, 3398], "0 is no reading")
        }
    }

    @Test func `the watch asks every five minutes, looks at what others read, and ends with the service`() throws {
        let gauge = Gauge([3300])
        try withScriptedRadio(answers: { gauge.answer($0) }) { bench, transport in
            let read = Notes<Int>()
            let service = bench.settings()
            service.events.note(in: read) {
                guard case .batteryRead(let id, let millivolts) = $0 else { return nil }
                return id == bench.device.id ? millivolts : 0
            }
            await service.startEventMonitoring(deviceID: bench.device.id)
            _ = try await bench.session.getBattery()
            try await bench.clock.sleep(for: .seconds(1))
            #expect(read.all == [3300])

            try await bench.clock.sleep(for: .seconds(900))
            #expect(read.all.count == 4)
            await service.stop()
            let count = await transport.sentFrames.count
            try await bench.clock.sleep(for: .seconds(900))
            #expect(await transport.sentFrames.count == count)
            #expect(read.all.count == 4)
        }
    }

    @Test(.proves("SVC-163")) func `the battery of an emulated radio that drains is told`() throws {
        let shown = try withMesh(.solo) { mesh in
            let app = try await mesh.app("alice")
            let sink = MemoryNotificationSink(capacity: 10)
            let notifications = await NotificationService(sink: sink, settings: app.store, clock: mesh.clock)
            let service = app.settings(lowBattery: notifications)
            await service.startEventMonitoring(deviceID: app.device.id)
            try await mesh.clock.sleep(for: .seconds(601))
            let before = await sink.shown.count
            await mesh.world.withWorld { world in
                guard let node = world.node(labelled: "alice") else { return }
                world.withEnvironment(of: node) { $0.battery = .millivolts(3321) }
            }
            try await mesh.clock.sleep(for: .seconds(600))
            return (before, await sink.shown.map(\.body))
        }

        #expect(shown.0 == 0)
        #expect(shown.1 == ["The battery is low: 3321 mV"])
    }
}
