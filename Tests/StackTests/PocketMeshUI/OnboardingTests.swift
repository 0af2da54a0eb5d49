import Foundation
import MeshTestSupport
import PocketMeshServices
import PocketMeshUI
import StackTestSupport
import Synchronization
import Testing

/// A host with Bluetooth: three radios near, one of them heard twice.
final class ScriptedHost: HostServices {
    let pins = Mutex<[String]>([])

    func state(of permission: PermissionKind) async -> PermissionState {
        switch permission {
        case .bluetooth: .denied
        case .notifications: .unavailable
        case .location: .off
        }
    }

    func scan() -> AsyncThrowingStream<FoundDevice, any Error> {
        AsyncThrowingStream { continuation in
            for (address, rssi) in [("far", -90), ("near", -50), ("middle", -70), ("far", -40)] {
                continuation.yield(
                    FoundDevice(endpoint: RadioEndpoint(kind: .ble, address: address), name: address, rssi: rssi))
            }
        }
    }

    func pair(with endpoint: RadioEndpoint, pin: String) async throws {
        guard pin == "123456" else { throw StackError(.connection, .connectionFailed("the number is another one")) }
        pins.withLock { $0.append(pin) }
    }
}

/// A host without a bus, which reads addresses by their scheme.
private final class MuteHost: HostServices {
    func state(of permission: PermissionKind) async -> PermissionState { .unavailable }

    func endpoint(at text: String) throws -> RadioEndpoint {
        guard let endpoint = RadioEndpoint(text) else {
            throw StackError(.connection, .addressInvalid("address \"\(text)\": expected tcp://HOST:PORT"))
        }
        return endpoint
    }

    func scan() -> AsyncThrowingStream<FoundDevice, any Error> {
        AsyncThrowingStream { $0.finish(throwing: StackError(.connection, .scanFailed("there is no bus"))) }
    }

    func pair(with endpoint: RadioEndpoint, pin: String) async throws {}
}

@Suite struct OnboardingTests {
    @Test(.proves("SVC-174")) func `first steps run in order, are kept when done, and begin anew after a reset`() throws
    {
        let store = try PersistenceStore()
        try withApp(store: store, host: ScriptedHost()) { bench in
            try await bench.app.initialize()
            let steps = OnboardingViewModel()
            steps.configure(appState: bench.app)
            #expect(steps.step == .welcome && steps.page.paragraphs.count == 4)
            await steps.advance()
            #expect(steps.step == .permissions)
            #expect(steps.permissions.map(\.state) == [.denied, .unavailable, .off], "the host is asked")
            #expect(Set(steps.permissions.map(\.text)).count == 3)
            await steps.advance()
            #expect(steps.step == .deviceScan)
            steps.goBack()
            #expect(steps.step == .permissions)
            await steps.advance()
            #expect(!bench.app.hasCompletedOnboarding)
            await steps.advance()
            #expect(steps.step == .done && bench.app.hasCompletedOnboarding)
        }
        try withApp(store: store) { bench in
            try await bench.app.initialize()
            #expect(bench.app.hasCompletedOnboarding && bench.app.onboardingStep == .done)
            let steps = OnboardingViewModel()
            steps.configure(appState: bench.app)
            await steps.reset()
            #expect(steps.step == .welcome)
            try await bench.app.initialize()
            #expect(!bench.app.hasCompletedOnboarding)
        }
    }

    @Test func `radios are listed by strength, and one that is new asks for its number`() throws {
        let host = ScriptedHost()
        try withApp(host: host) { bench in
            let picker = DevicePickerViewModel()
            picker.configure(appState: bench.app)
            #expect(picker.canScan)
            await picker.startScan()
            #expect(await bench.wait { picker.found.count == 3 && picker.found.first?.rssi == -40 })
            #expect(picker.found.map(\.name) == ["far", "near", "middle"])
            #expect(picker.found[0].accessibilityLabel == "Radio far, signal -40 dBm")
            await picker.connect(to: "ble:near")
            #expect(picker.pinRequest?.name == "near")
            picker.cancelPIN()
            #expect(picker.pinRequest == nil)
            await picker.connect(to: "ble:near")
            await picker.enterPIN("12")
            #expect(picker.error?.code == "out-of-range" && picker.pinRequest != nil)
            await picker.enterPIN("000000")
            #expect(picker.error != nil && picker.pinRequest != nil)
            await picker.enterPIN("123456")
            #expect(host.pins.withLock { $0 } == ["123456"] && picker.pinRequest == nil)
            await picker.startScan()
            try await bench.pass(41)
            #expect(!picker.isScanning, "a scan ends by itself")
        }
    }

    @Test func `a scan that is not possible says why, and is over`() throws {
        try withApp(host: MuteHost()) { bench in
            let picker = DevicePickerViewModel()
            picker.configure(appState: bench.app)
            await picker.startScan()
            #expect(await bench.wait { !picker.isScanning })
            #expect(picker.scanFailure?.code == "scan-failed" && picker.error == nil)
            #expect(picker.scanFailure?.message.contains("there is no bus") == true)
            try await bench.pass(60)
            #expect(picker.scanFailure != nil, "it stays until the next scan")
        }
    }

    @Test func `an address that is none says what is missing, and success takes a failure back`() throws {
        try withApp(host: MuteHost()) { bench in
            let picker = DevicePickerViewModel()
            picker.configure(appState: bench.app)
            await picker.connect(to: "alice")
            #expect(picker.error?.code == "address-invalid" && bench.app.showingConnectionFailedAlert)
            await picker.connect(to: AppBench.address)
            #expect(picker.error == nil && !bench.app.showingConnectionFailedAlert)
            let (events, last) = (bench.app.messageEventBroadcaster, bench.app.messageEventBroadcaster.latestNumber)
            await picker.connect(to: "alice")
            let told = events.events(after: last).events.map(\.event)
            #expect(!told.isEmpty, "pages read the state again")
            for case .error(let repeated) in told { Issue.record("it is told twice: \(repeated.message)") }
        }
    }

    @Test func `a radio that was connected is listed, and the first one ends the first steps`() throws {
        try withApp { bench in
            try await bench.app.initialize()
            let picker = DevicePickerViewModel()
            picker.configure(appState: bench.app)
            #expect(!picker.canScan)
            await picker.connect(to: AppBench.address)
            #expect(picker.error == nil && bench.app.hasCompletedOnboarding)
            #expect(picker.saved.map(\.isConnected) == [true] && picker.saved[0].id == AppBench.address)
            let id = try #require(picker.saved[0].deviceID)
            let own = picker.saved[0].name
            await picker.rename(id, to: "  the one on the roof ")
            #expect(picker.saved[0].name == "the one on the roof" && picker.error == nil)
            await picker.rename(id, to: String(repeating: "x", count: 65))
            #expect(picker.saved[0].name.count == DevicePickerViewModel.nameLimit)
            await picker.rename(id, to: "")
            #expect(picker.saved[0].name == own, "the radio's own name is back")
            await picker.rename(id, to: "roof")
            await picker.forget(id)
            #expect(picker.saved[0].name == "roof", "its data stay")
            #expect(bench.app.connectionState == .disconnected)
            #expect(picker.saved[0].id == id.uuidString, "it has no address any more")
        }
    }
}
